//! `${…}` in a manifest's texts (REQ-MCP-HTTP-3, -9).
//!
//! `$${` stands for `${` itself; a `$` before anything else is an ordinary character.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::read::KNOWN_VARIABLES;
use crate::error::{Code, Report};
use crate::note::{ManifestTrouble, Told as _, VariableWrong};
use crate::telling::may_be_secret;

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
                Piece::Wrong(wrong) => return Err(refused(&wrong)),
            }
        }
        Ok(out)
    }

    /// The same for an address: a secret is percent-encoded for the part of the address that it
    /// stands in. One that the address begins with, that is its host, or that is percent-encoded
    /// already, is put in unchanged.
    ///
    /// # Errors
    /// As [`Substitution::substitute`].
    pub fn substitute_url(&self, text: &str) -> Result<String, Report> {
        let mut out = String::with_capacity(text.len());
        let pieces = pieces(text);
        for (index, piece) in pieces.iter().enumerate() {
            match *piece {
                Piece::Plain(plain) => out.push_str(plain),
                Piece::Variable(variable) => {
                    let value = self.value(variable)?;
                    let part = variable
                        .is_secret()
                        .then(|| UrlPart::of(&out, &pieces[index + 1..]))
                        .flatten();
                    out.push_str(&match part {
                        Some(part) => part.encoded(&value),
                        None => value,
                    });
                }
                Piece::Wrong(ref wrong) => return Err(refused(wrong)),
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

fn refused(wrong: &VariableWrong) -> Report {
    Report::new(Code::ManifestField, wrong.told(), KNOWN_VARIABLES)
}

/// A part of an address that a value is encoded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrlPart {
    /// Who comes in: `me:password@`.
    UserInfo,
    Path,
    /// The query, or what comes after it.
    Query,
}

/// What stays as it is everywhere (RFC 3986, 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// Between a name and a password stands a colon.
const IN_USER_INFO: &AsciiSet = &UNRESERVED.remove(b':');
/// A path of several parts may be one value.
const IN_PATH: &AsciiSet = &UNRESERVED.remove(b'/').remove(b':').remove(b'@');

impl UrlPart {
    /// The part in which a value stands; `None` where it may be a part of its own or more.
    fn of(before: &str, behind: &[Piece<'_>]) -> Option<Self> {
        let (_, address) = before.split_once("://")?;
        if address.contains(['?', '#']) {
            return Some(Self::Query);
        }
        if address.contains('/') {
            return Some(Self::Path);
        }
        let plain = behind.iter().map(|piece| match piece {
            Piece::Plain(plain) => *plain,
            Piece::Variable(_) | Piece::Wrong(_) => "",
        });
        let rest: String = plain.collect();
        let host_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        rest[..host_end].contains('@').then_some(Self::UserInfo)
    }

    fn encoded(self, value: &str) -> String {
        let set = match self {
            Self::UserInfo => IN_USER_INFO,
            Self::Path => IN_PATH,
            Self::Query => UNRESERVED,
        };
        match is_encoded(value) {
            true => value.to_owned(),
            false => utf8_percent_encode(value, set).to_string(),
        }
    }
}

/// Whether a value is percent-encoded: a `%` with two digits behind each, and nothing that has to be
/// encoded.
fn is_encoded(value: &str) -> bool {
    let mut behind = value.split('%').skip(1).peekable();
    let digits = |part: &str| {
        let digits = part.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~%:".contains(c);
    behind.peek().is_some() && behind.all(digits) && value.chars().all(plain)
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
    /// Whether its value is taken for a secret.
    fn is_secret(self) -> bool {
        match self {
            Self::Secret(_) => true,
            Self::Env(name) => may_be_secret(name),
            Self::Port | Self::PluginDir | Self::Guildhall => false,
        }
    }

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

/// The names of the variables of the environment that a text uses.
pub(crate) fn environment_in(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Variable(Variable::Env(name)) => Some(name),
        _ => None,
    })
}

/// The text with the values of its secrets and of the environment. One without a value is empty, and
/// so is every other variable.
pub(crate) fn with_values(text: &str, lookup: &dyn Lookup) -> String {
    let value = |piece| match piece {
        Piece::Plain(plain) => plain.to_owned(),
        Piece::Variable(Variable::Env(name)) => lookup.env(name).unwrap_or_default(),
        Piece::Variable(Variable::Secret(name)) => lookup.secret(name).unwrap_or_default(),
        Piece::Variable(Variable::Port | Variable::PluginDir | Variable::Guildhall)
        | Piece::Wrong(_) => String::new(),
    };
    pieces(text).into_iter().map(value).collect()
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
