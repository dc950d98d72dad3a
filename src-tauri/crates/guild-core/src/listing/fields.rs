//! The fields of an entry, under the names that they had over the years.

use serde_json::{Map, Value};

use crate::note::ListingWrong;

/// A text for people is cut after so many characters.
const WORDS_MAX: usize = 2_000;

/// An object's fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    pub(super) fn of(value: &'v Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// The first of these names that has a value.
    pub(super) fn get(self, names: &[&str]) -> Option<&'v Value> {
        let values = names.iter().filter_map(|name| self.0.get(*name));
        values.into_iter().find(|value| !value.is_null())
    }

    /// The object under one of these names.
    pub(super) fn object(self, names: &[&str]) -> Option<Self> {
        self.get(names).and_then(Self::of)
    }

    /// The text under one of these names. Numbers and flags are taken as they are written.
    pub(super) fn text(self, names: &[&str]) -> Option<String> {
        match self.get(names)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }

    /// The text for people under one of these names, cut and trimmed; empty where there is none.
    pub(super) fn words(self, names: &[&str]) -> String {
        let text = self.text(names).unwrap_or_default();
        text.trim().chars().take(WORDS_MAX).collect()
    }

    /// Whether the flag under one of these names is set.
    pub(super) fn is_set(self, names: &[&str]) -> bool {
        self.get(names).and_then(Value::as_bool) == Some(true)
    }

    /// The list under one of these names: empty where there is none.
    ///
    /// # Errors
    /// Where something else stands there, or it is too long.
    pub(super) fn list(self, names: &[&str], max: usize) -> Result<&'v [Value], ListingWrong> {
        let name = names.first().copied().unwrap_or_default();
        match self.get(names) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= max => Ok(list),
            Some(Value::Array(_)) => Err(ListingWrong::LongList(name.to_owned(), max)),
            Some(_) => Err(ListingWrong::NoList(name.to_owned())),
        }
    }
}

/// An address of a page that a person may open: of the web, and nothing else.
pub(super) fn page(text: Option<String>) -> Option<String> {
    let text = text?;
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace();
    (is_web && text.len() <= 2_048 && text.chars().all(is_plain)).then_some(text)
}
