//! Why a name is refused.

use super::notes;

notes! {
    /// What is wrong with a name that somebody wrote.
    NameWrong;
    /// It is empty.
    Empty
        "a name must not be empty";
    /// It is too long.
    Long(most: usize, length: usize)
        "a name has at most {most} characters; this one has {length}";
    /// It has a character that no name has.
    Character(quoted: String)
        "a name is made of letters, digits, '.', '_' and '-'; {quoted} is not allowed";
    /// It begins otherwise.
    Beginning
        "a name begins with a letter or a digit";
    /// A question's id.
    Elicitation
        "an elicitation's id has 1 to 64 bytes";
    /// An approval's id.
    Approval
        "an approval's id has 1 to 64 bytes";
    /// A client's id.
    Client
        "a client's id has 1 to 64 bytes";
    /// A found server's id.
    Found
        "a found server's id has 1 to 64 bytes";
    /// A call's id.
    Call
        "a call's id has 1 to 64 bytes";
    /// A tool's name is empty.
    NoTool
        "the tool has an empty name";
    /// A tool's name is too long.
    LongTool(most: usize, length: usize)
        "the tool's name has {length} bytes; {most} are the most";
    /// A tool's name has a control character.
    ControlTool
        "the tool's name has a control character";
}
