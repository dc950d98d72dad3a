//! Parses files with environment variables (`.env`) as VS Code does for an entry's `envFile`. Each
//! line has one variable, with optional `export`, quotes and `#` comments. References in values are
//! not expanded.

use std::collections::BTreeMap;

use super::references::is_name;
use crate::messages::FileProblem;

/// Maximum number of variables in one file.
const VARIABLES_MAX: usize = 500;

pub(super) type Variables = BTreeMap<String, String>;

/// Parses the variables of a file's text. If a name is repeated, the last value counts.
///
/// # Errors
/// If there are more than [`VARIABLES_MAX`].
pub(super) fn variables(text: &str) -> Result<Variables, FileProblem> {
    let mut variables = Variables::new();
    let text = text.trim_start_matches('\u{feff}');
    for (name, value) in text.split(['\n', '\r']).filter_map(variable) {
        if variables.len() == VARIABLES_MAX && !variables.contains_key(name) {
            return Err(FileProblem::ManyVariables(VARIABLES_MAX));
        }
        variables.insert(name.to_owned(), value);
    }
    Ok(variables)
}

fn variable(line: &str) -> Option<(&str, String)> {
    let line = line.trim();
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let value = before_comment(value).trim();
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let value = match (inside('"'), inside('\'')) {
        (Some(inside), _) => unescaped(inside),
        (None, Some(inside)) => inside.to_owned(),
        (None, None) => value.to_owned(),
    };
    is_name(name).then_some((name, value))
}

/// Returns the part of a value before a comment: before the first `#` outside of quotes.
fn before_comment(value: &str) -> &str {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in value.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (None, '#') => return &value[..at],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    value
}

/// Resolves the escapes in a value in double quotes.
fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('r') => plain.push('\r'),
            Some('t') => plain.push('\t'),
            Some(other @ ('"' | '\\')) => plain.push(other),
            Some(other) => plain.extend(['\\', other]),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_form_are_read() {
        let text = "\u{feff}# settings\r\nPLAIN=a b # said\nexport EXPORTED=x\n\nEMPTY=\nHASH=\"a#b\" # c\n\
                    SINGLE='a\\n$HOME'\nDOUBLE=\"a\\nb\\\"c\"\nURL=https://a.test/?x=1&y=2\nCUT=a#b\n\
                    NO NAME=x\nnothing\nTWICE=1\nTWICE=2\n  SPACED = v \n";
        let expect = [
            ("CUT", "a"),
            ("DOUBLE", "a\nb\"c"),
            ("EMPTY", ""),
            ("EXPORTED", "x"),
            ("HASH", "a#b"),
            ("PLAIN", "a b"),
            ("SINGLE", "a\\n$HOME"),
            ("SPACED", "v"),
            ("TWICE", "2"),
            ("URL", "https://a.test/?x=1&y=2"),
        ];
        let read = variables(text).expect("few");
        let read: Vec<(&str, &str)> = read
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(read, expect);
    }

    #[test]
    fn more_variables_than_anybody_has_are_refused() {
        let lines = |count: usize| (0..count).map(|n| format!("V{n}=1\n")).collect::<String>();
        assert!(variables(&lines(VARIABLES_MAX)).is_ok());
        assert!(variables(&lines(VARIABLES_MAX + 1)).is_err());
    }
}
