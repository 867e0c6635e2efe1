//! What may be written: the keys of `#[tool(…)]` and `#[arg(…)]`, and the kinds of their values.

use darling::ast::NestedMeta;
use darling::{Error, FromMeta};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path};

use crate::diag::{Diagnostics, suggestion};

/// Any expression, string literals included.
#[derive(Debug, Clone)]
pub(crate) struct Value(pub(crate) Expr);

impl FromMeta for Value {
    fn from_word() -> darling::Result<Self> {
        Err(Error::custom("a value is missing: write `key = value`"))
    }

    fn from_list(_: &[NestedMeta]) -> darling::Result<Self> {
        Err(Error::custom("a value is expected: write `key = value`"))
    }

    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Self(expr.clone()))
    }
}

impl Value {
    /// The text of a string literal.
    pub(crate) fn literal(&self) -> Option<&LitStr> {
        match &self.0 {
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

    fn from_list(_: &[NestedMeta]) -> darling::Result<Self> {
        Err(Error::custom("write `default = expression`, or `default` alone"))
    }

    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Ok(Self::Expr(expr.clone()))
    }
}

/// A list of string literals: `tags("a", "b")`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

impl FromMeta for Texts {
    fn from_word() -> darling::Result<Self> {
        Err(Error::custom("a list is expected: write `key(\"…\", \"…\")`"))
    }

    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        Err(Error::custom("a list is expected: write `key(\"…\", \"…\")`").with_span(expr))
    }

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

/// The keys of `#[tool(…)]`.
pub(crate) const TOOL_KEYS: [&str; 18] = [
    "name",
    "title",
    "description",
    "destructive",
    "ends_turn",
    "read_only",
    "idempotent",
    "open_world",
    "sequential",
    "blocking",
    "timeout",
    "retries",
    "zone",
    "reads",
    "writes",
    "tags",
    "ui",
    "crate",
];

/// The keys of `#[arg(…)]`.
pub(crate) const ARG_KEYS: [&str; 10] =
    ["default", "name", "description", "example", "min", "max", "min_length", "max_length", "pattern", "format"];

/// The keys of `#[serde(…)]` that a parameter may have.
pub(crate) const SERDE_KEYS: [&str; 3] = ["rename", "alias", "default"];

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
}

/// Reads the keys of one attribute; every error is noted, and what is right is kept.
pub(crate) fn keys<T: FromMeta + Default>(
    tokens: TokenStream,
    attribute: &str,
    known: &[&str],
    diagnostics: &mut Diagnostics,
) -> (T, Spans) {
    let mut spans = Spans::default();
    let Some(items) = diagnostics.keep(NestedMeta::parse_meta_list(tokens).map_err(Into::into)) else {
        return (T::default(), spans);
    };
    let mut kept = Vec::new();
    for item in items {
        let path = match &item {
            NestedMeta::Meta(meta) => meta.path(),
            NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
            NestedMeta::Lit(lit) => {
                diagnostics.at(lit, format!("`#[{attribute}(…)]` takes keys, not values"));
                continue;
            }
        };
        let key = path.to_token_stream().to_string().replace(' ', "");
        if !known.contains(&key.as_str()) {
            let near = suggestion(&key, known.iter().copied());
            diagnostics.at(path, format!("`#[{attribute}(…)]` has no key `{key}`{near}"));
        } else if spans.0.iter().any(|(name, _)| *name == key) && !REPEATED.contains(&key.as_str()) {
            diagnostics.at(path, format!("the key `{key}` is given twice"));
        } else {
            spans.0.push((key, path.span()));
            kept.push(item);
        }
    }
    // One key at a time, so that an error in one does not take the others with it.
    match T::from_list(&kept) {
        Ok(keys) => (keys, spans),
        Err(errors) => {
            errors.flatten().into_iter().for_each(|error| diagnostics.push(error.into()));
            (T::default(), spans)
        }
    }
}
