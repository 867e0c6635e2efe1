//! Templates of resources: texts with parameters in braces.

use syn::ext::IdentExt;

use super::model::{Model, ParamKind};
use super::parse::literal_name;

/// A part of a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// What stood in braces: a parameter, and what follows its name.
    Field {
        parameter: String,
        rest: String,
    },
}

/// The parts of a template; a doubled brace is a brace.
pub(crate) fn pieces(template: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = template.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' if rest.next_if_eq(&'{').is_some() => text.push(c),
            '}' if rest.next_if_eq(&'}').is_some() => text.push(c),
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
                let (parameter, rest) = field.split_at(field.find('.').unwrap_or(field.len()));
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Field { parameter: parameter.to_owned(), rest: rest.to_owned() });
            }
            '}' => return Err("a brace is not opened here; write `{parameter}`, or `}}` for a brace".to_owned()),
            c => text.push(c),
        }
    }
    pieces.push(Piece::Text(text));
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    Ok(pieces)
}

/// The template with the names that the parameters have on the wire, where arguments are looked up in it.
pub(crate) fn on_the_wire(template: &str, model: &Model) -> String {
    let Ok(pieces) = pieces(template) else { return template.to_owned() };
    let piece = |piece| match piece {
        Piece::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        Piece::Field { parameter, rest } => {
            let name = wire_name(&parameter, model).unwrap_or(parameter);
            format!("{{{name}{rest}}}")
        }
    };
    pieces.into_iter().map(piece).collect()
}

/// The name on the wire of the parameter that goes by this name, as far as the macro can tell.
fn wire_name(name: &str, model: &Model) -> Option<String> {
    let wire = model.params.iter().filter_map(|param| match &param.kind {
        ParamKind::Arg(arg) => Some((param.ident.as_ref(), literal_name(arg)?)),
        ParamKind::Context => None,
    });
    // What another parameter has as its name in the signature may be this one's on the wire.
    wire.clone()
        .find(|(_, wire)| wire == name)
        .or_else(|| wire.clone().find(|(ident, _)| ident.is_some_and(|ident| ident.unraw() == name)))
        .map(|(_, wire)| wire)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(parameter: &str, rest: &str) -> Piece {
        Piece::Field { parameter: parameter.to_owned(), rest: rest.to_owned() }
    }

    #[test]
    fn a_template_has_texts_and_fields() {
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(pieces("{a}/x/{b.c.d}"), Ok(vec![field("a", ""), text("/x/"), field("b", ".c.d")]));
        assert_eq!(pieces("a{{b}}"), Ok(vec![text("a{b}")]));
        assert_eq!(pieces(""), Ok(vec![]));
    }

    #[test]
    fn templates_have_closed_braces() {
        for wrong in ["{a", "a}", "{}", "{a b}", "{a{b}}"] {
            assert!(pieces(wrong).is_err(), "{wrong}");
        }
    }
}
