//! Why a name is refused.

use super::notes;

notes! {
    /// What is wrong with a name that somebody wrote.
    NameWrong;
    /// It is empty.
    Empty
        "a name must not be empty"
        "ein Name darf nicht leer sein";
    /// It is too long.
    Long(most: usize, length: usize)
        "a name has at most {most} characters; this one has {length}"
        "ein Name hat höchstens {most} Zeichen; dieser hat {length}";
    /// It has a character that no name has.
    Character(quoted: String)
        "a name is made of letters, digits, '.', '_' and '-'; {quoted} is not allowed"
        "ein Name besteht aus Buchstaben, Ziffern, '.', '_' und '-'; {quoted} ist nicht erlaubt";
    /// It begins otherwise.
    Beginning
        "a name begins with a letter or a digit"
        "ein Name beginnt mit einem Buchstaben oder einer Ziffer";
    /// A question's id.
    Elicitation
        "an elicitation's id has 1 to 64 bytes"
        "die Kennung einer Rückfrage hat 1 bis 64 Bytes";
    /// An approval's id.
    Approval
        "an approval's id has 1 to 64 bytes"
        "die Kennung einer Freigabe hat 1 bis 64 Bytes";
    /// A client's id.
    Client
        "a client's id has 1 to 64 bytes"
        "die Kennung eines Clients hat 1 bis 64 Bytes";
    /// A found server's id.
    Found
        "a found server's id has 1 to 64 bytes"
        "die Kennung eines gefundenen Servers hat 1 bis 64 Bytes";
    /// A call's id.
    Call
        "a call's id has 1 to 64 bytes"
        "die Kennung eines Aufrufs hat 1 bis 64 Bytes";
    /// A tool's name is empty.
    NoTool
        "the tool has an empty name"
        "das Werkzeug hat einen leeren Namen";
    /// A tool's name is too long.
    LongTool(most: usize, length: usize)
        "the tool's name has {length} bytes; {most} are the most"
        "der Name des Werkzeugs hat {length} Bytes; höchstens {most} dürfen es sein";
    /// A tool's name has a control character.
    ControlTool
        "the tool's name has a control character"
        "der Name des Werkzeugs hat ein Steuerzeichen";
}
