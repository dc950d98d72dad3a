//! Writes YAML in block style. Every ambiguous string is quoted.

use serde_json::Value;

/// Writes one or several documents.
pub fn documents(values: &[Value]) -> String {
    let texts = values.iter().map(document);
    texts.collect::<Vec<_>>().join("---\n")
}

/// Writes one document.
pub fn document(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => block(value, 0, &mut out),
        Value::Array(items) if !items.is_empty() => block(value, 0, &mut out),
        other => {
            out.push_str(&scalar(other));
            out.push('\n');
        }
    }
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                pad(indent, out);
                out.push_str(&text(key));
                out.push(':');
                inside(value, indent, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                pad(indent, out);
                out.push('-');
                match item {
                    // The first line of the nested block is on the line of the hyphen.
                    Value::Object(map) if !map.is_empty() => {
                        let mut below = String::new();
                        block(item, indent + 2, &mut below);
                        out.push(' ');
                        out.push_str(below.trim_start_matches(' '));
                    }
                    other => inside(other, indent, out),
                }
            }
        }
        _ => {}
    }
}

/// Writes the value after a key's colon or an item's hyphen.
fn inside(value: &Value, indent: usize, out: &mut String) {
    let is_block = match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        out.push('\n');
        block(value, indent + 2, out);
        return;
    }
    match value {
        Value::String(lines) if is_literal(lines) => {
            out.push_str(" |\n");
            for line in lines.lines() {
                if !line.is_empty() {
                    pad(indent + 2, out);
                }
                out.push_str(line);
                out.push('\n');
            }
        }
        other => {
            out.push(' ');
            out.push_str(&scalar(other));
            out.push('\n');
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(one) => text(one),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// Checks whether a string can be written as a literal block. It must end with exactly one line
/// end. It must not begin with a space or a line end, because YAML infers the block's indentation
/// from the first line.
fn is_literal(text: &str) -> bool {
    let printable = |c: char| c == '\n' || !(c.is_control() || is_odd(c));
    text.ends_with('\n')
        && !text.ends_with("\n\n")
        && text.len() > 1
        && !text.starts_with([' ', '\n'])
        && text.chars().all(printable)
}

/// Characters that a YAML parser may treat as a line end or reject.
fn is_odd(c: char) -> bool {
    matches!(
        c,
        '\u{85}' | '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Writes a string on one line, with quotes if any YAML version could misread it.
fn text(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let bare = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text.chars().all(plain)
        && !is_word(text);
    if bare {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || is_odd(c) => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Checks for a word that YAML 1.1 or 1.2 does not read as a string.
fn is_word(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf",
    ];
    WORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}
