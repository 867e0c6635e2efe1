//! Every row of several calls as one turn: one result for each call, in order, each its own.

use loom_runtime::HostExt;

use crate::data;
use crate::echo::{self, Watch};

#[tokio::test]
async fn turns_on_one_thread() {
    // On one thread, whether calls overlap does not hang on the machine: all have begun before the first ends.
    turns("turns_on_one_thread", |most, calls| assert_eq!(most, calls, "all calls of the turn run at once")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn turns_on_several_threads() {
    turns("turns_on_several_threads", |_, _| {}).await;
}

async fn turns(test: &str, overlap: impl Fn(usize, usize)) {
    let Some(rows) = data::rows(&data::SEVERAL_CALLS, test) else { return };
    let mut answered = 0;
    for row in &rows {
        let calls = echo::calls(row);
        let watch = Watch::new(&calls, None);
        let results = echo::host(row, &watch, None).dispatch(calls.clone()).await;
        echo::in_order(&results, &calls);
        for ((result, sent), call) in results.iter().zip(&calls).zip(&row.calls) {
            echo::answers(result, &sent.id, call);
        }
        overlap(watch.most(), calls.len());
        assert_eq!(watch.running(), 0, "{}: nothing goes on after the turn", row.id);
        answered += results.len();
    }
    println!("{test}: {} turns, {answered} calls answered", rows.len());
    let sent: usize = rows.iter().map(|row| row.calls.len()).sum();
    assert_eq!((rows.len(), answered), (400, sent));
}
