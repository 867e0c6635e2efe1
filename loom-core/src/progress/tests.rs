use std::task::Waker;

use proptest::prelude::*;

use super::*;

/// Keeps every report.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<ProgressUpdate>>>);

impl ProgressSink for Kept {
    fn report(&self, update: &ProgressUpdate) {
        self.0.lock().unwrap().push(update.clone());
    }
}

impl Kept {
    fn lines(&self) -> Vec<String> {
        let line = |update: &ProgressUpdate| {
            let total = update.total.map(|total| format!("/{total}")).unwrap_or_default();
            let message = update.message.as_ref().map(|message| format!(" {message}")).unwrap_or_default();
            format!("{}{total}{message}", update.done)
        };
        self.0.lock().unwrap().iter().map(line).collect()
    }
}

fn heard() -> (Progress, Kept) {
    let kept = Kept::default();
    (Progress::new(kept.clone()), kept)
}

#[test]
fn what_is_said_is_kept_until_something_else_is() {
    let (progress, kept) = heard();
    progress.message("reading");
    progress.set(1.5, Some(3.0));
    progress.clone().message("writing");
    progress.set(2.0, None);
    assert_eq!(kept.lines(), ["0 reading", "1.5/3 reading", "1.5/3 writing", "2 writing"]);
}

#[test]
fn steps_and_bytes_are_counted() {
    let (progress, kept) = heard();
    let mut steps = progress.steps(3);
    steps.step();
    steps.step_to("last");
    steps.add(u64::MAX);
    assert_eq!(steps.done(), u64::MAX);
    assert_eq!(kept.lines(), ["1/3", "2/3 last", "18446744073709552000/18446744073709552000 last"]);

    let (progress, kept) = heard();
    let mut reader = progress.bytes(Some(5)).reader(&b"hello"[..]);
    let mut buffer = [0; 3];
    assert_eq!([reader.read(&mut buffer).unwrap(), reader.read(&mut buffer).unwrap()], [3, 2]);
    assert_eq!(reader.read(&mut buffer).unwrap(), 0);
    let mut bytes = progress.bytes(None);
    bytes.add(7);
    assert_eq!(bytes.done(), 7);
    assert_eq!(kept.lines(), ["3/5", "5/5", "5/5", "7"]);
}

#[test]
fn an_item_is_done_when_the_next_is_asked_for() {
    let (progress, kept) = heard();
    let mut items = progress.iter(["a", "b"]);
    assert_eq!(items.next(), Some("a"));
    assert_eq!(kept.lines(), ["0/2"]);
    assert_eq!((items.next(), items.next(), items.next()), (Some("b"), None, None));
    assert_eq!(kept.lines(), ["0/2", "1/2", "2/2", "2/2"]);

    let (progress, kept) = heard();
    assert_eq!(progress.iter((1..9).filter(|n| n % 4 == 0)).sum::<i32>(), 12);
    assert_eq!(progress.iter((1..9).filter(|n| n % 4 == 0)).with_total(2).size_hint(), (0, Some(8)));
    assert_eq!(kept.lines(), ["0", "1", "2"]);
}

/// Is pending before each item.
struct Slow(u8, bool);

impl Stream for Slow {
    type Item = u8;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<u8>> {
        self.1 = !self.1;
        if self.1 {
            return Poll::Pending;
        }
        self.0 = self.0.saturating_sub(1);
        Poll::Ready(Some(self.0).filter(|left| *left > 0))
    }
}

#[test]
fn items_of_a_stream_are_counted_once_however_often_it_is_asked() {
    let (progress, kept) = heard();
    let mut stream = progress.stream(Slow(3, false)).with_total(2);
    let mut cx = Context::from_waker(Waker::noop());
    let mut polls = Vec::new();
    while polls.last() != Some(&Poll::Ready(None)) {
        polls.push(Pin::new(&mut stream).poll_next(&mut cx));
    }
    let [pending, end] = [Poll::Pending, Poll::Ready(None)];
    assert_eq!(polls, [pending, Poll::Ready(Some(2)), pending, Poll::Ready(Some(1)), pending, end]);
    assert_eq!(kept.lines(), ["0/2", "0/2", "1/2", "1/2", "2/2", "2/2"]);
}

#[test]
fn nobody_hears_of_nothing() {
    let progress = Progress::none();
    progress.message("x");
    assert_eq!(progress.iter([1, 2]).count(), 2);
    assert!(!progress.is_heard());
    assert_eq!(format!("{progress:?}"), "Progress { is_heard: false, .. }");
}

#[test]
fn fractions_are_from_0_to_1() {
    let fraction = |done, total| ProgressUpdate { done, total, message: None }.fraction();
    assert_eq!(fraction(1.0, None), None);
    assert_eq!(fraction(1.0, Some(4.0)), Some(0.25));
    assert_eq!(fraction(0.0, Some(0.0)), Some(1.0));
    assert_eq!(fraction(5.0, Some(5.0)), Some(1.0));
}

proptest! {
    #[test]
    fn numbers_make_sense_whatever_is_said(said in prop::collection::vec((any::<f64>(), any::<Option<f64>>()), 1..40)) {
        let (progress, kept) = heard();
        for (done, total) in &said {
            progress.set(*done, *total);
        }
        let told = kept.0.lock().unwrap();
        prop_assert_eq!(told.len(), said.len());
        let mut before = 0.0_f64;
        for (update, (done, total)) in told.iter().zip(&said) {
            prop_assert!(update.done.is_finite() && update.done >= before);
            prop_assert!([before.to_bits(), done.to_bits()].contains(&update.done.to_bits()));
            prop_assert_eq!(update.total.is_some(), total.is_some_and(f64::is_finite));
            prop_assert!(update.total.is_none_or(|total| total >= update.done));
            prop_assert!(update.fraction().is_none_or(|fraction| (0.0..=1.0).contains(&fraction)));
            before = update.done;
        }
    }
}
