//! Hosts of this process.

mod in_process;
mod watch;

pub use in_process::InProcessToolHost;
