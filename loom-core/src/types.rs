//! Types for parameters and fields whose plain Rust type would not say what a model should send.
//!
//! Each one's schema says exactly what it takes, so what a model reads and what a call accepts are the same.
//!
//! | instead of | take | because |
//! |---|---|---|
//! | `Vec<u8>` | `Base64` (feature `base64`) | a list of numbers is no way to send bytes |
//! | [`std::time::Duration`] | [`DurationText`] | its schema is `{secs, nanos}`, which no model guesses |
//! | `Vec<T>` | [`OneOrMany<T>`] | a model with one item often sends it without the list |

#[cfg(feature = "base64")]
mod base64;
mod duration;
mod one_or_many;

#[cfg(feature = "base64")]
pub use base64::{Base64, Base64Error};
pub use duration::{DurationText, DurationTextError};
pub use one_or_many::OneOrMany;

/// As much of a text as a message shows.
fn excerpt(text: &str) -> &str {
    const SHOWN: usize = 20;
    let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}
