//! How long to wait before a call is tried again.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};

/// The delays between the attempts of a call that is tried again: each twice as long as the one before, up to a most, in
/// whole milliseconds.
///
/// What a failure itself says about when to try again ([`ToolError::retry_after`](crate::ToolError::retry_after)) is
/// waited for as well, if it is longer.
///
/// The default starts at 200 milliseconds and stops growing at 20 seconds. A random part of up to the delay itself is
/// added, so that callers who failed together do not come back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    first: Duration,
    most: Duration,
    /// Whether a random part is added.
    is_random: bool,
}

impl Backoff {
    /// Delays from `first` on, none longer than `most` before the random part is added.
    pub const fn new(first: Duration, most: Duration) -> Self {
        Self { first, most, is_random: true }
    }

    /// Exactly these delays, without a random part.
    #[must_use]
    pub const fn exact(first: Duration, most: Duration) -> Self {
        Self { first, most, is_random: false }
    }

    pub(super) fn delays(self) -> impl Iterator<Item = Duration> {
        let Self { first, most, is_random } = self;
        let builder = ExponentialBuilder::new().with_min_delay(first.min(most)).with_max_delay(most).with_factor(2.0);
        let builder = if is_random { builder.with_jitter() } else { builder };
        builder.without_max_times().build().map(whole_milliseconds)
    }
}

/// Timers know nothing finer, and a delay that was doubled as a floating-point number is a little off.
fn whole_milliseconds(delay: Duration) -> Duration {
    let rounded = delay.saturating_add(Duration::from_micros(500));
    Duration::from_millis(u64::try_from(rounded.as_millis()).unwrap_or(u64::MAX))
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_millis(200), Duration::from_secs(20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_six(backoff: Backoff) -> Vec<Duration> {
        backoff.delays().take(6).collect()
    }

    #[test]
    fn delays_double_up_to_the_most() {
        for unit in [Duration::from_millis(1), Duration::from_millis(7), Duration::from_secs(1), Duration::from_mins(9)]
        {
            let exact = Backoff::exact(unit, unit * 9);
            assert_eq!(first_six(exact), [1, 2, 4, 8, 9, 9].map(|times| unit * times));
        }
        assert_eq!(first_six(Backoff::exact(Duration::ZERO, Duration::MAX)), [Duration::ZERO; 6]);
        assert_eq!(first_six(Backoff::exact(Duration::from_micros(1_600), Duration::MAX))[0], Duration::from_millis(2));
    }

    #[test]
    fn not_even_the_first_delay_is_longer_than_the_most() {
        let second = Duration::from_secs(1);
        assert_eq!(first_six(Backoff::exact(second * 3, second)), [second; 6]);
        assert!(first_six(Backoff::new(second * 3, second)).iter().all(|delay| *delay <= second * 2));
    }

    #[test]
    fn a_random_part_is_no_more_than_the_delay_and_not_always_the_same() {
        let mut seen = Vec::new();
        for _ in 0..20 {
            let random = first_six(Backoff::default());
            for (delay, least) in random.iter().zip([200, 400, 800, 1_600, 3_200, 6_400]) {
                let least = Duration::from_millis(least);
                assert!((least..=2 * least).contains(delay), "{random:?}");
            }
            seen.push(random);
        }
        seen.dedup();
        assert!(seen.len() > 1);
    }

    #[test]
    fn no_delay_is_too_long_to_be_told() {
        let longest = Duration::from_millis(u64::MAX);
        for backoff in [Backoff::new(Duration::MAX, Duration::MAX), Backoff::exact(Duration::MAX, Duration::MAX)] {
            assert_eq!(first_six(backoff), [longest; 6]);
        }
    }
}
