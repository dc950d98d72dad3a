//! Finds where the members of an object stand. Comments and trailing commas are let through.

use std::ops::Range;

use serde_json::value::RawValue;

use super::Untouchable;
use crate::note::{JsonPart, TextFound, TextPart, TextWrong};

/// How deep values may be nested.
const DEPTH_MAX: usize = 100;
/// How many members an object may have that is edited.
const MEMBERS_MAX: usize = 10_000;

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) key_at: usize,
    pub(crate) value: Range<usize>,
    pub(crate) comma: Option<usize>,
    /// The end of what stands before its key and is no white space: a comma, a brace, a comment.
    pub(crate) trivia_end: usize,
    /// That is a comment to the end of its line.
    pub(crate) after_line_comment: bool,
}

/// An object, by the places of its braces.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) open: usize,
    pub(crate) close: usize,
    pub(crate) members: Vec<Member>,
}

impl Object {
    /// The member of a key.
    ///
    /// # Errors
    /// When the key stands there twice: programs differ in which one they take.
    pub(crate) fn find(&self, text: &str, key: &str) -> Result<Option<&Member>, Untouchable> {
        let mut found = self.members.iter().filter(|member| member.key == key);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some(second) => Err(Untouchable::at(
                text,
                second.key_at,
                TextWrong::Twice(key.to_owned()),
            )),
        }
    }

    /// The member of a key that JSON parsers take: the last one.
    pub(crate) fn find_last(&self, key: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.key == key)
    }

    /// Whether there is nothing but white space around the members of an object.
    pub(crate) fn has_no_comments(&self, text: &str) -> bool {
        let mut at = self.open + 1;
        let mut blank = true;
        for member in &self.members {
            blank &= text[at..member.key_at].trim().is_empty();
            let end = member.comma.unwrap_or(member.value.end);
            blank &= text[member.value.end..end].trim().is_empty();
            at = member.comma.map_or(end, |comma| comma + 1);
        }
        blank && text[at..self.close].trim().is_empty()
    }

    /// Where the last comment inside of the braces ends, or the opening brace.
    pub(crate) fn content_end(&self, text: &str) -> usize {
        let inside = &text[self.open + 1..self.close];
        self.open + 1 + inside.trim_end_matches([' ', '\t', '\r', '\n']).len()
    }
}

/// Where the text begins, after a byte order mark.
pub(crate) fn begin(text: &str) -> usize {
    if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    }
}

/// Reads the object that makes up all of the text.
pub(crate) fn root(text: &str) -> Result<Object, Untouchable> {
    let mut reader = Reader {
        text,
        at: begin(text),
    };
    reader.trivia()?;
    if reader.peek() != Some(b'{') {
        return Err(reader.unexpected(TextPart::Object));
    }
    let object = reader.object()?;
    reader.trivia()?;
    match reader.peek() {
        None => Ok(object),
        Some(_) => Err(reader.unexpected(TextPart::End)),
    }
}

/// Reads the object at a place where one is known to stand.
pub(crate) fn object(text: &str, at: usize) -> Result<Object, Untouchable> {
    Reader { text, at }.object()
}

/// Where the comments end that stand on the rest of a line, if there are any.
pub(crate) fn after_comments_of_line(text: &str, at: usize) -> Option<usize> {
    let mut reader = Reader { text, at };
    let mut end = None;
    loop {
        while matches!(reader.peek(), Some(b' ' | b'\t')) {
            reader.at += 1;
        }
        let start = reader.at;
        let block = text[start..].starts_with("/*");
        if !reader.comment().ok()? || text[start..reader.at].contains('\n') {
            return end;
        }
        end = Some(reader.at);
        // What a block comment stands before, on the same line, it most likely speaks of.
        if block
            && !matches!(
                reader.rest_of_line().trim_start().as_bytes(),
                [] | [b'/', ..]
            )
        {
            return None;
        }
    }
}

/// The same JSON without comments and trailing commas.
pub(crate) fn without_comments(text: &str) -> String {
    let mut reader = Reader { text, at: 0 };
    let mut plain = String::with_capacity(text.len());
    let mut comma = false;
    while let Some(byte) = reader.peek() {
        let start = reader.at;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => reader.at += 1,
            b'/' if matches!(reader.comment(), Ok(true)) => {}
            b',' => {
                comma = true;
                reader.at += 1;
            }
            _ => {
                if comma && !matches!(byte, b'}' | b']') {
                    plain.push(',');
                }
                comma = false;
                if byte != b'"' || reader.string().is_err() {
                    reader.at += text[start..].chars().next().map_or(1, char::len_utf8);
                }
                plain.push_str(&text[start..reader.at]);
            }
        }
    }
    plain
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest_of_line(&self) -> &'t str {
        let rest = &self.text[self.at..];
        rest.split(['\r', '\n']).next().unwrap_or_default()
    }

    fn unexpected(&self, expected: TextPart) -> Untouchable {
        let found = match self.text[self.at..].chars().next() {
            None => TextFound::NoMore,
            Some(found) => TextFound::Character(format!("{found:?}")),
        };
        let wrong = TextWrong::Expected(expected, found);
        Untouchable::at(self.text, self.at, wrong)
    }

    /// Skips a comment; whether there was one.
    fn comment(&mut self) -> Result<bool, Untouchable> {
        let rest = &self.text[self.at..];
        if rest.starts_with("//") {
            self.at += self.rest_of_line().len();
            return Ok(true);
        }
        if !rest.starts_with("/*") {
            return Ok(false);
        }
        match rest[2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                let wrong = TextWrong::OpenComment;
                return Err(Untouchable::at(self.text, self.at, wrong));
            }
        }
        Ok(true)
    }

    /// Skips white space and comments. Where the last comment ended, and whether it went to the
    /// end of its line.
    fn trivia(&mut self) -> Result<Option<(usize, bool)>, Untouchable> {
        let mut last = None;
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            }
            let line_comment = self.text[self.at..].starts_with("//");
            if !self.comment()? {
                return Ok(last);
            }
            last = Some((self.at, line_comment));
        }
    }

    fn object(&mut self) -> Result<Object, Untouchable> {
        let open = self.at;
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            let before = self.at;
            let comment = self.trivia()?;
            if self.peek() == Some(b'}') {
                break;
            }
            if members.last().is_some_and(|last| last.comma.is_none()) {
                return Err(self.unexpected(TextPart::OfJson(JsonPart::ObjectEnd)));
            }
            if members.len() == MEMBERS_MAX {
                let wrong = TextWrong::ManyMembers(MEMBERS_MAX);
                return Err(Untouchable::at(self.text, open, wrong));
            }
            let key_at = self.at;
            let key = self.key()?;
            let start = self.at;
            self.value(0)?;
            let value = start..self.at;
            let (trivia_end, after_line_comment) = comment.unwrap_or((before, false));
            let mut member = Member {
                key,
                key_at,
                value,
                comma: None,
                trivia_end,
                after_line_comment,
            };
            let end = self.at;
            self.trivia()?;
            if self.peek() == Some(b',') {
                member.comma = Some(self.at);
                self.at += 1;
            } else {
                // What stands before the closing brace belongs to the object.
                self.at = end;
            }
            members.push(member);
        }
        let close = self.at;
        self.at += 1;
        Ok(Object {
            open,
            close,
            members,
        })
    }

    /// Reads a key and its colon, up to its value.
    fn key(&mut self) -> Result<String, Untouchable> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(TextPart::OfJson(JsonPart::Key)));
        }
        let key = self.string()?;
        self.trivia()?;
        if self.peek() != Some(b':') {
            return Err(self.unexpected(TextPart::OfJson(JsonPart::Colon)));
        }
        self.at += 1;
        self.trivia()?;
        Ok(key)
    }

    fn string(&mut self) -> Result<String, Untouchable> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
                None => {
                    self.at = self.text.len();
                    return Err(Untouchable::at(self.text, start, TextWrong::OpenText));
                }
            }
        }
        self.at += 1;
        let written = self.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(written)
            .map_err(|_| Untouchable::at(self.text, start, TextWrong::NoJson))
    }

    /// Skips a value.
    fn value(&mut self, depth: usize) -> Result<(), Untouchable> {
        if depth > DEPTH_MAX {
            let wrong = TextWrong::TooDeep(DEPTH_MAX);
            return Err(Untouchable::at(self.text, self.at, wrong));
        }
        match self.peek() {
            Some(b'{') => self.items(b'}', depth, true),
            Some(b'[') => self.items(b']', depth, false),
            Some(b'"') => self.string().map(drop),
            _ => self.word(),
        }
    }

    fn items(&mut self, close: u8, depth: usize, keys: bool) -> Result<(), Untouchable> {
        self.at += 1;
        loop {
            self.trivia()?;
            if self.peek() == Some(close) {
                break;
            }
            if keys {
                self.key()?;
            }
            self.value(depth + 1)?;
            self.trivia()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {}
                _ => return Err(self.unexpected(TextPart::ItemsEnd)),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<(), Untouchable> {
        let rest = &self.text[self.at..];
        let word = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
            .map_or(rest, |end| &rest[..end]);
        if serde_json::from_str::<&RawValue>(word).is_err() {
            return Err(self.unexpected(TextPart::OfJson(JsonPart::Value)));
        }
        self.at += word.len();
        Ok(())
    }
}
