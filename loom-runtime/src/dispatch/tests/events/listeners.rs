//! Whoever listens: several, late, slow, gone, or nobody.

use std::collections::BTreeMap;

use super::*;

#[tokio::test(start_paused = true)]
async fn every_listener_hears_all_of_a_call_or_nothing() {
    let (shared, _told) = Shared::new(2);
    let dispatcher = dispatcher(tools![meet, say], &shared);
    let (mut first, mut second) = (dispatcher.events(), dispatcher.events());
    let mut waiting = Box::pin(dispatcher.call(call("a", "meet")));
    assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let mut late = dispatcher.events();
    let said = dispatcher.clone().call(say_call("b")).await;
    let (_met, met) = tokio::join!(shared.barrier.wait(), waiting);
    let starts = [CallEvent::start(1, "a", "meet"), CallEvent::start(2, "b", "say")];
    let all = [&starts[..], &[end_at_once(2, &said), end_at_once(1, &met)]].concat();
    assert_eq!(heard(&mut first), all);
    assert_eq!(heard(&mut second), all);
    assert_eq!(heard(&mut late), all[1..3]);
}

#[tokio::test(start_paused = true)]
async fn a_slow_listener_loses_the_oldest_and_is_told_how_many() {
    let dispatcher = Dispatcher::new(tools![say]).unwrap().with_event_capacity(3);
    let (mut slow, mut quick) = (dispatcher.events(), dispatcher.events());
    let mut quickly = Vec::new();
    for id in ["a", "b", "c", "d"] {
        let result = dispatcher.call(say_call(id)).await;
        assert_eq!(result.text(), "x");
        quickly.extend(lines(&mut quick));
    }
    // Four are kept: the next power of two.
    assert_eq!(lines(&mut slow), ["lagged 4", "start 3", "end 3: ok", "start 4", "end 4: ok"]);
    let all = ["start 1", "end 1: ok", "start 2", "end 2: ok", "start 3", "end 3: ok", "start 4", "end 4: ok"];
    assert_eq!(quickly, all);
    // It is told each time anew.
    let turn = dispatcher.dispatch([say_call("e"), say_call("f"), call("g", "say")]).await;
    assert_eq!(turn.len(), 3);
    let heard = lines(&mut slow);
    assert_eq!((heard.len(), &*heard[0]), (5, "lagged 3"));
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_goes_disturbs_nobody() {
    let dispatcher = Dispatcher::new(tools![say, hang]).unwrap();
    let (going, mut staying) = (dispatcher.events(), dispatcher.events());
    let mut waiting = Box::pin(dispatcher.call(call("a", "hang")));
    assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(going);
    let _result = dispatcher.call(say_call("b")).await;
    assert_eq!(lines(&mut staying), ["start 1", "start 2", "end 2: ok"]);
    drop(staying);
    // Nobody is there for the end of this call, and nobody hears of it later.
    let mut late = dispatcher.events();
    drop(waiting);
    assert_eq!(lines(&mut late), [""; 0]);
    let _result = dispatcher.call(say_call("c")).await;
    assert_eq!(lines(&mut late), ["start 3", "end 3: ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_waits_is_woken_and_the_events_end_with_the_dispatchers() {
    let dispatcher = Dispatcher::new(tools![say, hang]).unwrap();
    let mut events = dispatcher.events();
    let listener = tokio::spawn(async move {
        let mut told = Vec::new();
        while let Some(event) = events.next().await {
            told.push(line(&event));
        }
        (told, events.next().await)
    });
    tokio::task::yield_now().await;
    let clone = dispatcher.clone();
    drop(dispatcher);
    let _result = clone.call(say_call("a")).await;
    let running = tokio::spawn(async move { clone.dispatch([call("b", "hang")]).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    // The last dispatcher goes with the call that it runs.
    running.abort();
    let expected = ["start 1", "end 1: ok", "start 2", "end 2: cancelled"].map(str::to_owned).to_vec();
    assert_eq!(listener.await.unwrap(), (expected, None));
}

#[tokio::test(start_paused = true)]
async fn another_capacity_is_another_channel() {
    let dispatcher = Dispatcher::new(tools![say]).unwrap();
    let mut before = dispatcher.events();
    let other = dispatcher.clone().with_event_capacity(8);
    let mut after = other.events();
    let _result = other.call(say_call("a")).await;
    assert_eq!(lines(&mut before), [""; 0]);
    assert_eq!(lines(&mut after), ["start 1", "end 1: ok"]);
}

#[tokio::test(start_paused = true)]
async fn events_are_stable_when_they_are_serialised() {
    let dispatcher = Dispatcher::new(tools![say, hang_7s]).unwrap().with_event_capacity(8);
    let mut events = dispatcher.events();
    for (name, arguments) in [("hang_7s", "null"), ("say", r#"{"text":"x",}"#), ("say", r#"{"txt":1}"#)] {
        let _result = dispatcher.call(ToolCall::new("call_1", name, arguments)).await;
    }
    let told: Vec<_> = heard(&mut events).iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    assert_eq!(
        told,
        [
            r#"{"type":"tool.events.lagged","lost":1}"#,
            r#"{"type":"tool.call.coercions","callNumber":1,"callId":"call_1","coercions":[{"pointer":"","rule":"no_arguments","from":"null","to":"{}"}]}"#,
            r#"{"type":"tool.call.end","callNumber":1,"callId":"call_1","outcome":"timed_out","durationMs":7000.0,"resultBytes":34,"truncated":false}"#,
            r#"{"type":"tool.call.start","callNumber":2,"callId":"call_1","toolName":"say"}"#,
            r#"{"type":"tool.call.coercions","callNumber":2,"callId":"call_1","repairs":[{"kind":"trailing_comma","offset":11,"count":1}]}"#,
            r#"{"type":"tool.call.end","callNumber":2,"callId":"call_1","outcome":"ok","durationMs":0.0,"resultBytes":1,"truncated":false}"#,
            r#"{"type":"tool.call.start","callNumber":3,"callId":"call_1","toolName":"say"}"#,
            r#"{"type":"tool.call.problems","callNumber":3,"callId":"call_1","problems":[{"pointer":"","kind":"unknown","name":"txt","nearest":"text","text":"unknown argument `txt`; did you mean `text`?"},{"pointer":"","kind":"missing","names":["text"],"text":"missing required argument `text`"}]}"#,
            r#"{"type":"tool.call.end","callNumber":3,"callId":"call_1","outcome":"bad_arguments","durationMs":0.0,"resultBytes":136,"truncated":false}"#,
        ]
    );
}

/// Lets others run in between.
#[tool]
async fn waver(times: u32) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn starts_and_ends_pair_for_every_listener_whatever_is_dropped_meanwhile() {
    let dispatcher = Dispatcher::new(tools![waver, hang]).unwrap().with_event_capacity(1 << 14);
    let mut listeners = Vec::new();
    let mut turns = Vec::new();
    for round in 0..300_u32 {
        if round % 20 == 0 {
            let mut events = dispatcher.events();
            listeners.push(tokio::spawn(async move {
                let mut calls: BTreeMap<u64, Vec<String>> = BTreeMap::new();
                while let Some(event) = events.next().await {
                    let word = line(&event).split(' ').next().unwrap().to_owned();
                    calls.entry(event.call_number().unwrap()).or_default().push(word);
                }
                calls
            }));
        }
        let dispatcher = dispatcher.clone();
        turns.push(tokio::spawn(async move {
            let waver = |times: u32| ToolCall::new("w", "waver", format!(r#"{{"times":{times}}}"#));
            let mut calls = vec![waver(round % 7), waver(round % 11)];
            if round % 3 == 0 {
                calls.push(call("h", "hang"));
            }
            dispatcher.dispatch(calls).await.len()
        }));
        if round % 5 == 0 {
            tokio::task::yield_now().await;
        }
    }
    drop(dispatcher);
    for (round, turn) in turns.into_iter().enumerate() {
        if round % 3 == 0 {
            turn.abort();
        } else {
            assert_eq!(turn.await.unwrap(), 2);
        }
    }
    for (index, listener) in listeners.into_iter().enumerate() {
        let calls = listener.await.unwrap();
        assert!(calls.values().all(|told| told == &["start", "end"]), "{calls:?}");
        // The turns that are not dropped, and begin after it listens, are all heard.
        let least = (index * 20..300).filter(|round| round % 3 != 0).count() * 2;
        assert!(calls.len() >= least, "{} of {least}", calls.len());
    }
}
