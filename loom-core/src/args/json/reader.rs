//! Reads a [`Json`] tree from its text.

use std::borrow::Cow;

use super::{Json, LIST, MAX_DEPTH, NUMBER, OBJECT, STRING, SyntaxError, SyntaxErrorKind as Kind};

/// A position in the text of a document.
pub(super) struct Reader<'a> {
    /// The whole text.
    text: &'a str,
    /// The byte offset of what is read next. It only ever moves past whole characters,
    /// so it stays on a character boundary and within the text.
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// Reads the whole text as one document.
    pub(super) fn document(mut self) -> Result<Json<'a>, SyntaxError> {
        self.skip_space();
        let Some(first) = self.peek() else {
            return Err(self.error(Kind::Empty));
        };
        let value = self.value(first, 0)?;
        self.skip_space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.error(Kind::Trailing)),
        }
    }

    /// What is left to read.
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character.
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves past the characters that satisfy `wanted` and returns them.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += taken;
        rest.get(..taken).unwrap_or_default()
    }

    /// Moves past `wanted` if it comes next, and tells whether it did.
    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Moves past whitespace.
    fn skip_space(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    /// An error at the current position.
    fn error(&self, kind: Kind) -> SyntaxError {
        kind.at(self.at)
    }

    /// The error for a text that ends inside of `inside`.
    fn cut_off(&self, inside: &'static str) -> SyntaxError {
        Kind::CutOff(inside).at(self.text.len())
    }

    /// The next character that is not whitespace; there must be one, since `inside` has
    /// not ended yet.
    fn next_inside(&mut self, inside: &'static str) -> Result<char, SyntaxError> {
        self.skip_space();
        self.peek().ok_or_else(|| self.cut_off(inside))
    }

    /// Reads a value. Its first character, `first`, has been peeked at; `depth`
    /// containers are open around it.
    fn value(&mut self, first: char, depth: usize) -> Result<Json<'a>, SyntaxError> {
        match first {
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' => self.string().map(Json::String),
            '-' | '0'..='9' => self.number(),
            't' => self.word("true", "the word `true`", Json::Bool(true)),
            'f' => self.word("false", "the word `false`", Json::Bool(false)),
            'n' => self.word("null", "the word `null`", Json::Null),
            _ if self.is_foreign_number() => Err(self.error(Kind::BadNumber)),
            _ => Err(self.error(Kind::Unexpected(first))),
        }
    }

    /// Whether a number comes next that other notations have and JSON does not.
    ///
    /// A `.` or `+` without a digit is none: `[1, ...]` does not try to be a number.
    fn is_foreign_number(&self) -> bool {
        let rest = self.rest();
        rest.starts_with("NaN")
            || rest.starts_with("Infinity")
            || rest.strip_prefix(['+', '.']).is_some_and(|after| after.starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Reads the opening bracket of a container and returns the depth inside of it.
    fn open(&mut self, bracket: char, depth: usize) -> Result<usize, SyntaxError> {
        if depth >= MAX_DEPTH {
            return Err(self.error(Kind::TooDeep));
        }
        self.eat(bracket);
        Ok(depth + 1)
    }

    /// Reads a list.
    fn list(&mut self, depth: usize) -> Result<Json<'a>, SyntaxError> {
        let depth = self.open('[', depth)?;
        let mut items = Vec::new();
        let mut next = self.next_inside(LIST)?;
        if self.eat(']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(next, depth)?);
            next = self.next_inside(LIST)?;
            if self.eat(']') {
                return Ok(Json::Array(items));
            }
            if !self.eat(',') {
                return Err(self.error(Kind::Unexpected(next)));
            }
            next = self.next_inside(LIST)?;
        }
    }

    /// Reads an object.
    fn object(&mut self, depth: usize) -> Result<Json<'a>, SyntaxError> {
        let depth = self.open('{', depth)?;
        let mut entries = Vec::new();
        let mut next = self.next_inside(OBJECT)?;
        if self.eat('}') {
            return Ok(Json::Object(entries));
        }
        loop {
            if next != '"' {
                return Err(self.error(Kind::Unexpected(next)));
            }
            let key = self.string()?;
            next = self.next_inside(OBJECT)?;
            if !self.eat(':') {
                return Err(self.error(Kind::Unexpected(next)));
            }
            next = self.next_inside(OBJECT)?;
            entries.push((key, self.value(next, depth)?));
            next = self.next_inside(OBJECT)?;
            if self.eat('}') {
                return Ok(Json::Object(entries));
            }
            if !self.eat(',') {
                return Err(self.error(Kind::Unexpected(next)));
            }
            next = self.next_inside(OBJECT)?;
        }
    }

    /// Reads `word`, which stands for `value`; `name` is what an error calls it.
    fn word(&mut self, word: &str, name: &'static str, value: Json<'a>) -> Result<Json<'a>, SyntaxError> {
        for letter in word.chars() {
            if !self.eat(letter) {
                return Err(match self.peek() {
                    Some(other) => self.error(Kind::Unexpected(other)),
                    None => self.cut_off(name),
                });
            }
        }
        Ok(value)
    }

    /// Reads a number.
    fn number(&mut self) -> Result<Json<'a>, SyntaxError> {
        let start = self.at;
        self.eat('-');
        let integer = self.digits(start)?;
        if integer.len() > 1 && integer.starts_with('0') {
            return Err(Kind::BadNumber.at(start));
        }
        if self.eat('.') {
            self.digits(start)?;
        }
        if self.eat('e') || self.eat('E') {
            let _signed = self.eat('+') || self.eat('-');
            self.digits(start)?;
        }
        let digits = self.text.get(start..self.at).unwrap_or_default();
        Ok(Json::Number(Cow::Borrowed(digits)))
    }

    /// Reads the digits, at least one, of a number that started at `start`.
    fn digits(&mut self, start: usize) -> Result<&'a str, SyntaxError> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            return Ok(digits);
        }
        Err(match self.peek() {
            Some(_) => Kind::BadNumber.at(start),
            None => self.cut_off(NUMBER),
        })
    }

    /// Reads a string.
    fn string(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.eat('"');
        // Every escape adds a character, so this is empty as long as there was none.
        let mut unescaped = String::new();
        loop {
            let run = self.take_while(|c| !matches!(c, '"' | '\\' | '\0'..' '));
            match self.peek() {
                None => return Err(self.cut_off(STRING)),
                Some('"') => {
                    self.eat('"');
                    return Ok(if unescaped.is_empty() { Cow::Borrowed(run) } else { Cow::Owned(unescaped + run) });
                }
                Some('\\') => {
                    unescaped.push_str(run);
                    unescaped.push(self.escape()?);
                }
                Some(control) => {
                    return Err(self.error(Kind::ControlCharacter(control)));
                }
            }
        }
    }

    /// Reads an escape, from its backslash on, and returns the character it stands for.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let Some(name) = self.rest().chars().nth(1) else {
            return Err(self.cut_off(STRING));
        };
        let meant = match name {
            '"' | '\\' | '/' => name,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(),
            _ => return Err(self.error(Kind::BadEscape)),
        };
        self.eat('\\');
        self.eat(name);
        Ok(meant)
    }

    /// Reads a `\u` escape, or the two that make a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char, SyntaxError> {
        let lone = self.error(Kind::LoneSurrogate);
        let first = self.code_unit()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        // What is not a character is a surrogate, and only a leading one can be paired.
        if first >= 0xDC00 {
            return Err(lone);
        }
        let rest = self.rest();
        if !rest.starts_with(r"\u") {
            // With no more than the start of an escape left, the other half may be missing
            // only because the text is cut off.
            return Err(if r"\u".starts_with(rest) { self.cut_off(STRING) } else { lone });
        }
        let second = self.code_unit()?;
        if !(0xDC00..=0xDFFF).contains(&second) {
            return Err(lone);
        }
        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00)).ok_or(lone)
    }

    /// Reads one `\u` escape, from its backslash on, and returns its number.
    fn code_unit(&mut self) -> Result<u32, SyntaxError> {
        let bad = self.error(Kind::BadEscape);
        self.eat('\\');
        self.eat('u');
        let mut unit = 0;
        for _ in 0..4 {
            let Some(c) = self.peek() else {
                return Err(self.cut_off(STRING));
            };
            let Some(digit) = c.to_digit(16) else {
                return Err(bad);
            };
            unit = unit * 16 + digit;
            self.eat(c);
        }
        Ok(unit)
    }
}
