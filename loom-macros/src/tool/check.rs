//! What makes no sense, each thing at the narrowest place that is wrong. All of it is reported together.

use std::collections::HashMap;
use std::time::Duration;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprLit, GenericParam, Ident, Lit, ReturnType, Type};

use super::attr::{UiKeys, Value};
use super::model::{Arg, Call, Model, Param, ParamKind, Text};
use super::parse::{literal_name, plain_name};
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
        && let Type::Never(_) = &**ty
    {
        diagnostics.at(ty, "a tool has to return, or the model never gets an answer");
    }
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
    if let Some(timeout) = &keys.timeout
        && let Some(literal) = timeout.literal()
        && let Err(message) = duration(&literal.value())
    {
        diagnostics.at(literal, message);
    }
    if let Some(Value(Expr::Lit(ExprLit { lit, .. }))) = &keys.timeout
        && !matches!(lit, Lit::Str(_))
    {
        diagnostics.at(lit, "a timeout has a unit: write `\"30s\"`, or give a `Duration`");
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
        let near = suggestion(&name, known.iter().copied());
        let near = if near.is_empty() { format!("; it is one of {}", known.join(", ")) } else { near };
        diagnostics.at(ident, format!("there is no {what} `{name}`{near}"));
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
    parameter_type(&param.ty, diagnostics);
    let ParamKind::Arg(arg) = &param.kind else { return };
    match &arg.name {
        None => diagnostics
            .at(&param.pattern, "this parameter has no name for the model; give it one with `#[arg(name = \"…\")]`"),
        Some(Text::Given(value)) => not_blank(value, "name", diagnostics),
        Some(Text::Written(name)) if name == "_" => {
            diagnostics.at(
                &param.pattern,
                "this parameter has no name for the model; give it one with `#[arg(name = \"…\")]`",
            );
        }
        Some(Text::Written(_)) => {}
    }
    let mut texts = arg.own.iter().map(|(_, span)| *span).chain(arg.section.iter().map(|(_, span)| *span));
    // The first text is the one on the parameter if there is one: the other place is the one to clear.
    if let (Some(_), Some(second)) = (texts.next(), texts.next()) {
        diagnostics.span(second, "this parameter is described in two places; keep one");
    }
    bounds(arg, diagnostics);
}

fn parameter_type(ty: &Type, diagnostics: &mut Diagnostics) {
    struct Refuse<'a>(&'a mut Diagnostics);
    impl<'ast> Visit<'ast> for Refuse<'_> {
        fn visit_type_impl_trait(&mut self, ty: &'ast syn::TypeImplTrait) {
            self.0.at(ty, "a tool cannot be generic: write the type that the model's argument is read as");
        }

        fn visit_type_reference(&mut self, ty: &'ast syn::TypeReference) {
            if let Some(token) = &ty.mutability {
                self.0.at(token, "an argument is lent for reading; take it by value and write `mut` before its name");
            }
            if let Some(lifetime) = &ty.lifetime
                && lifetime.ident == "static"
            {
                self.0.at(
                    lifetime,
                    "an argument lives as long as its call; borrow it without `'static`, or take it by value",
                );
            }
            visit::visit_type_reference(self, ty);
        }
    }
    Refuse(diagnostics).visit_type(ty);
}

/// A number that is written out.
fn number(value: Option<&Value>) -> Option<f64> {
    match &value?.0 {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
            number(Some(&Value((**expr).clone()))).map(|number| -number)
        }
        _ => None,
    }
}

fn bounds(arg: &Arg, diagnostics: &mut Diagnostics) {
    for (low, high, low_key, high_key) in
        [(&arg.min, &arg.max, "min", "max"), (&arg.min_length, &arg.max_length, "min_length", "max_length")]
    {
        if let (Some(low), Some(high)) = (number(low.as_ref()), number(high.as_ref()))
            && low > high
        {
            diagnostics.span(arg.spans.of(low_key), format!("no value fits: `{low_key}` is above `{high_key}`"));
        }
    }
    for (value, key) in
        [(&arg.min, "min"), (&arg.max, "max"), (&arg.min_length, "min_length"), (&arg.max_length, "max_length")]
    {
        if let Some(Value(Expr::Lit(ExprLit { lit, .. }))) = value
            && !matches!(lit, Lit::Int(_) | Lit::Float(_))
        {
            diagnostics.at(lit, format!("`{key}` is a number"));
        }
    }
}

fn distinct_names(model: &Model, diagnostics: &mut Diagnostics) {
    let mut seen = HashMap::new();
    for param in &model.params {
        let ParamKind::Arg(arg) = &param.kind else { continue };
        let aliases = arg.aliases.iter().map(|alias| (alias.value(), alias.span()));
        let name = literal_name(arg).map(|name| (name, param.pattern.span()));
        for (name, span) in name.into_iter().chain(aliases) {
            if seen.insert(name.clone(), ()).is_some() {
                diagnostics
                    .span(span, format!("two parameters are called `{name}`; rename one with `#[arg(name = \"…\")]`"));
            }
        }
    }
}

/// Every name that a parameter may be referred to by.
fn names(model: &Model) -> Vec<String> {
    let mut names = Vec::new();
    for param in &model.params {
        let wire = match &param.kind {
            ParamKind::Arg(arg) => literal_name(arg),
            ParamKind::Context => None,
        };
        names.extend(param.ident.as_ref().map(ToString::to_string).into_iter().chain(wire));
    }
    names
}

fn documented(model: &Model, diagnostics: &mut Diagnostics) {
    let names = names(model);
    let mut seen: Vec<&str> = Vec::new();
    for (name, span) in &model.documented {
        let plain = plain_name(name);
        if !names.iter().any(|own| plain_name(own) == plain) {
            let near = suggestion(plain, names.iter().map(String::as_str));
            diagnostics.span(*span, format!("there is no parameter `{name}`{near}"));
        } else if seen.contains(&plain) {
            diagnostics.span(*span, format!("the parameter `{name}` is described twice"));
        } else {
            seen.push(plain);
        }
    }
}

fn templates(model: &Model, diagnostics: &mut Diagnostics) {
    let names = argument_names(model);
    for template in model.keys.reads.0.iter().chain(&model.keys.writes.0) {
        match placeholders(&template.value()) {
            Err(message) => diagnostics.at(template, message),
            Ok(fields) => {
                for field in fields {
                    // Fields of a parameter are checked against its schema when a host is built.
                    let name = field.split('.').next().unwrap_or_default();
                    unknown(name, template, &names, diagnostics);
                }
            }
        }
    }
}

fn argument_names(model: &Model) -> Vec<String> {
    let args = model.params.iter().filter_map(|param| match &param.kind {
        ParamKind::Arg(arg) => Some((param, arg)),
        ParamKind::Context => None,
    });
    args.flat_map(|(param, arg)| param.ident.as_ref().map(ToString::to_string).into_iter().chain(literal_name(arg)))
        .collect()
}

fn unknown(name: &str, at: impl ToTokens, names: &[String], diagnostics: &mut Diagnostics) {
    if !names.iter().any(|own| own == name) {
        let near = suggestion(name, names.iter().map(String::as_str));
        diagnostics.at(at, format!("the model supplies no parameter `{name}`{near}"));
    }
}

/// The fields in the braces of a template; a doubled brace is a brace.
fn placeholders(template: &str) -> Result<Vec<String>, String> {
    let mut fields = Vec::new();
    let mut rest = template.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' if rest.next_if_eq(&'{').is_some() => {}
            '}' if rest.next_if_eq(&'}').is_some() => {}
            '{' => {
                let mut field = String::new();
                loop {
                    match rest.next() {
                        Some('}') => break,
                        Some(c) if c.is_alphanumeric() || matches!(c, '_' | '.') => field.push(c),
                        _ => {
                            return Err(
                                "a brace is not closed here; write `{parameter}`, or `{{` for a brace".to_owned()
                            );
                        }
                    }
                }
                if field.is_empty() {
                    return Err("an empty placeholder; write `{parameter}`".to_owned());
                }
                fields.push(field);
            }
            '}' => return Err("a brace is not opened here; write `{parameter}`, or `}}` for a brace".to_owned()),
            _ => {}
        }
    }
    Ok(fields)
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
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("1h"), Ok(Duration::from_secs(3600)));
        for wrong in
            ["", "30", "s", "30 s", "-3s", "1.5s", "30sec", "99999999999999999999s", "18446744073709551615h", "0s"]
        {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn templates_have_closed_braces() {
        assert_eq!(placeholders("{a}/x/{b.c}"), Ok(vec!["a".to_owned(), "b.c".to_owned()]));
        assert_eq!(placeholders("a{{b}}"), Ok(vec![]));
        for wrong in ["{a", "a}", "{}", "{a b}", "{a{b}}"] {
            assert!(placeholders(wrong).is_err(), "{wrong}");
        }
    }
}
