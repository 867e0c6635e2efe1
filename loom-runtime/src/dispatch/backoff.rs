//! How long to wait before a call is tried again.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

/// The delays between the attempts of a call that is tried again: each twice as long as the one before, up to a most.
///
/// What a failure itself says about when to try again ([`ToolError::retry_after`](crate::ToolError::retry_after)) is
/// waited for as well, if it is longer.
///
/// The default starts at 200 milliseconds and stops growing at 20 seconds. A random part of up to the delay itself is
/// added, so that callers who failed together do not come back together.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    builder: ExponentialBuilder,
}

impl Backoff {
    /// Delays from `first` on, none longer than `most` before the random part is added.
    pub const fn new(first: Duration, most: Duration) -> Self {
        let builder = ExponentialBuilder::new().with_min_delay(first).with_max_delay(most).without_max_times();
        Self { builder: builder.with_factor(2.0).with_jitter() }
    }

    /// Exactly these delays, without a random part.
    #[must_use]
    pub const fn exact(first: Duration, most: Duration) -> Self {
        let builder = ExponentialBuilder::new().with_min_delay(first).with_max_delay(most).without_max_times();
        Self { builder: builder.with_factor(2.0) }
    }

    pub(super) fn delays(&self) -> ExponentialBackoff {
        self.builder.build()
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_millis(200), Duration::from_secs(20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_most() {
        let seconds = |backoff: Backoff| backoff.delays().take(6).map(|delay| delay.as_secs_f64()).collect::<Vec<_>>();
        let exact = Backoff::exact(Duration::from_secs(1), Duration::from_secs(9));
        assert_eq!(seconds(exact), [1.0, 2.0, 4.0, 8.0, 9.0, 9.0]);
        let random = seconds(Backoff::default());
        for (delay, least) in random.iter().zip([0.2, 0.4, 0.8, 1.6, 3.2, 6.4]) {
            assert!((least..=2.0 * least).contains(delay), "{random:?}");
        }
    }
}
