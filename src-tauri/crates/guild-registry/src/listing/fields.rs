//! The fields of an entry, under all names that format versions have used.

use serde_json::{Map, Value};

use crate::messages::ListingProblem;

/// Maximum length of a text for display, in characters. Longer texts are cut.
const WORDS_MAX: usize = 2_000;

#[derive(Debug, Clone, Copy)]
pub(super) struct RegistryFields<'v>(&'v Map<String, Value>);

impl<'v> RegistryFields<'v> {
    pub(super) fn of(value: &'v Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    /// Returns the value of the first of these fields that is present.
    pub(super) fn get(self, names: &[&str]) -> Option<&'v Value> {
        let values = names.iter().filter_map(|name| self.0.get(*name));
        values.into_iter().find(|value| !value.is_null())
    }

    /// Returns the object under one of these names.
    pub(super) fn object(self, names: &[&str]) -> Option<Self> {
        self.get(names).and_then(Self::of)
    }

    /// Returns the text under one of these names. Numbers and booleans are converted.
    pub(super) fn text(self, names: &[&str]) -> Option<String> {
        match self.get(names)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }

    /// Returns the text for display under one of these names, trimmed and cut. Empty if there is
    /// none.
    pub(super) fn words(self, names: &[&str]) -> String {
        let text = self.text(names).unwrap_or_default();
        text.trim().chars().take(WORDS_MAX).collect()
    }

    /// Whether the flag under one of these names is set.
    pub(super) fn is_set(self, names: &[&str]) -> bool {
        self.get(names).and_then(Value::as_bool) == Some(true)
    }

    /// Returns the list under one of these names, or an empty one.
    ///
    /// # Errors
    /// When the value is not a list, or the list is too long.
    pub(super) fn list(self, names: &[&str], max: usize) -> Result<&'v [Value], ListingProblem> {
        let name = names.first().copied().unwrap_or_default();
        match self.get(names) {
            None => Ok(&[]),
            Some(Value::Array(list)) if list.len() <= max => Ok(list),
            Some(Value::Array(_)) => Err(ListingProblem::LongList(name.to_owned(), max)),
            Some(_) => Err(ListingProblem::NoList(name.to_owned())),
        }
    }
}

/// Returns the text if it is a web address (`http:` or `https:`) that the user may open in a
/// browser.
pub(super) fn page(text: Option<String>) -> Option<String> {
    let text = text?;
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace();
    (is_web && text.len() <= 2_048 && text.chars().all(is_plain)).then_some(text)
}
