//! Finds JSON values inside a text.

use serde_json::Value;

/// Maximum nesting that is followed. A tool list is never nested deeper.
const DEPTH_MAX: usize = 100;
/// Maximum number of bytes that a scan reads, as a multiple of the text's length. Without a limit,
/// each unclosed bracket would make the scan read to the end of the text.
const LOOKS: usize = 16;

/// Iterates over the outermost complete objects and lists of a text. The work is bounded.
#[derive(Debug)]
pub(super) struct JsonValueScanner<'a> {
    text: &'a str,
    at: usize,
    looks: usize,
}

impl<'a> JsonValueScanner<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            looks: LOOKS * text.len(),
        }
    }

    /// Returns the end of the value at `start`, if its brackets are closed.
    fn end(&mut self, start: usize) -> Option<usize> {
        let mut closers = Vec::new();
        let (mut in_text, mut escaped) = (false, false);
        for (offset, &byte) in self.text.as_bytes()[start..].iter().enumerate() {
            self.looks = self.looks.checked_sub(1)?;
            if in_text {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => in_text = false,
                    // A JSON string can't contain a raw line end.
                    0..=0x1f => return None,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => in_text = true,
                b'{' => closers.push(b'}'),
                b'[' => closers.push(b']'),
                b'}' | b']' => {
                    if closers.pop() != Some(byte) {
                        return None;
                    }
                    if closers.is_empty() {
                        return Some(start + offset + 1);
                    }
                }
                _ => {}
            }
            if closers.len() > DEPTH_MAX {
                return None;
            }
        }
        None
    }
}

impl Iterator for JsonValueScanner<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        while self.looks > 0 {
            let start = self.at + self.text[self.at..].find(['{', '['])?;
            self.at = start + 1;
            let Some(end) = self.end(start) else {
                continue;
            };
            if let Ok(value) = serde_json::from_str(&self.text[start..end]) {
                self.at = end;
                return Some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(text: &str, expected: &[Value]) {
        let found: Vec<Value> = JsonValueScanner::of(text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn values_are_found_between_words_and_over_lines() {
        check(
            "listening {\n \"a\": [1] } done [2]",
            &[json!({"a": [1]}), json!([2])],
        );
        check("{not json {\"a\": \"}\"}}", &[json!({"a": "}"})]);
        check("{\"a\": \"\\\"}\"} [", &[json!({"a": "\"}"})]);
        check("{\"a\": [}] {\"b\":1}", &[json!({"b": 1})]);
    }

    #[test]
    fn brackets_that_are_never_closed_cost_a_multiple_of_the_text() {
        for open in [
            "{",
            "[",
            "{\"a\":",
            "[1,{\"\":",
            "{\"{",
            "[\"",
            "{}[",
            "[{},",
        ] {
            let text = open.repeat((1 << 20) / open.len());
            let mut values = JsonValueScanner::of(&text);
            values.by_ref().for_each(drop);
            assert!(values.looks <= LOOKS * text.len(), "it came to an end");
        }
    }
}
