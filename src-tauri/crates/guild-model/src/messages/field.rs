//! Errors in fields of a manifest.

use guild_text::number::grouped;
use thiserror::Error;

/// A problem with a `${`, as words that follow the field's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VariableProblem {
    #[error("has a `${{` without its `}}`")]
    Unclosed,
    #[error("has the unknown variable `${{{0}}}`")]
    Unknown(String),
}

/// A problem with a file pattern, as words that follow the field's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GlobProblem {
    #[error("has {length} bytes; the limit is {most}", length = grouped(.0), most = grouped(.1))]
    Long(usize, usize),
    #[error("is empty")]
    Blank,
    #[error("has a backslash; write folders with /")]
    Backslash,
    #[error("begins with /; patterns are relative to the member's folder")]
    Rooted,
    #[error("leads out of the member's folder")]
    Outside,
    #[error("has more than {most} parts", most = grouped(.0))]
    Names(usize),
    #[error("has a {{ without its }}")]
    OpenBrace,
    #[error("has a }} without its {{")]
    ClosedBrace,
    #[error("has braces within braces")]
    NestedBraces,
    #[error("expands to more than {most} patterns", most = grouped(.0))]
    Spellings(usize),
}

/// A problem with an address, as words that follow the field's name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UrlProblem {
    #[error("must begin with http:// or https://")]
    Beginning,
    #[error("has a space, a control character or a backslash")]
    Characters,
    #[error("must not have a user name or password; send them in `headers` as a ${{secret:NAME}}")]
    Credentials,
    #[error("has no host")]
    NoHost,
}
