//! Masks secrets in everything that is written to disk.
//!
//! Values of `${secret:NAME}`, and of `${env:NAME}` with a well-known name, are masked anywhere.
//! Arguments are masked if the schema marks them as `writeOnly` or `format: password`. Arguments
//! and drafts with a well-known name are masked too. A secret among the arguments is also masked in
//! the call's other arguments, result and error, since servers often repeat their input. Tokens
//! with a known shape are always masked in arguments, results and errors ([`shapes`]).
//!
//! A secret is found in its literal form, as a JSON string, as JSON inside a JSON string, in a URL,
//! and in Base64 as for Basic authentication ([`forms`]). Hashes of secrets are not searched. A
//! secret under four bytes is not masked inside a longer text, since that would break words without
//! hiding anything.

mod draft;
mod forms;
mod line;
mod schema;
mod shapes;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use guild_api::wire::{CallEnd, MASK, RpcError};
use guild_model::arguments::parse_exact;
use guild_schema::validate::ArgumentError;
use guild_text::secret_detection;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

pub use self::draft::draft;
use self::forms::forms_of;
use self::schema::ApplicableSchemas;

/// Minimum length of a secret that is masked inside longer texts, in bytes.
const INSIDE_MIN: usize = 4;
/// Minimum length of a secret argument that is also masked in the other arguments, in bytes. A
/// secret shorter than [`INSIDE_MIN`] is masked there only if it is the whole string.
const ELSEWHERE_MIN: usize = 3;
/// Minimum length of a line of a multi-line secret that is masked separately, in bytes.
const LINE_MIN: usize = 12;
/// Maximum size of the text that is recorded for arguments that are not valid JSON, in bytes.
const UNREADABLE_MAX: usize = 64 * 1024;
/// Maximum number of values that are masked one by one in the arguments of a recorded call. If
/// there are more, all its arguments are masked.
const PLACES_MAX: usize = 1_000;
/// Maximum total size of secrets in arguments that are masked in the same call's result, in bytes.
/// The search takes about a hundred times their size in memory.
const FOUND_MAX: usize = 64 * 1024;

/// Names of fields whose text is the name of the value in the adjacent field `value`.
const NAMES_OF_VALUES: [&str; 4] = ["name", "key", "header", "variable"];

/// A function that masks secrets in a string.
type Hide = for<'s, 't> fn(&'s SecretMatcher, &'t str) -> Cow<'t, str>;

/// The secrets to mask.
#[derive(Debug, Clone, Default)]
pub struct SecretMatcher {
    whole: BTreeSet<String>,
    /// All encodings of all secrets.
    forms: Arc<BTreeSet<String>>,
    finder: Option<AhoCorasick>,
    /// Whether every text is masked as a whole, because there are too many secrets to search for.
    everything: bool,
}

impl SecretMatcher {
    /// Prepares a search for these values and their encodings. Short values match only as a whole.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let whole: BTreeSet<String> = values
            .into_iter()
            .flat_map(|value| {
                let trimmed = value.trim().to_owned();
                [value, trimmed]
            })
            .filter(|value| !value.is_empty() && value != MASK)
            .collect();
        let forms: BTreeSet<String> = whole
            .iter()
            .flat_map(|value| std::iter::once(value.as_str()).chain(long_lines(value)))
            .filter(|value| value.len() >= INSIDE_MIN)
            .flat_map(forms_of)
            .collect();
        let finder = (!forms.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(&forms)
        });
        // This fails only above 2 GiB of patterns, which the limits exclude.
        let everything = matches!(finder, Some(Err(_)));
        Self {
            whole,
            forms: Arc::new(forms),
            finder: finder.and_then(Result::ok),
            everything,
        }
    }

    /// Returns a matcher that masks every text.
    fn everything() -> Self {
        Self {
            everything: true,
            ..Self::default()
        }
    }

    /// Returns a matcher that also masks the strings in `more`.
    fn with(&self, more: Vec<String>) -> Cow<'_, Self> {
        if more.is_empty() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self::new(self.whole.iter().cloned().chain(more)))
    }

    /// Masks all secrets in a text. Borrows the text if it has none.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hide_head(text, text.len()) {
            (hidden, _) if hidden == text => Cow::Borrowed(text),
            (hidden, _) => Cow::Owned(hidden),
        }
    }

    /// Masks the first `max` bytes of the text. A secret that the cut would divide is masked as a
    /// whole. Also returns whether text is missing: because it is longer than `max`, or because all
    /// of it is masked.
    pub(crate) fn hide_head(&self, text: &str, max: usize) -> (String, bool) {
        if self.everything && !text.is_empty() {
            return (MASK.to_owned(), true);
        }
        let end = text.floor_char_boundary(max);
        let mut hidden = String::with_capacity(end);
        let mut at = 0;
        for found in self.finder.iter().flat_map(|finder| finder.find_iter(text)) {
            if found.start() >= end {
                break;
            }
            hidden.push_str(&text[at..found.start()]);
            hidden.push_str(MASK);
            at = found.end();
        }
        if at < end {
            hidden.push_str(&text[at..end]);
        }
        (hidden, end < text.len())
    }

    /// Masks secrets, and tokens with a known shape.
    pub fn hide_with_tokens<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hide(text) {
            Cow::Borrowed(text) => secret_detection::without_tokens(text, MASK),
            Cow::Owned(text) => secret_detection::without_tokens(&text, MASK)
                .into_owned()
                .into(),
        }
    }

    /// Like [`hide_head`](Self::hide_head), but also masks tokens with a known shape.
    pub fn hide_head_with_tokens(&self, text: &str, max: usize) -> (String, bool) {
        let divided = shapes::across(text, max);
        let (hidden, truncated) = self.hide_head(text, divided.unwrap_or(max));
        let mut hidden = match secret_detection::without_tokens(&hidden, MASK) {
            Cow::Owned(less) => less,
            Cow::Borrowed(_) => hidden,
        };
        if divided.is_some() && !hidden.ends_with(MASK) {
            hidden.push_str(MASK);
        }
        (hidden, truncated)
    }

    /// Masks secrets in JSON and keeps it valid. `None` if that is impossible.
    pub fn hide_json(&self, json: &str) -> Option<String> {
        self.hide_json_by(json, Self::hide)
    }

    fn hide_json_by(&self, json: &str, hide: Hide) -> Option<String> {
        let hidden = hide(self, json).into_owned();
        if serde_json::from_str::<IgnoredAny>(&hidden).is_ok() {
            return Some(hidden);
        }
        self.hide_values(json, hide)
    }

    /// Masks secrets in the values of JSON. If the digits of a number contain a secret, the whole
    /// number is masked.
    fn hide_values(&self, json: &str, hide: Hide) -> Option<String> {
        let mut value = serde_json::from_str(json).ok()?;
        self.hide_in(&mut value, hide);
        Some(value.to_string())
    }

    fn hide_in(&self, value: &mut Value, hide: Hide) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                if let Cow::Owned(_) = self.hide(&number.to_string()) {
                    *value = MASK.into();
                }
            }
            Value::String(text) => {
                if let Cow::Owned(hidden) = hide(self, text) {
                    *text = hidden;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item, hide)),
            Value::Object(fields) => {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(key, mut value)| {
                        self.hide_in(&mut value, hide);
                        (hide(self, &key).into_owned(), value)
                    })
                    .collect();
            }
        }
    }

    fn is_whole(&self, text: &str) -> bool {
        self.whole.contains(text)
    }
}

fn long_lines(value: &str) -> impl Iterator<Item = &str> {
    let several = value.contains('\n');
    value
        .lines()
        .map(str::trim)
        .filter(move |line| several && line.len() >= LINE_MIN)
}

/// Arguments in which secrets are masked.
#[derive(Debug, PartialEq)]
pub struct MaskedArguments {
    /// The arguments as typed. If something was masked, the arguments are serialized again.
    pub text: String,
    /// JSON Pointers of the masked values.
    pub places: Vec<String>,
}

/// Masks secrets in arguments. Also returns a matcher that includes the secrets that were found.
pub fn arguments<'a>(
    text: &str,
    schema: Option<&Value>,
    secrets: &'a SecretMatcher,
) -> (MaskedArguments, Cow<'a, SecretMatcher>) {
    masked(text, schema, secrets, false)
}

/// Masks arguments that the user will send again. They may come from a recorded call, so an
/// existing mask counts as a masked value, which the user has to enter again. Also returns a
/// matcher that includes the secrets that were found.
pub fn again<'a>(
    text: &str,
    schema: Option<&Value>,
    secrets: &'a SecretMatcher,
) -> (MaskedArguments, Cow<'a, SecretMatcher>) {
    masked(text, schema, secrets, true)
}

fn masked<'a>(
    text: &str,
    schema: Option<&Value>,
    secrets: &'a SecretMatcher,
    mask_is_gap: bool,
) -> (MaskedArguments, Cow<'a, SecretMatcher>) {
    let Ok(mut read) = parse_exact(text) else {
        return (unreadable(text, schema, secrets), Cow::Borrowed(secrets));
    };
    let root = ApplicableSchemas::of(schema.unwrap_or(&Value::Null));
    let mut walk = ArgumentRedaction {
        secrets,
        mask_is_gap,
        places: Vec::new(),
        found: Vec::new(),
        pointer: String::new(),
    };
    walk.object(&mut read, &root, root.is_secret());
    let ArgumentRedaction {
        mut places, found, ..
    } = walk;
    let found_bytes: usize = found.iter().map(String::len).sum();
    let too_much = |places: &[String]| places.len() > PLACES_MAX || found_bytes > FOUND_MAX;
    // A saved call is an exception: its masked values must all be listed, and it has no result to
    // mask.
    if !mask_is_gap && too_much(&places) {
        return (nothing_but_mask(), Cow::Owned(SecretMatcher::everything()));
    }
    let new: Vec<String> = found
        .into_iter()
        .filter(|value| !secrets.is_whole(value))
        .collect();
    let all = secrets.with(new.clone());
    // A secret in one argument is masked in all others. If there are too many secrets to search
    // for, each is masked only at its own position.
    let elsewhere: Vec<String> = new
        .into_iter()
        .filter(|value| value.len() >= ELSEWHERE_MIN)
        .collect();
    if !elsewhere.is_empty() && found_bytes <= FOUND_MAX {
        let found = SecretMatcher::new(elsewhere);
        let mut walk = ArgumentRedaction {
            secrets: &found,
            mask_is_gap: false,
            places: Vec::new(),
            found: Vec::new(),
            pointer: String::new(),
        };
        walk.known_in_object(&mut read);
        let known: HashSet<String> = places.iter().cloned().collect();
        let more = walk.places.into_iter();
        places.extend(more.filter(|place| !known.contains(place)));
        if !mask_is_gap && too_much(&places) {
            return (nothing_but_mask(), Cow::Owned(SecretMatcher::everything()));
        }
    }
    let text = if places.is_empty() {
        text.to_owned()
    } else {
        Value::Object(read).to_string()
    };
    (MaskedArguments { text, places }, all)
}

/// Masks arguments that are not valid JSON. The whole text is masked if it has a well-known name of
/// a secret, or if the schema marks any value as secret.
fn unreadable(text: &str, schema: Option<&Value>, secrets: &SecretMatcher) -> MaskedArguments {
    if secret_detection::any_in(text) || schema.is_some_and(schema::marks_any) {
        return nothing_but_mask();
    }
    let (text, _) = secrets.hide_head_with_tokens(text, UNREADABLE_MAX);
    MaskedArguments {
        text,
        places: vec![],
    }
}

fn nothing_but_mask() -> MaskedArguments {
    MaskedArguments {
        text: MASK.to_owned(),
        places: vec![String::new()],
    }
}

/// The state of one traversal of the arguments.
struct ArgumentRedaction<'a> {
    secrets: &'a SecretMatcher,
    /// Whether an existing mask counts as a masked value.
    mask_is_gap: bool,
    places: Vec<String>,
    /// The secrets that were found by their position in the arguments.
    found: Vec<String>,
    pointer: String,
}

impl ArgumentRedaction<'_> {
    fn value(&mut self, value: &mut Value, places: &ApplicableSchemas<'_>, secret: bool) {
        let secret = secret || places.is_secret();
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                let text = number.to_string();
                if secret || self.secrets.is_whole(&text) {
                    self.found.push(text);
                    self.masked(value, MASK.to_owned());
                }
            }
            Value::String(text) if text.is_empty() => {}
            Value::String(text) if secret || self.secrets.is_whole(text) => {
                self.found.push(std::mem::take(text));
                self.masked(value, MASK.to_owned());
            }
            Value::String(text) => {
                if let Some(hidden) = self.hidden(text) {
                    self.masked(value, hidden);
                } else if self.is_gap(text) {
                    self.places.push(self.pointer.clone());
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    let places = places.item(at);
                    self.below(&at.to_string(), |walk| walk.value(item, &places, secret));
                }
            }
            Value::Object(fields) => self.object(fields, places, secret),
        }
    }

    fn object(
        &mut self,
        fields: &mut Map<String, Value>,
        places: &ApplicableSchemas<'_>,
        secret: bool,
    ) {
        // In `{"name": "Authorization", "value": …}`, the first field shows that the second is
        // secret.
        let named = NAMES_OF_VALUES
            .iter()
            .find_map(|key| fields.get(*key)?.as_str())
            .is_some_and(secret_detection::is_secret);
        let mut renamed = Vec::new();
        for (key, value) in fields.iter_mut() {
            let secret = secret || secret_detection::is_secret(key) || (named && key == "value");
            let places = places.property(key);
            let hidden = self.hidden(key);
            let shown = hidden.as_deref().unwrap_or(key);
            self.below(shown, |walk| walk.value(value, &places, secret));
            if let Some(hidden) = hidden {
                renamed.push((key.clone(), hidden));
            } else if self.is_gap(key) {
                self.below(key, |walk| walk.places.push(walk.pointer.clone()));
            }
        }
        for (key, hidden) in renamed {
            let value = fields.shift_remove(&key).unwrap_or_default();
            self.below(&hidden, |walk| walk.places.push(walk.pointer.clone()));
            fields.insert(hidden, value);
        }
    }

    /// Masks secrets by value or shape. `None` if the text has none.
    fn hidden(&mut self, text: &str) -> Option<String> {
        let known = match self.secrets.hide(text) {
            Cow::Owned(hidden) => Some(hidden),
            Cow::Borrowed(_) => None,
        };
        let left = known.as_deref().unwrap_or(text);
        shapes::take_out(left, &mut self.found).or(known)
    }

    /// Masks known secrets, but not tokens with a known shape, in all values.
    fn known_in(&mut self, value: &mut Value) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                let text = number.to_string();
                if text.len() >= INSIDE_MIN && self.secrets.is_whole(&text) {
                    self.masked(value, MASK.to_owned());
                }
            }
            Value::String(text) if self.secrets.is_whole(text) => {
                self.masked(value, MASK.to_owned());
            }
            Value::String(text) => {
                if let Cow::Owned(hidden) = self.secrets.hide(text) {
                    self.masked(value, hidden);
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.below(&at.to_string(), |walk| walk.known_in(item));
                }
            }
            Value::Object(fields) => self.known_in_object(fields),
        }
    }

    fn known_in_object(&mut self, fields: &mut Map<String, Value>) {
        let secrets = self.secrets;
        if fields
            .keys()
            .any(|key| matches!(secrets.hide(key), Cow::Owned(_)))
        {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(key, value)| {
                    let hidden = secrets.hide(&key).into_owned();
                    if hidden != key {
                        self.below(&hidden, |walk| walk.places.push(walk.pointer.clone()));
                    }
                    (hidden, value)
                })
                .collect();
        }
        for (key, value) in fields.iter_mut() {
            self.below(key, |walk| walk.known_in(value));
        }
    }

    fn is_gap(&self, text: &str) -> bool {
        self.mask_is_gap && text.contains(MASK)
    }

    fn below(&mut self, key: &str, visit: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer
            .push_str(&key.replace('~', "~0").replace('/', "~1"));
        visit(self);
        self.pointer.truncate(length);
    }

    fn masked(&mut self, value: &mut Value, text: String) {
        *value = Value::String(text);
        self.places.push(self.pointer.clone());
    }
}

/// Masks secrets in a call's result or error. Cuts the result to `max` bytes, and returns whether
/// it was longer.
pub fn end(end: CallEnd, secrets: &SecretMatcher, max: usize) -> (CallEnd, bool) {
    let hide = |text: String| secrets.hide_with_tokens(&text).into_owned();
    match end {
        CallEnd::Result { result, is_error } => {
            let (hidden, truncated) = secrets.hide_head_with_tokens(&result, max);
            let broken = !truncated && serde_json::from_str::<IgnoredAny>(&hidden).is_err();
            let result = broken
                .then(|| secrets.hide_values(&result, SecretMatcher::hide_with_tokens))
                .flatten()
                .unwrap_or(hidden);
            (CallEnd::Result { result, is_error }, truncated)
        }
        CallEnd::Failed {
            mut report,
            rpc,
            arguments,
            mut stderr,
        } => {
            for text in report.texts_mut() {
                *text = secrets.hide_with_tokens(text).into_owned();
            }
            let rpc = rpc.map(|rpc| RpcError {
                code: rpc.code,
                message: hide(rpc.message),
                data: rpc.data.map(|data| {
                    let less = secrets.hide_json_by(&data, SecretMatcher::hide_with_tokens);
                    less.unwrap_or_else(|| hide(data))
                }),
            });
            let arguments = arguments
                .into_iter()
                .map(|error| ArgumentError {
                    pointer: hide(error.pointer),
                    message: hide(error.message),
                    keyword: error.keyword,
                })
                .collect();
            for line in &mut stderr {
                line.text = secrets.hide_with_tokens(&line.text).into_owned();
            }
            let end = CallEnd::Failed {
                report,
                rpc,
                arguments,
                stderr,
            };
            (end, false)
        }
    }
}

#[cfg(test)]
mod tests;
