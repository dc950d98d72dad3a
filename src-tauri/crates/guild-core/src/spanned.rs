//! A JSON reader that knows where everything stands.
//!
//! `serde_json` keeps neither positions, nor duplicate keys, nor the digits of a number as they
//! were typed; a manifest's errors need the first, and faithful arguments the other two. What is
//! made of the values is up to a [`Build`]. Recursion is bounded by the depth that the caller sets.

pub(crate) mod tree;

use std::collections::HashSet;

use crate::note::{JsonFound, JsonPart, JsonWrong};

/// A line and a column, both from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// Where a byte offset of `text` stands.
    pub(crate) fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Which rule a text broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// It is no JSON.
    Syntax,
    /// A key stands twice in one object.
    Duplicate,
    /// Deeper than the caller allows.
    Depth,
    /// A value that the builder refused.
    Value,
}

/// Why a text was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte offset.
    pub(crate) at: usize,
    pub(crate) kind: FaultKind,
    pub(crate) wrong: JsonWrong,
}

/// A value without parts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'t> {
    Null,
    Bool(bool),
    /// The number as it is written; its grammar has been checked.
    Number(&'t str),
    Text(String),
}

/// One field of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry<V> {
    pub(crate) key: String,
    pub(crate) key_at: usize,
    pub(crate) value: V,
}

/// Makes values of what is read. `at` is the byte offset of the value's first character.
pub(crate) trait Build {
    type Value;
    fn scalar(&self, scalar: Scalar<'_>, at: usize) -> Result<Self::Value, Fault>;
    fn list(&self, items: Vec<Self::Value>, at: usize) -> Self::Value;
    fn object(&self, entries: Vec<Entry<Self::Value>>, at: usize) -> Self::Value;
}

/// Reads one JSON value that makes up all of `text`.
pub(crate) fn read<B: Build>(text: &str, depth_max: usize, build: &B) -> Result<B::Value, Fault> {
    let mut reader = Reader {
        text,
        at: 0,
        depth_max,
        build,
    };
    reader.space();
    let value = reader.value(0)?;
    reader.space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.unexpected(JsonPart::End)),
    }
}

struct Reader<'t, B> {
    text: &'t str,
    at: usize,
    depth_max: usize,
    build: &'t B,
}

impl<B: Build> Reader<'_, B> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space.
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fault(&self, at: usize, kind: FaultKind, wrong: JsonWrong) -> Fault {
        Fault { at, kind, wrong }
    }

    fn unexpected(&self, expected: JsonPart) -> Fault {
        let found = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => JsonFound::NoMore,
            Some('/') => JsonFound::Slash,
            Some('\'') => JsonFound::Quote,
            Some(other) => JsonFound::Character(format!("{other:?}")),
        };
        let wrong = JsonWrong::Expected(expected, found);
        self.fault(self.at, FaultKind::Syntax, wrong)
    }

    fn take(&mut self, byte: u8, expected: JsonPart) -> Result<(), Fault> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    fn value(&mut self, depth: usize) -> Result<B::Value, Fault> {
        let at = self.at;
        if depth > self.depth_max {
            let wrong = JsonWrong::TooDeep(self.depth_max);
            return Err(self.fault(at, FaultKind::Depth, wrong));
        }
        let scalar = match self.peek() {
            Some(b'{') => return self.object(depth),
            Some(b'[') => return self.list(depth),
            Some(b'"') => Scalar::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Scalar::Number(self.number()?),
            _ if self.word("true") => Scalar::Bool(true),
            _ if self.word("false") => Scalar::Bool(false),
            _ if self.word("null") => Scalar::Null,
            _ => return Err(self.unexpected(JsonPart::Value)),
        };
        self.build.scalar(scalar, at)
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn list(&mut self, depth: usize) -> Result<B::Value, Fault> {
        let at = self.at;
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(self.build.list(items, at));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.take(b']', JsonPart::ListEnd)?;
            return Ok(self.build.list(items, at));
        }
    }

    fn object(&mut self, depth: usize) -> Result<B::Value, Fault> {
        let at = self.at;
        self.at += 1;
        let mut entries: Vec<Entry<B::Value>> = Vec::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(self.build.object(entries, at));
        }
        loop {
            self.space();
            let key_at = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected(JsonPart::Key));
            }
            let key = self.string()?;
            self.space();
            self.take(b':', JsonPart::Colon)?;
            self.space();
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, key_at, value });
            self.space();
            if self.peek() == Some(b',') {
                self.at += 1;
                continue;
            }
            self.take(b'}', JsonPart::ObjectEnd)?;
            break;
        }
        let mut seen = HashSet::with_capacity(entries.len());
        if let Some(twice) = entries.iter().find(|entry| !seen.insert(&entry.key)) {
            let key: String = twice.key.chars().take(80).collect();
            let wrong = JsonWrong::Twice(format!("{key:?}"));
            return Err(self.fault(twice.key_at, FaultKind::Duplicate, wrong));
        }
        Ok(self.build.object(entries, at))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected(JsonPart::Digit));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, Fault> {
        let opened = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            while matches!(self.peek(), Some(byte) if byte >= 0x20 && byte != b'"' && byte != b'\\')
            {
                self.at += 1;
            }
            text.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => {
                    return Err(self.fault(self.at, FaultKind::Syntax, JsonWrong::Control));
                }
                None => {
                    return Err(self.fault(opened, FaultKind::Syntax, JsonWrong::OpenText));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let at = self.at;
        self.at += 1;
        let simple = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => c as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode(at);
            }
            _ => return Err(self.unexpected(JsonPart::Escape)),
        };
        self.at += 1;
        Ok(simple)
    }

    fn unicode(&mut self, at: usize) -> Result<char, Fault> {
        let high = self.hex()?;
        let scalar = if (0xD800..0xDC00).contains(&high) && self.word("\\u") {
            let low = self.hex()?;
            let pair = (0xDC00..0xE000).contains(&low);
            pair.then(|| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        } else {
            Some(high)
        };
        scalar
            .and_then(char::from_u32)
            .ok_or_else(|| self.fault(at, FaultKind::Syntax, JsonWrong::Surrogate))
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let read = digits
            .filter(|four| four.iter().all(u8::is_ascii_hexdigit))
            .and_then(|four| std::str::from_utf8(four).ok())
            .and_then(|four| u32::from_str_radix(four, 16).ok());
        let Some(unit) = read else {
            return Err(self.fault(self.at, FaultKind::Syntax, JsonWrong::Hex));
        };
        self.at += 4;
        Ok(unit)
    }
}

impl<'t, B: Build> Reader<'t, B> {
    fn number(&mut self) -> Result<&'t str, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.fault(start, FaultKind::Syntax, JsonWrong::LeadingZeros));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }
}

#[cfg(test)]
mod tests;
