//! Tokens → model. What cannot be read is noted and left out; whether what was read makes sense is for the check.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, FnArg, GenericArgument, Ident, Lit, LitStr, Meta, Pat, PathArguments, ReturnType};
use syn::{Signature, Type, TypeParamBound, Visibility};

use super::attr::{self, ARG_KEYS, ArgKeys, DefaultValue, SERDE_KEYS, SerdeKeys, TOOL_KEYS, ToolKeys, bare, bare_type};
use super::model::{Arg, Call, Model, Param, ParamKind, Source, Text};
use crate::diag::Diagnostics;
use crate::docs::{self, DocLine, ParamDoc, block_lines};
use crate::krate;

/// Reads the function. Its body stays tokens: reading it would cost time, and a half-typed one would hide everything
/// else.
pub(crate) fn source(item: TokenStream) -> syn::Result<Source> {
    const NO_BODY: &str = "`#[tool]` needs a function with a body";
    let parser = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        let ahead = input.fork();
        let Ok(sig) = ahead.parse::<Signature>() else {
            // The error of the signature itself, unless this is no function in the first place.
            if !starts_function(&input.fork()) {
                return Err(input.error("`#[tool]` belongs on a function"));
            }
            let error = input.parse::<Signature>().err().unwrap_or_else(|| input.error("expected a function"));
            // A qualifier such as `safe` is found on functions of other languages only.
            return Err(if is_bodiless(&input.fork().parse()?) { input.error(NO_BODY) } else { error });
        };
        input.parse::<Signature>()?;
        let body: TokenStream = input.parse()?;
        Ok(Source { attrs, vis, sig, body })
    };
    let source = parser.parse2(item)?;
    let is_block = matches!(source.body.clone().into_iter().next(), Some(TokenTree::Group(_)));
    if is_block { Ok(source) } else { Err(syn::Error::new_spanned(&source.sig, NO_BODY)) }
}

fn is_bodiless(item: &TokenStream) -> bool {
    matches!(item.clone().into_iter().last(), Some(TokenTree::Punct(end)) if end.as_char() == ';')
}

fn starts_function(input: ParseStream<'_>) -> bool {
    // `async`, `const`, `unsafe` and `extern "C"` may stand before `fn`.
    while let Ok(tree) = input.parse::<TokenTree>() {
        match tree {
            TokenTree::Ident(ident) if ident == "fn" => return true,
            TokenTree::Ident(ident)
                if ["async", "const", "unsafe", "extern", "safe"].iter().any(|word| ident == word) => {}
            TokenTree::Literal(_) => {}
            _ => return false,
        }
    }
    false
}

/// Reads the annotation.
pub(crate) fn model(attribute: TokenStream, source: &Source, diagnostics: &mut Diagnostics) -> Model {
    let (keys, spans) = attr::keys::<ToolKeys>([attribute], "tool", &TOOL_KEYS, diagnostics);
    for attr in source.attrs.iter().filter(|attr| is_tool(attr)) {
        diagnostics.at(attr, "a function is one tool; write all keys in one `#[tool(…)]`");
    }
    let krate = match &keys.krate {
        Some(path) => Some(path.clone()),
        None => match krate::find() {
            Ok(path) => diagnostics.keep(syn::parse2(path)),
            Err(message) => {
                diagnostics.span(Span::call_site(), message);
                None
            }
        },
    };
    let before = diagnostics.len();
    let lines = doc_lines(&source.attrs, spans.has("description"), diagnostics);
    // What is there but wrong is reported by itself, not as missing too.
    let is_wrong = diagnostics.len() > before || spans.has("description");
    let docs = docs::parse(&lines);
    let description = match &keys.description {
        Some(given) => Some(Text::Given(given.clone())),
        None => (!docs.description.is_empty() || is_wrong).then_some(Text::Written(docs.description)),
    };
    let params = source.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(param(input, &docs.params, diagnostics)),
        FnArg::Receiver(receiver) => {
            let message = "nothing supplies `self`: a tool is a free function; what its calls share comes in as \
                           `#[context] state: State<…>`";
            diagnostics.at(receiver, message);
            None
        }
    });
    let params = params.collect();
    Model {
        ident: source.sig.ident.clone(),
        call: call(&source.sig, keys.blocking),
        output: output(&source.sig),
        keys,
        spans,
        krate,
        description,
        params,
        sig: source.sig.clone(),
        documented: docs.params.into_iter().map(|entry| (entry.name, entry.span)).collect(),
    }
}

/// Whether this is our attribute, once more.
pub(crate) fn is_tool(attr: &Attribute) -> bool {
    attr.path().is_ident("tool")
}

/// The lines of the doc comment. Text that is not written here cannot be read by a macro.
fn doc_lines(attrs: &[Attribute], described: bool, diagnostics: &mut Diagnostics) -> Vec<DocLine> {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        let Meta::NameValue(meta) = &attr.meta else { continue };
        match bare(&meta.value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                let (value, span) = (text.value(), text.span());
                if value.contains('\n') {
                    lines.extend(block_lines(&value).into_iter().map(|text| DocLine { text, span }));
                } else {
                    lines.push(DocLine { text: value, span });
                }
            }
            // With a description of its own the tool does not need the comment.
            _ if described => {}
            other => diagnostics.at(
                other,
                "the text of this comment is not known when the attribute is read; use `#[tool(description = …)]`",
            ),
        }
    }
    lines
}

/// Reads one parameter with its attributes.
fn param(input: &syn::PatType, documented: &[ParamDoc], diagnostics: &mut Diagnostics) -> Param {
    let ident = match &*input.pat {
        Pat::Ident(pattern) => Some(plain(&pattern.ident)),
        _ => None,
    };
    let mut refused = Vec::new();
    let (mut context, mut keyed, mut serde) = (false, Vec::new(), Vec::new());
    for attr in &input.attrs {
        let path = attr.path();
        if path.is_ident("context") {
            if !matches!(attr.meta, Meta::Path(_)) {
                diagnostics.at(attr, "`#[context]` takes nothing; which value it supplies is told by the type");
            }
            context = true;
        } else if path.is_ident("arg") {
            keyed.push(attr);
        } else if path.is_ident("serde") {
            serde.push(attr);
        } else if path.is_ident("schemars") {
            refused.push((attr.clone(), "`#[schemars(…)]` has no meaning here; put it on a type of your own"));
        } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            refused.push((attr.clone(), "a parameter of a tool cannot be conditional; make the whole function so"));
        } else if let Some(meant) = misspelt(attr) {
            diagnostics
                .at(path, format!("a parameter has no attribute `{}`; did you mean `{meant}`?", path_name(path)));
        }
    }
    let mut arg = read_arg(&keyed, diagnostics);
    read_serde(&serde, &mut arg, diagnostics);
    let lines = doc_lines(&input.attrs, false, diagnostics);
    let text = docs::parse(&lines).description;
    if let Some(first) = lines.first().filter(|_| !text.is_empty()) {
        arg.own.push((Text::Written(text), first.span));
    }
    if arg.name.is_none() {
        arg.name = ident.as_ref().map(|ident| Text::Written(ident.to_string()));
    }
    let names = [ident.as_ref().map(ToString::to_string), literal_name(&arg)];
    arg.section = documented
        .iter()
        .find(|entry| names.iter().flatten().any(|name| plain_name(&entry.name) == plain_name(name)))
        .map(|entry| (entry.text.clone(), entry.span));
    for attr in keyed.iter().chain(&serde).filter(|_| context) {
        let name = path_name(attr.path());
        let message =
            format!("the runtime supplies this parameter; `#[{name}(…)]` is for those that the model supplies");
        diagnostics.at(attr, message);
    }
    let kind = if context { ParamKind::Context } else { ParamKind::Arg(Box::new(arg)) };
    Param { ident, pattern: input.pat.to_token_stream(), ty: (*input.ty).clone(), kind, refused }
}

fn path_name(path: &syn::Path) -> String {
    path.get_ident().map(ToString::to_string).unwrap_or_default()
}

/// The attribute of ours that is almost written. Any other may be of a macro that comes after this one.
pub(crate) fn misspelt(attr: &Attribute) -> Option<&'static str> {
    const RUSTC: [&str; 7] = ["allow", "warn", "deny", "forbid", "expect", "doc", "cfg"];
    let name = path_name(attr.path());
    let is_near = |ours: &&str| strsim::damerau_levenshtein(&name, ours) <= ours.len() / 3;
    let ours = ["arg", "context"].into_iter().find(is_near)?;
    (name != ours && !RUSTC.contains(&name.as_str())).then_some(ours)
}

/// The keys in the parentheses of each attribute.
fn lists(attrs: &[&Attribute], example: &str, diagnostics: &mut Diagnostics) -> Vec<TokenStream> {
    let mut lists = Vec::new();
    for attr in attrs {
        match &attr.meta {
            Meta::List(list) => lists.push(list.tokens.clone()),
            _ => diagnostics.at(attr, format!("keys are missing; write `{example}`")),
        }
    }
    lists
}

fn read_arg(attrs: &[&Attribute], diagnostics: &mut Diagnostics) -> Arg {
    let lists = lists(attrs, "#[arg(default = …)]", diagnostics);
    let (keys, spans) = attr::keys::<ArgKeys>(lists, "arg", &ARG_KEYS, diagnostics);
    Arg {
        name: keys.name.map(Text::Given),
        own: keys.description.map(|text| (Text::Given(text), spans.of("description"))).into_iter().collect(),
        default: keys.default,
        examples: keys.example.into_iter().map(|example| example.0).collect(),
        min: keys.min,
        max: keys.max,
        min_length: keys.min_length,
        max_length: keys.max_length,
        pattern: keys.pattern,
        format: keys.format,
        one_or_many: keys.one_or_many,
        spans,
        ..Arg::default()
    }
}

/// The keys of serde that mean something for a parameter mean the same here.
fn read_serde(attrs: &[&Attribute], arg: &mut Arg, diagnostics: &mut Diagnostics) {
    let lists = lists(attrs, "#[serde(rename = \"…\")]", diagnostics);
    let (keys, spans) = attr::keys::<SerdeKeys>(lists, "serde", &SERDE_KEYS, diagnostics);
    if let Some(rename) = keys.rename {
        if arg.spans.has("name") {
            diagnostics.span(spans.of("rename"), "the name is given in `#[arg(…)]` too; keep one");
        }
        arg.name = Some(Text::Written(rename.value()));
    }
    arg.aliases = keys.alias;
    if let Some(default) = keys.default {
        if arg.spans.has("default") {
            diagnostics.span(spans.of("default"), "the default is given in `#[arg(…)]` too; keep one");
        } else {
            arg.default = path_of(&default, diagnostics);
        }
    }
    arg.spans.extend(spans);
}

/// In serde's words `default = "path"` names a function.
fn path_of(default: &DefaultValue, diagnostics: &mut Diagnostics) -> Option<DefaultValue> {
    match default {
        DefaultValue::Expr(given) => {
            let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = bare(given) else { return None };
            let path: syn::Path = diagnostics.keep(text.parse())?;
            diagnostics.keep(syn::parse2(quote_spanned!(text.span()=> #path()))).map(DefaultValue::Expr)
        }
        DefaultValue::OfType => Some(DefaultValue::OfType),
    }
}

/// The name on the wire, where it is known here.
pub(crate) fn literal_name(arg: &Arg) -> Option<String> {
    match arg.name.as_ref()? {
        Text::Written(name) => Some(name.clone()),
        Text::Given(value) => value.literal().map(LitStr::value),
    }
}

/// A name without `r#` and without the underscores that only say that it is unused.
fn plain(ident: &Ident) -> Ident {
    let name = ident.unraw().to_string();
    // A keyword stands without `r#`: the name is only ever read as text.
    Ident::new(plain_name(&name), ident.span())
}

/// The same for a text, such as the name of an entry in a doc comment.
pub(crate) fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("r#").unwrap_or(name);
    match name.trim_start_matches('_') {
        "" => name,
        plain if plain.starts_with(|first: char| first.is_ascii_digit()) => name,
        plain => plain,
    }
}

/// How the function runs. A function that returns a future says so in its signature; nothing is told by other types'
/// names.
fn call(sig: &Signature, blocking: Option<bool>) -> Call {
    if sig.asyncness.is_some() || future(&sig.output).is_some() {
        Call::Async
    } else if blocking == Some(false) {
        Call::Inline
    } else {
        Call::Blocking
    }
}

/// The bound of an `impl Future` that is returned.
pub(crate) fn future(output: &ReturnType) -> Option<&syn::TraitBound> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::ImplTrait(ty) = bare_type(ty) else { return None };
    ty.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Future") => {
            Some(bound)
        }
        _ => None,
    })
}

/// What the function gives in the end.
fn output(sig: &Signature) -> ReturnType {
    let Some(bound) = future(&sig.output) else { return sig.output.clone() };
    let arguments = bound.path.segments.last().map(|last| &last.arguments);
    if let Some(PathArguments::AngleBracketed(arguments)) = arguments {
        for argument in &arguments.args {
            if let GenericArgument::AssocType(assoc) = argument
                && assoc.ident == "Output"
            {
                return ReturnType::Type(syn::token::RArrow(assoc.span()), Box::new(assoc.ty.clone()));
            }
        }
    }
    ReturnType::Default
}
