//! `#[tool]`: parse → model → check → expand.

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;

pub(crate) mod attr;
pub(crate) mod check;
pub(crate) mod expand;
pub(crate) mod model;
pub(crate) mod parse;
pub(crate) mod template;

/// Expands the attribute. Whatever is wrong, the function itself and a tool of its name are there afterwards, so that
/// the errors reported are the only ones.
pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let Some(source) = diagnostics.keep(parse::source(item.clone())) else {
        let mut tokens = diagnostics.into_tokens();
        tokens.extend(item);
        return tokens;
    };
    let model = parse::model(attribute, &source, &mut diagnostics);
    check::check(&model, &mut diagnostics);
    if diagnostics.is_empty() { expand::expand(&source, &model) } else { expand::stub(&source, &model, diagnostics) }
}

#[cfg(test)]
mod tests;
