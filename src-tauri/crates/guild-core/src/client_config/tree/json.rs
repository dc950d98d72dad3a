//! JSON as people show it: with comments and trailing commas, keys without quotes, texts in single
//! quotes. Whatever is left out that could mean two things (a comma between members) is an error.

use serde_json::{Number, Value};

use super::{DEPTH_MAX, Kind, Member, Misread, NODES_MAX, Node};

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
        Some(_) => Err(reader.unexpected(
            "the end of the text",
            "Take away what stands after the last brace, or put what belongs to it before it.",
        )),
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

    fn wrong(&self, at: usize, message: impl Into<String>, hint: &str) -> Misread {
        Misread::at(self.text, at, message, hint)
    }

    fn unexpected(&self, expected: &str, hint: &str) -> Misread {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(found) => format!("{found:?}"),
        };
        let message = format!("expected {expected}, found {found}");
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
                    let message = "a comment that is never closed";
                    return Err(self.wrong(self.at, message, "Close it by `*/`."));
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
                true => format!("nested more than {DEPTH_MAX} levels deep"),
                false => format!("it has more than {NODES_MAX} values"),
            };
            return Err(self.wrong(self.at, message, "Bring in the list of servers alone."));
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
                let hint = "After a key comes a colon and its value.";
                return Err(self.unexpected("':'", hint));
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
        let message = format!("what begins here is never closed by '{close}'");
        let hint = "Something at the end is missing: copy all of it.";
        Err(self.wrong(open, message, hint))
    }

    /// What comes after a value of an object or a list.
    fn comma(&mut self, open: usize, close: char) -> Result<(), Misread> {
        self.skip()?;
        self.closed(open, close)?;
        match self.peek() {
            Some(',') => self.go(1),
            Some(c) if c == close => {}
            _ => {
                let expected = format!("',' or '{close}'");
                let hint = "Put a comma between what stands side by side.";
                return Err(self.unexpected(&expected, hint));
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
            let hint = "A key stands in double quotes.";
            return Err(self.unexpected("a key in double quotes", hint));
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
                let message = format!("a text that is not closed by {quote} on its line");
                let hint = "Close it; a line's end within a text is written \\n.";
                return Err(self.wrong(start, message, hint));
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
            let hint = "A backslash is written twice there: C:\\\\folder.";
            self.wrong(start, "a text with a backslash that means nothing", hint)
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
                        true => {
                            "Three dots stand for something left out: put it there, or take them away."
                        }
                        false => "A text stands in double quotes.",
                    };
                    return Err(self.unexpected("a value", hint));
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
            assert!(error.message.contains(message), "{error}");
            assert!(!error.hint.is_empty());
        }
        let deep = read(&"[".repeat(10_000)).expect_err("deep");
        assert!(deep.message.contains("levels deep"), "{deep}");
    }
}
