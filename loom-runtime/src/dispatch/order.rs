//! Which calls of a turn wait for which: barriers, and calls that touch the same resource.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use loom_core::{Footprint, Tool, ToolCall, ToolList};
use tokio::sync::Notify;

#[cfg(test)]
mod tests;

/// For each call how many calls it waits for, and which wait for it.
#[derive(Debug)]
pub(super) struct Order(Vec<Node>);

#[derive(Debug)]
struct Node {
    /// The calls that this one waits for and that are not over, and itself until it has ended. It begins when it is the
    /// only one left, and is over when nothing is: a call that ends before its turn has come, because it is cancelled,
    /// lets nobody pass those that it waited for.
    left: AtomicUsize,
    /// Whether it may begin: set after those before it that become free with it have been told of.
    is_free: AtomicBool,
    free: Notify,
    /// Calls that wait for this one.
    followers: Vec<usize>,
}

impl Order {
    /// The order of these calls, those of `skipped` left out; none where all of them may run beside each other.
    pub(super) fn of(calls: &[ToolCall], tools: &ToolList, skipped: impl Fn(usize) -> bool) -> Option<Self> {
        let mut planned = Planned::default();
        let mut any = false;
        for (index, call) in calls.iter().enumerate().filter(|(index, _)| !skipped(*index)) {
            // Where there is no tool, there is nothing to wait with the answer for.
            let Some(tool) = tools.get(&call.name).map(Tool::definition) else { continue };
            if tool.flags.sequential {
                any = true;
                planned.barrier(index);
            } else if tool.reads.is_empty() && tool.writes.is_empty() {
                planned.anywhere(index);
            } else {
                any = true;
                planned.footprint(index, &Footprint::of(tool, &call.arguments));
            }
        }
        any.then(|| planned.finish(calls.len()))
    }

    /// Waits until every call that goes before this one is over.
    pub(super) async fn turn_of(&self, index: usize) {
        let Some(node) = self.0.get(index) else { return };
        while !node.is_free.load(Ordering::Acquire) {
            node.free.notified().await;
        }
    }

    /// Whether nobody goes before this call.
    pub(super) fn is_first(&self, index: usize) -> bool {
        self.0.get(index).is_none_or(|node| node.is_free.load(Ordering::Acquire))
    }

    /// Says that a call has ended, and lets those begin that waited for it alone. They are `told` of in their order,
    /// whomever they waited for.
    pub(super) fn ended(&self, index: usize, told: impl Fn(usize)) {
        let mut ended = vec![index];
        let leave = |index: usize| self.0.get(index).map(|node| node.left.fetch_sub(1, Ordering::AcqRel));
        if leave(index) != Some(1) {
            return;
        }
        let mut free = Vec::new();
        while let Some(over) = ended.pop() {
            for &follower in self.0.get(over).into_iter().flat_map(|node| &node.followers) {
                match leave(follower) {
                    Some(2) => free.push(follower),
                    Some(1) => ended.push(follower),
                    _ => {}
                }
            }
        }
        free.sort_unstable();
        for index in free {
            told(index);
            if let Some(node) = self.0.get(index) {
                node.is_free.store(true, Ordering::Release);
                node.free.notify_one();
            }
        }
    }
}

/// The order while it is made. A pair stands for "the second waits for the first".
#[derive(Debug, Default)]
struct Planned {
    pairs: Vec<(usize, usize)>,
    /// The last call that ran alone.
    barrier: Option<usize>,
    /// The calls since then.
    since: Vec<usize>,
    /// What the calls since then touch, by resource.
    touched: BTreeMap<String, Touched>,
    /// Paths that start at the root and others may name the same file. Once both are seen since the last
    /// barrier, every resource is one.
    roots: Option<bool>,
    mixed: bool,
}

/// Who touched a resource, as far as a later call has to wait for them.
#[derive(Debug, Default)]
struct Touched {
    written: Vec<usize>,
    read_since: Vec<usize>,
}

impl Planned {
    fn anywhere(&mut self, index: usize) {
        self.pairs.extend(self.barrier.map(|barrier| (barrier, index)));
        self.since.push(index);
    }

    fn barrier(&mut self, index: usize) {
        // Whoever came since waits for the last barrier, so this one need not do so itself, unless nobody came.
        if self.since.is_empty() {
            self.pairs.extend(self.barrier.map(|barrier| (barrier, index)));
        }
        self.pairs.extend(self.since.drain(..).map(|before| (before, index)));
        self.barrier = Some(index);
        // Nobody behind a barrier can meet whom it has let end.
        self.touched.clear();
        (self.roots, self.mixed) = (None, false);
    }

    fn footprint(&mut self, index: usize, footprint: &Footprint) {
        self.anywhere(index);
        let (reads, writes): (Vec<_>, Vec<_>) = (footprint.reads().collect(), footprint.writes().collect());
        for resource in reads.iter().chain(&writes) {
            self.see(resource);
        }
        // What the call waits for is found for all of its resources before it is among those who touched them.
        for (resource, writing) in each(&reads, &writes) {
            self.wait(index, resource, writing);
        }
        for (resource, writing) in each(&reads, &writes) {
            self.touch(index, resource, writing);
        }
    }

    fn see(&mut self, resource: &str) {
        if resource.is_empty() || self.mixed {
            return;
        }
        let rooted = resource.starts_with('/');
        if self.roots.replace(rooted).is_some_and(|before| before != rooted) {
            self.mixed = true;
            let mut all = Touched::default();
            for touched in std::mem::take(&mut self.touched).into_values() {
                all.written.extend(touched.written);
                all.read_since.extend(touched.read_since);
            }
            self.touched.insert(String::new(), all);
        }
    }

    fn key<'r>(&self, resource: &'r str) -> &'r str {
        if self.mixed { "" } else { resource }
    }

    fn wait(&mut self, index: usize, resource: &str, writing: bool) {
        let key = self.key(resource);
        let mut before = Vec::new();
        let mut meet = |touched: &Touched| {
            before.extend(&touched.written);
            if writing {
                before.extend(&touched.read_since);
            }
        };
        containing(key).filter_map(|key| self.touched.get(key)).for_each(&mut meet);
        inside(&self.touched, key).for_each(|(_, touched)| meet(touched));
        self.pairs.extend(before.into_iter().filter(|before| *before != index).map(|before| (before, index)));
    }

    fn touch(&mut self, index: usize, resource: &str, writing: bool) {
        let key = self.key(resource);
        if writing {
            // Who waits for this call waits for whom it waited for.
            let over: Vec<_> = inside(&self.touched, key).map(|(key, _)| key.clone()).collect();
            for key in over {
                self.touched.remove(&key);
            }
            self.touched.insert(key.to_owned(), Touched { written: vec![index], read_since: Vec::new() });
        } else {
            self.touched.entry(key.to_owned()).or_default().read_since.push(index);
        }
    }

    fn finish(mut self, calls: usize) -> Order {
        let mut nodes = Vec::new();
        nodes.resize_with(calls, || Node {
            left: AtomicUsize::new(1),
            is_free: AtomicBool::new(true),
            free: Notify::new(),
            followers: Vec::new(),
        });
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for (before, after) in self.pairs {
            if let Some(node) = nodes.get_mut(after) {
                node.left.fetch_add(1, Ordering::Relaxed);
                node.is_free.store(false, Ordering::Relaxed);
            }
            if let Some(node) = nodes.get_mut(before) {
                node.followers.push(after);
            }
        }
        Order(nodes)
    }
}

fn each<'r>(reads: &[&'r str], writes: &[&'r str]) -> impl Iterator<Item = (&'r str, bool)> {
    let reads: Vec<_> = reads.iter().map(|resource| (*resource, false)).collect();
    reads.into_iter().chain(writes.iter().map(|resource| (*resource, true)).collect::<Vec<_>>())
}

/// The resources that contain this one; itself is none of them.
fn containing(resource: &str) -> impl Iterator<Item = &str> {
    let outer = resource.match_indices('/').filter_map(|(at, _)| resource.get(..at)).filter(|outer| !outer.is_empty());
    let everything = (!resource.is_empty()).then_some("");
    let root = (resource.len() > 1 && resource.starts_with('/')).then_some("/");
    everything.into_iter().chain(root).chain(outer)
}

/// The resource and those that it contains.
fn inside<'t>(
    touched: &'t BTreeMap<String, Touched>,
    resource: &str,
) -> impl Iterator<Item = (&'t String, &'t Touched)> {
    let prefix = match resource {
        "" | "/" => resource.to_owned(),
        resource => format!("{resource}/"),
    };
    // Names such as `a-b` stand between `a` and `a/b`, so the resource itself is looked up apart.
    let own = touched.get_key_value(resource).filter(|_| !matches!(resource, "" | "/"));
    let range = touched.range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded));
    own.into_iter().chain(range.take_while(move |(key, _)| key.starts_with(&prefix)))
}
