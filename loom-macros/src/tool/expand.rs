//! Model → tokens; cannot fail.
//!
//! One expression says what the tool is: its definition, its parameters as a nested list, a closure over their values,
//! and where the schema of the result comes from. Every path is absolute, every local has a name that user code cannot
//! name, and every type of the user stands once, at its own place.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, FnArg, GenericArgument, Lifetime, Lit, ReturnType, Type, parse_quote};

use super::attr::{DefaultValue, UiKeys, Value};
use super::check::duration;
use super::model::{Arg, Call, Model, Param, ParamKind, Source, Text};
use crate::diag::Diagnostics;

/// The function and its tool.
pub(crate) fn expand(source: &Source, model: &Model) -> TokenStream {
    let private = private(model);
    let function = function(source);
    let tool = tool(model, &private);
    companion(
        source,
        model,
        &private,
        &function,
        &quote! {
            use #private::kinds::*;
            static TOOL: #private::Static = #private::Static::new(|| #tool);
            ::core::clone::Clone::clone(&*TOOL)
        },
    )
}

/// The function, a tool that never runs, and the errors.
pub(crate) fn stub(source: &Source, model: &Model, diagnostics: Diagnostics) -> TokenStream {
    let private = private(model);
    let function = function(source);
    let errors = diagnostics.into_tokens();
    // Without the path of loom there is no type to name; the errors say so already.
    if model.krate.is_none() {
        return quote!(#errors #function);
    }
    let companion = companion(source, model, &private, &function, &quote!(loop {}));
    quote!(#errors #companion)
}

fn private(model: &Model) -> TokenStream {
    let krate = &model.krate;
    quote!(#krate::private)
}

/// The function as it was written, without the attributes that are ours.
fn function(source: &Source) -> TokenStream {
    let Source { attrs, vis, sig, body } = source;
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        if let FnArg::Typed(input) = input {
            let ours = ["arg", "context", "doc", "serde", "schemars"];
            input.attrs.retain(|attr| !ours.iter().any(|name| attr.path().is_ident(name)));
        }
    }
    quote!(#(#attrs)* #vis #sig #body)
}

fn companion(
    source: &Source,
    model: &Model,
    private: &TokenStream,
    function: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let (vis, ident) = (&source.vis, &model.ident);
    let conditions: Vec<_> = source.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    quote! {
        #function

        #(#conditions)*
        #[doc = "The tool of the function of the same name."]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #ident {}

        #(#conditions)*
        const _: () = {
            #[automatically_derived]
            #[allow(dead_code, deprecated)]
            impl #ident {
                #[doc = "The tool, made once."]
                #vis fn tool() -> #private::Tool {
                    #body
                }
            }
        };
    }
}

fn tool(model: &Model, private: &TokenStream) -> TokenStream {
    let define = define(model, private);
    let params = nested(model.params.iter().map(|param| describe(param, private)));
    let names: Vec<_> = (0..model.params.len()).map(|at| format_ident!("__{at}", span = Span::mixed_site())).collect();
    let pattern = nested(names.iter().map(|name| quote!(#name)));
    let work = work(model, private, &names);
    let output = output_schema(model, private);
    quote!(#private::tool(#define, #params, |#pattern| #work, #output))
}

/// `(first, (second, ()))`.
fn nested(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    items.rev().fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

fn define(model: &Model, private: &TokenStream) -> TokenStream {
    let keys = &model.keys;
    let name = match &keys.name {
        None => {
            let name = syn::ext::IdentExt::unraw(&model.ident).to_string();
            quote!(#name)
        }
        Some(value) if value.literal().is_some() => quote!(#value),
        Some(value) => quote!(const { #private::assert_name(#value) }),
    };
    let description = model.description.as_ref().map(text);
    let title = keys.title.as_ref().map(|title| quote!(.title(#title)));
    let flags = [
        (keys.destructive, "destructive"),
        (keys.ends_turn, "ends_turn"),
        (keys.read_only, "read_only"),
        (keys.idempotent, "idempotent"),
        (keys.open_world, "open_world"),
        (keys.sequential, "sequential"),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| {
        let flag = Ident::new(flag, Span::call_site());
        quote!(.#flag())
    });
    let timeout = keys.timeout.as_ref().map(|timeout| {
        let timeout = match timeout.literal().and_then(|literal| duration(&literal.value()).ok()) {
            Some(duration) => {
                let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
                quote!(#private::Duration::from_millis(#milliseconds))
            }
            None => quote!(#timeout),
        };
        quote!(.timeout(#timeout))
    });
    let retries = keys.retries.as_ref().map(|retries| quote!(.retries(#retries)));
    let zone = keys.zone.as_ref().map(|zone| {
        let zone = camel(zone);
        quote!(.zone(#private::Zone::#zone))
    });
    let lists = [("reads", &keys.reads), ("writes", &keys.writes), ("tags", &keys.tags)];
    let lists = lists.into_iter().filter(|(_, texts)| !texts.0.is_empty()).map(|(name, texts)| {
        let (name, texts) = (Ident::new(name, Span::call_site()), &texts.0);
        quote!(.#name([#(#texts),*]))
    });
    let ui = keys.ui.as_ref().map(|ui| {
        let ui = drawing(ui, private);
        quote!(.ui(#ui))
    });
    quote!(#private::def(#name, #description) #title #(#flags)* #timeout #retries #zone #(#lists)* #ui)
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

fn drawing(ui: &UiKeys, private: &TokenStream) -> TokenStream {
    let kind = camel(&ui.kind);
    let field = |ident: &Ident| syn::ext::IdentExt::unraw(ident).to_string();
    let summary = ui.summary.as_ref().map(|summary| {
        let verb = &summary.verb;
        let primary = summary.primary.as_ref().map(field).map(|field| quote!(.primary_field(#field)));
        let meta = summary.meta.0.iter().map(field);
        quote!(.summary(#private::ui::UiSummary::new(#verb) #primary #(.meta_field(#meta))*))
    });
    let preview = ui.preview.as_ref().map(|preview| {
        let (content, format) = (field(&preview.content), camel(&preview.format));
        let lines = preview.max_lines.as_ref().map(|lines| quote!(.truncate_at_lines(#lines)));
        quote!(.preview(#private::ui::UiPreview::new(#content, #private::ui::UiFormat::#format) #lines))
    });
    let open = ui.open.as_ref().map(|open| {
        let (target, path) = (&open.target, field(&open.path));
        quote!(.open_action(#private::ui::UiOpenAction::new(#target, #path)))
    });
    quote!(#private::ui::UiDescriptor::new(#private::ui::UiKind::#kind) #summary #preview #open)
}

/// One parameter: what it is read as, and what the model is told.
fn describe(param: &Param, private: &TokenStream) -> TokenStream {
    let ty = owned(&param.ty, private);
    let span = param.ty.span();
    match &param.kind {
        ParamKind::Context => quote_spanned!(span=> #private::ctx::<#ty>()),
        ParamKind::Arg(arg) => {
            let name = arg.name.as_ref().map(text);
            let description = match (arg.own.first(), &arg.section) {
                (Some((own, _)), _) => text(own),
                (None, Some((section, _))) => quote!(#section),
                (None, None) => quote!(""),
            };
            let more = details(arg, private);
            quote_spanned!(span=> #private::arg::<#ty>(#name, #description) #more)
        }
    }
}

fn details(arg: &Arg, private: &TokenStream) -> TokenStream {
    let default = arg.default.as_ref().map(|default| {
        let value = match default {
            DefaultValue::OfType => quote!(::core::default::Default::default()),
            // `"celsius"` is the obvious default of a `String`, and of whatever else is made from text.
            DefaultValue::Expr(text @ Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) => {
                quote_spanned!(text.span()=> ::core::convert::Into::into(#text))
            }
            DefaultValue::Expr(value) => quote!(#value),
        };
        quote!(.or(|| #value, |__v| (&#private::Shown(__v)).json()))
    });
    let aliases = (!arg.aliases.is_empty()).then(|| {
        let aliases = &arg.aliases;
        quote!(.aliases(&[#(#aliases),*]))
    });
    let examples = arg.examples.iter().map(|example| quote!(.example(&#example)));
    let bounds = [
        ("min", &arg.min),
        ("max", &arg.max),
        ("min_length", &arg.min_length),
        ("max_length", &arg.max_length),
        ("pattern", &arg.pattern),
        ("format", &arg.format),
    ];
    let bounds = bounds.into_iter().filter_map(|(key, value)| {
        let (key, Value(value)) = (Ident::new(key, arg.spans.of(key)), value.as_ref()?);
        Some(quote!(.#key(#value)))
    });
    quote!(#default #aliases #(#bounds)* #(#examples)*)
}

/// Whether the type is written with a reference, so that an owned form is read and lent.
fn is_lent(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) => true,
        Type::Paren(ty) => is_lent(&ty.elem),
        Type::Group(ty) => is_lent(&ty.elem),
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

/// The type that an argument is read as: it owns what it holds, so it borrows for ever.
fn owned(ty: &Type, private: &TokenStream) -> TokenStream {
    let mut long = ty.clone();
    Lifetimes { to: "'static", references: true }.visit_type_mut(&mut long);
    if is_lent(ty) { quote_spanned!(ty.span()=> #private::Owned<#long>) } else { quote!(#long) }
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
            ty.lifetime = Some(Lifetime::new(self.to, ty.and_token.span()));
        }
        visit_mut::visit_type_reference_mut(self, ty);
    }

    /// What a higher-ranked type binds by itself stays.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}

/// The call of the function with its values, and what becomes of the result.
fn work(model: &Model, private: &TokenStream, names: &[Ident]) -> TokenStream {
    let function = &model.ident;
    let values = model.params.iter().zip(names).map(|(param, name)| {
        if is_lent(&param.ty) { quote_spanned!(param.ty.span()=> #private::lend(&#name)) } else { quote!(#name) }
    });
    let wait = (model.call == Call::Async).then(|| quote!(.await));
    let span = match &model.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => function.span(),
    };
    let out = Ident::new("__out", Span::mixed_site());
    let finish = quote_spanned!(span=> (&&&&&#private::Kind::of(&#out)).finish(#out));
    let body = quote!({ let #out = #function(#(#values),*) #wait; #finish });
    match model.call {
        Call::Async => quote!(#private::future(async move #body)),
        Call::Blocking => quote!(#private::blocking(move || #body)),
        Call::Inline => quote!(#private::inline(move || #body)),
    }
}

/// Where the schema of the result comes from. A type that cannot be named has none.
fn output_schema(model: &Model, private: &TokenStream) -> TokenStream {
    let ReturnType::Type(_, ty) = &model.output else { return quote!(::core::option::Option::None) };
    let mut named = Unnamed(false);
    let mut ty: Type = parse_quote!(#ty);
    named.visit_type_mut(&mut ty);
    if named.0 {
        return quote!(::core::option::Option::None);
    }
    Lifetimes { to: "'_", references: false }.visit_type_mut(&mut ty);
    quote!((&&#private::Kind::<#ty>::new()).schema())
}

/// Whether a type has a part without a name.
struct Unnamed(bool);

impl VisitMut for Unnamed {
    fn visit_type_impl_trait_mut(&mut self, _: &mut syn::TypeImplTrait) {
        self.0 = true;
    }
}
