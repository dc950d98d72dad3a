//! Parses `settings.json` and checks each field separately.

use std::collections::HashSet;

use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};
use serde_json::{Map, Number, Value};

use super::schema::{self, is_section};
use super::{KEYS, PROBLEMS_MAX, ProblemEffect, SETTINGS_BYTES_MAX, Settings, SettingsProblem};
use crate::error::{Code, Report};
use crate::messages::SettingsError;
use guild_text::spanned::{self, COMMENTED, TextPosition};

/// The result of parsing a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedSettings {
    /// The settings. `None` if the file as a whole can't be read.
    pub settings: Option<Settings>,
    /// Whether the file sets any setting.
    pub has_settings: bool,
    /// The mistakes, in the order of the file.
    pub problems: Vec<SettingsProblem>,
}

/// The parser collects all tokens, because the white space between them has to be checked.
const COLLECTED: CollectOptions = CollectOptions {
    comments: CommentCollectionStrategy::AsTokens,
    tokens: true,
};

/// Parses a file. `name` is the file's name in errors. An empty file sets nothing.
pub fn read(bytes: &[u8], name: &str) -> ParsedSettings {
    let mut reading = SettingsParser {
        name,
        text: "",
        problems: Vec::new(),
        more: 0,
        more_effect: ProblemEffect::Kept,
    };
    let good = reading.whole(bytes);
    let has_settings = good.as_ref().is_some_and(|good| !good.is_empty());
    // Each value matches its schema, so the values also have the right types.
    let settings = good.and_then(|good| serde_json::from_value(Value::Object(good)).ok());
    let mut problems = reading.problems;
    if reading.more > 0 {
        let trouble = SettingsError::MoreMistakes(name.to_owned(), reading.more);
        problems.push(SettingsProblem {
            effect: reading.more_effect,
            line: None,
            column: None,
            field: None,
            report: Report::from_error(Code::SettingsUnusable, &trouble),
        });
    }
    ParsedSettings {
        settings,
        has_settings,
        problems,
    }
}

/// Parses a number. Numbers that JSON programs can't represent are an error.
fn number(digits: &str, _at: usize) -> Result<Number, String> {
    serde_json::from_str(digits).map_err(|_| "the number is too large".to_owned())
}

struct SettingsParser<'t> {
    name: &'t str,
    text: &'t str,
    problems: Vec<SettingsProblem>,
    /// The number of mistakes that are not reported, because the limit is reached.
    more: usize,
    /// The worst effect among the mistakes that `more` counts.
    more_effect: ProblemEffect,
}

impl<'t> SettingsParser<'t> {
    /// Returns the settings with valid values. `None` if the file as a whole can't be read.
    fn whole(&mut self, bytes: &'t [u8]) -> Option<Map<String, Value>> {
        if bytes.len() as u64 > SETTINGS_BYTES_MAX {
            let wrong = format!("it has more than {SETTINGS_BYTES_MAX} bytes");
            return self.unread(None, wrong);
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                self.text = str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
                return self.unread(Some(self.text.len()), "it is not UTF-8 from here on".into());
            }
        };
        self.text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if self.text.trim().is_empty() {
            return Some(Map::new());
        }
        let parsed = parse_to_ast(self.text, &COLLECTED, &COMMENTED);
        let tokens = parsed
            .as_ref()
            .ok()
            .and_then(|parsed| parsed.tokens.as_deref());
        if let Some(at) = tokens.and_then(|tokens| foreign_space(self.text, tokens)) {
            return self.unread(Some(at), "this is not white space of JSON".into());
        }
        if let Some(at) = tokens.and_then(|tokens| control_in_text(self.text, tokens)) {
            let wrong = "a text has a line end or another control character here".into();
            return self.unread(Some(at), wrong);
        }
        match parsed {
            Ok(parsed) => match parsed.value {
                Some(ast::Value::Object(root)) => self.object(root, schema::json_schema(), ""),
                other => {
                    let at = other.map_or(0, |value| value.start());
                    self.unread(Some(at), "expected an object in braces".into())
                }
            },
            Err(error) => {
                let at = match error.kind() {
                    ParseErrorKind::UnterminatedObject | ParseErrorKind::UnterminatedArray => {
                        self.text.len()
                    }
                    // The range of the error is that of the next token, before which the comma is
                    // missing.
                    ParseErrorKind::ExpectedComma => {
                        let rest = self.text.get(error.range().end..).unwrap_or_default();
                        self.text.len() - rest.trim_start().len()
                    }
                    _ => error.range().start,
                };
                self.unread(Some(at), error.kind().to_string())
            }
        }
    }

    /// Returns the fields of an object that have valid values. `None` if a name is repeated.
    fn object(
        &mut self,
        object: ast::Object<'_>,
        schema: &Value,
        within: &str,
    ) -> Option<Map<String, Value>> {
        let mut good = Map::new();
        let mut seen = HashSet::new();
        for ObjectProp {
            name, value, range, ..
        } in object.properties
        {
            let at = range.start;
            let name = name.into_string();
            let path = match within {
                "" => cut(&name),
                within => format!("{within}.{}", cut(&name)),
            };
            if seen.contains(&name) {
                return self.unread(Some(at), format!("`{path}` is written twice"));
            }
            if let Some(value) = self.property(at, &path, schema, &name, value)? {
                good.insert(name.clone(), value);
            }
            seen.insert(name);
        }
        Some(good)
    }

    /// Returns `Some(Some(value))` for a valid value that is not `null`, and `Some(None)` for
    /// `null` and for an invalid value. Returns `None` if the file as a whole can't be read.
    fn property(
        &mut self,
        at: usize,
        path: &str,
        schema: &Value,
        name: &str,
        value: ast::Value<'_>,
    ) -> Option<Option<Value>> {
        let inner = &schema["properties"][name];
        let is_group = is_section(inner) || path == KEYS;
        if path == "$schema" || matches!(value, ast::Value::NullKeyword(_)) && !inner.is_null() {
            return Some(None);
        }
        let start = value.start();
        match (value, schema::find(path)) {
            (ast::Value::Object(object), None) if is_group => {
                let object = self.object(object, inner, path)?;
                return Some(Some(Value::Object(object)));
            }
            (_, None) if is_group => {
                let wrong = "must be an object in braces".into();
                self.wrong(start, path, wrong, "Its defaults hold.".into());
            }
            (_, None) => {
                let wrong = "is not a known setting; it has no effect".into();
                self.note(
                    ProblemEffect::Kept,
                    Some(at),
                    Some(path),
                    wrong,
                    schema::near(path),
                );
            }
            (ast::Value::NullKeyword(_), Some(_)) => {}
            (value, Some(field)) => {
                match spanned::to_json(&value, &number).and_then(|value| field.check(&value)) {
                    Ok(value) => return Some(Some(value)),
                    Err(wrong) => {
                        let hint = format!("Its default holds. {}", field.doc());
                        self.wrong(start, path, format!("can't be used: {wrong}"), hint);
                    }
                }
            }
        }
        Some(None)
    }

    fn wrong(&mut self, at: usize, path: &str, wrong: String, hint: String) {
        self.note(ProblemEffect::Default, Some(at), Some(path), wrong, hint);
    }

    fn unread<T>(&mut self, at: Option<usize>, wrong: String) -> Option<T> {
        let hint = "Correct this place; check the text before it too.".to_owned();
        self.note(ProblemEffect::Unread, at, None, wrong, hint);
        None
    }

    fn note(
        &mut self,
        effect: ProblemEffect,
        at: Option<usize>,
        path: Option<&str>,
        wrong: String,
        hint: String,
    ) {
        if self.problems.len() == PROBLEMS_MAX {
            self.more += 1;
            if effect != ProblemEffect::Kept {
                self.more_effect = effect;
            }
            return;
        }
        let position = at.map(|at| TextPosition::of(self.text, at));
        let name = self.name;
        let mut message = match position {
            Some(TextPosition { line, column }) => format!("{name}:{line}:{column}: "),
            None => format!("{name}: "),
        };
        message.extend(path.map(|path| format!("`{path}` ")));
        let trouble = SettingsError::Mistake(message + &wrong, hint.trim_end().to_owned());
        self.problems.push(SettingsProblem {
            effect,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            field: path.map(str::to_owned),
            report: Report::from_error(Code::SettingsUnusable, &trouble),
        });
    }
}

/// Returns the offset of the first character between tokens that JSON forbids there. The parser
/// itself accepts any white space.
fn foreign_space(text: &str, tokens: &[TokenAndRange<'_>]) -> Option<usize> {
    let starts = tokens.iter().map(|token| token.range.start);
    let ends = tokens.iter().map(|token| token.range.end);
    let gaps = [0].into_iter().chain(ends).zip(starts.chain([text.len()]));
    gaps.filter_map(|(from, to)| Some((from, text.get(from..to)?)))
        .find_map(|(from, gap)| Some(from + gap.find(|char| !" \t\r\n".contains(char))?))
}

/// Returns the offset of the first control character in a string. The parser accepts it, but JSON
/// does not.
fn control_in_text(text: &str, tokens: &[TokenAndRange<'_>]) -> Option<usize> {
    tokens
        .iter()
        .filter(|token| matches!(token.token, Token::String(_)))
        .find_map(|token| {
            let written = text.get(token.range.start..token.range.end)?;
            Some(token.range.start + written.find(|char: char| char < ' ')?)
        })
}

/// Truncates a name for an error.
fn cut(name: &str) -> String {
    name.chars().take(100).collect()
}
