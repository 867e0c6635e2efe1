//! Tools under another name.

use std::borrow::Cow;

use super::builder::{BuildError, is_name};
use super::{Prepared, Tool, ToolHandler};
use crate::call::{Arguments, CallError};
use crate::context::CallContext;

impl Tool {
    /// The same tool under another name. All else of its definition stays, and so does what an executor
    /// [keeps](Self::keep) with it: a limit of calls at a time counts the calls of both.
    ///
    /// The tool's own code sees the name that the model used.
    ///
    /// # Errors
    /// When the name is not one that every provider takes.
    ///
    /// ```
    /// use loom_core::tool;
    ///
    /// /// Adds two numbers.
    /// #[tool(read_only)]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let plus = add::tool().renamed("plus")?;
    /// assert_eq!(plus.name(), "plus");
    /// assert!(plus.definition().flags.read_only);
    /// # Ok::<(), loom_core::BuildError>(())
    /// ```
    pub fn renamed(&self, name: impl Into<Cow<'static, str>>) -> Result<Self, BuildError> {
        let mut definition = self.definition().clone();
        definition.name = name.into();
        if !is_name(&definition.name) {
            return Err(BuildError::Name { name: definition.name.into_owned() });
        }
        Ok(self.derive(definition, Same(self.clone())))
    }
}

/// Does what another tool does.
struct Same(Tool);

impl ToolHandler for Same {
    fn prepare(&self, arguments: &Arguments, context: &CallContext<'_>) -> Result<Prepared, CallError> {
        self.0.prepare(arguments, context)
    }
}
