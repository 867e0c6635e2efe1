//! Hosts of this process.

mod in_process;
mod watch;

#[cfg(test)]
mod tests;

pub use in_process::InProcessToolHost;
