//! One turn: all its calls beside each other, a task each, in one scope.
//!
//! A task each, so that a tool that computes without awaiting does not hold up its siblings or their timers.

use std::sync::Arc;

use loom_core::{CallError, ToolCall, ToolList, ToolResult};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::events::Telling;
use super::{Scope, call};

/// Answers all calls, in their order. `tellings` are theirs, or none where nobody listens.
pub(super) async fn run(
    tools: ToolList,
    mut calls: Vec<ToolCall>,
    scope: &Scope,
    mut tellings: Vec<Telling>,
) -> Vec<ToolResult> {
    if calls.len() <= 1 {
        // A single call has no siblings to be kept from.
        let Some(only) = calls.pop() else { return Vec::new() };
        let telling = tellings.pop().unwrap_or_else(Telling::nobody);
        return vec![call::run(&tools, only, scope, telling).await];
    }
    let lost = |(index, call): (usize, &ToolCall), error| {
        let outcome = Err(error);
        if let Some(telling) = tellings.get(index) {
            telling.end(&outcome);
        }
        ToolResult::new(call.id.as_str(), call.name.as_str(), outcome)
    };
    if Handle::try_current().is_err() {
        return calls.iter().enumerate().map(|call| lost(call, CallError::NoExecutor)).collect();
    }
    let shared = Arc::new((tools, scope.clone()));
    let mut results: Vec<Option<ToolResult>> = Vec::with_capacity(calls.len());
    results.resize_with(calls.len(), || None);
    // Dropped with the future that this is part of, the set aborts every task in it.
    let mut tasks = JoinSet::new();
    for (index, call) in calls.iter().cloned().enumerate() {
        let shared = Arc::clone(&shared);
        // A copy stays here: of a task that is lost, only this side can say what became of it.
        let telling = tellings.get(index).cloned().unwrap_or_else(Telling::nobody);
        tasks.spawn(async move { (index, call::run(&shared.0, call, &shared.1, telling).await) });
    }
    while let Some(joined) = tasks.join_next().await {
        if let Ok((index, result)) = joined
            && let Some(place) = results.get_mut(index)
        {
            *place = Some(result);
        }
    }
    let answered = results.into_iter().zip(calls.iter().enumerate());
    answered.map(|(result, call)| result.unwrap_or_else(|| lost(call, CallError::ShutDown))).collect()
}
