//! What is wrong with a field of a manifest.

use super::notes;

notes! {
    /// What is wrong with a `${`, behind the name of its field.
    VariableWrong;
    /// It has no end.
    Unclosed
        "has a `${{` without its `}}`";
    /// There is none of that name.
    Unknown(name: String)
        "has the unknown variable `${{{name}}}`";
}

notes! {
    /// What is wrong with a pattern of files, behind the name of its field.
    GlobWrong;
    /// It is too long.
    Long(length: usize, most: usize)
        "has {length} bytes; {most} are the most";
    /// There is nothing in it.
    Blank
        "is empty";
    /// Folders are written otherwise.
    Backslash
        "has a backslash; write folders with /";
    /// It begins at the root.
    Rooted
        "begins with /; patterns go from the member's folder";
    /// It leads out.
    Outside
        "leads out of the member's folder";
    /// It has too many names.
    Names(most: usize)
        "has more than {most} names";
    /// A brace without its end.
    OpenBrace
        "has a {{ without its }}";
    /// A brace without its beginning.
    ClosedBrace
        "has a }} without its {{";
    /// Braces in braces.
    NestedBraces
        "has braces within braces";
    /// It stands for too many.
    Spellings(most: usize)
        "stands for more than {most} patterns";
}

notes! {
    /// What is wrong with an address, behind the name of its field.
    UrlWrong;
    /// It begins otherwise.
    Beginning
        "must begin with http:// or https://";
    /// It has what no address has.
    Characters
        "has a space, a control character or a backslash";
    /// It has a name or a password in it.
    Credentials
        "must have no user name or password; send them in `headers` as a ${{secret:NAME}}";
    /// It has no host.
    NoHost
        "names no host";
}
