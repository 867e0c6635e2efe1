//! Hosts made of hosts: under other names, with some tools only, with code around each call, several as one.
//!
//! What is composed is live: each listing looks at the hosts beneath, and makes its own list anew only where theirs is
//! another. Tools that did not change stay the very same.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use futures_core::Stream;
use loom_core::{
    BuildError, DuplicateToolError, IntoTools, Outcome, Tool, ToolChange, ToolDef, ToolHost, ToolList, ToolQuery,
    ToolWatch,
};

use super::wrap::{Wrapped, Wrapper};

/// Makes hosts of hosts. Whatever can be given where tools are wanted can be composed: a host, a list, one tool.
///
/// Flags, times, footprints, limits and drawing descriptors of the tools stay as they are, and so do their limits of calls
/// at a time, which count the calls under all names.
///
/// What is given to rename and to choose tools is asked once for each tool, and again where it was replaced. It is asked
/// while the list is made, so it must not list the host itself.
///
/// ```
/// use loom_runtime::{ComposeHosts, prelude::*};
///
/// /// Opens an issue.
/// #[tool]
/// async fn open_issue(title: String) -> String {
///     title
/// }
///
/// /// Deletes a repository.
/// #[tool(destructive)]
/// async fn delete_repository(name: String) -> String {
///     name
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let host = tools![open_issue, delete_repository].filter_tools(|tool| !tool.flags.destructive)?.prefix_tools("github_")?;
/// let names: Vec<_> = host.list_tools(&Default::default()).iter().map(|tool| tool.name().to_owned()).collect();
/// assert_eq!(names, ["github_open_issue"]);
/// # Ok(()) }
/// ```
pub trait ComposeHosts: IntoTools + Sized {
    /// The same tools with this before their names.
    ///
    /// # Errors
    /// When a name is not one that every provider takes, or two tools have the same.
    fn prefix_tools(self, prefix: &str) -> Result<ComposedHost, ComposeError> {
        let prefix = prefix.to_owned();
        self.rename_tools(move |name| format!("{prefix}{name}"))
    }

    /// The same tools under other names.
    ///
    /// # Errors
    /// When a name is not one that every provider takes, or two tools have the same.
    fn rename_tools(
        self,
        rename: impl Fn(&str) -> String + Send + Sync + 'static,
    ) -> Result<ComposedHost, ComposeError> {
        let each = move |tool: &Tool| match rename(tool.name()) {
            name if name == tool.name() => Ok(Some(tool.clone())),
            name => tool.renamed(name).map(Some),
        };
        ComposedHost::new(vec![self.into_host()?], each, false)
    }

    /// Only the tools that are wanted.
    ///
    /// # Errors
    /// When two tools have the same name.
    fn filter_tools(
        self,
        is_wanted: impl Fn(&ToolDef) -> bool + Send + Sync + 'static,
    ) -> Result<ComposedHost, ComposeError> {
        let each = move |tool: &Tool| Ok(is_wanted(tool.definition()).then(|| tool.clone()));
        ComposedHost::new(vec![self.into_host()?], each, false)
    }

    /// The same tools with this code around each of their calls: it runs the call or not, and gives its outcome or
    /// another. It runs where the call would, with its time, its run context and its span. Calls whose arguments do not fit
    /// never come to it.
    ///
    /// # Errors
    /// When two tools have the same name.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use loom_runtime::{ComposeHosts, prelude::*};
    ///
    /// /// Adds two numbers.
    /// #[tool]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let failures = Arc::new(AtomicUsize::new(0));
    /// let counted = Arc::clone(&failures);
    /// let host = tools![add].wrap_calls(move |call| {
    ///     let failures = Arc::clone(&counted);
    ///     async move {
    ///         let outcome = call.run().await;
    ///         failures.fetch_add(usize::from(outcome.is_err()), Ordering::Relaxed);
    ///         outcome
    ///     }
    /// })?;
    /// assert_eq!(host.call(ToolCall::new("1", "add", r#"{"a": 1, "b": 2}"#)).await.text(), "3");
    /// assert_eq!(failures.load(Ordering::Relaxed), 0);
    /// # Ok(()) }
    /// ```
    fn wrap_calls<W, F>(self, around: W) -> Result<ComposedHost, ComposeError>
    where
        W: Fn(Wrapped) -> F + Send + Sync + 'static,
        F: Future<Output = Outcome> + Send + 'static,
    {
        let around = Arc::new(around);
        let each = move |tool: &Tool| {
            let around = Arc::clone(&around);
            let wrapper = Wrapper { tool: tool.clone(), around: move |call| around(call) };
            Ok(Some(tool.derive(tool.definition().clone(), wrapper)))
        };
        ComposedHost::new(vec![self.into_host()?], each, false)
    }

    /// The tools of both, these first.
    ///
    /// # Errors
    /// When two tools have the same name.
    fn combine_with(self, other: impl IntoTools) -> Result<ComposedHost, ComposeError> {
        ComposedHost::of([self.into_host()?, other.into_host()?])
    }
}

impl<T: IntoTools> ComposeHosts for T {}

/// Why hosts cannot be composed so, or a tool of theirs is left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// A tool would have a name that is none.
    #[error(transparent)]
    Name(#[from] BuildError),
    /// Two tools would have the same name.
    #[error(transparent)]
    Duplicate(#[from] DuplicateToolError),
}

/// A host made of hosts; see [`ComposeHosts`]. Clones are the same host.
///
/// When it is made, every tool has to have a name of its own. The hosts beneath may change later: a tool whose name is
/// no name then, or is that of a tool before it, is left out until it is free, and [`ComposedHost::left_out`] says so. No
/// other tool is touched by it.
#[derive(Clone)]
pub struct ComposedHost(Arc<Composed>);

type Each = dyn Fn(&Tool) -> Result<Option<Tool>, BuildError> + Send + Sync;

struct Composed {
    hosts: Vec<Arc<dyn ToolHost>>,
    /// What becomes of a tool; nothing, where it is not wanted.
    each: Box<Each>,
    /// Whether tools of the same name get a number, instead of being refused.
    numbered: bool,
    made: Mutex<Made>,
}

/// The list as it was made last, and what of.
#[derive(Default)]
struct Made {
    of: Vec<ToolList>,
    list: ToolList,
    /// By the places of the hosts and the names of their tools: the tool there, and what became of it.
    tools: HashMap<(usize, String), Known>,
    left_out: Vec<Arc<ComposeError>>,
}

impl ComposedHost {
    /// The tools of all these hosts, in their order.
    ///
    /// # Errors
    /// When two tools have the same name.
    pub fn of(hosts: impl IntoIterator<Item = Arc<dyn ToolHost>>) -> Result<Self, ComposeError> {
        Self::new(hosts.into_iter().collect(), |tool| Ok(Some(tool.clone())), false)
    }

    /// The same, but of tools with the same name the second gets `_2` behind it, or the next number that is free.
    pub fn numbered(hosts: impl IntoIterator<Item = Arc<dyn ToolHost>>) -> Self {
        Self::unchecked(hosts.into_iter().collect(), |tool| Ok(Some(tool.clone())), true)
    }

    /// Why tools of the hosts beneath are left out now: one error for each.
    pub fn left_out(&self) -> Vec<Arc<ComposeError>> {
        self.0.look(|made| made.left_out.clone())
    }

    fn new(
        hosts: Vec<Arc<dyn ToolHost>>,
        each: impl Fn(&Tool) -> Result<Option<Tool>, BuildError> + Send + Sync + 'static,
        numbered: bool,
    ) -> Result<Self, ComposeError> {
        let host = Self::unchecked(hosts, each, numbered);
        match host.0.look(|made| made.left_out.drain(..).next()).and_then(Arc::into_inner) {
            Some(error) => Err(error),
            None => Ok(host),
        }
    }

    fn unchecked(
        hosts: Vec<Arc<dyn ToolHost>>,
        each: impl Fn(&Tool) -> Result<Option<Tool>, BuildError> + Send + Sync + 'static,
        numbered: bool,
    ) -> Self {
        Self(Arc::new(Composed { hosts, each: Box::new(each), numbered, made: Mutex::default() }))
    }
}

impl Composed {
    /// Looks at the list as it is now.
    fn look<R>(&self, look: impl FnOnce(&mut Made) -> R) -> R {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        // Listed under the lock, or what another thread saw later could be put in the place of what it saw.
        let now: Vec<_> = self.hosts.iter().map(|host| host.list_tools(&ToolQuery::all())).collect();
        let is_same = made.of.len() == now.len() && made.of.iter().zip(&now).all(|(before, now)| before.is(now));
        if !is_same {
            *made = self.make(now, std::mem::take(&mut *made));
        }
        look(&mut made)
    }

    fn list(&self) -> ToolList {
        self.look(|made| made.list.clone())
    }

    fn make(&self, of: Vec<ToolList>, mut before: Made) -> Made {
        let mut made = Made::default();
        for (place, list) in of.iter().enumerate() {
            for tool in list {
                let key = (place, tool.name().to_owned());
                let known = before.tools.remove(&key).filter(|known| known.from.is(tool));
                let known = known.map_or_else(|| (self.each)(tool).map(|to| Known::new(tool, to)), Ok);
                let taken = known.map_err(ComposeError::from).and_then(|mut known| {
                    let placed = self.place(&mut known, &mut made.list);
                    made.tools.insert(key, known);
                    placed
                });
                made.left_out.extend(taken.err().map(Arc::new));
            }
        }
        made.of = of;
        made
    }

    /// Puts what became of a tool into the list, under another name if it may have one and has to.
    fn place(&self, known: &mut Known, list: &mut ToolList) -> Result<(), ComposeError> {
        let Some(tool) = &known.to else { return Ok(()) };
        let Err(taken) = list.insert(tool.clone()) else { return Ok(()) };
        if !self.numbered {
            return Err(taken.into());
        }
        for number in 2_usize.. {
            let suffix = format!("_{number}");
            // No name is longer than providers take, and all of its characters are of one byte.
            let kept = tool.name().len().min(LONGEST_NAME.saturating_sub(suffix.len()));
            let name = format!("{}{suffix}", tool.name().get(..kept).unwrap_or_default());
            if list.get(&name).is_some() {
                continue;
            }
            let renamed = match known.renamed.take().filter(|renamed| renamed.name() == name) {
                Some(same) => same,
                None => tool.renamed(name)?,
            };
            known.renamed = Some(renamed.clone());
            list.replace(renamed);
            break;
        }
        Ok(())
    }
}

/// The most characters of a name.
const LONGEST_NAME: usize = 64;

/// A tool of a host beneath, and what became of it; kept so that it stays the very same.
struct Known {
    from: Tool,
    to: Option<Tool>,
    /// With a number.
    renamed: Option<Tool>,
}

impl Known {
    fn new(from: &Tool, to: Option<Tool>) -> Self {
        Self { from: from.clone(), to, renamed: None }
    }
}

impl ToolHost for ComposedHost {
    fn list_tools(&self, query: &ToolQuery) -> ToolList {
        self.0.list().filtered(query)
    }

    fn watch(&self) -> ToolWatch {
        // Before the list is looked at, so that no change is missed between the two.
        let beneath = self.0.hosts.iter().map(|host| Some(host.watch())).collect();
        let seen = self.0.list();
        ToolWatch::new(Changes { host: Arc::downgrade(&self.0), beneath, seen, untold: VecDeque::new() })
    }
}

impl fmt::Debug for ComposedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ComposedHost").field(&self.0.list()).finish()
    }
}

/// The changes of a composed host, found by comparing its lists whenever a host beneath tells of one.
struct Changes {
    /// Weak, since whoever watches does not keep the host.
    host: Weak<Composed>,
    /// Of the hosts beneath, those that can change still.
    beneath: Vec<Option<ToolWatch>>,
    seen: ToolList,
    untold: VecDeque<ToolChange>,
}

impl Changes {
    /// Whether a host beneath told of a change.
    fn has_changed(&mut self, cx: &mut Context<'_>) -> bool {
        let mut any = false;
        for watch in &mut self.beneath {
            while let Some(changes) = watch {
                match Pin::new(changes).poll_next(cx) {
                    Poll::Ready(Some(_)) => any = true,
                    Poll::Ready(None) => *watch = None,
                    Poll::Pending => break,
                }
            }
        }
        any
    }

    fn compare(&mut self, now: ToolList) {
        let gone = self.seen.iter().filter(|tool| now.get(tool.name()).is_none());
        self.untold.extend(gone.map(|tool| ToolChange::Removed(tool.name().to_owned())));
        self.untold.extend(now.iter().filter_map(|tool| match self.seen.get(tool.name()) {
            None => Some(ToolChange::Added(tool.clone())),
            Some(before) => (!before.is(tool)).then(|| ToolChange::Updated(tool.clone())),
        }));
        self.seen = now;
    }
}

impl Stream for Changes {
    type Item = ToolChange;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ToolChange>> {
        loop {
            if let Some(change) = self.untold.pop_front() {
                return Poll::Ready(Some(change));
            }
            let has_changed = self.has_changed(cx);
            let Some(host) = self.host.upgrade() else { return Poll::Ready(None) };
            if has_changed {
                self.compare(host.list());
            } else if self.beneath.iter().all(Option::is_none) {
                return Poll::Ready(None);
            } else {
                return Poll::Pending;
            }
        }
    }
}
