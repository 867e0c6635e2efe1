//! What may be written: the keys of `#[tool(…)]` and `#[arg(…)]`, and the forms of their values.

use darling::ast::NestedMeta;
use darling::{Error, FromMeta};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Token, Type};

use crate::diag::{Diagnostics, suggestion};

/// Any expression, string literals included.
#[derive(Debug, Clone)]
pub(crate) struct Value(pub(crate) Expr);

impl FromMeta for Value {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Self(expr.clone()))
    }
}

impl Value {
    /// The text of a string literal.
    pub(crate) fn literal(&self) -> Option<&LitStr> {
        match bare(&self.0) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
            _ => None,
        }
    }
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// `default`, or `default = expression`.
#[derive(Debug, Clone)]
pub(crate) enum DefaultValue {
    /// `Default::default()`.
    OfType,
    Expr(Expr),
}

impl FromMeta for DefaultValue {
    fn from_word() -> darling::Result<Self> {
        Ok(Self::OfType)
    }

    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Self::Expr(expr.clone()))
    }
}

/// A list of string literals: `tags("a", "b")`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl FromMeta for Texts {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        let mut errors = Error::accumulator();
        let texts = items.iter().filter_map(|item| match item {
            NestedMeta::Lit(Lit::Str(text)) => Some(text.clone()),
            other => {
                errors.push(Error::custom("a string literal is expected").with_span(other));
                None
            }
        });
        let texts = texts.collect();
        errors.finish_with(Self(texts))
    }
}

/// A list of parameter names: `meta(path, mode)`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(pub(crate) Vec<Ident>);

impl FromMeta for Names {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        let mut errors = Error::accumulator();
        let names = items.iter().filter_map(|item| match item {
            NestedMeta::Meta(syn::Meta::Path(path)) if path.get_ident().is_some() => path.get_ident().cloned(),
            other => {
                errors.push(Error::custom("the name of a parameter is expected").with_span(other));
                None
            }
        });
        let names = names.collect();
        errors.finish_with(Self(names))
    }
}

/// `#[tool(…)]`.
#[derive(Debug, Default, FromMeta)]
#[darling(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one word of the attribute")]
pub(crate) struct ToolKeys {
    pub(crate) name: Option<Value>,
    pub(crate) title: Option<Value>,
    pub(crate) description: Option<Value>,
    pub(crate) destructive: bool,
    pub(crate) ends_turn: bool,
    pub(crate) read_only: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
    pub(crate) sequential: bool,
    pub(crate) blocking: Option<bool>,
    pub(crate) timeout: Option<Value>,
    pub(crate) retries: Option<Value>,
    pub(crate) concurrency: Option<Value>,
    pub(crate) zone: Option<Ident>,
    pub(crate) reads: Texts,
    pub(crate) writes: Texts,
    pub(crate) tags: Texts,
    pub(crate) ui: Option<UiKeys>,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<Path>,
}

/// `ui(…)`.
#[derive(Debug, FromMeta)]
pub(crate) struct UiKeys {
    pub(crate) kind: Ident,
    pub(crate) summary: Option<SummaryKeys>,
    pub(crate) preview: Option<PreviewKeys>,
    pub(crate) open: Option<OpenKeys>,
}

/// `summary(…)`.
#[derive(Debug, FromMeta)]
pub(crate) struct SummaryKeys {
    pub(crate) verb: Value,
    pub(crate) primary: Option<Ident>,
    #[darling(default)]
    pub(crate) meta: Names,
}

/// `preview(…)`.
#[derive(Debug, FromMeta)]
pub(crate) struct PreviewKeys {
    pub(crate) content: Ident,
    pub(crate) format: Ident,
    pub(crate) max_lines: Option<Value>,
}

/// `open(…)`.
#[derive(Debug, FromMeta)]
pub(crate) struct OpenKeys {
    pub(crate) target: Value,
    pub(crate) path: Ident,
}

/// `#[arg(…)]`.
#[derive(Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct ArgKeys {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) name: Option<Value>,
    pub(crate) description: Option<Value>,
    #[darling(multiple)]
    pub(crate) example: Vec<Value>,
    pub(crate) min: Option<Value>,
    pub(crate) max: Option<Value>,
    pub(crate) min_length: Option<Value>,
    pub(crate) max_length: Option<Value>,
    pub(crate) pattern: Option<Value>,
    pub(crate) format: Option<Value>,
    pub(crate) one_or_many: bool,
}

/// `#[serde(…)]` on a parameter, as far as it can mean something there.
#[derive(Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct SerdeKeys {
    pub(crate) rename: Option<LitStr>,
    #[darling(multiple)]
    pub(crate) alias: Vec<LitStr>,
    pub(crate) default: Option<DefaultValue>,
}

/// A key and how it is written.
pub(crate) struct Key {
    name: &'static str,
    form: Form,
    /// How to write it, for whoever wrote it otherwise.
    write: &'static str,
    required: bool,
}

/// What a key is followed by.
#[derive(Clone, Copy)]
enum Form {
    Flag,
    /// Anything constant that is a text.
    Text,
    /// A string literal.
    Literal,
    Count,
    Number,
    Duration,
    /// Any expression.
    Value,
    /// A value or nothing.
    Default,
    /// A string literal or nothing.
    SerdeDefault,
    Word,
    Parameter,
    Path,
    Texts,
    Parameters,
    Keys(&'static [Key]),
}

impl Form {
    fn what(self) -> &'static str {
        match self {
            Self::Flag => "a flag",
            Self::Text => "a text",
            Self::Literal => "a string literal",
            Self::Count => "a whole number",
            Self::Number => "a number",
            Self::Duration => "a duration",
            Self::Value => "a value",
            Self::Default => "a value, or stands alone",
            Self::SerdeDefault => "the path of a function as a string literal, or stands alone",
            Self::Word => "one of a few words",
            Self::Parameter => "the name of a parameter",
            Self::Path => "a path",
            Self::Texts => "a list of string literals",
            Self::Parameters => "a list of parameter names",
            Self::Keys(_) => "a list of keys",
        }
    }

    /// Whether a value is of this form, as far as it can be told without types.
    fn takes(self, value: &Expr) -> bool {
        let value = bare(value);
        let literal = match value {
            Expr::Lit(ExprLit { lit, .. }) => Some(lit),
            _ => None,
        };
        match self {
            Self::Flag => matches!(literal, Some(Lit::Bool(_))),
            Self::Text | Self::Duration => literal.is_none_or(|lit| matches!(lit, Lit::Str(_))) && !is_negative(value),
            Self::Literal | Self::SerdeDefault => matches!(literal, Some(Lit::Str(_))),
            Self::Count => literal.is_none_or(|lit| matches!(lit, Lit::Int(_))) && !is_negative(value),
            Self::Number => literal.is_none_or(|lit| matches!(lit, Lit::Int(_) | Lit::Float(_))),
            Self::Value | Self::Default => true,
            Self::Word | Self::Parameter => matches!(value, Expr::Path(path) if path.path.get_ident().is_some()),
            Self::Path => matches!(value, Expr::Path(_)),
            Self::Texts | Self::Parameters | Self::Keys(_) => false,
        }
    }
}

/// The expression inside the groups that a `macro_rules!` puts around what it was given.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        other => other,
    }
}

/// The same for a type.
pub(crate) fn bare_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare_type(&group.elem),
        Type::Paren(paren) => bare_type(&paren.elem),
        other => other,
    }
}

fn is_negative(value: &Expr) -> bool {
    match value {
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)),
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits().starts_with('-'),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_digits().starts_with('-'),
        _ => false,
    }
}

const fn key(name: &'static str, form: Form, write: &'static str) -> Key {
    Key { name, form, write, required: false }
}

const fn required(name: &'static str, form: Form, write: &'static str) -> Key {
    Key { name, form, write, required: true }
}

/// The keys of `#[tool(…)]`.
pub(crate) const TOOL_KEYS: [Key; 19] = [
    key("name", Form::Text, "name = \"…\""),
    key("title", Form::Text, "title = \"…\""),
    key("description", Form::Text, "description = \"…\""),
    key("destructive", Form::Flag, "destructive"),
    key("ends_turn", Form::Flag, "ends_turn"),
    key("read_only", Form::Flag, "read_only"),
    key("idempotent", Form::Flag, "idempotent"),
    key("open_world", Form::Flag, "open_world"),
    key("sequential", Form::Flag, "sequential"),
    key("blocking", Form::Flag, "blocking = false"),
    key("timeout", Form::Duration, "timeout = \"30s\""),
    key("retries", Form::Count, "retries = 3"),
    key("concurrency", Form::Count, "concurrency = 4"),
    key("zone", Form::Word, "zone = network"),
    key("reads", Form::Texts, "reads(\"{parameter}\")"),
    key("writes", Form::Texts, "writes(\"{parameter}\")"),
    key("tags", Form::Texts, "tags(\"…\")"),
    key("ui", Form::Keys(&UI_KEYS), "ui(kind = …)"),
    key("crate", Form::Path, "crate = path::to::loom"),
];

const UI_KEYS: [Key; 4] = [
    required("kind", Form::Word, "kind = file_write"),
    key("summary", Form::Keys(&SUMMARY_KEYS), "summary(verb = \"…\")"),
    key("preview", Form::Keys(&PREVIEW_KEYS), "preview(content = parameter, format = code)"),
    key("open", Form::Keys(&OPEN_KEYS), "open(target = \"…\", path = parameter)"),
];

const SUMMARY_KEYS: [Key; 3] = [
    required("verb", Form::Text, "verb = \"…\""),
    key("primary", Form::Parameter, "primary = parameter"),
    key("meta", Form::Parameters, "meta(parameter)"),
];

const PREVIEW_KEYS: [Key; 3] = [
    required("content", Form::Parameter, "content = parameter"),
    required("format", Form::Word, "format = code"),
    key("max_lines", Form::Count, "max_lines = 20"),
];

const OPEN_KEYS: [Key; 2] =
    [required("target", Form::Text, "target = \"…\""), required("path", Form::Parameter, "path = parameter")];

/// The keys of `#[arg(…)]`.
pub(crate) const ARG_KEYS: [Key; 11] = [
    key("default", Form::Default, "default = …"),
    key("name", Form::Text, "name = \"…\""),
    key("description", Form::Text, "description = \"…\""),
    key("example", Form::Value, "example = …"),
    key("min", Form::Number, "min = 1"),
    key("max", Form::Number, "max = 10"),
    key("min_length", Form::Count, "min_length = 1"),
    key("max_length", Form::Count, "max_length = 10"),
    key("pattern", Form::Text, "pattern = \"…\""),
    key("format", Form::Text, "format = \"…\""),
    key("one_or_many", Form::Flag, "one_or_many"),
];

/// The keys of `#[serde(…)]` that a parameter may have.
pub(crate) const SERDE_KEYS: [Key; 3] = [
    key("rename", Form::Literal, "rename = \"…\""),
    key("alias", Form::Literal, "alias = \"…\""),
    key("default", Form::SerdeDefault, "default"),
];

/// The keys that may stand several times.
const REPEATED: [&str; 2] = ["example", "alias"];

/// Where each key stands, so that an error can underline the key itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans(Vec<(String, Span)>);

impl Spans {
    /// The place of a key, or of the attribute where the key is not written.
    pub(crate) fn of(&self, key: &str) -> Span {
        self.0.iter().find(|(name, _)| name == key).map_or_else(Span::call_site, |(_, span)| *span)
    }

    /// Whether the key is written, rightly or not.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// Adds the places of another attribute's keys.
    pub(crate) fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

/// Reads the keys of an attribute, which may be written in several; every error is noted, and what is right is kept.
pub(crate) fn keys<T: FromMeta + Default>(
    tokens: impl IntoIterator<Item = TokenStream>,
    attribute: &str,
    known: &[Key],
    diagnostics: &mut Diagnostics,
) -> (T, Spans) {
    let owner = format!("#[{attribute}(…)]");
    let mut spans = Spans::default();
    let mut kept = Vec::new();
    for tokens in tokens {
        kept.extend(vetted(tokens, &owner, known, &mut spans, diagnostics));
    }
    let keys = T::from_list(&kept).unwrap_or_else(|_| {
        // An error in one key does not take the others with it.
        kept.retain(|item| match T::from_list(std::slice::from_ref(item)) {
            Ok(_) => true,
            Err(errors) => {
                errors.flatten().into_iter().for_each(|error| diagnostics.push(error.into()));
                false
            }
        });
        T::from_list(&kept).unwrap_or_default()
    });
    (keys, spans)
}

/// The keys that are known, stand once and are written as they should be.
fn vetted(
    tokens: TokenStream,
    owner: &str,
    known: &[Key],
    spans: &mut Spans,
    diagnostics: &mut Diagnostics,
) -> Vec<NestedMeta> {
    let mut kept = Vec::new();
    for item in items(tokens, diagnostics) {
        let path = match &item {
            NestedMeta::Meta(meta) => meta.path(),
            NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
            NestedMeta::Lit(lit) => {
                diagnostics.at(lit, format!("`{owner}` takes keys, not values"));
                continue;
            }
        };
        let name = path.to_token_stream().to_string().replace(' ', "");
        let Some(key) = known.iter().find(|key| key.name == name) else {
            let hint = suggestion(&name, known.iter().map(|key| key.name));
            diagnostics.at(path, format!("`{owner}` has no key `{name}`{hint}"));
            continue;
        };
        let twice = spans.has(&name) && !REPEATED.contains(&key.name);
        spans.0.push((name, path.span()));
        if twice {
            diagnostics.at(path, format!("the key `{}` is given twice", key.name));
        } else if form(&item, key, diagnostics) {
            kept.push(item);
        }
    }
    kept
}

/// What stands between the commas; what cannot be read is noted and left out.
fn items(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Vec<NestedMeta> {
    let parser = |input: ParseStream<'_>| {
        let mut items = Vec::new();
        while !input.is_empty() {
            match input.parse::<NestedMeta>() {
                Ok(item) if input.is_empty() || input.peek(Token![,]) => items.push(item),
                Ok(_) => diagnostics.span(input.span(), "expected `=`, `(` or `,` after the key"),
                Err(error) => diagnostics.push(error),
            }
            while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
                input.parse::<TokenTree>()?;
            }
        }
        Ok(items)
    };
    // The parser notes what is wrong by itself: it reads to the end of any tokens.
    parser.parse2(tokens).unwrap_or_default()
}

/// Whether a key is written as it should be; if not, that is noted.
fn form(item: &NestedMeta, key: &Key, diagnostics: &mut Diagnostics) -> bool {
    let Key { name, form, write, .. } = key;
    let message = || format!("`{name}` is {}; write `{write}`", form.what());
    match (item, form) {
        (NestedMeta::Meta(Meta::Path(_)), Form::Flag | Form::Default | Form::SerdeDefault)
        | (NestedMeta::Meta(Meta::List(_)), Form::Texts | Form::Parameters) => true,
        (NestedMeta::Meta(Meta::NameValue(meta)), form) => {
            let right = form.takes(&meta.value);
            if !right {
                diagnostics.at(&meta.value, message());
            }
            right
        }
        (NestedMeta::Meta(Meta::List(list)), Form::Keys(known)) => {
            let before = diagnostics.len();
            let mut spans = Spans::default();
            vetted(list.tokens.clone(), &format!("{name}(…)"), known, &mut spans, diagnostics);
            for missing in known.iter().filter(|key| key.required && !spans.has(key.name)) {
                diagnostics.at(&list.path, format!("`{name}(…)` needs `{}`", missing.write));
            }
            diagnostics.len() == before
        }
        (NestedMeta::NameValueInvalidExpr(meta), _) if meta.value.is_empty() => {
            diagnostics.at(&meta.path, format!("a value is missing; write `{write}`"));
            false
        }
        // What can be said of the tokens is said by the parser of expressions, at the token that it does not take.
        (NestedMeta::NameValueInvalidExpr(meta), _) => {
            diagnostics.push(meta.error.clone().into());
            false
        }
        (NestedMeta::Meta(meta), _) => {
            diagnostics.at(meta, message());
            false
        }
        (NestedMeta::Lit(_), _) => false,
    }
}
