//! Why a link leads nowhere.

use super::{NameWrong, notes, troubles};

troubles! {
    /// Why a link leads nowhere.
    LinkTrouble;
    /// It can't be read.
    Nowhere(link: String, problem: LinkWrong)
        "The link {link} leads nowhere in Guild Hall: {problem}."
        "Der Link {link} führt in Guild Hall nirgendwohin: {problem}."
        "Links are guildhall://member/NAME, guildhall://review/MEMBER, guildhall://question/MEMBER, guildhall://tool/MEMBER/TOOL and guildhall://page/NAME."
        "Links sind guildhall://member/NAME, guildhall://review/MITGLIED, guildhall://question/MITGLIED, guildhall://tool/MITGLIED/WERKZEUG und guildhall://page/NAME.";
}

notes! {
    /// What is wrong with a link: the rest of a sentence.
    LinkWrong;
    /// It is too long.
    TooLong(most: usize)
        "it is longer than {most} bytes"
        "er ist länger als {most} Bytes";
    /// It is another's.
    Scheme(scheme: &'static str)
        "it does not begin with {scheme}://"
        "er beginnt nicht mit {scheme}://";
    /// It goes on behind its end.
    More
        "it has something after a '?' or a '#'"
        "er hat etwas hinter einem '?' oder einem '#'";
    /// A name in it is none.
    Name(wrong: NameWrong)
        "{wrong}"
        "{wrong}";
    /// There is no such page.
    NoPage
        "there is no page of that name"
        "eine Seite dieses Namens gibt es nicht";
    /// It has other parts.
    Parts
        "it has too few or too many parts"
        "er hat zu wenige oder zu viele Teile";
    /// It names something else.
    NoPlace
        "it names no member, review, question, tool or page"
        "er nennt weder Mitglied noch Prüfung, Frage, Werkzeug oder Seite";
    /// An escape is none.
    Escape
        "a '%' is not followed by two hex digits"
        "auf ein '%' folgen keine zwei Hexadezimalziffern";
    /// It is no text.
    NotUtf8
        "it is no UTF-8"
        "er ist kein UTF-8";
}
