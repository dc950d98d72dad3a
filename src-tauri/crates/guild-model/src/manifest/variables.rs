//! Replaces the variables `${…}` in a manifest's strings (REQ-MCP-HTTP-3, -9).
//!
//! `$${` escapes `${`. Any other `$` is an ordinary character.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::read::KNOWN_VARIABLES;
use crate::error::{Code, Report};
use crate::messages::{ManifestError, VariableProblem};
use guild_text::secret_detection::may_be_secret;

/// Looks up the values of `${env:NAME}` and `${secret:NAME}`.
pub trait Lookup {
    /// Returns the value of a variable in the environment with which members start.
    fn env(&self, name: &str) -> Option<String>;
    /// Returns the value of a secret from the keychain or the secrets file.
    fn secret(&self, name: &str) -> Option<String>;
}

/// The values of all variables for one start of a member.
#[derive(Clone, Copy)]
pub struct Substitution<'a> {
    /// The assigned port. `None` for a member without a port.
    pub port: Option<u16>,
    /// The member's folder.
    pub plugin_dir: &'a str,
    /// The path of the running `guildhall` program.
    pub guildhall: &'a str,
    /// The source of environment variables and secrets.
    pub lookup: &'a dyn Lookup,
}

impl Substitution<'_> {
    /// Replaces the variables in a string. Variables inside the values are not replaced.
    ///
    /// # Errors
    /// `variable-missing` or `secret-missing` if a variable has no value. `manifest-field` if a
    /// variable is unknown or lacks its `}`. No error contains a value.
    pub fn substitute(&self, text: &str) -> Result<String, Report> {
        let mut out = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                VariableSegment::Plain(plain) => out.push_str(plain),
                VariableSegment::Variable(variable) => out.push_str(&self.value(variable)?),
                VariableSegment::Wrong(wrong) => return Err(refused(&wrong)),
            }
        }
        Ok(out)
    }

    /// Replaces the variables in an address. A secret is percent-encoded as its position in the
    /// address requires. It stays unchanged if it is already encoded, or if it may contain the
    /// scheme or the host.
    ///
    /// # Errors
    /// The errors of [`Substitution::substitute`].
    pub fn substitute_url(&self, text: &str) -> Result<String, Report> {
        let mut out = String::with_capacity(text.len());
        let pieces = pieces(text);
        for (index, piece) in pieces.iter().enumerate() {
            match *piece {
                VariableSegment::Plain(plain) => out.push_str(plain),
                VariableSegment::Variable(variable) => {
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
                VariableSegment::Wrong(ref wrong) => return Err(refused(wrong)),
            }
        }
        Ok(out)
    }

    fn value(&self, variable: Variable<'_>) -> Result<String, Report> {
        let missing = |trouble| Err(Report::from_error(Code::VariableMissing, &trouble));
        match variable {
            Variable::PluginDir => Ok(self.plugin_dir.to_owned()),
            Variable::Guildhall => Ok(self.guildhall.to_owned()),
            Variable::Port => match self.port {
                Some(port) => Ok(port.to_string()),
                None => missing(ManifestError::NoPort),
            },
            Variable::Env(name) => match self.lookup.env(name) {
                Some(value) => Ok(value),
                None => missing(ManifestError::NoVariable(name.to_owned())),
            },
            Variable::Secret(name) => match self.lookup.secret(name) {
                Some(value) => Ok(value),
                None => {
                    let trouble = ManifestError::NoSecret(name.to_owned());
                    Err(Report::from_error(Code::SecretMissing, &trouble))
                }
            },
        }
    }
}

fn refused(wrong: &VariableProblem) -> Report {
    Report::new(Code::ManifestField, wrong.to_string(), KNOWN_VARIABLES)
}

/// The part of an address that contains a value. Each part has its own encoding rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrlPart {
    /// The user information: `me:password@`.
    UserInfo,
    Path,
    /// The query or the fragment.
    Query,
}

/// The characters to percent-encode: all except the unreserved ones (RFC 3986, 2.3).
pub(crate) const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// The characters to percent-encode in the user information of a URL. A colon is kept, because it
/// separates the user name from the password.
const IN_USER_INFO: &AsciiSet = &UNRESERVED.remove(b':');
/// The characters to percent-encode in a path. A slash is kept, because one value may contain
/// several path segments.
const IN_PATH: &AsciiSet = &UNRESERVED.remove(b'/').remove(b':').remove(b'@');

impl UrlPart {
    /// Returns the part of an address that contains a variable's value, between the text `before`
    /// and the segments `behind`. `None` if the value may contain the scheme or the host.
    fn of(before: &str, behind: &[VariableSegment<'_>]) -> Option<Self> {
        let (_, address) = before.split_once("://")?;
        if address.contains(['?', '#']) {
            return Some(Self::Query);
        }
        if address.contains('/') {
            return Some(Self::Path);
        }
        let plain = behind.iter().map(|piece| match piece {
            VariableSegment::Plain(plain) => *plain,
            VariableSegment::Variable(_) | VariableSegment::Wrong(_) => "",
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

/// Checks whether a value is already percent-encoded, and contains no character that has to be
/// encoded.
fn is_encoded(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~%:".contains(c);
    value.contains('%') && has_valid_escapes(value) && value.chars().all(plain)
}

/// Checks whether two hexadecimal digits follow each `%`.
pub(crate) fn has_valid_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|part| {
        let digits = part.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable<'t> {
    Port,
    PluginDir,
    Guildhall,
    Env(&'t str),
    Secret(&'t str),
}

impl<'t> Variable<'t> {
    /// Checks whether the variable's value is treated as a secret.
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

#[derive(Debug, PartialEq, Eq)]
enum VariableSegment<'t> {
    Plain(&'t str),
    Variable(Variable<'t>),
    /// An invalid `${`.
    Wrong(VariableProblem),
}

fn pieces(text: &str) -> Vec<VariableSegment<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find("${") {
        if rest[..open].ends_with('$') {
            // `$${`: the first `$` is dropped.
            pieces.push(VariableSegment::Plain(&rest[..open - 1]));
            pieces.push(VariableSegment::Plain("${"));
            rest = &rest[open + 2..];
            continue;
        }
        pieces.push(VariableSegment::Plain(&rest[..open]));
        let inner = &rest[open + 2..];
        let Some(close) = inner.find('}') else {
            pieces.push(VariableSegment::Wrong(VariableProblem::Unclosed));
            return pieces;
        };
        let name = &inner[..close];
        pieces.push(match Variable::parse(name) {
            Some(variable) => VariableSegment::Variable(variable),
            None => {
                VariableSegment::Wrong(VariableProblem::Unknown(name.chars().take(60).collect()))
            }
        });
        rest = &inner[close + 1..];
    }
    pieces.push(VariableSegment::Plain(rest));
    pieces
}

/// Returns the first error in a string's variables.
pub(super) fn problem_in(text: &str) -> Option<VariableProblem> {
    pieces(text).into_iter().find_map(|piece| match piece {
        VariableSegment::Wrong(wrong) => Some(wrong),
        VariableSegment::Plain(_) | VariableSegment::Variable(_) => None,
    })
}

/// Returns the names of the environment variables that a string uses.
pub fn environment_in(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        VariableSegment::Variable(Variable::Env(name)) => Some(name),
        _ => None,
    })
}

/// Replaces secrets and environment variables by their values. Other variables, and variables
/// without a value, are removed.
pub fn with_values(text: &str, lookup: &dyn Lookup) -> String {
    let value = |piece| match piece {
        VariableSegment::Plain(plain) => plain.to_owned(),
        VariableSegment::Variable(Variable::Env(name)) => lookup.env(name).unwrap_or_default(),
        VariableSegment::Variable(Variable::Secret(name)) => {
            lookup.secret(name).unwrap_or_default()
        }
        VariableSegment::Variable(Variable::Port | Variable::PluginDir | Variable::Guildhall)
        | VariableSegment::Wrong(_) => String::new(),
    };
    pieces(text).into_iter().map(value).collect()
}

/// Returns the names of the secrets that a string uses.
pub(super) fn secrets_in(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        VariableSegment::Variable(Variable::Secret(name)) => Some(name),
        _ => None,
    })
}

/// Replaces each `${secret:NAME}` by the result of `secret`, and calls `env` for each
/// `${env:NAME}`, which stays unchanged. A string with an invalid variable is returned unchanged.
pub fn with_references(
    text: &str,
    mut secret: impl FnMut(&str) -> String,
    mut env: impl FnMut(&str),
) -> String {
    let pieces = pieces(text);
    if pieces
        .iter()
        .any(|piece| matches!(piece, VariableSegment::Wrong(_)))
    {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for piece in pieces {
        match piece {
            // An escape stays escaped.
            VariableSegment::Plain("${") => out.push_str("$${"),
            VariableSegment::Plain(plain) => out.push_str(plain),
            VariableSegment::Variable(Variable::Port) => out.push_str("${PORT}"),
            VariableSegment::Variable(Variable::PluginDir) => out.push_str("${PLUGIN_DIR}"),
            VariableSegment::Variable(Variable::Guildhall) => out.push_str("${GUILDHALL}"),
            VariableSegment::Variable(Variable::Env(name)) => {
                env(name);
                out.push_str(&format!("${{env:{name}}}"));
            }
            VariableSegment::Variable(Variable::Secret(name)) => out.push_str(&secret(name)),
            VariableSegment::Wrong(_) => {}
        }
    }
    out
}

/// Checks whether a string is a valid secret name for `${secret:NAME}`.
pub fn is_secret_name(name: &str) -> bool {
    matches!(
        Variable::parse(&format!("secret:{name}")),
        Some(Variable::Secret(_))
    )
}

/// Checks whether a string is exactly the variable for this program's binary.
pub(super) fn is_own_binary(text: &str) -> bool {
    text == "${GUILDHALL}"
}

pub(super) fn uses_environment(text: &str) -> bool {
    pieces(text)
        .iter()
        .any(|piece| matches!(piece, VariableSegment::Variable(Variable::Env(_))))
}

pub(super) fn uses_port(text: &str) -> bool {
    pieces(text).contains(&VariableSegment::Variable(Variable::Port))
}
