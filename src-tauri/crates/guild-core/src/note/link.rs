//! Why a link leads nowhere.

use super::{NameWrong, notes, troubles};

troubles! {
    /// Why a link leads nowhere.
    LinkTrouble;
    /// It can't be read.
    Nowhere(link: String, problem: LinkWrong)
        "The link {link} leads nowhere in Guild Hall: {problem}."
        "Links are guildhall://member/NAME, guildhall://review/MEMBER, guildhall://question/MEMBER, guildhall://tool/MEMBER/TOOL and guildhall://page/NAME.";
}

notes! {
    /// What is wrong with a link: the rest of a sentence.
    LinkWrong;
    /// It is too long.
    TooLong(most: usize)
        "it is longer than {most} bytes";
    /// It is another's.
    Scheme(scheme: &'static str)
        "it does not begin with {scheme}://";
    /// It goes on behind its end.
    More
        "it has something after a '?' or a '#'";
    /// A name in it is none.
    Name(wrong: NameWrong)
        "{wrong}";
    /// There is no such page.
    NoPage
        "there is no page of that name";
    /// It has other parts.
    Parts
        "it has too few or too many parts";
    /// It names something else.
    NoPlace
        "it names no member, review, question, tool or page";
    /// An escape is none.
    Escape
        "a '%' is not followed by two hex digits";
    /// It is no text.
    NotUtf8
        "it is no UTF-8";
}
