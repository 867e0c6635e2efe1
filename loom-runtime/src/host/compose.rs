//! Hosts made of hosts: under other names, with some tools only, with code around each call, several as one.
//!
//! What is composed is live: each listing looks at the hosts beneath, and makes its own list anew only where theirs is
//! another. Tools that did not change stay the very same.

use std::collections::{HashMap, HashSet, VecDeque};
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

use super::watch;
use super::wrap::{Wrapped, Wrapper};
use crate::dispatch::guarded;

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
    /// Two tools of one list have the same name.
    #[error(transparent)]
    Duplicate(#[from] DuplicateToolError),
    /// Two tools would have the same name.
    #[error("two tools would be named `{name}`: {first} and {second}")]
    Taken {
        /// The name.
        name: String,
        /// The tool that has it.
        first: ToolPlace,
        /// The tool that cannot have it as well.
        second: ToolPlace,
    },
    /// The code that renames or chooses tools panicked.
    #[error("the code that was asked about the tool `{tool}` panicked")]
    Panicked {
        /// The name of the tool, as it is beneath.
        tool: String,
    },
}

/// Where a tool of a [`ComposedHost`] comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ToolPlace {
    /// The place of its host among those that are composed, counted from 0.
    pub host: usize,
    /// Its name there.
    pub tool: String,
}

impl fmt::Display for ToolPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of the host at {}", self.tool, self.host)
    }
}

/// A host made of hosts; see [`ComposeHosts`]. Clones are the same host.
///
/// When it is made, every tool has to have a name of its own. The hosts beneath may change later: a tool whose name is
/// no name then, or is that of another tool, is left out until it is free, and [`ComposedHost::left_out`] says so. No
/// other tool is touched by it: whatever is listed keeps its name for as long as it is there, so that a name never comes to
/// mean the tool of another host while its own is there.
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
    /// Told nothing: those who watch hear by them that the host is gone, while the hosts beneath may live on.
    watchers: watch::Watchers,
}

/// The list as it was made last, and what of.
#[derive(Default)]
struct Made {
    of: Vec<ToolList>,
    list: ToolList,
    /// What became of the tools beneath.
    tools: HashMap<ToolPlace, Known>,
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

    /// The same, but of tools with the same name the second gets `_2` behind it, or the next number that is free. It keeps
    /// that name for as long as it is there, also where the other one goes.
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
        Self(Arc::new(Composed {
            hosts,
            each: Box::new(each),
            numbered,
            made: Mutex::default(),
            watchers: watch::Watchers::default(),
        }))
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
        let mut asked = Vec::new();
        for (host, list) in of.iter().enumerate() {
            for tool in list {
                let place = ToolPlace { host, tool: tool.name().to_owned() };
                let known = before.tools.remove(&place);
                match known.map_or_else(|| self.ask(tool, None), |known| self.again(tool, known)) {
                    Ok(known) => asked.push((place, known)),
                    Err(error) => made.left_out.push(Arc::new(error)),
                }
            }
        }
        let named = name(&asked, self.numbered);
        let holders: HashMap<_, _> =
            asked.iter().zip(&named).filter_map(|((place, _), name)| Some((name.as_deref()?, place))).collect();
        for ((place, known), name) in asked.iter().zip(&named) {
            if let (Some(tool), None) = (&known.to, name)
                && let Some(first) = holders.get(tool.name())
            {
                let (name, first, second) = (tool.name().to_owned(), (*first).clone(), place.clone());
                made.left_out.push(Arc::new(ComposeError::Taken { name, first, second }));
            }
        }
        for ((place, mut known), name) in asked.into_iter().zip(named) {
            match known.list_as(name) {
                Ok(Some(tool)) => drop(made.list.replace(tool)),
                Ok(None) => {}
                Err(error) => made.left_out.push(Arc::new(error.into())),
            }
            made.tools.insert(place, known);
        }
        made.of = of;
        made
    }

    /// What becomes of a tool that took the place of one, or is the one that was there.
    fn again(&self, tool: &Tool, known: Known) -> Result<Known, ComposeError> {
        if known.from.is(tool) { Ok(known) } else { self.ask(tool, known.name) }
    }

    fn ask(&self, tool: &Tool, name: Option<String>) -> Result<Known, ComposeError> {
        // One tool that this code cannot do with is not to cost all others.
        let to =
            guarded(|| (self.each)(tool)).map_err(|_| ComposeError::Panicked { tool: tool.name().to_owned() })??;
        Ok(Known { from: tool.clone(), to, name, renamed: None })
    }
}

/// The names of the tools that can have one: what is listed already keeps its own, then come those whose own names are
/// free, and then, where they are asked for, names with numbers.
fn name(asked: &[(ToolPlace, Known)], numbered: bool) -> Vec<Option<String>> {
    let mut taken = HashSet::new();
    let held = |known: &Known| {
        let (wanted, name) = (known.to.as_ref()?.name(), known.name.as_ref()?);
        (numbered || wanted == name).then(|| name.clone())
    };
    let mut names: Vec<_> = asked.iter().map(|(_, known)| held(known)).collect();
    taken.extend(names.iter().flatten().cloned());
    let wanted = || asked.iter().map(|(_, known)| known.to.as_ref().map(Tool::name));
    for (name, wanted) in names.iter_mut().zip(wanted()) {
        if let (None, Some(wanted)) = (&name, wanted)
            && taken.insert(wanted.to_owned())
        {
            *name = Some(wanted.to_owned());
        }
    }
    for (name, wanted) in names.iter_mut().zip(wanted()) {
        if let (None, Some(wanted), true) = (&name, wanted, numbered) {
            // Each number makes another name, so of as many as there are tools one is free.
            let numbers = 2..=asked.len().saturating_add(1);
            *name = numbers.map(|number| with_number(wanted, number)).find(|name| taken.insert(name.clone()));
        }
    }
    names
}

/// The most characters of a name.
const LONGEST_NAME: usize = 64;

fn with_number(name: &str, number: usize) -> String {
    let suffix = format!("_{number}");
    let kept = name.floor_char_boundary(LONGEST_NAME.saturating_sub(suffix.len()));
    format!("{}{suffix}", name.get(..kept).unwrap_or_default())
}

/// A tool of a host beneath, and what became of it; kept so that it stays the very same.
struct Known {
    from: Tool,
    to: Option<Tool>,
    /// The name that it was listed by last.
    name: Option<String>,
    /// The tool by that name, where it is not its own.
    renamed: Option<Tool>,
}

impl Known {
    /// The tool under the name that it was given.
    fn list_as(&mut self, name: Option<String>) -> Result<Option<Tool>, BuildError> {
        self.name = name;
        let (Some(tool), Some(name)) = (&self.to, &self.name) else { return Ok(None) };
        if tool.name() == name {
            return Ok(Some(tool.clone()));
        }
        let renamed = match self.renamed.take().filter(|renamed| renamed.name() == name) {
            Some(same) => same,
            None => tool.renamed(name.clone())?,
        };
        Ok(Some(self.renamed.insert(renamed).clone()))
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
        let (host, end) = (Arc::downgrade(&self.0), self.0.watchers.watch());
        ToolWatch::new(Changes { host, end, beneath, seen, untold: VecDeque::new() })
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
    /// Ends with the host, and is never anything else.
    end: watch::Changes,
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
            if Pin::new(&mut self.end).poll_next(cx).is_ready() {
                return Poll::Ready(None);
            }
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
