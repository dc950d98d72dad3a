//! A string of an entry, split into plain text and references.

use std::fmt;

use guild_api::wire::MASK;

/// A part of a string.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum TextSegment {
    /// Literal text.
    Plain(String),
    /// Literal text that a person entered. Separators inside it don't split the surrounding string.
    Given(String),
    /// An environment variable, by its name.
    Env(String),
    /// An input, by its id.
    Input(String),
    /// A variable of the member's manifest, by the name in its braces.
    Variable(String),
    /// A secret that was detected by its position or form.
    Secret {
        /// The secret's name.
        name: String,
        /// The secret itself.
        value: String,
    },
}

/// Prints only the name of a `Secret`. `Plain` and `Given` are printed in full, so they may still
/// reveal a secret before `mark_secrets` has run.
impl fmt::Debug for TextSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(text) | Self::Given(text) => write!(f, "{text:?}"),
            Self::Env(name) => write!(f, "${{env:{name}}}"),
            Self::Input(id) => write!(f, "${{input:{id}}}"),
            Self::Variable(name) => write!(f, "${{{name}}}"),
            Self::Secret { name, .. } => write!(f, "<{name}>"),
        }
    }
}

/// A string with references.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TextTemplate(pub(super) Vec<TextSegment>);

/// Joins segments, as [`push`](TextTemplate::push) does.
impl FromIterator<TextSegment> for TextTemplate {
    fn from_iter<I: IntoIterator<Item = TextSegment>>(parts: I) -> Self {
        let mut text = Self::default();
        parts.into_iter().for_each(|part| text.push(part));
        text
    }
}

impl TextTemplate {
    /// Creates a string without references.
    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![TextSegment::Plain(text.into())])
    }

    /// Creates a reference to an input.
    pub fn input(id: impl Into<String>) -> Self {
        Self(vec![TextSegment::Input(id.into())])
    }

    /// Creates a secret with this name, or an empty string for an empty value.
    pub(super) fn secret(name: String, value: String) -> Self {
        match value.is_empty() {
            true => Self::default(),
            false => Self(vec![TextSegment::Secret { name, value }]),
        }
    }

    /// Creates a reference to an environment variable, with text before it.
    pub(super) fn env(before: &str, name: &str) -> Self {
        let before = TextSegment::Plain(before.to_owned());
        [before, TextSegment::Env(name.to_owned())]
            .into_iter()
            .collect()
    }

    /// Returns the segments, in order.
    pub fn segments(&self) -> &[TextSegment] {
        &self.0
    }

    /// Appends a segment. Empty plain or given text is skipped, and adjacent plain text is merged.
    pub fn push(&mut self, segment: TextSegment) {
        match (self.0.last_mut(), segment) {
            (_, TextSegment::Plain(text) | TextSegment::Given(text)) if text.is_empty() => {}
            (Some(TextSegment::Plain(before)), TextSegment::Plain(text)) => before.push_str(&text),
            (_, segment) => self.0.push(segment),
        }
    }

    /// Returns the literal text. `None` if there is a reference or a secret.
    pub(super) fn literal(&self) -> Option<String> {
        let segment = |segment: &TextSegment| match segment {
            TextSegment::Plain(text) | TextSegment::Given(text) => Some(text.clone()),
            TextSegment::Env(_)
            | TextSegment::Input(_)
            | TextSegment::Variable(_)
            | TextSegment::Secret { .. } => None,
        };
        self.0.iter().map(segment).collect()
    }

    /// Returns the ids of the inputs that the string refers to.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            TextSegment::Input(id) => Some(id.as_str()),
            _ => None,
        })
    }

    /// Checks whether there is a `$` directly before a reference. In a manifest, it would escape
    /// that reference.
    pub(super) fn has_dollar_before_reference(&self) -> bool {
        self.0.windows(2).any(|pair| {
            matches!(&pair[0], TextSegment::Plain(text) | TextSegment::Given(text) if text.ends_with('$'))
                && !matches!(pair[1], TextSegment::Plain(_) | TextSegment::Given(_))
        })
    }

    /// Returns the string for display, with its secrets masked.
    pub fn shown(&self) -> String {
        self.rendered(|_| MASK.to_owned())
    }

    pub(crate) fn has_secret(&self) -> bool {
        let is_secret = |segment: &TextSegment| matches!(segment, TextSegment::Secret { .. });
        self.0.iter().any(is_secret)
    }

    /// Returns the string with references in the form `${env:NAME}`. `secret` formats each secret.
    pub(super) fn rendered(&self, secret: impl Fn(&str) -> String) -> String {
        let mut rendered = String::new();
        for segment in &self.0 {
            match segment {
                TextSegment::Plain(text) | TextSegment::Given(text) => rendered.push_str(text),
                TextSegment::Env(name) => rendered.push_str(&format!("${{env:{name}}}")),
                TextSegment::Input(id) => rendered.push_str(&format!("${{input:{id}}}")),
                TextSegment::Variable(name) => rendered.push_str(&format!("${{{name}}}")),
                TextSegment::Secret { value, .. } => rendered.push_str(&secret(value)),
            }
        }
        rendered
    }

    /// Returns the string with references in the form `${env:NAME}`, and with secrets unmasked.
    pub(super) fn written(&self) -> String {
        self.rendered(str::to_owned)
    }
}
