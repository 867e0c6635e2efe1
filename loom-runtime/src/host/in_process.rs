//! The host of this process's own tools.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use loom_core::{DuplicateToolError, IntoTools, Tool, ToolChange, ToolHost, ToolList, ToolQuery, ToolWatch};

use super::watch::Watchers;

/// Tools of this process. They may come and go while calls run: a turn keeps the tools that it began with.
///
/// ```
/// use loom_runtime::prelude::*;
///
/// /// Says the time.
/// #[tool]
/// fn clock() -> &'static str {
///     "noon"
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let host = InProcessToolHost::new(tools![])?;
/// host.register(clock::tool())?;
/// assert!(host.get("clock").is_some());
/// assert_eq!(host.register(clock::tool()).unwrap_err().to_string(), "there is already a tool named `clock`");
/// assert!(host.unregister("clock").is_some());
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct InProcessToolHost {
    tools: RwLock<ToolList>,
    watchers: Watchers,
}

impl InProcessToolHost {
    /// A host of these tools; of another host it takes those that are there now.
    ///
    /// # Errors
    /// When two tools have the same name.
    pub fn new(tools: impl IntoTools) -> Result<Self, DuplicateToolError> {
        let tools = tools.into_host()?.list_tools(&ToolQuery::all());
        Ok(Self { tools: RwLock::new(tools), watchers: Watchers::default() })
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// When there is one of the same name; see [`InProcessToolHost::replace`].
    pub fn register(&self, tool: Tool) -> Result<(), DuplicateToolError> {
        let mut tools = self.write();
        tools.insert(tool.clone())?;
        // Told under the lock, so that every watcher hears of changes in the order in which they happened.
        self.watchers.tell(&ToolChange::Added(tool));
        drop(tools);
        Ok(())
    }

    /// Adds a tool in the place of one of the same name, which is given back.
    pub fn replace(&self, tool: Tool) -> Option<Tool> {
        let mut tools = self.write();
        let before = tools.replace(tool.clone());
        self.watchers.tell(&if before.is_some() { ToolChange::Updated(tool) } else { ToolChange::Added(tool) });
        drop(tools);
        before
    }

    /// Takes a tool out, and gives it back. Calls of it that run already go on.
    pub fn unregister(&self, name: &str) -> Option<Tool> {
        let mut tools = self.write();
        let tool = tools.remove(name)?;
        self.watchers.tell(&ToolChange::Removed(name.to_owned()));
        drop(tools);
        Some(tool)
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<Tool> {
        self.read().get(name).cloned()
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.read().is_empty()
    }

    // A list is whole at every step, so a panic under the lock leaves nothing half done.
    fn read(&self) -> RwLockReadGuard<'_, ToolList> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, ToolList> {
        self.tools.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ToolHost for InProcessToolHost {
    fn list_tools(&self, query: &ToolQuery) -> ToolList {
        self.read().filtered(query)
    }

    fn watch(&self) -> ToolWatch {
        ToolWatch::new(self.watchers.watch())
    }
}
