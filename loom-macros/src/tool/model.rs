//! A tool as the annotation says it: data, no logic.

use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Expr, Ident, LitStr, Path, ReturnType, Signature, Type, Visibility};

use super::attr::{DefaultValue, Spans, ToolKeys, Value};

/// The function as it was written, its body unread.
pub(crate) struct Source {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

/// What is to be made of it.
pub(crate) struct Model {
    pub(crate) ident: Ident,
    pub(crate) keys: ToolKeys,
    /// Where the keys stand.
    pub(crate) spans: Spans,
    /// Where loom is; absent when it was not found.
    pub(crate) krate: Option<Path>,
    pub(crate) description: Option<Text>,
    pub(crate) params: Vec<Param>,
    pub(crate) call: Call,
    pub(crate) output: ReturnType,
    /// The signature, for what is refused of it.
    pub(crate) sig: Signature,
    /// Entries of the doc comment for parameters: the name, and where it stands.
    pub(crate) documented: Vec<(String, Span)>,
}

/// How the function runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// It gives a future.
    Async,
    /// It may block.
    Blocking,
    /// It returns at once.
    Inline,
}

/// A text of the annotation or of a doc comment.
#[derive(Clone)]
pub(crate) enum Text {
    Written(String),
    Given(Value),
}

/// One parameter of the function.
pub(crate) struct Param {
    /// The name in the signature, without underscores that only silence a warning, if the pattern is a name.
    pub(crate) ident: Option<Ident>,
    /// The pattern, where errors about the name belong.
    pub(crate) pattern: TokenStream,
    pub(crate) ty: Type,
    pub(crate) kind: ParamKind,
    /// Attributes that have no meaning on a parameter of a tool.
    pub(crate) refused: Vec<(Attribute, &'static str)>,
}

/// Who supplies a parameter.
pub(crate) enum ParamKind {
    /// The runtime.
    Context,
    /// The model.
    Arg(Box<Arg>),
}

/// What the annotation says of a parameter that the model supplies.
#[derive(Default)]
pub(crate) struct Arg {
    /// The name on the wire; `None` where the pattern has none and none is given.
    pub(crate) name: Option<Text>,
    pub(crate) aliases: Vec<LitStr>,
    /// The description in the section of the function's doc comment.
    pub(crate) section: Option<(String, Span)>,
    /// The descriptions on the parameter itself.
    pub(crate) own: Vec<(Text, Span)>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) min: Option<Value>,
    pub(crate) max: Option<Value>,
    pub(crate) min_length: Option<Value>,
    pub(crate) max_length: Option<Value>,
    pub(crate) pattern: Option<Value>,
    pub(crate) format: Option<Value>,
    /// A single item may be sent for the list.
    pub(crate) one_or_many: bool,
    pub(crate) spans: Spans,
}
