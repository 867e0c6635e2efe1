//! Events of calls, for whoever listens: a bounded channel that nobody who makes a call ever waits for.
//!
//! A call that nobody listens to pays for one look at a counter. What it would tell is not made then.

use std::fmt::{self, Display, Write};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_core::Stream;
use loom_core::{CallError, CallEvent, Coercion, ProgressUpdate, Repair, ToolCall, ToolError, ToolResult};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::task::coop;
// The executor's clock, which timeouts go by as well: where a test stops it, durations are exact.
use tokio::time::Instant;
use tokio_util::sync::ReusableBoxFuture;

mod progress;
#[cfg(test)]
mod tests;

use progress::Flow;

/// How many events are kept for a listener that does not keep up, where the dispatcher does not say otherwise.
pub const DEFAULT_EVENT_CAPACITY: usize = 1_024;

/// How often progress of a call is told at most: as often as a person can follow.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// The most that can be kept: the places are there from the first listener on.
const MOST: usize = 1 << 20;

/// Shared, so that the places are small and the last listener to read an event gets it without a copy.
type Shared = Arc<CallEvent>;

/// Where the events of a dispatcher and its clones go.
pub(super) struct Channel {
    capacity: usize,
    /// Made for the first listener: most dispatchers have none.
    sender: OnceLock<broadcast::Sender<Shared>>,
    /// Beside the channel's own count, which takes a lock to read.
    listeners: AtomicUsize,
    /// How many calls have been told of.
    calls: AtomicU64,
}

impl Channel {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.clamp(1, MOST),
            sender: OnceLock::new(),
            listeners: AtomicUsize::new(0),
            calls: AtomicU64::new(0),
        }
    }

    pub(super) fn listen(self: &Arc<Self>) -> CallEvents {
        let receiver = self.sender.get_or_init(|| broadcast::Sender::new(self.capacity)).subscribe();
        self.listeners.fetch_add(1, Ordering::Relaxed);
        // Read after subscribing: a call that gets a later number starts after it, so all of it is heard.
        let told_before = self.calls.load(Ordering::Relaxed);
        CallEvents { hearing: Some(receiver), waiting: None, told_before, channel: Arc::downgrade(self) }
    }

    fn has_listeners(&self) -> bool {
        self.listeners.load(Ordering::Relaxed) > 0
    }

    /// The side of a call that tells of it, once it [starts](Telling::start).
    #[inline]
    pub(super) fn begin(self: &Arc<Self>, call: &ToolCall) -> Telling {
        if !self.has_listeners() {
            return Telling::nobody();
        }
        self.telling(About::One { call_id: call.id.clone(), tool_name: call.name.clone() })
    }

    /// The same for all calls of a turn; none where nobody listens.
    pub(super) fn begin_all(self: &Arc<Self>, calls: &Arc<dyn Calls>) -> Vec<Telling> {
        if !self.has_listeners() {
            return Vec::new();
        }
        (0..calls.calls().len()).map(|place| self.telling(About::OfTurn { calls: Arc::clone(calls), place })).collect()
    }

    #[cold]
    fn telling(self: &Arc<Self>, about: About) -> Telling {
        let number = self.calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        Telling(Some(Arc::new(Told {
            channel: Arc::clone(self),
            number,
            about,
            started: OnceLock::new(),
            ended: AtomicBool::new(false),
            flow: OnceLock::new(),
        })))
    }

    fn send(&self, event: CallEvent) {
        if let Some(sender) = self.sender.get() {
            // Fails when the last listener has just gone.
            let _heard = sender.send(Arc::new(event));
        }
    }
}

/// The side of one call that tells its events. Of its clones the last that is dropped tells the end, if none has.
#[derive(Clone)]
pub(super) struct Telling(Option<Arc<Told>>);

/// The calls of a turn, which are kept by whoever runs them.
pub(super) trait Calls: Send + Sync {
    fn calls(&self) -> &[ToolCall];
}

/// Which call is told of.
enum About {
    One { call_id: String, tool_name: String },
    OfTurn { calls: Arc<dyn Calls>, place: usize },
}

impl About {
    fn call_id(&self) -> &str {
        match self {
            Self::One { call_id, .. } => call_id,
            Self::OfTurn { calls, place } => calls.calls().get(*place).map_or("", |call| &call.id),
        }
    }

    fn tool_name(&self) -> &str {
        match self {
            Self::One { tool_name, .. } => tool_name,
            Self::OfTurn { calls, place } => calls.calls().get(*place).map_or("", |call| &call.name),
        }
    }
}

struct Told {
    channel: Arc<Channel>,
    number: u64,
    about: About,
    started: OnceLock<Instant>,
    ended: AtomicBool,
    /// Made when the tool asks for it.
    flow: OnceLock<Flow>,
}

impl Telling {
    /// Of a call that nobody listens to.
    pub(super) const fn nobody() -> Self {
        Self(None)
    }

    /// Tells that the call begins: it may have waited for others before.
    #[inline]
    pub(super) fn start(&self) {
        if let Some(told) = &self.0 {
            told.start();
        }
    }

    /// Tells that an attempt failed and another follows.
    pub(super) fn retry(&self, attempt: u32, error: &ToolError, delay: Duration) {
        if let Some(told) = &self.0 {
            let event = CallEvent::retry(told.number, told.about.call_id(), attempt, error.to_string(), delay);
            told.channel.send(event);
        }
    }

    /// Tells what was changed in the arguments, if anything was.
    #[inline]
    pub(super) fn changed(&self, coercions: &[Coercion], repairs: &[Repair]) {
        if let Some(told) = &self.0
            && !(coercions.is_empty() && repairs.is_empty())
        {
            let event = CallEvent::coercions(told.number, told.about.call_id(), coercions.into(), repairs.into());
            told.channel.send(event);
        }
    }

    /// Tells what became of the call; nothing of it is told after that.
    #[inline]
    pub(super) fn end(&self, result: &ToolResult) {
        if let Some(told) = &self.0 {
            told.end(Some(result));
        }
    }
}

impl Told {
    fn start(&self) -> Instant {
        *self.started.get_or_init(|| {
            self.channel.send(CallEvent::start(self.number, self.about.call_id(), self.about.tool_name()));
            Instant::now()
        })
    }

    fn progress(&self, update: ProgressUpdate) {
        self.channel.send(CallEvent::progress(self.number, self.about.call_id(), update));
    }

    /// Without a result, since nobody waits for it, the call was cancelled.
    fn end(&self, result: Option<&ToolResult>) {
        let started = self.start();
        if self.ended.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(flow) = self.flow.get() {
            flow.end(self);
        }
        let outcome = result.map(|result| &result.outcome);
        if let Some(Err(CallError::BadArguments(problems))) = outcome {
            self.channel.send(CallEvent::problems(self.number, self.about.call_id(), problems.clone()));
        }
        let bytes = match outcome {
            Some(Ok(output)) => output.size(),
            Some(Err(error)) => Length::of(error),
            None => 0,
        };
        let outcome = outcome.map_or(CallError::Cancelled { blocking: false }.kind(), CallEvent::outcome_of);
        let event = CallEvent::end(self.number, self.about.call_id(), outcome, started.elapsed());
        let is_truncated = result.is_some_and(|result| result.truncation.is_some());
        self.channel.send(event.with_result(bytes, is_truncated));
    }
}

/// Counts the bytes of a text that nobody keeps.
struct Length(usize);

impl Length {
    fn of(text: &impl Display) -> usize {
        let mut length = Self(0);
        // Counting does not fail.
        let _counted = write!(length, "{text}");
        length.0
    }
}

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        Ok(())
    }
}

/// A call that has started and not ended by now never will: whoever waited for it dropped it.
impl Drop for Told {
    fn drop(&mut self) {
        if self.started.get().is_some() {
            self.end(None);
        }
    }
}

/// The events of the calls of a dispatcher and its clones, as a stream; see [`Dispatcher::events`].
///
/// It tells all of a call or nothing: of calls that were under way when it was made it tells nothing. It ends when the
/// dispatchers are gone and their calls are over. Dropping it disturbs nobody.
///
/// [`Dispatcher::events`]: crate::Dispatcher::events
pub struct CallEvents {
    /// Not while it waits: then it is in the future.
    hearing: Option<broadcast::Receiver<Shared>>,
    /// Made when there is something to wait for.
    waiting: Option<ReusableBoxFuture<'static, Received>>,
    /// The number of the last call that is none of its own.
    told_before: u64,
    /// Weak, since listeners do not keep the channel open.
    channel: Weak<Channel>,
}

impl CallEvents {
    /// The next event, or `None` once there can be no more. Dropping the future loses none.
    pub async fn next(&mut self) -> Option<CallEvent> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

impl Stream for CallEvents {
    type Item = CallEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<CallEvent>> {
        loop {
            let event = ready!(self.poll_event(cx));
            match event {
                Ok(event) if event.call_number().is_some_and(|number| number <= self.told_before) => {}
                Ok(event) => return Poll::Ready(Some(Arc::unwrap_or_clone(event))),
                Err(RecvError::Lagged(lost)) => return Poll::Ready(Some(CallEvent::lagged(lost))),
                Err(RecvError::Closed) => return Poll::Ready(None),
            }
        }
    }
}

impl CallEvents {
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Result<Shared, RecvError>> {
        if let Some(receiver) = &mut self.hearing {
            // A listener that is behind does not keep its task from others.
            let proceed = ready!(coop::poll_proceed(cx));
            let event = match receiver.try_recv() {
                Ok(event) => Some(Ok(event)),
                Err(TryRecvError::Lagged(lost)) => Some(Err(RecvError::Lagged(lost))),
                Err(TryRecvError::Closed) => Some(Err(RecvError::Closed)),
                Err(TryRecvError::Empty) => None,
            };
            if let Some(event) = event {
                proceed.made_progress();
                return Poll::Ready(event);
            }
        }
        if let Some(receiver) = self.hearing.take() {
            let receiving = receive(receiver);
            match &mut self.waiting {
                Some(waiting) => waiting.set(receiving),
                None => self.waiting = Some(ReusableBoxFuture::new(receiving)),
            }
        }
        let Some(waiting) = &mut self.waiting else { return Poll::Ready(Err(RecvError::Closed)) };
        let (event, receiver) = ready!(waiting.poll(cx));
        self.hearing = Some(receiver);
        Poll::Ready(event)
    }
}

/// What came, and the receiver that it came by.
type Received = (Result<Shared, RecvError>, broadcast::Receiver<Shared>);

async fn receive(mut receiver: broadcast::Receiver<Shared>) -> Received {
    (receiver.recv().await, receiver)
}

impl Drop for CallEvents {
    fn drop(&mut self) {
        if let Some(channel) = self.channel.upgrade() {
            channel.listeners.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for CallEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallEvents").finish_non_exhaustive()
    }
}
