//! `${…}` in a manifest's texts (REQ-MCP-HTTP-3, -9).
//!
//! `$${` stands for `${` itself; a `$` before anything else is an ordinary character.

use crate::error::{Code, Report};
use crate::note::{FieldWrong, ManifestTrouble, VariableWrong};

/// Where the values of `${env:NAME}` and `${secret:NAME}` come from.
pub trait Lookup {
    /// A variable of the environment that members are started with.
    fn env(&self, name: &str) -> Option<String>;
    /// A secret of the system's keychain.
    fn secret(&self, name: &str) -> Option<String>;
}

/// The values of all variables for one start of a member.
#[derive(Clone, Copy)]
pub struct Substitution<'a> {
    /// The port that the member was given; `None` for a member without one.
    pub port: Option<u16>,
    /// The member's folder.
    pub plugin_dir: &'a str,
    /// The path of this program's own binary.
    pub guildhall: &'a str,
    /// Environment and secrets.
    pub lookup: &'a dyn Lookup,
}

impl Substitution<'_> {
    /// Puts the values in. Values are not searched for variables again.
    ///
    /// # Errors
    /// `variable-missing` or `secret-missing` when a variable has no value, `manifest-field` when it does not exist or
    /// is not closed. Neither repeats any value.
    pub fn substitute(&self, text: &str) -> Result<String, Report> {
        let mut out = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                Piece::Plain(plain) => out.push_str(plain),
                Piece::Variable(variable) => out.push_str(&self.value(variable)?),
                Piece::Wrong(wrong) => {
                    let wrong = FieldWrong::Variable(wrong);
                    return Err(Report::told(Code::ManifestField, &wrong));
                }
            }
        }
        Ok(out)
    }

    fn value(&self, variable: Variable<'_>) -> Result<String, Report> {
        let missing = |trouble| Err(Report::told(Code::VariableMissing, &trouble));
        match variable {
            Variable::PluginDir => Ok(self.plugin_dir.to_owned()),
            Variable::Guildhall => Ok(self.guildhall.to_owned()),
            Variable::Port => match self.port {
                Some(port) => Ok(port.to_string()),
                None => missing(ManifestTrouble::NoPort),
            },
            Variable::Env(name) => match self.lookup.env(name) {
                Some(value) => Ok(value),
                None => missing(ManifestTrouble::NoVariable(name.to_owned())),
            },
            Variable::Secret(name) => match self.lookup.secret(name) {
                Some(value) => Ok(value),
                None => {
                    let trouble = ManifestTrouble::NoSecret(name.to_owned());
                    Err(Report::told(Code::SecretMissing, &trouble))
                }
            },
        }
    }
}

/// A variable by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable<'t> {
    Port,
    PluginDir,
    Guildhall,
    Env(&'t str),
    Secret(&'t str),
}

impl<'t> Variable<'t> {
    fn parse(name: &'t str) -> Option<Self> {
        match name {
            "PORT" => Some(Self::Port),
            "PLUGIN_DIR" => Some(Self::PluginDir),
            "GUILDHALL" => Some(Self::Guildhall),
            _ => {
                let (kind, name) = name.split_once(':')?;
                let named = !name.is_empty() && name.len() <= 256 && name.chars().all(nameable);
                match kind {
                    "env" if named => Some(Self::Env(name)),
                    "secret" if named => Some(Self::Secret(name)),
                    _ => None,
                }
            }
        }
    }
}

fn nameable(c: char) -> bool {
    !c.is_control() && !c.is_whitespace() && !matches!(c, '=' | '$' | '{' | '}')
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'t> {
    Plain(&'t str),
    Variable(Variable<'t>),
    /// What is wrong with a `${`.
    Wrong(VariableWrong),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("${") {
        if rest[..open].ends_with('$') {
            // `$${`: the first `$` goes, the rest stays as it is.
            pieces.push(Piece::Plain(&rest[..open - 1]));
            pieces.push(Piece::Plain("${"));
            rest = &rest[open + 2..];
            continue;
        }
        pieces.push(Piece::Plain(&rest[..open]));
        let inner = &rest[open + 2..];
        let Some(close) = inner.find('}') else {
            pieces.push(Piece::Wrong(VariableWrong::Unclosed));
            return pieces;
        };
        let name = &inner[..close];
        pieces.push(match Variable::parse(name) {
            Some(variable) => Piece::Variable(variable),
            None => Piece::Wrong(VariableWrong::Unknown(name.chars().take(60).collect())),
        });
        rest = &inner[close + 1..];
    }
    pieces.push(Piece::Plain(rest));
    pieces
}

/// The first thing that is wrong with a text's variables.
pub(super) fn problem_in(text: &str) -> Option<VariableWrong> {
    pieces(text).into_iter().find_map(|piece| match piece {
        Piece::Wrong(wrong) => Some(wrong),
        Piece::Plain(_) | Piece::Variable(_) => None,
    })
}

/// The names of the secrets that a text uses.
pub(super) fn secrets_in(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Variable(Variable::Secret(name)) => Some(name),
        _ => None,
    })
}

/// The same text with other references: what `secret` says stands in the place of each
/// `${secret:NAME}`, and `env` hears of each `${env:NAME}`. What is wrong stays as it is.
pub(crate) fn with_references(
    text: &str,
    mut secret: impl FnMut(&str) -> String,
    mut env: impl FnMut(&str),
) -> String {
    let pieces = pieces(text);
    if pieces.iter().any(|piece| matches!(piece, Piece::Wrong(_))) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for piece in pieces {
        match piece {
            // What was escaped is to stay so.
            Piece::Plain("${") => out.push_str("$${"),
            Piece::Plain(plain) => out.push_str(plain),
            Piece::Variable(Variable::Port) => out.push_str("${PORT}"),
            Piece::Variable(Variable::PluginDir) => out.push_str("${PLUGIN_DIR}"),
            Piece::Variable(Variable::Guildhall) => out.push_str("${GUILDHALL}"),
            Piece::Variable(Variable::Env(name)) => {
                env(name);
                out.push_str(&format!("${{env:{name}}}"));
            }
            Piece::Variable(Variable::Secret(name)) => out.push_str(&secret(name)),
            Piece::Wrong(_) => {}
        }
    }
    out
}

/// Whether a text can stand for a secret's name in `${secret:NAME}`.
pub fn is_secret_name(name: &str) -> bool {
    matches!(
        Variable::parse(&format!("secret:{name}")),
        Some(Variable::Secret(_))
    )
}

/// Whether a text is this program's own binary, and nothing beside it.
pub(super) fn is_own_binary(text: &str) -> bool {
    text == "${GUILDHALL}"
}

/// Whether a text uses `${env:NAME}`.
pub(super) fn uses_environment(text: &str) -> bool {
    pieces(text)
        .iter()
        .any(|piece| matches!(piece, Piece::Variable(Variable::Env(_))))
}

/// Whether a text uses `${PORT}`.
pub(super) fn uses_port(text: &str) -> bool {
    pieces(text).contains(&Piece::Variable(Variable::Port))
}
