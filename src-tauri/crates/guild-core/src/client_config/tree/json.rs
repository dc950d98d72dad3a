//! JSON as people show it: with comments and trailing commas, keys without quotes, texts in single
//! quotes. Whatever is left out that could mean two things (a comma between members) is an error.

use serde_json::{Number, Value};

use super::{DEPTH_MAX, Kind, Member, Misread, NODES_MAX, Node};
use crate::note::{JsonFound, JsonPart, MisreadAdvice, MisreadWrong};

/// Reads a text that is one value.
///
/// # Errors
/// When it is none.
pub(in super::super) fn read(text: &str) -> Result<Node, Misread> {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        nodes: 0,
    };
    reader.skip()?;
    let node = reader.value(0)?;
    reader.skip()?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(reader.unexpected(JsonPart::End, MisreadAdvice::AfterEnd)),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    nodes: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn go(&mut self, length: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + length];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at += length;
    }

    fn wrong(&self, at: usize, message: MisreadWrong, hint: MisreadAdvice) -> Misread {
        Misread::at(self.text, at, message, hint)
    }

    fn unexpected(&self, expected: JsonPart, hint: MisreadAdvice) -> Misread {
        let found = match self.peek() {
            None => JsonFound::NoMore,
            Some(found) => JsonFound::Character(format!("{found:?}")),
        };
        let message = MisreadWrong::Expected(expected, found);
        self.wrong(self.at, message, hint)
    }

    /// Skips white space and comments.
    fn skip(&mut self) -> Result<(), Misread> {
        loop {
            let rest = self.rest();
            let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
            let length = rest.find(|c| !blank(c)).unwrap_or(rest.len());
            self.go(length);
            let rest = self.rest();
            if rest.starts_with("//") || rest.starts_with('#') {
                self.go(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let Some(end) = inside.find("*/") else {
                    let message = MisreadWrong::OpenComment;
                    return Err(self.wrong(self.at, message, MisreadAdvice::CloseComment));
                };
                self.go(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Misread> {
        self.nodes += 1;
        if depth > DEPTH_MAX || self.nodes > NODES_MAX {
            let message = match depth > DEPTH_MAX {
                true => MisreadWrong::TooDeep(DEPTH_MAX),
                false => MisreadWrong::ManyValues(NODES_MAX),
            };
            return Err(self.wrong(self.at, message, MisreadAdvice::ListAlone));
        }
        let line = self.line;
        let kind = match self.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"' | '\'') => Kind::Plain(Value::String(self.string()?)),
            _ => Kind::Plain(self.word()?),
        };
        Ok(Node { line, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Misread> {
        let open = self.at;
        self.go(1);
        let mut members = Vec::new();
        loop {
            self.skip()?;
            if self.peek() == Some('}') {
                break;
            }
            self.closed(open, '}')?;
            let line = self.line;
            let key = self.key()?;
            self.skip()?;
            if self.peek() != Some(':') {
                return Err(self.unexpected(JsonPart::Colon, MisreadAdvice::Colon));
            }
            self.go(1);
            self.skip()?;
            let node = self.value(depth + 1)?;
            members.push(Member { key, line, node });
            self.comma(open, '}')?;
        }
        self.go(1);
        Ok(Kind::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Misread> {
        let open = self.at;
        self.go(1);
        let mut items = Vec::new();
        loop {
            self.skip()?;
            if self.peek() == Some(']') {
                break;
            }
            self.closed(open, ']')?;
            items.push(self.value(depth + 1)?);
            self.comma(open, ']')?;
        }
        self.go(1);
        Ok(Kind::List(items))
    }

    /// Whether the text goes on.
    fn closed(&self, open: usize, close: char) -> Result<(), Misread> {
        if self.peek().is_some() {
            return Ok(());
        }
        let message = MisreadWrong::Open(close.to_string());
        Err(self.wrong(open, message, MisreadAdvice::CopyAll))
    }

    /// What comes after a value of an object or a list.
    fn comma(&mut self, open: usize, close: char) -> Result<(), Misread> {
        self.skip()?;
        self.closed(open, close)?;
        match self.peek() {
            Some(',') => self.go(1),
            Some(c) if c == close => {}
            _ => {
                let expected = match close {
                    ']' => JsonPart::ListEnd,
                    _ => JsonPart::ObjectEnd,
                };
                return Err(self.unexpected(expected, MisreadAdvice::Comma));
            }
        }
        Ok(())
    }

    fn key(&mut self) -> Result<String, Misread> {
        if matches!(self.peek(), Some('"' | '\'')) {
            return self.string();
        }
        let rest = self.rest();
        let of_a_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.');
        let length = rest.find(|c| !of_a_key(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.unexpected(JsonPart::Key, MisreadAdvice::QuoteKey));
        }
        let key = rest[..length].to_owned();
        self.go(length);
        Ok(key)
    }

    fn string(&mut self) -> Result<String, Misread> {
        let start = self.at;
        let rest = self.rest();
        let quote = if rest.starts_with('"') { '"' } else { '\'' };
        let mut escaped = false;
        let end = rest[1..].char_indices().find(|&(_, c)| match c {
            _ if escaped => {
                escaped = false;
                false
            }
            '\\' => {
                escaped = true;
                false
            }
            c => c == quote || c == '\n',
        });
        let end = match end {
            Some((end, c)) if c == quote => end + 2,
            _ => {
                let message = MisreadWrong::OpenText(quote.to_string());
                return Err(self.wrong(start, message, MisreadAdvice::CloseText));
            }
        };
        let written = &rest[..end];
        self.go(end);
        let inside = &written[1..end - 1];
        let read = match quote {
            '"' => serde_json::from_str(&format!("\"{}\"", inside.replace('\t', "\\t"))),
            _ => {
                let inside = inside.replace("\\'", "'").replace('"', "\\\"");
                serde_json::from_str(&format!("\"{}\"", inside.replace('\t', "\\t")))
            }
        };
        read.map_err(|_| {
            let hint = MisreadAdvice::TwoBackslashes;
            self.wrong(start, MisreadWrong::Backslash, hint)
        })
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Misread> {
        let rest = self.rest();
        let of_a_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let length = rest.find(|c| !of_a_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            word => match serde_json::from_str::<Number>(word) {
                Ok(number) => Value::Number(number),
                Err(_) => {
                    let hint = match rest.starts_with("...") || rest.starts_with('…') {
                        true => MisreadAdvice::Dots,
                        false => MisreadAdvice::QuoteText,
                    };
                    return Err(self.unexpected(JsonPart::Value, hint));
                }
            },
        };
        self.go(length);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_show_as_json_is_read() {
        let text = "\u{feff}{ // a comment\n  'a': \"x\\ty\", b: [1, true, null,], /* c */\n  # d\n  \"c\": {\"d\": 'it\\'s \"so\"'},\n}\n";
        assert_eq!(
            read(text).expect("JSON").to_value(),
            serde_json::json!({"a": "x\ty", "b": [1, true, null], "c": {"d": "it's \"so\""}})
        );
    }

    #[test]
    fn an_error_names_its_place_and_what_to_do() {
        for (text, place, message) in [
            ("{\"a\": 1\n \"b\": 2}", (2, 2), "expected ',' or '}'"),
            ("{\"a\": {\"b\": 1}", (1, 1), "never closed"),
            ("{\"a\": \"x\n\"}", (1, 7), "not closed"),
            ("{\"a\": \"C:\\dir\"}", (1, 7), "backslash"),
            ("{\"a\" 1}", (1, 6), "expected ':'"),
            ("{\"é\": 1} x", (1, 10), "expected the end"),
            ("{\"a\": [...]}", (1, 8), "expected a value"),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(
                (error.line, error.column),
                (Some(place.0), Some(place.1)),
                "{text}"
            );
            assert!(error.message.to_string().contains(message), "{error}");
            assert!(!error.hint.to_string().is_empty());
        }
        let deep = read(&"[".repeat(10_000)).expect_err("deep");
        assert!(deep.message.to_string().contains("levels deep"), "{deep}");
    }
}
