//! What cannot be seen from outside: how much is kept, and that nothing is made for nobody.

use std::pin::pin;
use std::task::Waker;

use super::*;

fn channel(capacity: usize) -> Arc<Channel> {
    Arc::new(Channel::new(capacity))
}

fn next(events: &mut CallEvents) -> Poll<Option<CallEvent>> {
    pin!(events.next()).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn as_many_events_are_kept_as_are_asked_for_up_to_a_power_of_two() {
    assert_eq!(channel(usize::MAX).capacity, 1 << 20);
    for (asked, kept) in [(0, 1), (1, 1), (3, 4), (DEFAULT_EVENT_CAPACITY, 1_024)] {
        let channel = channel(asked);
        let mut events = channel.listen();
        for number in 1..=kept + 5 {
            channel.send(CallEvent::start(number, "", ""));
        }
        assert_eq!(next(&mut events), Poll::Ready(Some(CallEvent::lagged(5))));
        for number in 6..=kept + 5 {
            assert_eq!(next(&mut events), Poll::Ready(Some(CallEvent::start(number, "", ""))));
        }
        assert_eq!(next(&mut events), Poll::Pending);
    }
}

struct Several([ToolCall; 2]);

impl Calls for Several {
    fn calls(&self) -> &[ToolCall] {
        &self.0
    }
}

#[test]
fn nothing_is_made_for_nobody() {
    let channel = channel(4);
    let calls = [ToolCall::new("a", "t", "{}"), ToolCall::new("b", "t", "{}")];
    let all: Arc<dyn Calls> = Arc::new(Several(calls.clone()));
    let nothing = |channel: &Arc<Channel>| {
        let [first, _] = &calls;
        assert!(channel.begin(first).0.is_none());
        assert_eq!(channel.begin_all(&all).len(), 0);
        assert_eq!(channel.calls.load(Ordering::Relaxed), 0);
    };
    nothing(&channel);
    assert!(channel.sender.get().is_none());
    let (first, second) = (channel.listen(), channel.listen());
    drop(first);
    assert!(channel.has_listeners());
    drop(second);
    nothing(&channel);
}

#[test]
fn what_never_starts_is_never_told_of_and_an_end_brings_its_start() {
    let channel = channel(8);
    let mut events = channel.listen();
    let call = ToolCall::new("a", "t", "{}");
    drop(channel.begin(&call));
    assert_eq!(next(&mut events), Poll::Pending);
    channel.begin(&call).end(&ToolResult::new("", "", Err(CallError::NoExecutor)));
    assert_eq!(next(&mut events), Poll::Ready(Some(CallEvent::start(2, "a", "t"))));
    let Poll::Ready(Some(CallEvent::End { outcome, .. })) = next(&mut events) else { panic!("there is an end") };
    assert_eq!(outcome, "no_executor");
    assert_eq!(next(&mut events), Poll::Pending);
}

#[test]
fn the_first_end_is_the_only_one() {
    let channel = channel(8);
    let mut events = channel.listen();
    let telling = channel.begin(&ToolCall::new("a", "t", "{}"));
    let copy = telling.clone();
    telling.start();
    telling.end(&ToolResult::new("", "", Err(CallError::ShutDown)));
    copy.start();
    copy.end(&ToolResult::new("", "", Err(CallError::NoExecutor)));
    drop((telling, copy));
    assert_eq!(next(&mut events), Poll::Ready(Some(CallEvent::start(1, "a", "t"))));
    let Poll::Ready(Some(CallEvent::End { outcome, .. })) = next(&mut events) else { panic!("there is an end") };
    assert_eq!(outcome, "shut_down");
    assert_eq!(next(&mut events), Poll::Pending);
}
