//! Model → tokens; cannot fail.
//!
//! One expression says what the tool is: its definition, its parameters as a nested list, a closure over their values,
//! and where the schema of the result comes from. Every path is absolute, every local has a name that user code cannot
//! name, and every type of the user stands once, at its own place.
//!
//! What the compiler says of generated code it says at the place of its tokens, so each piece stands at the key, the
//! type or the value that it comes from. On stable a token stands at one other token: where a whole type is to be
//! underlined, the first and the last token of a piece stand at those of the type.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, FnArg, GenericArgument, Lifetime, Lit, LitInt, LitStr, ReturnType, Type, parse_quote};

use super::attr::{DefaultValue, UiKeys, bare, bare_type};
use super::check::{duration, is_associated};
use super::model::{Arg, Call, Model, Param, ParamKind, Source, Text};
use super::parse::{is_tool, misspelt};
use super::template::on_the_wire;
use crate::diag::Diagnostics;

/// The function and its tool.
pub(crate) fn expand(source: &Source, model: &Model) -> TokenStream {
    let loom = loom(Span::call_site());
    let krate = &model.krate;
    let name = constant_name(model);
    let tool = tool(model);
    let body = quote! {
        use #krate::private::{self as #loom, kinds::*};
        #name
        static __TOOL: #loom::Static = #loom::Static::new(|| #tool);
        __TOOL.get()
    };
    companion(source, model, &body)
}

/// The function, a tool that never runs, and the errors.
pub(crate) fn stub(source: &Source, model: &Model, diagnostics: Diagnostics) -> TokenStream {
    let errors = diagnostics.into_tokens();
    // Without the path of loom there is no type to name, and beside a method there is no place for one; the errors say
    // so already.
    let rest = if model.krate.is_none() || is_associated(&model.sig) {
        function(source)
    } else {
        companion(source, model, &quote!(loop {}))
    };
    quote!(#errors #rest)
}

/// What generated code may use, by the one name it has there, standing at this place.
fn loom(span: Span) -> Ident {
    Ident::new("__loom", span)
}

/// The places of the first and the last token.
fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let mut tokens = tokens.into_token_stream().into_iter();
    let first = tokens.next().map_or_else(Span::call_site, |token| token.span());
    let last = tokens.last().map_or(first, |token| token.span());
    (first, last)
}

/// The function as it was written, without the attributes that are ours.
fn function(source: &Source) -> TokenStream {
    let Source { attrs, vis, sig, body } = source;
    let attrs = attrs.iter().filter(|attr| !is_tool(attr));
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        if let FnArg::Typed(input) = input {
            let ours = ["arg", "context", "doc", "serde", "schemars"];
            input.attrs.retain(|attr| !ours.iter().any(|name| attr.path().is_ident(name)) && misspelt(attr).is_none());
        }
    }
    quote!(#(#attrs)* #vis #sig #body)
}

/// The function, and beside it the type that names its tool.
fn companion(source: &Source, model: &Model, body: &TokenStream) -> TokenStream {
    let function = function(source);
    let (vis, ident, krate) = (&source.vis, &model.ident, &model.krate);
    let conditions: Vec<_> = source.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let conditions = quote!(#(#conditions)*);
    quote! {
        #function

        #conditions
        #[doc = "The tool of the function of the same name."]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident {}

        #conditions
        #[automatically_derived]
        #[allow(dead_code, deprecated)]
        impl #ident {
            #[doc = "The tool, made once."]
            #vis fn tool() -> #krate::private::Tool {
                #body
            }
        }
    }
}

/// Checks a name that is no literal. It stands by itself, since the compiler reads such a constant even where nothing
/// is run.
fn constant_name(model: &Model) -> Option<TokenStream> {
    let value = model.keys.name.as_ref().filter(|value| value.literal().is_none())?;
    let (first, last) = ends(value);
    let loom = loom(first);
    let check = quote_spanned!(last=> #loom::assert_name(#value));
    Some(quote!(const _: &::core::primitive::str = #check;))
}

fn tool(model: &Model) -> TokenStream {
    let loom = loom(Span::call_site());
    let define = define(model);
    let params = nested(model.params.iter().map(describe));
    let names: Vec<_> = (0..model.params.len()).map(|at| format_ident!("__{at}", span = Span::mixed_site())).collect();
    let pattern = nested(names.iter().map(|name| quote!(#name)));
    let work = work(model, &names);
    let output = output_schema(model);
    quote!(#loom::tool(#define, #params, |#pattern| #work, #output))
}

/// `(first, (second, ()))`.
fn nested(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    items.rev().fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

fn define(model: &Model) -> TokenStream {
    let loom = loom(Span::call_site());
    let (keys, spans) = (&model.keys, &model.spans);
    let method = |key: &str| Ident::new(key, spans.of(key));
    let name = match &keys.name {
        None => {
            let name = syn::ext::IdentExt::unraw(&model.ident).to_string();
            quote!(#name)
        }
        Some(value) => quote!(#value),
    };
    let description = model.description.as_ref().map(text);
    let title = keys.title.as_ref().map(|title| {
        let method = method("title");
        quote!(.#method(#title))
    });
    let flags = [
        (keys.destructive, "destructive"),
        (keys.ends_turn, "ends_turn"),
        (keys.read_only, "read_only"),
        (keys.idempotent, "idempotent"),
        (keys.open_world, "open_world"),
        (keys.sequential, "sequential"),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| {
        let method = method(flag);
        quote!(.#method())
    });
    let timeout = keys.timeout.as_ref().map(|timeout| {
        let method = method("timeout");
        let known = timeout.literal().and_then(|literal| duration(&literal.value()).ok());
        let known = known.map(|known| {
            let milliseconds = u64::try_from(known.as_millis()).unwrap_or(u64::MAX);
            quote!(#loom::Duration::from_millis(#milliseconds))
        });
        let timeout = known.unwrap_or_else(|| quote!(#timeout));
        quote!(.#method(#timeout))
    });
    let retries = keys.retries.as_ref().map(|retries| {
        let method = method("retries");
        quote!(.#method(#retries))
    });
    let concurrency = keys.concurrency.as_ref().map(|calls| {
        let method = method("concurrency");
        quote!(.#method(#calls))
    });
    let zone = keys.zone.as_ref().map(|zone| {
        let zone = camel(zone);
        quote!(.zone(#loom::Zone::#zone))
    });
    let lists = [("reads", &keys.reads), ("writes", &keys.writes), ("tags", &keys.tags)];
    let lists = lists.into_iter().filter(|(_, texts)| !texts.0.is_empty()).map(|(key, texts)| {
        let method = method(key);
        let texts = texts.0.iter().map(|text| match key {
            "tags" => text.clone(),
            _ => LitStr::new(&on_the_wire(&text.value(), model), text.span()),
        });
        quote!(.#method([#(#texts),*]))
    });
    let ui = keys.ui.as_ref().map(|ui| {
        let ui = drawing(ui);
        quote!(.ui(#ui))
    });
    quote!(#loom::def(#name, #description) #title #(#flags)* #timeout #retries #concurrency #zone #(#lists)* #ui)
}

fn text(text: &Text) -> TokenStream {
    match text {
        Text::Written(text) => quote!(#text),
        Text::Given(value) => quote!(#value),
    }
}

/// `file_write` → `FileWrite`, at the same place.
fn camel(ident: &Ident) -> Ident {
    let name = ident.to_string();
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    });
    Ident::new(&words.collect::<String>(), ident.span())
}

fn drawing(ui: &UiKeys) -> TokenStream {
    let loom = loom(Span::call_site());
    let kind = camel(&ui.kind);
    let field = |ident: &Ident| syn::ext::IdentExt::unraw(ident).to_string();
    let summary = ui.summary.as_ref().map(|summary| {
        let verb = &summary.verb;
        let primary = summary.primary.as_ref().map(field).map(|field| quote!(.primary_field(#field)));
        let meta = summary.meta.0.iter().map(field);
        quote!(.summary(#loom::ui::UiSummary::new(#verb) #primary #(.meta_field(#meta))*))
    });
    let preview = ui.preview.as_ref().map(|preview| {
        let (content, format) = (field(&preview.content), camel(&preview.format));
        let lines = preview.max_lines.as_ref().map(|lines| quote!(.truncate_at_lines(#lines)));
        quote!(.preview(#loom::ui::UiPreview::new(#content, #loom::ui::UiFormat::#format) #lines))
    });
    let open = ui.open.as_ref().map(|open| {
        let (target, path) = (&open.target, field(&open.path));
        quote!(.open_action(#loom::ui::UiOpenAction::new(#target, #path)))
    });
    quote!(#loom::ui::UiDescriptor::new(#loom::ui::UiKind::#kind) #summary #preview #open)
}

/// One parameter: what it is read as, and what the model is told.
fn describe(param: &Param) -> TokenStream {
    let (first, last) = ends(&param.ty);
    let ty = eternal(&param.ty);
    let loom = loom(first);
    let function = match (&param.kind, is_lent(&param.ty)) {
        (ParamKind::Context, false) => "ctx",
        (ParamKind::Context, true) => "ctx_lent",
        (ParamKind::Arg(arg), false) if arg.one_or_many => "one_or_many",
        (ParamKind::Arg(arg), true) if arg.one_or_many => "one_or_many_lent",
        (ParamKind::Arg(_), false) => "arg",
        (ParamKind::Arg(_), true) => "lent",
    };
    let function = Ident::new(function, first);
    let close = quote_spanned!(last=> >);
    let function = quote_spanned!(first=> #loom::#function::<#ty #close);
    match &param.kind {
        ParamKind::Context => quote_spanned!(last=> #function()),
        ParamKind::Arg(arg) => {
            let name = arg.name.as_ref().map(text);
            let description = match (arg.own.first(), &arg.section) {
                (Some((own, _)), _) => text(own),
                (None, Some((section, _))) => quote!(#section),
                (None, None) => quote!(""),
            };
            let more = details(arg);
            quote_spanned!(last=> #function(#name, #description) #more)
        }
    }
}

fn details(arg: &Arg) -> TokenStream {
    let default = arg.default.as_ref().map(|default| {
        let loom = loom(Span::call_site());
        let show = quote!(|__v| (&#loom::Shown(__v)).__json());
        match default {
            DefaultValue::OfType => {
                let method = Ident::new("or_default", arg.spans.of("default"));
                quote!(.#method(#show))
            }
            DefaultValue::Expr(value) => {
                let value = written(value);
                quote!(.or(|| #value, #show))
            }
        }
    });
    let aliases = (!arg.aliases.is_empty()).then(|| {
        let aliases = &arg.aliases;
        quote!(.aliases(&[#(#aliases),*]))
    });
    let examples = arg.examples.iter().map(|example| {
        let (method, value) = (Ident::new("example", arg.spans.of("example")), sized(example));
        let reference = quote_spanned!(ends(example).0=> &);
        quote!(.#method(#reference #value))
    });
    let bounds = [
        ("min", &arg.min),
        ("max", &arg.max),
        ("min_length", &arg.min_length),
        ("max_length", &arg.max_length),
        ("pattern", &arg.pattern),
        ("format", &arg.format),
    ];
    let bounds = bounds.into_iter().filter_map(|(key, value)| {
        let (method, value) = (Ident::new(key, arg.spans.of(key)), sized(&value.as_ref()?.0));
        Some(quote!(.#method(#value)))
    });
    quote!(#default #aliases #(#bounds)* #(#examples)*)
}

/// A default. `"celsius"` is the obvious one of a `String`, and of whatever else is made from text.
fn written(value: &Expr) -> TokenStream {
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = bare(value) else { return value.to_token_stream() };
    let loom = loom(text.span());
    quote_spanned!(text.span()=> #loom::text(#text))
}

/// A whole number that is written without a type has the largest: nothing else there says which one it has, and the
/// one that is taken then is too small for many bounds.
fn sized(value: &Expr) -> TokenStream {
    let suffixed =
        |number: &LitInt, suffix: &str| LitInt::new(&format!("{}{suffix}", number.base10_digits()), number.span());
    let plain = |expr: &Expr| match bare(expr) {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => Some(number.clone()),
        _ => None,
    };
    match bare(value) {
        Expr::Unary(unary) if let (syn::UnOp::Neg(minus), Some(number)) = (&unary.op, plain(&unary.expr)) => {
            let number = suffixed(&number, "i64");
            quote!(#minus #number)
        }
        _ => match plain(value) {
            Some(number) if number.base10_digits().starts_with('-') => suffixed(&number, "i64").to_token_stream(),
            Some(number) => suffixed(&number, "u64").to_token_stream(),
            None => value.to_token_stream(),
        },
    }
}

/// Whether the type is written with a reference, so that an owned form is read and lent.
fn is_lent(ty: &Type) -> bool {
    match bare_type(ty) {
        Type::Reference(ty) => ty.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static"),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| match &last.arguments {
            syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(|argument| match argument {
                GenericArgument::Type(ty) => is_lent(ty),
                _ => false,
            }),
            _ => false,
        }),
        _ => false,
    }
}

/// The type without lifetimes that end: what is read of it owns what it holds.
fn eternal(ty: &Type) -> Type {
    let mut ty = ty.clone();
    Lifetimes { to: "'static", references: true }.visit_type_mut(&mut ty);
    ty
}

/// Replaces lifetimes, which have no name where generated code stands.
struct Lifetimes {
    to: &'static str,
    /// Whether references without a lifetime get one.
    references: bool,
}

impl VisitMut for Lifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = Lifetime::new(self.to, lifetime.span());
        }
    }

    fn visit_type_reference_mut(&mut self, ty: &mut syn::TypeReference) {
        if self.references && ty.lifetime.is_none() {
            ty.lifetime = Some(Lifetime::new(self.to, ty.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, ty);
    }

    /// What a higher-ranked type binds by itself stays.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}

/// The call of the function with its values, and what becomes of the result.
fn work(model: &Model, names: &[Ident]) -> TokenStream {
    let function = &model.ident;
    let values = model.params.iter().zip(names).map(|(param, name)| {
        if is_lent(&param.ty) { quote_spanned!(ends(&param.ty).0=> #name.__lend()) } else { quote!(#name) }
    });
    let wait = (model.call == Call::Async).then(|| quote!(.await));
    let (first, last) = match &model.output {
        ReturnType::Type(_, ty) => ends(ty),
        ReturnType::Default => ends(function),
    };
    let loom = loom(first);
    // A field has two tokens, so that an error about it underlines the whole type.
    let out = Ident::new("__out", first);
    let mut field = Literal::usize_unsuffixed(0);
    field.set_span(last);
    let field = quote_spanned!(last=> #out.#field);
    let finish = quote_spanned!(first=> (&&&&&#loom::Kind::of(&#field)).__finish(#field));
    let call = quote!((#function(#(#values),*) #wait,));
    // Whether a future can be sent is the function's own affair, so the block stands at its name.
    let span = function.span();
    // An async block of our own is the costliest thing to check in an expansion. It is needed only to lend arguments, and
    // to begin a function that returns a future when it is polled and not before.
    let lends = model.params.iter().any(|param| is_lent(&param.ty));
    match model.call {
        Call::Async if model.sig.asyncness.is_some() && !lends => {
            quote_spanned!(span=> #loom::awaited(#function(#(#names),*), |#out| { let #out = (#out,); #finish }))
        }
        Call::Async => quote_spanned!(span=> #loom::future(async move { let #out = #call; #finish })),
        Call::Blocking => quote!(#loom::blocking(move || { let #out = #call; #finish })),
        Call::Inline => quote!(#loom::inline(move || { let #out = #call; #finish })),
    }
}

/// Where the schema of the result comes from. A type that cannot be named has none.
fn output_schema(model: &Model) -> TokenStream {
    let loom = loom(Span::call_site());
    let ReturnType::Type(_, ty) = &model.output else { return quote!(::core::option::Option::None) };
    let mut named = Unnamed(false);
    let mut ty: Type = parse_quote!(#ty);
    named.visit_type_mut(&mut ty);
    if named.0 {
        return quote!(::core::option::Option::None);
    }
    Lifetimes { to: "'_", references: false }.visit_type_mut(&mut ty);
    quote!((&&#loom::Kind::<#ty>::new()).__schema())
}

/// Whether a type has a part without a name.
struct Unnamed(bool);

impl VisitMut for Unnamed {
    fn visit_type_impl_trait_mut(&mut self, _: &mut syn::TypeImplTrait) {
        self.0 = true;
    }
}
