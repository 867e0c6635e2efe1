//! Calls of one turn: reads beside each other, changes of one file in their order.

use std::future::Future;
use std::task::{Context, Poll, Waker};

use super::*;

#[tokio::test]
async fn edits_of_one_file_keep_their_order_and_each_sees_the_one_before() {
    let place = Place::new(&[("a.txt", "0\n")]);
    // Each finds only what the one before it wrote, under other spellings of the same path.
    let paths = ["a.txt", "./a.txt", ".//a.txt"];
    let calls = (0..8_usize).map(|step| {
        let path = paths[step % 3];
        let arguments = json!({"path": path, "old": step.to_string(), "new": (step + 1).to_string()});
        ToolCall::new(step.to_string(), "edit", arguments)
    });
    let results = place.dispatcher().dispatch(calls).await;
    assert!(results.iter().all(|result| !result.is_error()), "{results:?}");
    assert_eq!(place.text("a.txt"), "8\n");
}

/// Starts and ends that there are to be heard by now.
fn heard(events: &mut crate::CallEvents) -> Vec<String> {
    let mut order = Vec::new();
    let mut next = || std::pin::pin!(events.next()).poll(&mut Context::from_waker(Waker::noop()));
    while let Poll::Ready(Some(event)) = next() {
        match event {
            CallEvent::Start { call_id, .. } => order.push(format!("start {call_id}")),
            CallEvent::End { call_id, .. } => order.push(format!("end {call_id}")),
            _ => {}
        }
    }
    order
}

#[test]
fn reads_of_a_turn_overlap_and_changes_wait_for_them() {
    // The only thread for functions that block is taken, so that no read can end before it is given back.
    let executor = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    executor.block_on(async {
        let (give_back, taken) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || taken.recv());
        let place = Place::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
        let dispatcher = place.dispatcher();
        let mut events = dispatcher.events();
        let turn = tokio::spawn(async move {
            let calls = [
                ToolCall::new("read_a", "read", r#"{"path": "a.txt"}"#),
                ToolCall::new("grep", "grep", r#"{"pattern": "b"}"#),
                ToolCall::new("read_b", "read", r#"{"path": "b.txt"}"#),
                ToolCall::new("edit", "edit", r#"{"path": "a.txt", "old": "a", "new": "c"}"#),
                ToolCall::new("read_again", "read", r#"{"path": "a.txt"}"#),
            ];
            dispatcher.dispatch(calls).await
        });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(heard(&mut events), ["start read_a", "start grep", "start read_b"]);
        give_back.send(()).unwrap();
        let results = turn.await.unwrap();
        let texts: Vec<_> = results.iter().map(|result| result.text().into_owned()).collect();
        assert_eq!(texts, ["1\ta\n", "b.txt:1:b\n", "1\tb\n", "replaced 1 occurrence in `a.txt`, at line 1", "1\tc\n"]);
        let order = heard(&mut events);
        let at = |what: &str| order.iter().position(|event| event == what).unwrap();
        assert!(at("start edit") > at("end read_a") && at("start edit") > at("end grep"), "{order:?}");
        assert!(at("start read_again") > at("end edit"), "{order:?}");
    });
}
