//! Errors of `guildhall://` links.

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

use crate::messages::NameProblem;

/// An error of a link.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum LinkError {
    #[error("Guild Hall can't open the link {0}: {1}.")]
    #[diagnostic(help(
        "Links are guildhall://member/NAME, guildhall://review/MEMBER, guildhall://question/MEMBER, guildhall://tool/MEMBER/TOOL and guildhall://page/NAME."
    ))]
    Nowhere(String, LinkProblem),
}

/// A problem with a link.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkProblem {
    #[error("it is longer than {most} bytes", most = grouped(.0))]
    TooLong(usize),
    #[error("it does not begin with {0}://")]
    Scheme(&'static str),
    #[error("it has a '?' or a '#'")]
    More,
    #[error("{0}")]
    Name(NameProblem),
    #[error("that page doesn't exist")]
    NoPage,
    #[error("it has too few or too many parts")]
    Parts,
    #[error("it must name a member, review, question, tool or page")]
    NoPlace,
    #[error("a '%' is not followed by two hex digits")]
    Escape,
    #[error("it is not UTF-8")]
    NotUtf8,
}
