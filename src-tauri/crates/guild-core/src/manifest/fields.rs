//! Reading typed fields of one object, noting what does not fit.

use std::collections::BTreeMap;

use super::tree::{Findings, Node, Shape, join};
use super::variables;
use crate::note::{FieldWrong, Shown, Ungrouped, Wanted};
use crate::spanned::Entry;

/// The longest time limit, in milliseconds: a day.
pub(crate) const TIMEOUT_MS_MAX: u64 = 86_400_000;

/// One object of the manifest.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    /// Where it begins.
    pub(super) at: usize,
    path: &'n str,
    entries: &'n [Entry<Node>],
}

impl<'n> Fields<'n> {
    /// The object's fields; a value that is no object is noted, and gives none.
    pub(super) fn of(node: &'n Node, path: &'n str, findings: &mut Findings) -> Option<Self> {
        let Shape::Object(entries) = &node.shape else {
            mismatch(findings, node, path, Wanted::Braces);
            return None;
        };
        let at = node.at;
        Some(Self { at, path, entries })
    }

    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn entries(&self) -> &'n [Entry<Node>] {
        self.entries
    }

    pub(super) fn path(&self, key: &str) -> String {
        join(self.path, key)
    }

    /// Warns of fields that nothing reads.
    pub(super) fn warn_unknown(&self, known: &[&'static str], findings: &mut Findings) {
        for entry in self.entries {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let near = nearest(&entry.key, known);
            let wrong = match near {
                Some(near) => FieldWrong::UnknownNear(near),
                None => FieldWrong::UnknownField(known.to_vec()),
            };
            findings.warn(entry.key_at, &self.path(&entry.key), wrong);
        }
    }

    pub(super) fn text(&self, key: &str, findings: &mut Findings) -> Option<&'n str> {
        let node = self.get(key)?;
        match &node.shape {
            Shape::Text(text) => Some(text),
            _ => {
                mismatch(findings, node, &self.path(key), Wanted::Quoted);
                None
            }
        }
    }

    pub(super) fn flag(&self, key: &str, findings: &mut Findings) -> Option<bool> {
        let node = self.get(key)?;
        match &node.shape {
            Shape::Bool(flag) => Some(*flag),
            _ => {
                mismatch(findings, node, &self.path(key), Wanted::Flag);
                None
            }
        }
    }

    /// A time limit in milliseconds.
    pub(super) fn millis(&self, key: &str, findings: &mut Findings) -> Option<u64> {
        self.millis_up_to(key, TIMEOUT_MS_MAX, findings)
    }

    /// A span of time in milliseconds.
    pub(super) fn millis_up_to(
        &self,
        key: &str,
        most: u64,
        findings: &mut Findings,
    ) -> Option<u64> {
        let node = self.get(key)?;
        let read = match &node.shape {
            Shape::Number(digits) => whole(digits),
            _ => None,
        };
        let fits = read.filter(|ms| (1..=most).contains(ms));
        if fits.is_none() {
            mismatch(
                findings,
                node,
                &self.path(key),
                Wanted::Millis(Ungrouped(most)),
            );
        }
        fits
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &str,
        choices: &[(&str, T)],
        findings: &mut Findings,
    ) -> Option<T> {
        let node = self.get(key)?;
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let found = match &node.shape {
            Shape::Text(text) => {
                if let Some((_, value)) = choices.iter().find(|(word, _)| word == text) {
                    return Some(*value);
                }
                let cut: String = text.chars().take(40).collect();
                Shown::Plain(format!("{cut:?}"))
            }
            other => other.in_words(),
        };
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let near = match &node.shape {
            Shape::Text(text) => nearest(text, &words),
            _ => None,
        };
        let wrong = match near {
            Some(near) => FieldWrong::NoChoiceNear(quoted, found, near.to_owned()),
            None => FieldWrong::NoChoice(quoted, found),
        };
        findings.error(node.at, &self.path(key), wrong);
        None
    }

    /// A list of texts, each with its variables checked where `variables` says so.
    pub(super) fn texts(
        &self,
        key: &str,
        with_variables: bool,
        findings: &mut Findings,
    ) -> Vec<String> {
        let path = self.path(key);
        let items = match self.get(key).map(|node| (node, &node.shape)) {
            None => return Vec::new(),
            Some((_, Shape::List(items))) => items,
            Some((node, _)) => {
                mismatch(findings, node, &path, Wanted::Texts);
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let Shape::Text(text) = &item.shape else {
                mismatch(findings, item, &path, Wanted::Quoted);
                continue;
            };
            if with_variables {
                check_variables(findings, item.at, &path, text);
            }
            texts.push(text.clone());
        }
        texts
    }

    /// An object of texts whose values may have variables.
    pub(super) fn text_map(
        &self,
        key: &str,
        check_name: fn(&str) -> Option<FieldWrong>,
        findings: &mut Findings,
    ) -> BTreeMap<String, String> {
        let path = self.path(key);
        let Some(fields) = self
            .get(key)
            .and_then(|node| Fields::of(node, &path, findings))
        else {
            return BTreeMap::new();
        };
        let mut map = BTreeMap::new();
        for Entry { key, key_at, value } in fields.entries {
            let path = join(&path, key);
            if let Some(wrong) = check_name(key) {
                findings.error(*key_at, &path, wrong);
            }
            let Shape::Text(text) = &value.shape else {
                mismatch(findings, value, &path, Wanted::Quoted);
                continue;
            };
            check_variables(findings, value.at, &path, text);
            map.insert(key.clone(), text.clone());
        }
        map
    }
}

/// Notes a value of the wrong kind.
pub(super) fn mismatch(findings: &mut Findings, node: &Node, path: &str, wanted: Wanted) {
    let found = node.shape.in_words();
    let wrong = if path.is_empty() {
        FieldWrong::NotWanted(wanted, found)
    } else {
        FieldWrong::Mismatch(wanted, found)
    };
    findings.error(node.at, path, wrong);
}

/// Notes variables that do not exist or are not closed.
pub(super) fn check_variables(findings: &mut Findings, at: usize, path: &str, text: &str) {
    if let Some(wrong) = variables::problem_in(text) {
        findings.error(at, path, FieldWrong::Variable(wrong));
    }
}

/// The choice that was probably meant.
pub(crate) fn nearest<'c>(text: &str, choices: &[&'c str]) -> Option<&'c str> {
    let plain = |word: &str| {
        let letters = word.chars().take(64).filter(char::is_ascii_alphanumeric);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let text = plain(text);
    choices
        .iter()
        .map(|choice| (strsim::damerau_levenshtein(&text, &plain(choice)), *choice))
        .filter(|(distance, choice)| *distance <= 2 && *distance * 2 < choice.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, choice)| choice)
}

/// A number without a fraction, however it is written: `5000`, `5e3`, `5000.0`.
fn whole(digits: &str) -> Option<u64> {
    if let Ok(whole) = digits.parse() {
        return Some(whole);
    }
    let float: f64 = digits.parse().ok()?;
    // Every whole number below 2^53 is exact as an f64.
    let exact = float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&float);
    exact.then_some(float as u64)
}
