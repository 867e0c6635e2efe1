//! What a person reads of calls and tools on a terminal: plain text, in colour where it is wanted.

use std::borrow::Cow;
use std::fmt;

use loom_core::{Coercion, Tool, ToolCall, ToolResult};

/// Characters of the arguments that a call's line shows.
const ARGUMENTS_SHOWN: usize = 72;

/// Lines of a result that are shown.
const LINES_SHOWN: usize = 20;

/// A turn as a person wants to read it: each call with its arguments, what was changed in them, and its result.
///
/// ```
/// use loom_runtime::{Output, ToolCall, ToolResult, render::Transcript};
///
/// let calls = [ToolCall::new("1", "add", r#"{"a":1,"b":2}"#)];
/// let results = [ToolResult::new("1", "add", Ok(Output::serialize(&3)?))];
/// assert_eq!(Transcript::new(&calls, &results).to_string(), "✓ add {\"a\":1,\"b\":2}\n    3\n");
/// # Ok::<(), loom_runtime::OutputError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Transcript<'a> {
    calls: &'a [ToolCall],
    results: &'a [ToolResult],
    colour: bool,
}

impl<'a> Transcript<'a> {
    /// The transcript of these calls and their results, which are in the same order.
    pub const fn new(calls: &'a [ToolCall], results: &'a [ToolResult]) -> Self {
        Self { calls, results, colour: false }
    }

    /// Writes ANSI colours.
    #[must_use]
    pub const fn with_colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }
}

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style { colour: self.colour };
        for (call, result) in self.calls.iter().zip(self.results) {
            let mark = if result.is_error() { style.red("✗") } else { style.green("✓") };
            let arguments = call.arguments.to_text();
            let arguments = style.dim(&one_line(&arguments, ARGUMENTS_SHOWN));
            writeln!(f, "{mark} {} {arguments}", style.bold(&safe(&call.name)))?;
            for coercion in &result.coercions {
                writeln!(f, "    {}", style.yellow(&coerced(coercion)))?;
            }
            for repair in &result.repairs {
                writeln!(f, "    {}", style.yellow(&repair.to_string()))?;
            }
            let text = result.text();
            let mut lines = text.lines();
            for line in lines.by_ref().take(LINES_SHOWN) {
                writeln!(f, "    {}", safe(line))?;
            }
            match lines.count() {
                0 => {}
                1 => writeln!(f, "    {}", style.dim("… 1 more line"))?,
                more => writeln!(f, "    {}", style.dim(&format!("… {more} more lines")))?,
            }
        }
        Ok(())
    }
}

fn coerced(coercion: &Coercion) -> String {
    let place = if coercion.pointer.is_empty() { "the arguments" } else { &coercion.pointer };
    match coercion.to.as_str() {
        "" => format!("{place}: {} was left out", coercion.from),
        to => format!("{place}: {} was read as {to}", coercion.from),
    }
}

/// The tools of a list, one a line with the first line of what it says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'a> {
    tools: &'a [Tool],
    colour: bool,
}

impl<'a> Listing<'a> {
    /// The listing of these tools.
    pub const fn new(tools: &'a [Tool]) -> Self {
        Self { tools, colour: false }
    }

    /// Writes ANSI colours.
    #[must_use]
    pub const fn with_colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style { colour: self.colour };
        let width = self.tools.iter().map(|tool| tool.name().chars().count()).max().unwrap_or_default();
        for tool in self.tools {
            let definition = tool.definition();
            let name = safe(tool.name());
            let pad = " ".repeat(width.saturating_sub(name.chars().count()));
            let summary = safe(definition.description.lines().next().unwrap_or_default()).into_owned();
            let flags: Vec<_> = definition.flags.names().collect();
            let flags =
                if flags.is_empty() { String::new() } else { style.yellow(&format!("  [{}]", flags.join(", "))) };
            writeln!(f, "{}{pad}  {summary}{flags}", style.bold(&name))?;
        }
        Ok(())
    }
}

/// One line of at most this many characters.
fn one_line(text: &str, most: usize) -> String {
    let text = safe(text);
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// Text from a model or a tool, without the control characters that could move a terminal's cursor.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && c != '\t';
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect::<String>().into()
}

struct Style {
    colour: bool,
}

macro_rules! styles {
    ($($name:ident $code:literal)*) => {$(
        fn $name(&self, text: &str) -> String {
            if self.colour { format!(concat!("\x1b[", $code, "m{}\x1b[0m"), text) } else { text.to_owned() }
        }
    )*};
}

impl Style {
    styles!(bold "1" dim "2" red "31" green "32" yellow "33");
}

#[cfg(test)]
mod tests {
    use loom_core::{CallError, Output, ToolError};

    use super::*;

    #[test]
    fn a_failure_and_long_texts_are_shortened_and_harmless() {
        let calls = [
            ToolCall::new("1", "read\x1b[2J", format!(r#"{{"path":"{}"}}"#, "x".repeat(100))),
            ToolCall::new("2", "list", ""),
        ];
        let lines = (1..=22).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let results = [
            ToolResult::new("1", "read", Err(CallError::Failed(ToolError::new("no\x07 such file")))),
            ToolResult::new("2", "list", Ok(Output::text(lines))),
        ];
        let shown = (1..=20).map(|n| format!("    {n}\n")).collect::<Vec<_>>().concat();
        let expected = format!(
            "✗ read\u{fffd}[2J {{\"path\":\"{}…\n    no\u{fffd} such file\n✓ list \n{shown}    … 2 more lines\n",
            "x".repeat(63)
        );
        assert_eq!(Transcript::new(&calls, &results).to_string(), expected);
    }

    #[test]
    fn colour_is_there_only_when_asked_for() {
        let calls = [ToolCall::new("1", "t", "{}")];
        let results = [ToolResult::new("1", "t", Ok(Output::text("x")))];
        let shown = Transcript::new(&calls, &results).with_colour(true).to_string();
        assert_eq!(shown, "\x1b[32m✓\x1b[0m \x1b[1mt\x1b[0m \x1b[2m{}\x1b[0m\n    x\n");
    }
}
