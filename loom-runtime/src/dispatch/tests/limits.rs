//! How many calls run at a time, and in which order the others wait.

use std::num::NonZeroUsize;

use super::*;

fn limit(calls: usize) -> NonZeroUsize {
    NonZeroUsize::new(calls).unwrap()
}

/// Notes its number, lets others run, and notes it again.
#[tool]
async fn note(number: usize, #[context] shared: State<Shared>) {
    shared.tell(&format!("{number} begins"));
    tokio::task::yield_now().await;
    shared.tell(&format!("{number} ends"));
}

fn notes(count: usize) -> Vec<ToolCall> {
    (0..count).map(|number| ToolCall::new("", "note", format!(r#"{{"number":{number}}}"#))).collect()
}

fn heard(heard: &mut mpsc::UnboundedReceiver<String>) -> Vec<String> {
    std::iter::from_fn(|| heard.try_recv().ok()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_a_turn_wait_in_their_order_whatever_thread_they_run_on() {
    let expected: Vec<_> = (0..50).flat_map(|number| [format!("{number} begins"), format!("{number} ends")]).collect();
    for _ in 0..20 {
        let (shared, mut told) = Shared::new(1);
        let dispatcher = dispatcher(tools![note], &shared).with_turn_concurrency(limit(1));
        let results = tokio::spawn(async move { dispatcher.dispatch(notes(50)).await }).await.unwrap();
        assert_eq!(results.len(), 50);
        assert_eq!(heard(&mut told), expected);
    }
}
