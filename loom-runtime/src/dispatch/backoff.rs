//! How long to wait before a call is tried again.

use std::iter::successors;
use std::time::Duration;

/// The delays between the attempts of a call that is tried again: each twice as long as the one before, up to a most.
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
        // Doubled as whole nanoseconds: a fraction that is a little too long makes a timer wait a millisecond more.
        let delays = successors(Some(first.min(most)), move |delay| Some(delay.saturating_mul(2).min(most)));
        delays.map(move |delay| if is_random { delay.saturating_add(part_of(delay)) } else { delay })
    }
}

/// A random part of the delay, less than the whole.
fn part_of(delay: Duration) -> Duration {
    Duration::try_from_secs_f64(delay.as_secs_f64() * fastrand::f64()).unwrap_or_default()
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
        for unit in [Duration::from_nanos(1), Duration::from_millis(7), Duration::from_secs(1), Duration::from_hours(9)]
        {
            let exact = Backoff::exact(unit, unit * 9);
            assert_eq!(first_six(exact), [1, 2, 4, 8, 9, 9].map(|times| unit * times));
        }
        let long = Duration::MAX - Duration::from_nanos(1);
        assert_eq!(first_six(Backoff::exact(long, Duration::MAX))[..2], [long, Duration::MAX]);
        assert_eq!(first_six(Backoff::exact(Duration::ZERO, Duration::MAX)), [Duration::ZERO; 6]);
    }

    #[test]
    fn not_even_the_first_delay_is_longer_than_the_most() {
        let second = Duration::from_secs(1);
        assert_eq!(first_six(Backoff::exact(second * 3, second)), [second; 6]);
        assert!(first_six(Backoff::new(second * 3, second)).iter().all(|delay| *delay < second * 2));
    }

    #[test]
    fn a_random_part_is_less_than_the_delay_and_not_always_the_same() {
        let mut seen = Vec::new();
        for _ in 0..20 {
            let random = first_six(Backoff::default());
            for (delay, least) in random.iter().zip([200, 400, 800, 1_600, 3_200, 6_400]) {
                let least = Duration::from_millis(least);
                assert!((least..2 * least).contains(delay), "{random:?}");
            }
            seen.push(random);
        }
        seen.dedup();
        assert!(seen.len() > 1);
        assert_eq!(first_six(Backoff::new(Duration::MAX, Duration::MAX)), [Duration::MAX; 6]);
    }
}
