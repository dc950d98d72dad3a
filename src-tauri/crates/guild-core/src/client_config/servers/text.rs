//! A text of an entry, in the pieces that it is made of.

use std::fmt;

use crate::wire::MASK;

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// What stands for itself.
    Plain(String),
    /// What a person gave for a place: it stands for itself, and within other text it separates
    /// nothing.
    Given(String),
    /// A variable of the environment, by its name.
    Env(String),
    /// What a person is asked for, by its id.
    Input(String),
    /// A variable of the member's own manifest, by what stands in its braces.
    Variable(String),
    /// What is a secret by its place or its look.
    Secret {
        /// What it is called.
        name: String,
        /// Itself.
        value: String,
    },
}

/// Says no secret. What is plain may be one until secrets are set apart.
impl fmt::Debug for Piece {
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

/// A text with references in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Text(pub(super) Vec<Piece>);

impl Text {
    /// A text without references.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self(vec![Piece::Plain(text.into())])
    }

    /// A secret by its place; nothing where it is empty.
    pub(super) fn secret(name: String, value: String) -> Self {
        match value.is_empty() {
            true => Self::default(),
            false => Self(vec![Piece::Secret { name, value }]),
        }
    }

    /// A reference, with what stands before it.
    pub(super) fn env(before: &str, name: &str) -> Self {
        let mut text = Self::default();
        text.push(Piece::Plain(before.to_owned()));
        text.push(Piece::Env(name.to_owned()));
        text
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    pub(crate) fn push(&mut self, piece: Piece) {
        match (self.0.last_mut(), piece) {
            (_, Piece::Plain(text) | Piece::Given(text)) if text.is_empty() => {}
            (Some(Piece::Plain(before)), Piece::Plain(text)) => before.push_str(&text),
            (_, piece) => self.0.push(piece),
        }
    }

    /// All of it, where nothing is left open and no secret stands in it.
    pub(super) fn literal(&self) -> Option<String> {
        let piece = |piece: &Piece| match piece {
            Piece::Plain(text) | Piece::Given(text) => Some(text.clone()),
            Piece::Env(_) | Piece::Input(_) | Piece::Variable(_) | Piece::Secret { .. } => None,
        };
        self.0.iter().map(piece).collect()
    }

    /// The text for people, secrets masked.
    pub fn shown(&self) -> String {
        self.rendered(|_| MASK.to_owned())
    }

    /// Whether a secret stands in it.
    pub(crate) fn has_secret(&self) -> bool {
        let is_secret = |piece: &Piece| matches!(piece, Piece::Secret { .. });
        self.0.iter().any(is_secret)
    }

    /// The text with its references as they are written, and whatever `secret` makes of secrets.
    pub(super) fn rendered(&self, secret: impl Fn(&str) -> String) -> String {
        let mut rendered = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(text) | Piece::Given(text) => rendered.push_str(text),
                Piece::Env(name) => rendered.push_str(&format!("${{env:{name}}}")),
                Piece::Input(id) => rendered.push_str(&format!("${{input:{id}}}")),
                Piece::Variable(name) => rendered.push_str(&format!("${{{name}}}")),
                Piece::Secret { value, .. } => rendered.push_str(&secret(value)),
            }
        }
        rendered
    }

    /// The text with its references as they are written, its secrets too.
    pub(super) fn written(&self) -> String {
        self.rendered(str::to_owned)
    }
}
