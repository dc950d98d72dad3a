//! Taking secrets out of what is written down.
//!
//! What counts as a secret: the values of `${secret:NAME}`, and of `${env:NAME}` where the name is
//! well known for it ([`guild_core::telling`]), wherever they stand; arguments whose place the schema marks as
//! `writeOnly` or `format: password`; and arguments and drafts under such a name. What was found
//! among the arguments is a secret in all other arguments of the call, and in its result and error
//! too, since servers like to repeat what they were sent. Tokens that are known by their shape are
//! masked in arguments, results and errors, whoever has them ([`shapes`]).
//!
//! Found are the value itself, as JSON text writes it (also inside a text that is JSON again), as an
//! address writes it, and in Base64, as Basic authentication sends it ([`forms`]). Deliberately
//! absent: hashes, and texts of under four bytes inside of longer ones, which would take words apart
//! that hide nothing.

mod draft;
mod forms;
mod line;
mod schema;
mod shapes;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use guild_core::arguments::parse_exact;
use guild_core::telling;
use guild_core::wire::{ArgumentError, CallEnd, MASK, RpcError};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

pub(crate) use self::draft::draft;
use self::forms::forms_of;
pub(crate) use self::line::LineMask;
use self::schema::Places;

/// The shortest secret that is looked for inside of longer texts, in bytes.
const INSIDE_MIN: usize = 4;
/// The shortest secret of one argument that is looked for in the others, in bytes. One that is shorter
/// than [`INSIDE_MIN`] is masked only if it is the whole string.
const ELSEWHERE_MIN: usize = 3;
/// The shortest line of a secret of several lines that is a secret by itself, in bytes.
const LINE_MIN: usize = 12;
/// How much is kept of arguments that are no arguments, in bytes.
const UNREADABLE_MAX: usize = 64 * 1024;
/// The most places of the arguments that are masked one by one.
const PLACES_MAX: usize = 1_000;
/// The most bytes of secrets in the arguments that are looked for in the same call's result: the
/// search takes about a hundred times their size in memory.
const FOUND_MAX: usize = 64 * 1024;

/// Fields that may have the name of what a field `value` beside them holds.
const NAMES_OF_VALUES: [&str; 4] = ["name", "key", "header", "variable"];

/// How secrets are taken out of a string.
type Hide = for<'s, 't> fn(&'s Secrets, &'t str) -> Cow<'t, str>;

/// What must not be written down.
#[derive(Debug, Clone, Default)]
pub(crate) struct Secrets {
    whole: BTreeSet<String>,
    /// Each secret in each way that it may be written.
    forms: Arc<BTreeSet<String>>,
    finder: Option<AhoCorasick>,
    /// There are too many to be looked for: any text may have one.
    everything: bool,
}

impl Secrets {
    /// Looks for these from now on.
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Self {
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
        // Fails past 2 GiB of patterns, which are made of far less.
        let everything = matches!(finder, Some(Err(_)));
        Self {
            whole,
            forms: Arc::new(forms),
            finder: finder.and_then(Result::ok),
            everything,
        }
    }

    /// Takes any text for a secret.
    fn everything() -> Self {
        Self {
            everything: true,
            ..Self::default()
        }
    }

    /// These and more.
    fn with(&self, more: Vec<String>) -> Cow<'_, Self> {
        if more.is_empty() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self::new(self.whole.iter().cloned().chain(more)))
    }

    /// The text without secrets.
    pub(crate) fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hide_head(text, text.len()) {
            (hidden, _) if hidden == text => Cow::Borrowed(text),
            (hidden, _) => Cow::Owned(hidden),
        }
    }

    /// The text's first `max` bytes without secrets, and whether there was more. A secret that
    /// begins before the cut and ends behind it is hidden whole.
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

    /// The text without secrets, and without tokens that are known by their shape.
    pub(crate) fn hide_with_tokens<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hide(text) {
            Cow::Borrowed(text) => telling::without_tokens(text, MASK),
            Cow::Owned(text) => telling::without_tokens(&text, MASK).into_owned().into(),
        }
    }

    /// As [`hide_head`](Self::hide_head), and without tokens that are known by their shape.
    pub(crate) fn hide_head_with_tokens(&self, text: &str, max: usize) -> (String, bool) {
        let divided = shapes::across(text, max);
        let (hidden, truncated) = self.hide_head(text, divided.unwrap_or(max));
        let mut hidden = match telling::without_tokens(&hidden, MASK) {
            Cow::Owned(less) => less,
            Cow::Borrowed(_) => hidden,
        };
        if divided.is_some() && !hidden.ends_with(MASK) {
            hidden.push_str(MASK);
        }
        (hidden, truncated)
    }

    /// JSON without secrets, and JSON still; `None` where that can't be had.
    pub(crate) fn hide_json(&self, json: &str) -> Option<String> {
        self.hide_json_by(json, Self::hide)
    }

    fn hide_json_by(&self, json: &str, hide: Hide) -> Option<String> {
        let hidden = hide(self, json).into_owned();
        if serde_json::from_str::<IgnoredAny>(&hidden).is_ok() {
            return Some(hidden);
        }
        self.hide_values(json, hide)
    }

    /// JSON without secrets, and JSON still: one among the digits of a number hides the number.
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

/// Arguments without their secrets.
#[derive(Debug, PartialEq)]
pub(crate) struct MaskedArguments {
    /// The arguments as they were typed, or written anew where something was masked.
    pub(crate) text: String,
    /// Where something was masked, as JSON Pointers.
    pub(crate) places: Vec<String>,
}

/// Masks arguments, and says what else is a secret from here on.
pub(crate) fn arguments<'a>(
    text: &str,
    schema: Option<&Value>,
    secrets: &'a Secrets,
) -> (MaskedArguments, Cow<'a, Secrets>) {
    masked(text, schema, secrets, false)
}

/// Masks arguments that are to be sent once more. They may come from a call that was masked before,
/// so the mask itself is a masked place as well: nobody wants to send it.
pub(crate) fn again(text: &str, schema: Option<&Value>, secrets: &Secrets) -> MaskedArguments {
    masked(text, schema, secrets, true).0
}

fn masked<'a>(
    text: &str,
    schema: Option<&Value>,
    secrets: &'a Secrets,
    mask_is_gap: bool,
) -> (MaskedArguments, Cow<'a, Secrets>) {
    let Ok(mut read) = parse_exact(text) else {
        return (unreadable(text, schema, secrets), Cow::Borrowed(secrets));
    };
    let root = Places::of(schema.unwrap_or(&Value::Null));
    let mut walk = Walk {
        secrets,
        mask_is_gap,
        places: Vec::new(),
        found: Vec::new(),
        pointer: String::new(),
    };
    walk.object(&mut read, &root, root.is_secret());
    let Walk {
        mut places, found, ..
    } = walk;
    let found_bytes: usize = found.iter().map(String::len).sum();
    let too_much = |places: &[String]| places.len() > PLACES_MAX || found_bytes > FOUND_MAX;
    // What a person keeps on purpose is kept with all its places, and has no result.
    if !mask_is_gap && too_much(&places) {
        return (nothing_but_mask(), Cow::Owned(Secrets::everything()));
    }
    let new: Vec<String> = found
        .into_iter()
        .filter(|value| !secrets.is_whole(value))
        .collect();
    let all = secrets.with(new.clone());
    // What is a secret in one place is one in all others. Where there is too much to look for, its
    // places are masked alone.
    let elsewhere: Vec<String> = new
        .into_iter()
        .filter(|value| value.len() >= ELSEWHERE_MIN)
        .collect();
    if !elsewhere.is_empty() && found_bytes <= FOUND_MAX {
        let found = Secrets::new(elsewhere);
        let mut walk = Walk {
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
            return (nothing_but_mask(), Cow::Owned(Secrets::everything()));
        }
    }
    let text = if places.is_empty() {
        text.to_owned()
    } else {
        Value::Object(read).to_string()
    };
    (MaskedArguments { text, places }, all)
}

/// What can't be read can't be taken apart: a well-known name in it hides all of it, and so does a
/// schema that marks any place.
fn unreadable(text: &str, schema: Option<&Value>, secrets: &Secrets) -> MaskedArguments {
    if telling::any_in(text) || schema.is_some_and(schema::marks_any) {
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

/// One walk over arguments.
struct Walk<'a> {
    secrets: &'a Secrets,
    /// Whether a text that has the mask already is a masked place.
    mask_is_gap: bool,
    places: Vec<String>,
    /// What was found by its place.
    found: Vec<String>,
    pointer: String,
}

impl Walk<'_> {
    fn value(&mut self, value: &mut Value, places: &Places<'_>, secret: bool) {
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

    fn object(&mut self, fields: &mut Map<String, Value>, places: &Places<'_>, secret: bool) {
        // `{"name": "Authorization", "value": …}`: the name of the one tells of the other.
        let named = NAMES_OF_VALUES
            .iter()
            .find_map(|key| fields.get(*key)?.as_str())
            .is_some_and(telling::is_secret);
        let mut renamed = Vec::new();
        for (key, value) in fields.iter_mut() {
            let secret = secret || telling::is_secret(key) || (named && key == "value");
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

    /// The text without secrets that are known by their value or their shape; `None` if it has none.
    fn hidden(&mut self, text: &str) -> Option<String> {
        let known = match self.secrets.hide(text) {
            Cow::Owned(hidden) => Some(hidden),
            Cow::Borrowed(_) => None,
        };
        let left = known.as_deref().unwrap_or(text);
        shapes::take_out(left, &mut self.found).or(known)
    }

    /// Masks the secrets that are looked for, wherever they stand, and nothing else.
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

/// The end of a call without secrets, its result cut to `max` bytes; and whether it was longer.
pub(crate) fn end(end: CallEnd, secrets: &Secrets, max: usize) -> (CallEnd, bool) {
    let hide = |text: String| secrets.hide_with_tokens(&text).into_owned();
    match end {
        CallEnd::Result { result, is_error } => {
            let (hidden, truncated) = secrets.hide_head_with_tokens(&result, max);
            let broken = !truncated && serde_json::from_str::<IgnoredAny>(&hidden).is_err();
            let result = broken
                .then(|| secrets.hide_values(&result, Secrets::hide_with_tokens))
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
                    let less = secrets.hide_json_by(&data, Secrets::hide_with_tokens);
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
