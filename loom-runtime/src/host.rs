//! Hosts of this process, and hosts made of hosts.

mod compose;
mod in_process;
mod watch;
mod wrap;

#[cfg(test)]
mod tests;

pub use compose::{ComposeError, ComposeHosts, ComposedHost, ToolPlace};
pub use in_process::InProcessToolHost;
pub use wrap::Wrapped;
