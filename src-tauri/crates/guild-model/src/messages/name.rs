//! Errors in names.

use guild_text::number::grouped;
use thiserror::Error;

/// A problem with a name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NameProblem {
    #[error("a name must not be empty")]
    Empty,
    #[error("a name has at most {most} characters; this one has {length}", most = grouped(.0), length = grouped(.1))]
    Long(usize, usize),
    #[error("a name can only have letters, digits, '.', '_' and '-'; {0} is not allowed")]
    Character(String),
    #[error("a name must begin with a letter or a digit")]
    Beginning,
    #[error("an elicitation's id has 1 to 64 bytes")]
    Elicitation,
    #[error("an approval's id has 1 to 64 bytes")]
    Approval,
    #[error("a client's id has 1 to 64 bytes")]
    Client,
    #[error("a found server's id has 1 to 64 bytes")]
    Found,
    #[error("a call's id has 1 to 64 bytes")]
    Call,
    #[error("the tool has an empty name")]
    NoTool,
    #[error("the tool's name has {length} bytes; the limit is {most}", length = grouped(.1), most = grouped(.0))]
    LongTool(usize, usize),
    #[error("the tool's name has a control character")]
    ControlTool,
}
