//! Several errors at once, each at its own place.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Diagnostics(Vec<Error>);

impl Diagnostics {
    /// Notes an error that underlines these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.0.push(Error::new_spanned(tokens, message));
    }

    /// Notes an error that underlines this span.
    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(Error::new(span, message));
    }

    /// Notes errors that another parser found.
    pub(crate) fn push(&mut self, error: Error) {
        self.0.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are, to tell whether a step has noted any.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value if there is one, or a note of the error.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// One `compile_error!` for each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(Error::to_compile_error).collect()
    }
}

/// The name that comes near enough to be what was meant.
fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.trim_matches('_').to_lowercase();
    let name = plain(name);
    let rank = |candidate: &'a str| {
        let other = plain(candidate);
        let distance = strsim::damerau_levenshtein(&name, &other);
        // A word cut short or drawn out is the same word, however long the rest is.
        let shorter = name.len().min(other.len());
        let is_part = shorter >= 3 && (name.starts_with(&other) || other.starts_with(&name));
        (is_part || distance * 3 <= name.len().max(other.len())).then_some((distance, candidate))
    };
    names.into_iter().filter_map(rank).min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// `; did you mean …?` where a name comes near, and all the names where none does.
pub(crate) fn suggestion<'a>(name: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(name, names.clone()) {
        return format!("; did you mean `{near}`?");
    }
    let mut names = names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    match (names.pop(), names.is_empty()) {
        (None, _) => String::new(),
        (Some(last), true) => format!("; there is only {last}"),
        (Some(last), false) => format!("; there are {} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_others_listed() {
        let keys = ["max", "max_length", "default"];
        assert_eq!(suggestion("maxx", keys), "; did you mean `max`?");
        assert_eq!(suggestion("maximum", keys), "; did you mean `max`?");
        assert_eq!(suggestion("_Defualt", keys), "; did you mean `default`?");
        assert_eq!(suggestion("colour", keys), "; there are `max`, `max_length` and `default`");
        assert_eq!(suggestion("colour", ["max"]), "; there is only `max`");
        assert_eq!(suggestion("colour", []), "");
    }
}
