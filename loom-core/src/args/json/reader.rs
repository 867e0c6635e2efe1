//! Reads a [`Json`] tree from its text.

use std::borrow::Cow;

use super::super::repair::{RepairKind, Repairs, fenced};
use super::{Json, LIST, NUMBER, OBJECT, STRING, SyntaxError, SyntaxErrorKind as Kind};

/// A position in the text of a document.
pub(super) struct Reader<'a> {
    /// The whole text.
    text: &'a str,
    /// The byte offset of what is read next. It only ever moves past whole characters,
    /// so it stays on a character boundary and within the text.
    at: usize,
    /// How many containers may be open inside one another.
    max_depth: usize,
    /// What was read over, where something may be.
    repairs: Option<Repairs>,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text` that takes strict JSON only.
    pub(super) const fn new(text: &'a str, max_depth: usize) -> Self {
        Reader { text, at: 0, max_depth, repairs: None }
    }

    /// A reader that reads over what leaves no doubt about the values.
    pub(super) fn lenient(text: &'a str, max_depth: usize) -> Self {
        Reader { text, at: 0, max_depth, repairs: Some(Repairs::default()) }
    }

    /// Reads the whole text as one document.
    pub(super) fn document(mut self) -> Result<Json<'a>, SyntaxError> {
        let value = self.first()?;
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.error(Kind::Trailing)),
        }
    }

    /// Reads one document and says where it ends, whatever follows.
    pub(super) fn start(mut self) -> Result<(Json<'a>, usize), SyntaxError> {
        self.skip_space();
        let first = self.next_inside("a document")?;
        let value = self.value(first, 0)?;
        Ok((value, self.at))
    }

    /// Reads the whole text as one document, which may stand in a code fence, follow an empty object or be there twice.
    pub(super) fn repaired(mut self) -> Result<(Json<'a>, Repairs), SyntaxError> {
        if let Some((start, end)) = fenced(self.text) {
            self.text = self.text.get(..end).unwrap_or_default();
            self.at = start;
            self.note(RepairKind::CodeFence, self.text.find('`').unwrap_or_default());
        }
        let mut value = self.first()?;
        if self.peek().is_some() {
            let (before, at) = (value, self.at);
            let empty = matches!(&before, Json::Object(entries) if entries.is_empty());
            value = match self.first() {
                Ok(second) if self.peek().is_none() && second == before => {
                    self.note(RepairKind::RepeatedDocument, at);
                    second
                }
                Ok(second @ Json::Object(_)) if self.peek().is_none() && empty => {
                    self.note(RepairKind::LeadingEmptyObject, 0);
                    second
                }
                // What follows nothing is the document, and its fault is the one to tell of.
                Err(error) if empty => return Err(error),
                _ => return Err(Kind::Trailing.at(at)),
            };
        }
        Ok((value, self.repairs.unwrap_or_default()))
    }

    /// Reads a value with the whitespace on both sides of it.
    fn first(&mut self) -> Result<Json<'a>, SyntaxError> {
        self.skip_space();
        let Some(first) = self.peek() else {
            return Err(self.error(Kind::Empty));
        };
        let value = self.value(first, 0)?;
        self.skip_space();
        Ok(value)
    }

    fn note(&mut self, kind: RepairKind, offset: usize) {
        if let Some(repairs) = &mut self.repairs {
            repairs.note(kind, offset);
        }
    }

    /// What is left to read.
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Moves past the bytes that satisfy `wanted`, which ends at a character boundary, and returns them.
    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Moves past `wanted`, an ASCII character, if it comes next, and tells whether it did.
    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += 1;
        }
        found
    }

    /// Moves past whitespace.
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// An error at the current position.
    fn error(&self, kind: Kind) -> SyntaxError {
        kind.at(self.at)
    }

    /// The error for the character at the current position, or for the end of `inside` if there is none.
    fn unexpected(&self, inside: &'static str) -> SyntaxError {
        match self.rest().chars().next() {
            Some(c) => self.error(Kind::Unexpected(c)),
            None => self.cut_off(inside),
        }
    }

    /// The error for a text that ends inside of `inside`.
    fn cut_off(&self, inside: &'static str) -> SyntaxError {
        Kind::CutOff(inside).at(self.text.len())
    }

    /// The next byte that is not whitespace; there must be one, since `inside` has
    /// not ended yet.
    fn next_inside(&mut self, inside: &'static str) -> Result<u8, SyntaxError> {
        self.skip_space();
        self.peek().ok_or_else(|| self.cut_off(inside))
    }

    /// Reads a value. Its first byte, `first`, has been peeked at; `depth`
    /// containers are open around it.
    fn value(&mut self, first: u8, depth: usize) -> Result<Json<'a>, SyntaxError> {
        match first {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => self.string().map(Json::String),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true", "the word `true`", Json::Bool(true)),
            b'f' => self.word("false", "the word `false`", Json::Bool(false)),
            b'n' => self.word("null", "the word `null`", Json::Null),
            _ if self.is_foreign_number() => Err(self.error(Kind::BadNumber)),
            _ => Err(self.unexpected("a value")),
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

    /// Moves past the opening bracket of a container and returns the depth inside of it.
    fn open(&mut self, depth: usize) -> Result<usize, SyntaxError> {
        if depth >= self.max_depth {
            return Err(self.error(Kind::TooDeep(self.max_depth)));
        }
        self.at += 1;
        Ok(depth + 1)
    }

    /// Moves past what stands after an element of a container that `close` closes: `None` where it is closed, else the
    /// first byte of the next element.
    fn after_element(&mut self, close: u8, inside: &'static str) -> Result<Option<u8>, SyntaxError> {
        self.next_inside(inside)?;
        if self.eat(close) {
            return Ok(None);
        }
        let comma = self.at;
        if !self.eat(b',') {
            return Err(self.unexpected(inside));
        }
        let next = self.next_inside(inside)?;
        if next == close && self.repairs.is_some() {
            self.note(RepairKind::TrailingComma, comma);
            self.at += 1;
            return Ok(None);
        }
        Ok(Some(next))
    }

    /// Reads a list.
    fn list(&mut self, depth: usize) -> Result<Json<'a>, SyntaxError> {
        let depth = self.open(depth)?;
        let mut items = Vec::new();
        let mut next = self.next_inside(LIST)?;
        if self.eat(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(next, depth)?);
            match self.after_element(b']', LIST)? {
                Some(first) => next = first,
                None => return Ok(Json::Array(items)),
            }
        }
    }

    /// Reads an object.
    fn object(&mut self, depth: usize) -> Result<Json<'a>, SyntaxError> {
        let depth = self.open(depth)?;
        let mut entries = Vec::new();
        let mut next = self.next_inside(OBJECT)?;
        if self.eat(b'}') {
            return Ok(Json::Object(entries));
        }
        loop {
            if next != b'"' {
                return Err(self.unexpected(OBJECT));
            }
            let key = self.string()?;
            self.next_inside(OBJECT)?;
            if !self.eat(b':') {
                return Err(self.unexpected(OBJECT));
            }
            let first = self.next_inside(OBJECT)?;
            entries.push((key, self.value(first, depth)?));
            match self.after_element(b'}', OBJECT)? {
                Some(first) => next = first,
                None => return Ok(Json::Object(entries)),
            }
        }
    }

    /// Reads `word`, which stands for `value`; `name` is what an error calls it.
    fn word(&mut self, word: &str, name: &'static str, value: Json<'a>) -> Result<Json<'a>, SyntaxError> {
        for letter in word.bytes() {
            if !self.eat(letter) {
                return Err(self.unexpected(name));
            }
        }
        Ok(value)
    }

    /// Reads a number.
    fn number(&mut self) -> Result<Json<'a>, SyntaxError> {
        let start = self.at;
        self.eat(b'-');
        let integer = self.digits(start)?;
        if integer.len() > 1 && integer.starts_with('0') {
            return Err(Kind::BadNumber.at(start));
        }
        if self.eat(b'.') {
            self.digits(start)?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits(start)?;
        }
        let digits = self.text.get(start..self.at).unwrap_or_default();
        Ok(Json::Number(Cow::Borrowed(digits)))
    }

    /// Reads the digits, at least one, of a number that started at `start`.
    fn digits(&mut self, start: usize) -> Result<&'a str, SyntaxError> {
        let digits = self.take_while(|byte| byte.is_ascii_digit());
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
        self.eat(b'"');
        // Every escape adds a character, so this is empty as long as there was none.
        let mut unescaped = String::new();
        loop {
            // None of these bytes is part of a longer character.
            let run = self.take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..b' '));
            match self.peek() {
                None => return Err(self.cut_off(STRING)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(if unescaped.is_empty() { Cow::Borrowed(run) } else { Cow::Owned(unescaped + run) });
                }
                Some(b'\\') => {
                    unescaped.push_str(run);
                    unescaped.push(self.escape()?);
                }
                Some(control) if self.repairs.is_some() => {
                    self.note(RepairKind::ControlCharacter, self.at);
                    unescaped.push_str(run);
                    unescaped.push(char::from(control));
                    self.at += 1;
                }
                Some(control) => return Err(self.error(Kind::ControlCharacter(char::from(control)))),
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
        // The backslash and the letter.
        self.at += 2;
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
        self.at += 2;
        let mut unit = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek() else {
                return Err(self.cut_off(STRING));
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(bad);
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}
