//! Parses JSON with comments using `jsonc-parser`, and locates the members of objects.

use std::ops::Range;

use jsonc_parser::ast::{Object as Parsed, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::Token;
use jsonc_parser::{
    CollectOptions, ParseOptions, ParseStringErrorKind, Scanner, ScannerOptions, parse_to_ast,
};

use super::TextEditError;
use crate::messages::{MisreadAdvice, MisreadProblem, TextProblem};
use crate::spanned::COMMENTED;

/// Maximum number of members of an object that is edited.
const MEMBERS_MAX: usize = 10_000;
/// Maximum number of values in one text, estimated by its commas and opening brackets.
const VALUES_MAX: usize = 2_000_000;

/// The reason why a text can't be parsed, and its position.
pub struct JsonScanError {
    pub(crate) at: usize,
    pub(crate) message: MisreadProblem,
    pub(crate) hint: MisreadAdvice,
}

/// Parses the value of a text. `None` if it has only white space and comments.
///
/// # Errors
/// When the text is not JSON, or nested deeper than `depth`.
pub fn value<'t>(
    text: &'t str,
    options: &ParseOptions,
    depth: usize,
) -> Result<Option<Value<'t>>, JsonScanError> {
    let wrong = |at: usize, message, hint| JsonScanError { at, message, hint };
    let counted = |byte: &u8| matches!(byte, b',' | b'{' | b'[');
    if text.bytes().filter(|byte| counted(byte)).count() > VALUES_MAX {
        let message = MisreadProblem::ManyValues(VALUES_MAX);
        return Err(wrong(0, message, MisreadAdvice::ListAlone));
    }
    let too_deep = |at| wrong(at, MisreadProblem::TooDeep(depth), MisreadAdvice::ListAlone);
    let parsed = parse_to_ast(text, &CollectOptions::default(), options).map_err(|error| {
        let at = error.range().start;
        if let Some(open) = open_text(text, at) {
            return open;
        }
        match error.kind() {
            ParseErrorKind::NestingDepthExceeded => too_deep(at),
            kind => {
                let (message, hint) = message_and_advice(kind, text.get(at..).unwrap_or_default());
                wrong(at, message, hint)
            }
        }
    })?;
    let deepest = parsed.value.as_ref().and_then(|value| deeper(value, depth));
    match (deepest, open_text(text, text.len())) {
        (Some(at), _) => Err(too_deep(at)),
        (None, Some(open)) => Err(open),
        (None, None) => Ok(parsed.value),
    }
}

/// Returns the message for a parse error, and advice.
fn message_and_advice(kind: &ParseErrorKind, rest: &str) -> (MisreadProblem, MisreadAdvice) {
    use ParseErrorKind as Kind;
    let message = kind.to_string();
    let mut chars = message.chars();
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    let message = MisreadProblem::Unread(first.into_iter().chain(chars).collect());
    match kind {
        Kind::UnterminatedObject => (MisreadProblem::Open("}".to_owned()), MisreadAdvice::CopyAll),
        Kind::UnterminatedArray => (MisreadProblem::Open("]".to_owned()), MisreadAdvice::CopyAll),
        Kind::UnterminatedCommentBlock => {
            (MisreadProblem::OpenComment, MisreadAdvice::CloseComment)
        }
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => {
            let quote = rest.get(..1).unwrap_or("\"").to_owned();
            (MisreadProblem::OpenText(quote), MisreadAdvice::CloseText)
        }
        Kind::String(_) => (MisreadProblem::Backslash, MisreadAdvice::TwoBackslashes),
        Kind::MultipleRootJsonValues => (message, MisreadAdvice::AfterEnd),
        Kind::ExpectedColonAfterObjectKey => (message, MisreadAdvice::Colon),
        Kind::ExpectedComma => (message, MisreadAdvice::Comma),
        Kind::ExpectedStringObjectProperty | Kind::UnexpectedTokenInObject => {
            (message, MisreadAdvice::QuoteKey)
        }
        _ if rest.starts_with(['.', '…']) => (message, MisreadAdvice::Dots),
        _ => (message, MisreadAdvice::QuoteText),
    }
}

/// Returns an error for the first string that contains a literal line end. The library accepts such
/// strings.
fn open_text(text: &str, end: usize) -> Option<JsonScanError> {
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    while let Ok(Some(token)) = scanner.scan() {
        let (start, after) = (scanner.token_start(), scanner.token_end());
        if start > end {
            break;
        }
        if matches!(token, Token::String(_)) && text[start..after].contains('\n') {
            return Some(JsonScanError {
                at: start,
                message: MisreadProblem::OpenText(text[start..=start].to_owned()),
                hint: MisreadAdvice::CloseText,
            });
        }
    }
    None
}

/// Returns the start of the first value that is nested deeper than `levels`.
fn deeper(value: &Value<'_>, levels: usize) -> Option<usize> {
    let Some(inner) = levels.checked_sub(1) else {
        return match value {
            Value::Object(_) | Value::Array(_) => Some(value.start()),
            _ => None,
        };
    };
    match value {
        Value::Object(object) => object
            .properties
            .iter()
            .find_map(|member| deeper(&member.value, inner)),
        Value::Array(list) => list.elements.iter().find_map(|item| deeper(item, inner)),
        _ => None,
    }
}

/// A key and its value in an object. All positions are byte offsets in the text.
#[derive(Debug)]
pub struct ObjectMember<'o> {
    /// The key, unquoted and with escapes resolved.
    pub key: &'o str,
    pub(crate) key_at: usize,
    /// The range of the value.
    pub value: Range<usize>,
    /// The value in the syntax tree.
    pub parsed: &'o Value<'o>,
    pub(crate) comma: Option<usize>,
    /// End of the last token before the key, such as a comma, a brace or a comment.
    pub(crate) trivia_end: usize,
    /// Whether the last token before the key is a line comment.
    pub(crate) after_line_comment: bool,
}

/// An object with the positions of its braces and members.
#[derive(Debug)]
pub struct SpannedObject<'o> {
    /// Byte offset of the opening brace.
    pub open: usize,
    /// Byte offset of the closing brace.
    pub close: usize,
    /// The members in text order. Keys may repeat.
    pub members: Vec<ObjectMember<'o>>,
}

/// Parses a text that is one object. `None` if the text has only white space.
pub fn root(text: &str) -> Result<Option<Parsed<'_>>, TextEditError> {
    const DEPTH_MAX: usize = 100;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let read = value(text, &COMMENTED, DEPTH_MAX)
        .map_err(|wrong| TextEditError::at(text, wrong.at, TextProblem::Misread(wrong.message)))?;
    match read {
        Some(Value::Object(object)) => Ok(Some(object)),
        other => {
            let at = other.map_or(0, |value| value.start());
            Err(TextEditError::at(text, at, TextProblem::NoRoot))
        }
    }
}

impl<'o> SpannedObject<'o> {
    /// Locates the members of a parsed object.
    pub fn of(text: &str, parsed: &'o Parsed<'o>) -> Result<Self, TextEditError> {
        let (open, close) = (parsed.range.start, parsed.range.end - 1);
        if parsed.properties.len() > MEMBERS_MAX {
            let wrong = TextProblem::ManyMembers(MEMBERS_MAX);
            return Err(TextEditError::at(text, open, wrong));
        }
        let mut members: Vec<ObjectMember<'o>> = Vec::new();
        let mut at = open + 1;
        for property in &parsed.properties {
            let (comma, trivia_end, after_line_comment) = between(text, at..property.start());
            if let Some(before) = members.last_mut() {
                before.comma = comma;
            }
            at = property.value.end();
            members.push(ObjectMember {
                key: property.name.as_str(),
                key_at: property.start(),
                value: property.value.start()..at,
                parsed: &property.value,
                comma: None,
                trivia_end,
                after_line_comment,
            });
        }
        if let Some(last) = members.last_mut() {
            last.comma = between(text, at..close).0;
        }
        Ok(Self {
            open,
            close,
            members,
        })
    }

    /// Returns the member with a key.
    ///
    /// # Errors
    /// When the key is repeated, since programs differ in which member they use.
    pub fn find(&self, text: &str, key: &str) -> Result<Option<&ObjectMember<'o>>, TextEditError> {
        let mut found = self.members.iter().filter(|member| member.key == key);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some(second) => Err(TextEditError::at(
                text,
                second.key_at,
                TextProblem::Twice(key.to_owned()),
            )),
        }
    }

    /// Returns the last member with a key, which is the one that JSON parsers use.
    pub fn last(&self, key: &str) -> Option<&ObjectMember<'o>> {
        self.members.iter().rfind(|member| member.key == key)
    }

    /// Returns the object as JSON. If a key repeats, its last value counts.
    pub fn value(&self) -> serde_json::Value {
        let value =
            |member: &ObjectMember<'_>| (member.key.to_owned(), member.parsed.clone().into());
        let members = self.members.iter().map(value);
        serde_json::Value::Object(members.collect())
    }

    /// Returns the object at a path of keys in this one. `None` if a key is missing.
    pub fn at<'k>(
        self,
        text: &str,
        keys: impl IntoIterator<Item = &'k str>,
    ) -> Result<Option<Self>, TextEditError> {
        let mut here = self;
        for key in keys {
            here = match here.find(text, key)? {
                Some(member) => member.object(text)?,
                None => return Ok(None),
            };
        }
        Ok(Some(here))
    }

    /// Returns the text between the braces.
    pub fn inside<'x>(&self, text: &'x str) -> &'x str {
        &text[self.open + 1..self.close]
    }
}

impl<'o> ObjectMember<'o> {
    /// Returns the value, which must be an object.
    pub fn object(&self, text: &str) -> Result<SpannedObject<'o>, TextEditError> {
        match self.parsed {
            Value::Object(object) => SpannedObject::of(text, object),
            _ => {
                let wrong = TextProblem::NoObject(self.key.to_owned());
                Err(TextEditError::at(text, self.value.start, wrong))
            }
        }
    }
}

/// Scans the text between two members. Returns the position of its comma, the end of its last token
/// (or the start of the text), and whether that token is a line comment.
fn between(text: &str, gap: Range<usize>) -> (Option<usize>, usize, bool) {
    let (mut comma, mut end, mut is_line) = (None, gap.start, false);
    let mut scanner = Scanner::new(&text[gap.clone()], &ScannerOptions::default());
    while let Ok(Some(token)) = scanner.scan() {
        end = gap.start + scanner.token_end();
        is_line = matches!(token, Token::CommentLine(_));
        if token == Token::Comma {
            comma = Some(gap.start + scanner.token_start());
        }
    }
    (comma, end, is_line)
}

/// Counts the comments in a part of a text.
pub fn comments(text: &str) -> usize {
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    let tokens = std::iter::from_fn(|| scanner.scan().ok().flatten());
    let is_comment =
        |token: &Token<'_>| matches!(token, Token::CommentLine(_) | Token::CommentBlock(_));
    tokens.filter(is_comment).count()
}

/// Returns the end of the last comment on the rest of the line. `None` without a comment, or if
/// other text follows a block comment.
pub(crate) fn after_comments_of_line(text: &str, at: usize) -> Option<usize> {
    let mut scanner = Scanner::new(&text[at..], &ScannerOptions::default());
    let mut end = None;
    let mut is_block = false;
    while let Ok(Some(token)) = scanner.scan() {
        let after = at + scanner.token_end();
        if text[end.unwrap_or(at)..after].contains('\n') {
            return end;
        }
        match token {
            Token::CommentLine(_) => is_block = false,
            Token::CommentBlock(_) => is_block = true,
            // A block comment with text after it most likely describes that text.
            _ if is_block => return None,
            _ => return end,
        }
        end = Some(after);
    }
    end
}
