//! The only names that generated code may use. They change without notice.

pub use std::time::Duration;

pub use crate::tool::{Tool, Zone};
pub use crate::ui;

mod define;
mod lend;
mod list;
mod param;
mod returns;

pub use define::{Static, assert_name, def, tool};
pub use lend::{Lend, Lender, Lent};
pub use list::List;
pub use param::{
    Arg, Bound, Ctx, FromText, Length, Params, Shown, ToolArg, ToolContext, ToolExample, arg, ctx, ctx_lent, lent,
    one_or_many, one_or_many_lent, text,
};
pub use returns::{Kind, ToolFailure, ToolOutput, awaited, blocking, future, inline};

/// The traits whose methods generated code calls, without their names: a glob import of this module brings nothing
/// into the user's scope that could shadow a type of theirs.
pub mod kinds {
    pub use super::lend::Lender as _;
    pub use super::param::Show as _;
    pub use super::param::ShowNot as _;
    pub use super::returns::levels::{
        NoSchema as _, ResultSchema as _, Rich as _, RichOrError as _, RichOrText as _, Value as _, ValueOrError as _,
        ValueOrText as _, ValueSchema as _,
    };
}

/// The list that `tools!` makes.
pub fn list<const N: usize>(tools: [Tool; N]) -> Vec<Tool> {
    tools.into()
}
