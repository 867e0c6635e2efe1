//! Progress: how far a call has come, told while it runs.
//!
//! A tool reports through a [`Progress`], and whatever executes its call decides when somebody hears of it.

use std::fmt;
use std::io::{self, Read};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::context::{CallContext, ContextError, FromContext};

/// How far a call has come.
///
/// `done` is a finite number that is not negative and never goes back within a call; `total` is never less than it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ProgressUpdate {
    /// How much is done, in whatever unit the tool counts.
    pub done: f64,
    /// How much there is to do, where that is known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

impl ProgressUpdate {
    /// The part that is done, from 0 to 1, where the total is known. Of nothing to do, all is done.
    pub fn fraction(&self) -> Option<f64> {
        let total = self.total?;
        Some(if total > 0.0 { (self.done / total).clamp(0.0, 1.0) } else { 1.0 })
    }

    /// Takes these numbers as far as they make sense: what is no number or goes back changes nothing, and a total that is
    /// less than what is done is taken as that.
    fn advance(&mut self, done: f64, total: Option<f64>) {
        if done.is_finite() {
            self.done = self.done.max(done);
        }
        self.total = total.filter(|total| total.is_finite()).map(|total| total.max(self.done));
    }
}

/// Where the reports of one call go.
pub trait ProgressSink: Send + Sync {
    /// Takes a report. Reports of one call come one after the other, from whatever thread makes them; the sink must
    /// neither block nor report itself.
    fn report(&self, update: &ProgressUpdate);
}

/// Tells how far a call has come. Cheap to clone; the clones belong together.
///
/// A tool gets that of its own call as a `#[context]` parameter. It is there in every call, and where nobody listens its
/// reports cost next to nothing. After the end of the call they go nowhere.
///
/// ```
/// use loom_core::{Progress, tool};
///
/// /// Resizes pictures.
/// #[tool]
/// fn resize(names: Vec<String>, #[context] progress: &Progress) -> usize {
///     let mut resized = 0;
///     for name in progress.iter(names) {
///         progress.message(name);
///         resized += 1;
///     }
///     resized
/// }
///
/// // The function stays an ordinary one.
/// assert_eq!(resize(vec!["a.png".to_owned()], &Progress::none()), 1);
/// ```
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Reporting>>);

struct Reporting {
    last: Mutex<ProgressUpdate>,
    sink: Box<dyn ProgressSink>,
}

impl Progress {
    /// One that nobody hears of.
    pub const fn none() -> Self {
        Self(None)
    }

    /// One whose reports go to this sink.
    pub fn new(sink: impl ProgressSink + 'static) -> Self {
        Self(Some(Arc::new(Reporting { last: Mutex::default(), sink: Box::new(sink) })))
    }

    /// Whether anybody may hear of it; reports that take work to make can be left out otherwise.
    pub const fn is_heard(&self) -> bool {
        self.0.is_some()
    }

    /// Says what is being done now.
    pub fn message(&self, message: impl Into<String>) {
        self.change(|update| update.message = Some(message.into()));
    }

    /// Says how much is done, and of how much where that is known.
    ///
    /// What is done never goes back: a lower number, and what is no number, leaves it where it was. So a call that is
    /// tried again has caught up before more is told. A total that is less than what is done is taken as that.
    pub fn set(&self, done: f64, total: Option<f64>) {
        self.change(|update| update.advance(done, total));
    }

    /// Counts steps, of which there are so many where that is known: `steps(10)`, `steps(None)`.
    pub fn steps(&self, total: impl Into<Option<u64>>) -> Steps {
        Steps { progress: self.clone(), done: 0, total: total.into() }
    }

    /// Counts bytes, of which there are so many where that is known.
    pub fn bytes(&self, total: impl Into<Option<u64>>) -> Bytes {
        Bytes(self.steps(total))
    }

    /// The items, each of which is done when the next is asked for. Their number is the total if it is known beforehand.
    pub fn iter<I: IntoIterator>(&self, items: I) -> Reported<I::IntoIter> {
        let items = items.into_iter();
        Reported::new(self, items.size_hint(), items)
    }

    /// The same for the items of a stream.
    pub fn stream<S: Stream>(&self, items: S) -> Reported<S> {
        Reported::new(self, items.size_hint(), items)
    }

    fn change(&self, change: impl FnOnce(&mut ProgressUpdate)) {
        if let Some(reporting) = &self.0 {
            let mut last = reporting.last.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut last);
            reporting.sink.report(&last);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("is_heard", &self.is_heard()).finish_non_exhaustive()
    }
}

/// One that nobody hears of, where the executor supplies none.
impl FromContext for Progress {
    fn from_context(context: &CallContext<'_>) -> Result<Self, ContextError> {
        Ok(context.supply::<Self>().cloned().unwrap_or_default())
    }
}

/// Counts steps; made by [`Progress::steps`].
#[derive(Debug)]
pub struct Steps {
    progress: Progress,
    done: u64,
    total: Option<u64>,
}

impl Steps {
    /// Another step is done.
    pub fn step(&mut self) {
        self.add(1);
    }

    /// Another step is done, and this is being done now.
    pub fn step_to(&mut self, message: impl Into<String>) {
        self.done = self.done.saturating_add(1);
        let (done, total) = self.numbers();
        self.progress.change(|update| {
            update.message = Some(message.into());
            update.advance(done, total);
        });
    }

    /// So many more steps are done.
    pub fn add(&mut self, steps: u64) {
        self.done = self.done.saturating_add(steps);
        self.tell();
    }

    /// How many steps are done.
    pub const fn done(&self) -> u64 {
        self.done
    }

    #[expect(clippy::cast_precision_loss, reason = "a count beyond 2⁵³ is shown, not counted on")]
    fn numbers(&self) -> (f64, Option<f64>) {
        (self.done as f64, self.total.map(|total| total as f64))
    }

    fn tell(&self) {
        let (done, total) = self.numbers();
        self.progress.set(done, total);
    }
}

/// Counts bytes; made by [`Progress::bytes`].
#[derive(Debug)]
pub struct Bytes(Steps);

impl Bytes {
    /// So many more bytes are done.
    pub fn add(&mut self, bytes: u64) {
        self.0.add(bytes);
    }

    /// How many bytes are done.
    pub const fn done(&self) -> u64 {
        self.0.done()
    }

    /// A reader that counts what is read from it.
    pub const fn reader<R: Read>(self, reader: R) -> Counted<R> {
        Counted { bytes: self, reader }
    }
}

/// A reader that reports how much was read; made by [`Bytes::reader`].
#[derive(Debug)]
pub struct Counted<R> {
    bytes: Bytes,
    reader: R,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.add(u64::try_from(read).unwrap_or(u64::MAX));
        Ok(read)
    }
}

/// Items that report how many are done; made by [`Progress::iter`] and [`Progress::stream`].
#[derive(Debug)]
#[must_use = "nothing is reported of items that nobody takes"]
pub struct Reported<I> {
    steps: Steps,
    /// Whether an item was given that is not done.
    under_way: bool,
    items: I,
}

impl<I> Reported<I> {
    fn new(progress: &Progress, (least, most): (usize, Option<usize>), items: I) -> Self {
        let total = most.filter(|most| *most == least).and_then(|total| u64::try_from(total).ok());
        Self { steps: Steps { progress: progress.clone(), done: 0, total }, under_way: false, items }
    }

    /// Sets how many items there are, where they do not say.
    pub const fn with_total(mut self, total: u64) -> Self {
        self.steps.total = Some(total);
        self
    }

    fn ask(&mut self) {
        if std::mem::take(&mut self.under_way) {
            self.steps.done = self.steps.done.saturating_add(1);
        }
        self.steps.tell();
    }
}

impl<I: Iterator> Iterator for Reported<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.ask();
        let item = self.items.next();
        self.under_way = item.is_some();
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<S: Stream + Unpin> Stream for Reported<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.ask();
        let item = Pin::new(&mut self.items).poll_next(cx);
        self.under_way = matches!(item, Poll::Ready(Some(_)));
        item
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

#[cfg(test)]
mod tests;
