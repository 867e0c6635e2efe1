//! Tools that bring state of their own along, so that several sets of the same tools work on different things.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use super::{Prepared, Tool, ToolHandler};
use crate::call::{Arguments, CallError};
use crate::context::{CallContext, OwnState, State, Supplies};

impl Tool {
    /// A tool that finds this value wherever it asks for a [`State<T>`], before what its run shares under that type.
    ///
    /// So the same function may be there several times, under other names, and work on something else each time. Of two
    /// values of one type the last one counts. What the run shares is as it was for everybody else, and so is
    /// [`RunContext::state`](crate::RunContext::state) within the tool: the value is the tool's, not the run's.
    ///
    /// ```
    /// use loom_core::{State, tool};
    ///
    /// struct Shelf(&'static [&'static str]);
    ///
    /// /// Lists the books of a shelf.
    /// #[tool]
    /// fn books(#[context] shelf: State<Shelf>) -> Vec<String> {
    ///     shelf.0.iter().map(ToString::to_string).collect()
    /// }
    ///
    /// let poems = books::tool().with_state(Shelf(&["Odes"]));
    /// assert_eq!(poems.name(), "books");
    /// ```
    #[must_use]
    pub fn with_state<T: Any + Send + Sync>(&self, state: T) -> Self {
        self.with_shared_state(Arc::new(state))
    }

    /// Like [`Tool::with_state`], for a value that is shared already.
    #[must_use]
    pub fn with_shared_state<T: Any + Send + Sync>(&self, state: Arc<T>) -> Self {
        let handler = WithState { tool: self.clone(), state: OwnState(State::from_shared(state)) };
        self.derive(self.definition().clone(), handler)
    }
}

/// A tool, and the state that it brings along.
struct WithState<T> {
    tool: Tool,
    state: OwnState<T>,
}

impl<T: Any + Send + Sync> ToolHandler for WithState<T> {
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        let supplies = Overlay { state: &self.state, beneath: context.supplies() };
        self.tool.prepare(arguments, &context.with_supplies(&supplies))
    }
}

impl<T> fmt::Debug for WithState<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // State may hold secrets and need not be `Debug`.
        f.debug_struct("WithState").field("tool", &self.tool).finish_non_exhaustive()
    }
}

/// What is supplied to the tool, with its state added.
struct Overlay<'a, T> {
    state: &'a OwnState<T>,
    beneath: &'a dyn Supplies,
}

impl<T: Any + Send + Sync> Supplies for Overlay<'_, T> {
    fn supply(&self, id: TypeId) -> Option<&dyn Any> {
        // A state that is there already was given to a tool that is derived from this one, so it was given later.
        let own = || (id == TypeId::of::<OwnState<T>>()).then_some(self.state as &dyn Any);
        self.beneath.supply(id).or_else(own)
    }
}
