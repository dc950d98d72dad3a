//! A text of an entry, split into plain parts and references.

use std::fmt;

use guild_api::wire::MASK;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum TextSegment {
    /// Literal text.
    Plain(String),
    /// Literal text that a person gave. Separators inside it don't split the text around it.
    Given(String),
    /// An environment variable, by its name.
    Env(String),
    /// An input, by its id.
    Input(String),
    /// A variable of the member's manifest, by the text in its braces.
    Variable(String),
    /// A secret, detected by its position or its shape.
    Secret {
        /// The secret's name.
        name: String,
        /// The secret itself.
        value: String,
    },
}

/// Does not print secrets. Plain text may contain one until secrets are marked.
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

/// A text with references.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ConfigTextTemplate(pub(super) Vec<TextSegment>);

impl ConfigTextTemplate {
    /// Returns a text without references.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self(vec![TextSegment::Plain(text.into())])
    }

    /// Returns a secret by position, or an empty text for an empty value.
    pub(super) fn secret(name: String, value: String) -> Self {
        match value.is_empty() {
            true => Self::default(),
            false => Self(vec![TextSegment::Secret { name, value }]),
        }
    }

    /// Returns a reference with text before it.
    pub(super) fn env(before: &str, name: &str) -> Self {
        let mut text = Self::default();
        text.push(TextSegment::Plain(before.to_owned()));
        text.push(TextSegment::Env(name.to_owned()));
        text
    }

    /// Returns the pieces.
    pub fn pieces(&self) -> &[TextSegment] {
        &self.0
    }

    /// Appends a piece. Empty plain or given text is skipped, and adjacent plain text is merged.
    pub fn push(&mut self, piece: TextSegment) {
        match (self.0.last_mut(), piece) {
            (_, TextSegment::Plain(text) | TextSegment::Given(text)) if text.is_empty() => {}
            (Some(TextSegment::Plain(before)), TextSegment::Plain(text)) => before.push_str(&text),
            (_, piece) => self.0.push(piece),
        }
    }

    /// Returns the literal text, if there are neither references nor secrets.
    pub(super) fn literal(&self) -> Option<String> {
        let piece = |piece: &TextSegment| match piece {
            TextSegment::Plain(text) | TextSegment::Given(text) => Some(text.clone()),
            TextSegment::Env(_)
            | TextSegment::Input(_)
            | TextSegment::Variable(_)
            | TextSegment::Secret { .. } => None,
        };
        self.0.iter().map(piece).collect()
    }

    /// Returns the text for display, with its secrets masked.
    pub fn shown(&self) -> String {
        self.rendered(|_| MASK.to_owned())
    }

    pub(crate) fn has_secret(&self) -> bool {
        let is_secret = |piece: &TextSegment| matches!(piece, TextSegment::Secret { .. });
        self.0.iter().any(is_secret)
    }

    /// Returns the text with its references as written. `secret` renders each secret.
    pub(super) fn rendered(&self, secret: impl Fn(&str) -> String) -> String {
        let mut rendered = String::new();
        for piece in &self.0 {
            match piece {
                TextSegment::Plain(text) | TextSegment::Given(text) => rendered.push_str(text),
                TextSegment::Env(name) => rendered.push_str(&format!("${{env:{name}}}")),
                TextSegment::Input(id) => rendered.push_str(&format!("${{input:{id}}}")),
                TextSegment::Variable(name) => rendered.push_str(&format!("${{{name}}}")),
                TextSegment::Secret { value, .. } => rendered.push_str(&secret(value)),
            }
        }
        rendered
    }

    /// Returns the text with its references and secrets as written.
    pub(super) fn written(&self) -> String {
        self.rendered(str::to_owned)
    }
}
