//! What makes no sense, each thing at the narrowest place that is wrong. All of it is reported together.

use std::time::Duration;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, GenericArgument, GenericParam, Ident, Lit, ReturnType, Signature, Type};

use super::attr::{UiKeys, Value, bare, bare_type};
use super::model::{Arg, Call, Model, Param, ParamKind, Text};
use super::parse::{literal_name, plain_name};
use super::template::{self, Piece};
use crate::diag::{Diagnostics, suggestion};

/// Checks the whole model.
pub(crate) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    signature(model, diagnostics);
    tool_name(model, diagnostics);
    description(model, diagnostics);
    flags(model, diagnostics);
    for param in &model.params {
        parameter(param, diagnostics);
    }
    distinct_names(model, diagnostics);
    documented(model, diagnostics);
    templates(model, diagnostics);
    if let Some(ui) = &model.keys.ui {
        drawing(ui, model, diagnostics);
    }
}

fn signature(model: &Model, diagnostics: &mut Diagnostics) {
    let sig = &model.sig;
    if sig.receiver().is_none()
        && let Some(token) = names_self(sig.to_token_stream())
    {
        diagnostics.at(token, "a tool is a free function; take this one out of its `impl` block");
    }
    if let Some(token) = &sig.constness {
        diagnostics.at(token, "a tool cannot be `const`: it runs when a model calls it");
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        diagnostics.at(token, "a tool cannot be `unsafe`: nobody checks its conditions before a model's call");
    }
    if let Some(abi) = &sig.abi {
        diagnostics.at(abi, "a tool cannot be `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        diagnostics.at(variadic, "a tool cannot be variadic");
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Lifetime(_) => {}
            other => diagnostics.at(other, "a tool cannot be generic: its schema is of one type; write that type here"),
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Type::Never(_) = bare_type(ty)
    {
        diagnostics.at(ty, "a tool has to return, or the model never gets an answer");
    }
}

/// The first `Self` among these tokens.
fn names_self(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => Some(ident),
        TokenTree::Group(group) => names_self(group.stream()),
        _ => None,
    })
}

/// Whether the function stands where only items of an `impl` block or a trait may stand.
pub(crate) fn is_associated(sig: &Signature) -> bool {
    sig.receiver().is_some() || names_self(sig.to_token_stream()).is_some()
}

/// Types of Rust that the tool's own type would shadow for the rest of the module.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    "f32", "f64",
];

fn tool_name(model: &Model, diagnostics: &mut Diagnostics) {
    let ident = model.ident.unraw().to_string();
    if PRIMITIVES.contains(&ident.as_str()) {
        let message = format!("the tool would shadow the type `{ident}` here; name the function otherwise");
        diagnostics.at(&model.ident, message);
    }
    let (name, span) = match &model.keys.name {
        // What is no literal is checked by the compiler, in a constant.
        Some(value) => match value.literal() {
            Some(literal) => (literal.value(), literal.span()),
            None => return,
        },
        None => (ident, model.ident.span()),
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
        let message = "providers take tool names of 1 to 64 characters from A-Z a-z 0-9 _ - only; set another with \
                       `#[tool(name = \"…\")]`";
        diagnostics.span(span, message);
    }
}

fn description(model: &Model, diagnostics: &mut Diagnostics) {
    match &model.description {
        None => diagnostics.at(
            &model.ident,
            "a tool needs a description for the model to choose it by; add a doc comment or `#[tool(description = \"…\")]`",
        ),
        Some(Text::Given(value)) => not_blank(value, "description", diagnostics),
        Some(Text::Written(_)) => {}
    }
    if let Some(title) = &model.keys.title {
        not_blank(title, "title", diagnostics);
    }
}

fn not_blank(value: &Value, what: &str, diagnostics: &mut Diagnostics) {
    if value.literal().is_some_and(|text| text.value().trim().is_empty()) {
        diagnostics.at(value, format!("the {what} is empty"));
    }
}

fn flags(model: &Model, diagnostics: &mut Diagnostics) {
    let (keys, spans) = (&model.keys, &model.spans);
    if keys.read_only && keys.destructive {
        diagnostics.span(spans.of("read_only"), "a tool that is `destructive` cannot be `read_only`");
    }
    if keys.read_only && !keys.writes.0.is_empty() {
        diagnostics.span(spans.of("writes"), "a tool that is `read_only` writes nothing");
    }
    if keys.destructive && keys.retries.is_some() {
        diagnostics.span(spans.of("retries"), "a `destructive` call is never tried again by itself");
    }
    if keys.blocking.is_some() && model.call == Call::Async {
        diagnostics.span(spans.of("blocking"), "this says how a sync function runs; a future is always awaited");
    }
    if let Some(Value(Expr::Lit(ExprLit { lit: Lit::Int(calls), .. }))) = &keys.concurrency
        && calls.base10_digits() == "0"
    {
        diagnostics.at(calls, "with no call at a time none would ever run; write `concurrency = 1`");
    }
    if let Some(timeout) = &keys.timeout
        && let Some(literal) = timeout.literal()
        && let Err(message) = duration(&literal.value())
    {
        diagnostics.at(literal, message);
    }
    if let Some(zone) = &keys.zone {
        one_of(zone, "zone", &ZONES, diagnostics);
    }
}

/// The zones of `zone = …`.
pub(crate) const ZONES: [&str; 7] = ["safe", "workspace", "build", "network", "external", "machine", "never"];

fn one_of(ident: &Ident, what: &str, known: &[&str], diagnostics: &mut Diagnostics) {
    let name = ident.to_string();
    if !known.contains(&name.as_str()) {
        let hint = suggestion(&name, known.iter().copied());
        diagnostics.at(ident, format!("there is no {what} `{name}`{hint}"));
    }
}

/// The duration that a text such as `30s` says.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.strip_prefix(digits).unwrap_or_default();
    let milliseconds = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    match (digits.parse::<u64>(), milliseconds) {
        (Ok(0), Some(_)) => Err("a timeout of nothing would end every call at once".to_owned()),
        (Ok(number), Some(unit)) => {
            number.checked_mul(unit).map(Duration::from_millis).ok_or_else(|| format!("`{text}` is too long"))
        }
        _ => Err(format!("`{text}` is no duration; write a whole number and a unit: `500ms`, `30s`, `5m`, `1h`")),
    }
}

fn parameter(param: &Param, diagnostics: &mut Diagnostics) {
    for (attr, message) in &param.refused {
        diagnostics.at(attr, message);
    }
    parameter_type(param, diagnostics);
    let ParamKind::Arg(arg) = &param.kind else { return };
    match &arg.name {
        Some(Text::Given(value)) => not_blank(value, "name", diagnostics),
        Some(Text::Written(_)) => {}
        // A name that is written wrongly is reported already.
        None if arg.spans.has("name") => {}
        None => {
            let message = "this parameter has no name for the model; give it one with `#[arg(name = \"…\")]`";
            diagnostics.at(&param.pattern, message);
        }
    }
    let mut texts = arg.own.iter().map(|(_, span)| *span).chain(arg.section.iter().map(|(_, span)| *span));
    // The first text is the one on the parameter if there is one: the other place is the one to clear.
    if let (Some(_), Some(second)) = (texts.next(), texts.next()) {
        diagnostics.span(second, "this parameter is described in two places; keep one");
    }
    bounds(arg, diagnostics);
}

/// What no type of a parameter may hold, as far as its tokens tell.
fn parameter_type(param: &Param, diagnostics: &mut Diagnostics) {
    Refuse { is_argument: matches!(param.kind, ParamKind::Arg(_)), diagnostics }.visit_type(&param.ty);
    if let ParamKind::Arg(_) = param.kind {
        let mut stray = Stray { diagnostics, lendable: false };
        match bare_type(&param.ty) {
            Type::Reference(reference) => stray.visit_type(&reference.elem),
            // Whether `Option<&T>` is written is for the compiler to tell: it knows aliases.
            ty @ Type::Path(_) => Stray { lendable: true, ..stray }.visit_type(ty),
            other => stray.visit_type(other),
        }
    }
}

struct Refuse<'a> {
    is_argument: bool,
    diagnostics: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Refuse<'_> {
    fn visit_type_impl_trait(&mut self, ty: &'ast syn::TypeImplTrait) {
        self.diagnostics.at(ty, "a tool cannot be generic: write the type that the model's argument is read as");
    }

    fn visit_type_trait_object(&mut self, ty: &'ast syn::TypeTraitObject) {
        if self.is_argument {
            self.diagnostics.at(ty, "a model's argument is read as one type, which `dyn` leaves open; write that type");
        }
    }

    fn visit_type_reference(&mut self, ty: &'ast syn::TypeReference) {
        if let Some(token) = &ty.mutability {
            let message = "an argument is lent for reading; take it by value and write `mut` before its name";
            self.diagnostics.at(token, message);
        }
        if let Some(lifetime) = ty.lifetime.as_ref().filter(|lifetime| self.is_argument && lifetime.ident == "static") {
            let message = "an argument lives as long as its call; borrow it without `'static`, or take it by value";
            self.diagnostics.at(lifetime, message);
        }
        visit::visit_type_reference(self, ty);
    }
}

/// References below the place where one can be lent.
struct Stray<'a> {
    diagnostics: &'a mut Diagnostics,
    /// Whether the type being visited is that of the parameter, whose own arguments may be lent.
    lendable: bool,
}

impl<'ast> Visit<'ast> for Stray<'_> {
    fn visit_type_reference(&mut self, ty: &'ast syn::TypeReference) {
        if !self.lendable {
            let message = "only a whole argument is lent, as `&T` or `Option<&T>`; write an owned type here, such as \
                           `String` for `&str`";
            self.diagnostics.at(ty, message);
            return;
        }
        self.lendable = false;
        visit::visit_type_reference(self, ty);
    }

    fn visit_angle_bracketed_generic_arguments(&mut self, arguments: &'ast syn::AngleBracketedGenericArguments) {
        for argument in &arguments.args {
            let before = self.lendable;
            self.lendable =
                before && matches!(argument, GenericArgument::Type(ty) if matches!(bare_type(ty), Type::Reference(_)));
            self.visit_generic_argument(argument);
            self.lendable = before;
        }
    }

    fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
}

/// A number that is written out.
fn number(value: &Expr) -> Option<f64> {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => number(expr).map(|number| -number),
        _ => None,
    }
}

fn bounds(arg: &Arg, diagnostics: &mut Diagnostics) {
    for (low, high, low_key, high_key) in
        [(&arg.min, &arg.max, "min", "max"), (&arg.min_length, &arg.max_length, "min_length", "max_length")]
    {
        let known = |value: &Option<Value>| value.as_ref().and_then(|value| number(&value.0));
        if let (Some(low), Some(high)) = (known(low), known(high))
            && low > high
        {
            diagnostics.span(arg.spans.of(low_key), format!("no value fits: `{low_key}` is above `{high_key}`"));
        }
    }
    let least = arg.min_length.as_ref().and_then(|value| number(&value.0));
    if arg.one_or_many && least.is_some_and(|least| least > 1.0) {
        let message = "a single item is never enough: `min_length` is above 1; remove one of the two";
        diagnostics.span(arg.spans.of("one_or_many"), message);
    }
}

fn distinct_names(model: &Model, diagnostics: &mut Diagnostics) {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for (at, param) in model.params.iter().enumerate() {
        let ParamKind::Arg(arg) = &param.kind else { continue };
        let aliases = arg.aliases.iter().map(|alias| (alias.value(), alias.span()));
        let name = literal_name(arg).map(|name| (name, name_span(param, arg)));
        for (name, span) in name.into_iter().chain(aliases) {
            match seen.iter().find(|(other, _)| *other == name) {
                None => {}
                Some((_, other)) if *other == at => {
                    diagnostics.span(span, format!("this parameter is called `{name}` already"));
                }
                // Two parameters of one name in the signature itself are for the compiler to refuse.
                Some((_, other)) if model.params.get(*other).is_some_and(|other| same_pattern(param, other)) => {}
                Some(_) => {
                    let message = format!("two parameters are called `{name}`; rename one with `#[arg(name = \"…\")]`");
                    diagnostics.span(span, message);
                }
            }
            seen.push((name, at));
        }
    }
}

/// Where a parameter's name stands.
fn name_span(param: &Param, arg: &Arg) -> Span {
    match &arg.name {
        Some(Text::Given(value)) => value.0.span(),
        Some(Text::Written(_)) if arg.spans.has("rename") => arg.spans.of("rename"),
        _ => param.pattern.span(),
    }
}

fn same_pattern(param: &Param, other: &Param) -> bool {
    param.ident.is_some() && param.pattern.to_string() == other.pattern.to_string()
}

/// The names that a parameter goes by, in the signature and on the wire.
fn names(param: &Param) -> impl Iterator<Item = String> {
    let wire = match &param.kind {
        ParamKind::Arg(arg) => literal_name(arg),
        ParamKind::Context => None,
    };
    let own = param.ident.as_ref().map(ToString::to_string);
    let wire = wire.filter(|wire| Some(wire) != own.as_ref());
    own.into_iter().chain(wire)
}

fn documented(model: &Model, diagnostics: &mut Diagnostics) {
    let mut seen = Vec::new();
    for (name, span) in &model.documented {
        let plain = plain_name(name);
        match model.params.iter().position(|param| names(param).any(|own| plain_name(&own) == plain)) {
            Some(at) if seen.contains(&at) => {
                diagnostics.span(*span, format!("the parameter `{name}` is described twice"));
            }
            Some(at) => seen.push(at),
            None => {
                let names: Vec<_> = model.params.iter().flat_map(names).collect();
                let hint = suggestion(plain, names.iter().map(String::as_str));
                diagnostics.span(*span, format!("there is no parameter `{name}`{hint}"));
            }
        }
    }
}

fn templates(model: &Model, diagnostics: &mut Diagnostics) {
    let names = argument_names(model);
    for template in model.keys.reads.0.iter().chain(&model.keys.writes.0) {
        match template::pieces(&template.value()) {
            Err(message) => diagnostics.at(template, message),
            Ok(pieces) => {
                for piece in pieces {
                    // Fields of a parameter are checked against its schema when a host is built.
                    if let Piece::Field { parameter, .. } = piece {
                        unknown(&parameter, template, &names, diagnostics);
                    }
                }
            }
        }
    }
}

/// The names of the parameters that the model supplies.
fn argument_names(model: &Model) -> Vec<String> {
    model.params.iter().filter(|param| matches!(param.kind, ParamKind::Arg(_))).flat_map(names).collect()
}

fn unknown(name: &str, at: impl ToTokens, names: &[String], diagnostics: &mut Diagnostics) {
    if !names.iter().any(|own| own == name) {
        let hint = suggestion(name, names.iter().map(String::as_str));
        diagnostics.at(at, format!("the model supplies no parameter `{name}`{hint}"));
    }
}

/// The kinds of `ui(kind = …)`.
pub(crate) const UI_KINDS: [&str; 8] =
    ["file_write", "file_read", "file_edit", "shell", "search", "image", "external_action", "conversational"];

/// The formats of `preview(format = …)`.
pub(crate) const UI_FORMATS: [&str; 5] = ["text", "code", "diff", "markdown", "json"];

fn drawing(ui: &UiKeys, model: &Model, diagnostics: &mut Diagnostics) {
    one_of(&ui.kind, "kind of drawing", &UI_KINDS, diagnostics);
    if let Some(preview) = &ui.preview {
        one_of(&preview.format, "format", &UI_FORMATS, diagnostics);
    }
    let names = argument_names(model);
    let summary = ui.summary.iter().flat_map(|summary| summary.primary.iter().chain(&summary.meta.0));
    let others = ui.preview.iter().map(|preview| &preview.content).chain(ui.open.iter().map(|open| &open.path));
    for field in summary.chain(others) {
        unknown(&field.unraw().to_string(), field, &names, diagnostics);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("5m"), Ok(Duration::from_mins(5)));
        assert_eq!(duration("1h"), Ok(Duration::from_hours(1)));
        for wrong in
            ["", "30", "s", "30 s", "-3s", "1.5s", "30sec", "99999999999999999999s", "18446744073709551615h", "0s"]
        {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
