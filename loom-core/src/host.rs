//! Hosts: whatever owns tools. A host says which tools there are; the dispatcher answers their calls, so that no call
//! reaches a tool around it.

use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::args::nearest;
use crate::tool::{Tool, ToolDef};

/// An owner of tools.
///
/// Listing takes a snapshot: a turn that has begun keeps the tools it began with, whatever is registered meanwhile.
pub trait ToolHost: Send + Sync + 'static {
    /// The tools that match, in a stable order.
    fn list_tools(&self, query: &ToolQuery) -> ToolList;

    /// The changes from now on, as a stream that ends with the host.
    fn watch(&self) -> ToolWatch;
}

impl<H: ToolHost + ?Sized> ToolHost for Arc<H> {
    fn list_tools(&self, query: &ToolQuery) -> ToolList {
        (**self).list_tools(query)
    }

    fn watch(&self) -> ToolWatch {
        (**self).watch()
    }
}

/// Which tools of a host are wanted. The default wants all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolQuery {
    /// Text that the name, the title or the description holds, in any letter case.
    pub text: Option<String>,
    /// Tags that the tool bears, all of them.
    pub tags: Vec<String>,
}

impl ToolQuery {
    /// All tools.
    pub const fn all() -> Self {
        Self { text: None, tags: Vec::new() }
    }

    /// Only tools that hold this text in their name, title or description.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Only tools that bear this tag.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Whether this asks for every tool.
    pub const fn is_all(&self) -> bool {
        self.text.is_none() && self.tags.is_empty()
    }

    /// Whether the tool is wanted.
    pub fn matches(&self, tool: &ToolDef) -> bool {
        let texts = [Some(&tool.name), tool.title.as_ref(), Some(&tool.description)];
        let has_text = |text: &String| {
            let text = text.to_lowercase();
            texts.into_iter().flatten().any(|own| own.to_lowercase().contains(&text))
        };
        self.text.as_ref().is_none_or(has_text) && self.tags.iter().all(|tag| tool.tags.iter().any(|own| own == tag))
    }
}

/// A snapshot of tools with distinct names, in order, found by name in constant time. Cheap to clone.
#[derive(Clone, Default)]
pub struct ToolList(Arc<Registry>);

#[derive(Clone, Default)]
struct Registry {
    tools: Vec<Tool>,
    /// Keyed by names that hosts give, looked up by names that models send: any quick hash with a secret will do.
    index: HashMap<String, usize, foldhash::fast::RandomState>,
}

impl ToolList {
    /// The list of these tools.
    ///
    /// # Errors
    /// When two of them have the same name.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, DuplicateToolError> {
        let mut list = Self::default();
        tools.into_iter().try_for_each(|tool| list.insert(tool))?;
        Ok(list)
    }

    /// Adds a tool at the end.
    ///
    /// # Errors
    /// When there is one of the same name; the list is unchanged then.
    pub fn insert(&mut self, tool: Tool) -> Result<(), DuplicateToolError> {
        if self.get(tool.name()).is_some() {
            return Err(DuplicateToolError { name: tool.name().to_owned() });
        }
        self.replace(tool);
        Ok(())
    }

    /// Adds a tool, in the place of one of the same name if there is one, which is given back.
    pub fn replace(&mut self, tool: Tool) -> Option<Tool> {
        let registry = Arc::make_mut(&mut self.0);
        let place = registry.index.get(tool.name()).and_then(|&at| registry.tools.get_mut(at));
        if let Some(place) = place {
            return Some(std::mem::replace(place, tool));
        }
        registry.index.insert(tool.name().to_owned(), registry.tools.len());
        registry.tools.push(tool);
        None
    }

    /// Takes a tool out.
    pub fn remove(&mut self, name: &str) -> Option<Tool> {
        if !self.0.index.contains_key(name) {
            return None;
        }
        let registry = Arc::make_mut(&mut self.0);
        let at = registry.index.remove(name)?;
        let tool = registry.tools.remove(at);
        registry.index.values_mut().filter(|other| **other > at).for_each(|other| *other -= 1);
        Some(tool)
    }

    /// The tool of this name.
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.0.index.get(name).and_then(|&at| self.0.tools.get(at))
    }

    /// The tools in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Tool> {
        self.0.tools.iter()
    }

    /// Whether both are the very same snapshot, so that whatever was made of one holds for the other.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.0.tools.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.tools.is_empty()
    }

    /// The names that come nearest to one that is not there, best first, at most three.
    pub fn nearest(&self, name: &str) -> Vec<String> {
        nearest(name, self.iter().map(Tool::name), 3).into_iter().map(str::to_owned).collect()
    }

    /// The tools that match; this very list where the query asks for all.
    #[must_use]
    #[inline]
    pub fn filtered(&self, query: &ToolQuery) -> Self {
        if query.is_all() { self.clone() } else { self.matching(query) }
    }

    fn matching(&self, query: &ToolQuery) -> Self {
        let mut list = Self::default();
        for tool in self.iter().filter(|tool| query.matches(tool.definition())) {
            list.replace(tool.clone());
        }
        list
    }
}

impl fmt::Debug for ToolList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Tool::name)).finish()
    }
}

impl<'a> IntoIterator for &'a ToolList {
    type Item = &'a Tool;
    type IntoIter = std::slice::Iter<'a, Tool>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A list is a host whose tools never change.
impl ToolHost for ToolList {
    fn list_tools(&self, query: &ToolQuery) -> ToolList {
        self.filtered(query)
    }

    fn watch(&self) -> ToolWatch {
        ToolWatch::never()
    }
}

/// Two tools of one host have the same name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is already a tool named `{name}`")]
#[non_exhaustive]
pub struct DuplicateToolError {
    /// The name.
    pub name: String,
}

/// Something that changed in a host.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ToolChange {
    /// A tool is there that was not.
    Added(Tool),
    /// A tool was replaced by this one of the same name.
    Updated(Tool),
    /// The tool of this name is gone.
    Removed(String),
}

impl ToolChange {
    /// The name of the tool that changed.
    pub fn name(&self) -> &str {
        match self {
            Self::Added(tool) | Self::Updated(tool) => tool.name(),
            Self::Removed(name) => name,
        }
    }
}

/// The changes of a host, as they happen.
pub struct ToolWatch(Pin<Box<dyn Stream<Item = ToolChange> + Send>>);

impl ToolWatch {
    /// From a stream of changes.
    pub fn new(changes: impl Stream<Item = ToolChange> + Send + 'static) -> Self {
        Self(Box::pin(changes))
    }

    /// Of a host that never changes: ends at once.
    pub fn never() -> Self {
        Self::new(Never)
    }

    /// The next change, or `None` once there can be no more.
    pub async fn next(&mut self) -> Option<ToolChange> {
        std::future::poll_fn(|cx| self.0.as_mut().poll_next(cx)).await
    }
}

impl Stream for ToolWatch {
    type Item = ToolChange;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ToolChange>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for ToolWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolWatch")
    }
}

struct Never;

impl Stream for Never {
    type Item = ToolChange;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<ToolChange>> {
        Poll::Ready(None)
    }
}

/// Whatever can be given where tools are wanted: one tool, an array, a `Vec`, or a host.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool, no list of tools and no host",
    label = "expected tools",
    note = "name annotated functions with `tools![…]`, or pass a `Tool`, an array or `Vec` of them, or a `ToolHost`"
)]
pub trait IntoTools {
    /// The host of these tools; a host is itself, so its later changes count.
    ///
    /// # Errors
    /// When two tools have the same name.
    fn into_host(self) -> Result<Arc<dyn ToolHost>, DuplicateToolError>;
}

impl IntoTools for Tool {
    fn into_host(self) -> Result<Arc<dyn ToolHost>, DuplicateToolError> {
        [self].into_host()
    }
}

impl<const N: usize> IntoTools for [Tool; N] {
    fn into_host(self) -> Result<Arc<dyn ToolHost>, DuplicateToolError> {
        Ok(Arc::new(ToolList::new(self)?))
    }
}

impl IntoTools for Vec<Tool> {
    fn into_host(self) -> Result<Arc<dyn ToolHost>, DuplicateToolError> {
        Ok(Arc::new(ToolList::new(self)?))
    }
}

impl<H: ToolHost> IntoTools for H {
    fn into_host(self) -> Result<Arc<dyn ToolHost>, DuplicateToolError> {
        Ok(Arc::new(self))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::{Arguments, CallContext, CallError, Output, Prepared, Schema, ToolHandler, Work};

    struct Silent;

    impl ToolHandler for Silent {
        fn prepare(&self, _: &Arguments, _: &CallContext<'_>) -> Result<Prepared, CallError> {
            Ok(Prepared::new(Work::Inline(Box::new(|| Ok(Output::nothing())))))
        }
    }

    /// A tool that is told apart by its title.
    fn tool(name: &'static str, title: &'static str) -> Tool {
        let schema = Schema::from_value(serde_json::json!({"type": "object"}));
        let mut definition = ToolDef::new(name, format!("Does {name}."), schema);
        definition.title = Some(title.into());
        definition.tags = title.split(' ').map(Into::into).collect();
        Tool::new(definition, Silent)
    }

    fn titles(list: &ToolList) -> Vec<(&str, &str)> {
        list.iter().map(|tool| (tool.name(), tool.definition().title.as_deref().unwrap())).collect()
    }

    fn list() -> ToolList {
        ToolList::new([tool("search", "Find text"), tool("fetch", "Find pages"), tool("delete", "Remove")]).unwrap()
    }

    #[test]
    fn names_are_distinct_and_a_failed_insert_changes_nothing() {
        let duplicate = ToolList::new([tool("a", "first"), tool("b", "second"), tool("a", "third")]).unwrap_err();
        assert_eq!(duplicate, DuplicateToolError { name: "a".to_owned() });
        assert_eq!(duplicate.to_string(), "there is already a tool named `a`");
        let mut list = list();
        assert_eq!(list.insert(tool("fetch", "other")), Err(DuplicateToolError { name: "fetch".to_owned() }));
        assert_eq!(titles(&list), [("search", "Find text"), ("fetch", "Find pages"), ("delete", "Remove")]);
        list.insert(tool("add", "Add")).unwrap();
        assert_eq!(titles(&list).last(), Some(&("add", "Add")));
        assert_eq!((list.len(), list.is_empty(), ToolList::default().is_empty()), (4, false, true));
    }

    #[test]
    fn a_replaced_tool_keeps_its_place_and_is_given_back() {
        let mut list = list();
        let old = list.replace(tool("fetch", "New")).unwrap();
        assert_eq!(old.definition().title.as_deref(), Some("Find pages"));
        assert!(list.replace(tool("new", "Last")).is_none());
        assert_eq!(titles(&list), [("search", "Find text"), ("fetch", "New"), ("delete", "Remove"), ("new", "Last")]);
    }

    #[test]
    fn after_a_removal_every_other_tool_is_still_found() {
        let mut list = list();
        assert_eq!(list.remove("search").unwrap().name(), "search");
        assert!(list.remove("search").is_none());
        assert_eq!(titles(&list), [("fetch", "Find pages"), ("delete", "Remove")]);
        for name in ["fetch", "delete"] {
            assert_eq!(list.get(name).unwrap().name(), name);
        }
        assert!(list.get("search").is_none());
        list.insert(tool("search", "Again")).unwrap();
        assert_eq!(list.get("search").unwrap().definition().title.as_deref(), Some("Again"));
        assert_eq!(list.remove("fetch").unwrap().name(), "fetch");
        assert_eq!(list.get("search").unwrap().name(), "search");
        assert_eq!(titles(&list), [("delete", "Remove"), ("search", "Again")]);
    }

    #[test]
    fn a_snapshot_does_not_change() {
        let mut list = list();
        let snapshot = list.list_tools(&ToolQuery::all());
        list.remove("fetch");
        list.replace(tool("search", "New"));
        assert_eq!(titles(&snapshot), [("search", "Find text"), ("fetch", "Find pages"), ("delete", "Remove")]);
        assert_eq!(format!("{snapshot:?}"), r#"["search", "fetch", "delete"]"#);
    }

    #[test]
    fn a_query_asks_for_text_and_for_every_tag() {
        let list = list();
        let names =
            |query: ToolQuery| list.filtered(&query).iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
        assert_eq!(names(ToolQuery::all()), ["search", "fetch", "delete"]);
        assert_eq!(names(ToolQuery::all().with_text("FETCH")), ["fetch"]);
        assert_eq!(names(ToolQuery::all().with_text("find")), ["search", "fetch"]);
        assert_eq!(names(ToolQuery::all().with_text("does de")), ["delete"]);
        assert_eq!(names(ToolQuery::all().with_tag("Find")), ["search", "fetch"]);
        assert_eq!(names(ToolQuery::all().with_tag("Find").with_tag("text")), ["search"]);
        assert_eq!(names(ToolQuery::all().with_tag("find")), Vec::<String>::new());
        assert_eq!(names(ToolQuery::all().with_text("pages").with_tag("text")), Vec::<String>::new());
        assert!(ToolQuery::default().is_all() && !ToolQuery::all().with_tag("x").is_all());
        // What was filtered is found by its name as well.
        let found = list.filtered(&ToolQuery::all().with_text("remove"));
        assert_eq!(found.get("delete").unwrap().name(), "delete");
        assert!(found.get("search").is_none());
    }

    #[test]
    fn the_nearest_names_are_few_and_the_best_first() {
        let names = ["read_file", "read_files", "red_file", "read-file2", "write_file"];
        let list = ToolList::new(names.map(|name| tool(name, "x"))).unwrap();
        assert_eq!(list.nearest("readFile"), ["read_file", "read_files", "red_file"]);
        assert_eq!(list.nearest("shell"), Vec::<String>::new());
    }

    #[test]
    fn whatever_is_given_is_a_host() {
        let names = |host: Arc<dyn ToolHost>| {
            host.list_tools(&ToolQuery::all()).iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(tool("a", "x").into_host().unwrap()), ["a"]);
        assert_eq!(names([tool("a", "x"), tool("b", "x")].into_host().unwrap()), ["a", "b"]);
        assert_eq!(names(vec![tool("b", "x"), tool("a", "x")].into_host().unwrap()), ["b", "a"]);
        assert_eq!(names(list().into_host().unwrap()), ["search", "fetch", "delete"]);
        assert_eq!(names(Arc::new(list()).into_host().unwrap()), ["search", "fetch", "delete"]);
        assert_eq!(names(Vec::new().into_host().unwrap()), Vec::<String>::new());
        assert!([tool("a", "x"), tool("a", "y")].into_host().is_err());
    }

    #[test]
    fn a_list_never_changes_and_its_watch_ends() {
        let mut watch = list().watch();
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(matches!(Pin::new(&mut watch).poll_next(&mut context), Poll::Ready(None)));
        assert_eq!(ToolChange::Added(tool("a", "x")).name(), "a");
        assert_eq!(ToolChange::Updated(tool("b", "x")).name(), "b");
        assert_eq!(ToolChange::Removed("c".to_owned()).name(), "c");
    }
}
