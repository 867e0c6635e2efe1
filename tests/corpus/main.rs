//! Corpus tests: functions and calls as real models are asked about them.
//!
//! The corpus is data that is not part of the project; see [`data`] for where it is looked for. Without it, every
//! test here says that it was skipped, and passes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::missing_panics_doc)]

mod annotated;
mod broken;
mod data;
mod echo;
mod functions;
mod turns;
