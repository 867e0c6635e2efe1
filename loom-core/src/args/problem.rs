//! What is wrong with a call's arguments, in words that a model can act on.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};
use thiserror::Error;

/// How many problems the text names one by one: more would fill a model's context and teach it nothing.
const LINES: usize = 50;

/// Everything that is wrong with the arguments of one call.
///
/// Its text is what the model reads: one line a problem, with the place, what was expected and what came. After 50 lines
/// it only counts what is left; the program gets them all. Serialises as the list of them.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn new(problems: Vec<Problem>) -> Self {
        Self(problems)
    }

    /// The problems, in the order of the places in the arguments.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.0.iter()
    }

    /// How many there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always a problem")]
    pub const fn len(&self) -> usize {
        self.0.len()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the arguments do not fit, and the tool was not called:")?;
        self.0.iter().take(LINES).try_for_each(|problem| write!(f, "\n- {problem}"))?;
        match self.0.len().checked_sub(LINES) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\n- and {more} more problem{}", if more == 1 { "" } else { "s" }),
        }
    }
}

/// One problem and its place.
///
/// Serialises as an object of the `pointer`, the `kind` as one stable word, what the kind tells beside that, and the
/// `text` that the model reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Problem {
    /// The JSON pointer of the value that is wrong, or that something is missing from; empty for the arguments.
    pub pointer: String,
    /// What is wrong there.
    pub kind: ProblemKind,
}

impl Problem {
    pub(crate) fn new(pointer: impl Into<String>, kind: ProblemKind) -> Self {
        Self { pointer: pointer.into(), kind }
    }
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Object<'a> {
            pointer: &'a str,
            #[serde(flatten)]
            kind: &'a ProblemKind,
            text: String,
        }
        Object { pointer: &self.pointer, kind: &self.kind, text: self.to_string() }.serialize(serializer)
    }
}

/// What is wrong at one place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// Required names that were not given.
    Missing {
        /// All of them, in the order of the schema.
        names: Vec<String>,
    },
    /// A name that is not declared.
    Unknown {
        /// The name that was given.
        name: String,
        /// The declared name that comes nearest.
        #[serde(skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
        /// Where none comes near, the declared property that has one of this name inside.
        #[serde(skip_serializing_if = "Option::is_none")]
        inside: Option<String>,
        /// Where nothing else helps, every declared name. Of several unknown names in one object, the first has them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        declared: Vec<String>,
    },
    /// A name that was given more than once; which of the values was meant cannot be told.
    Duplicate {
        /// The name.
        name: String,
    },
    /// A value that is not what is expected.
    Mismatch {
        /// What would fit.
        expected: String,
        /// What came, shortened.
        got: String,
    },
    /// The arguments are no JSON document.
    Syntax {
        /// Where the text breaks, and how.
        reason: String,
        /// Whether the text ends before the document does: it was cut off on the way, or its writer ran out of room.
        truncated: bool,
    },
    /// The arguments are larger than [`ArgumentLimits`](crate::ArgumentLimits) allow.
    TooLong {
        /// How many bytes they have.
        bytes: usize,
        /// How many they may have.
        limit: usize,
    },
    /// The value has the right shape, but its type does not take it.
    Refused {
        /// The type's own words.
        reason: String,
        /// What came, shortened, unless the words say it.
        #[serde(skip_serializing_if = "Option::is_none")]
        got: Option<String>,
    },
}

impl ProblemKind {
    pub(crate) fn unknown(name: &str, nearest: Option<&str>) -> Self {
        let nearest = nearest.map(str::to_owned);
        Self::Unknown { name: name.to_owned(), nearest, inside: None, declared: Vec::new() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, kind } = self;
        let top = pointer.is_empty();
        if !top {
            write!(f, "{}: ", Shown(pointer))?;
        }
        let noun = if top { "argument" } else { "property" };
        match kind {
            ProblemKind::Missing { names } => match names.as_slice() {
                [name] => write!(f, "missing required {noun} `{}`", Shown(name)),
                names => {
                    let plural = if top { "arguments" } else { "properties" };
                    write!(f, "missing required {plural} ")?;
                    write_list(f, names, " and ")
                }
            },
            ProblemKind::Unknown { name, nearest, inside, declared } => {
                write!(f, "unknown {noun} `{}`", Shown(name))?;
                let plural = if top { "arguments" } else { "properties" };
                let names: Vec<_> = declared.iter().map(String::as_str).collect();
                match (nearest, inside, names.as_slice()) {
                    (Some(nearest), ..) => write!(f, "; did you mean `{nearest}`?"),
                    (None, Some(inside), _) => write!(f, "; it belongs in `{inside}`"),
                    (None, None, []) => Ok(()),
                    (None, None, [only]) => write!(f, "; the only {noun} is `{only}`"),
                    (None, None, several) => write!(f, "; the {plural} are {}", listed(several, DECLARED, "and")),
                }
            }
            ProblemKind::Duplicate { name } => {
                write!(f, "{noun} `{}` is given more than once; give it once", Shown(name))
            }
            ProblemKind::Mismatch { expected, got } => write!(f, "expected {expected}, got {got}"),
            ProblemKind::Syntax { reason, .. } => f.write_str(reason),
            ProblemKind::TooLong { bytes, limit } => {
                write!(
                    f,
                    "the arguments are too long: {bytes} bytes, and at most {limit} are taken; send less in one call"
                )
            }
            ProblemKind::Refused { reason, got: None } => write!(f, "the value is not accepted: {reason}"),
            ProblemKind::Refused { reason, got: Some(got) } => {
                write!(f, "the value is not accepted: {reason}, got {got}")
            }
        }
    }
}

/// How many of the declared names a message gives.
const DECLARED: usize = 12;

/// `a`, `b` and `c`, or where there are more than so many, `a`, `b` and 5 more.
pub(super) fn listed(names: &[&str], most: usize, and: &str) -> String {
    let (shown, more) = names.split_at_checked(most).filter(|(_, more)| more.len() > 1).unwrap_or((names, &[]));
    let quoted = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match shown {
        _ if !more.is_empty() => format!("{} {and} {} more", quoted(shown), more.len()),
        [before @ .., last] if !before.is_empty() => format!("{} {and} `{last}`", quoted(before)),
        names => quoted(names),
    }
}

/// `a`, `b` or `c`.
pub(crate) fn write_alternatives(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    write_list(f, names, " or ")
}

fn write_list(f: &mut fmt::Formatter<'_>, names: &[String], last: &str) -> fmt::Result {
    for (index, name) in names.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == names.len() => f.write_str(last)?,
            _ => f.write_str(", ")?,
        }
        write!(f, "`{}`", Shown(name))?;
    }
    Ok(())
}

/// How many characters of a name or a pointer a message shows.
const SHOWN: usize = 120;

/// A name or a pointer that was sent, on one line and no longer than a message should be.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, c) in self.0.chars().enumerate() {
            match c {
                _ if index == SHOWN => return f.write_str("…"),
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The names that come near enough to `name` to be what was meant, best first, at most `most`.
///
/// Near is one edit in three characters, or the same letters in another case or with other separators.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let wanted: String = plain(name);
    let length = wanted.chars().count();
    let mut near: Vec<_> = names
        .filter_map(|candidate| {
            let other: String = plain(candidate);
            let other_length = other.chars().count();
            let longest = length.max(other_length);
            // Every missing letter is an edit: names of very different lengths need no comparison, which is slow.
            if length.abs_diff(other_length) * 3 > longest {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&wanted, &other);
            (distance * 3 <= longest && !other.is_empty()).then_some((distance, candidate))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(most).map(|(_, candidate)| candidate).collect()
}
