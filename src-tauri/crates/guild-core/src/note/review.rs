//! What a person is told who reviews a change: what of a schema is otherwise, what looks as if it were
//! to deceive, and what no longer works.

use std::path::PathBuf;

use super::{Each, ValueWrong, notes, troubles};
use crate::id::MemberName;

notes! {
    /// What changed of a schema; the name of its place stands before it. Values are told as JSON.
    SchemaChangeNote;
    /// Nobody looks that deep.
    TooDeep
        "is nested too deep to be compared"
        "ist zu tief verschachtelt, um verglichen zu werden";
    /// It was `false`.
    AllowedNothing
        "allowed nothing before"
        "erlaubte vorher nichts";
    /// It is `false`.
    AllowsNothing
        "allows nothing now"
        "erlaubt jetzt nichts mehr";
    /// One that can't be compared.
    OtherKind
        "is another kind of schema"
        "ist eine andere Art von Schema";
    /// Values in a way that can't be compared.
    OtherValues
        "allows other values"
        "erlaubt andere Werte";
    /// A value fewer.
    NoMore(value: String)
        "allows {value} no more"
        "erlaubt {value} nicht mehr";
    /// A value more.
    Too(value: String)
        "allows {value} too"
        "erlaubt auch {value}";
    /// All values instead of some.
    AnyValue
        "allows other values than some"
        "erlaubt nicht mehr nur bestimmte Werte";
    /// Some values instead of all.
    SomeValues
        "allows only some values"
        "erlaubt nur noch bestimmte Werte";
    /// A property that has to be there.
    Wants(name: String)
        "wants `{name}` now"
        "verlangt jetzt `{name}`";
    /// A property that need not be there.
    DoesWithout(name: String)
        "does without `{name}` now"
        "verlangt `{name}` nicht mehr";
    /// A property, or a definition, that was there.
    Gone
        "is gone"
        "ist entfallen";
    /// A property that was not there.
    New
        "is new"
        "ist neu";
    /// No properties but those that are named.
    NoOthers
        "allows no other properties now"
        "erlaubt jetzt keine weiteren Eigenschaften";
    /// Properties that are not named.
    Others
        "allows other properties now"
        "erlaubt jetzt weitere Eigenschaften";
    /// More branches of a union.
    MoreChoices
        "has more choices"
        "hat mehr Möglichkeiten";
    /// A keyword has another value.
    IsOther(keyword: String, now: String, before: String)
        "`{keyword}` is {now}, was {before}"
        "`{keyword}` ist {now}, war {before}";
    /// A keyword.
    Keyword(keyword: String)
        "`{keyword}`"
        "`{keyword}`";
    /// A keyword was not there.
    IsNow(keyword: String, now: String)
        "`{keyword}` is {now} now"
        "`{keyword}` ist jetzt {now}";
    /// A keyword is there no more.
    IsGone(keyword: String, before: String)
        "`{keyword}` is gone, was {before}"
        "`{keyword}` ist entfallen, war {before}";
}

notes! {
    /// What about a tool looks as if it were to deceive.
    SuspicionNote;
    /// A character that can't be seen.
    HiddenCharacter
        "1 character that can't be seen, or that move others, is in it"
        "1 Zeichen darin ist nicht zu sehen oder verschiebt andere";
    /// Characters that can't be seen.
    HiddenCharacters(count: usize)
        "{count} characters that can't be seen, or that move others, are in it"
        "{count} Zeichen darin sind nicht zu sehen oder verschieben andere";
    /// Letters of a range that no program shows.
    HiddenText(text: String)
        "text is hidden in it by characters that can't be seen: {text}"
        "darin ist Text versteckt, in Zeichen, die nicht zu sehen sind: {text}";
    /// Other instructions.
    ToBeIgnored
        "it wants other instructions to be ignored"
        "andere Anweisungen sollen missachtet werden";
    /// A secret between tool and model.
    KeptFromUser
        "it wants something to be kept from its user"
        "etwas soll vor dem Menschen am Rechner verborgen bleiben";
    /// When other tools are used.
    OtherTools
        "it speaks of the use of other tools"
        "es geht um die Verwendung anderer Werkzeuge";
    /// A call that nobody asked for.
    ToBeCalled
        "it wants a tool to be called"
        "ein Werkzeug soll aufgerufen werden";
    /// The system prompt.
    OwnInstructions
        "it speaks of the model's own instructions"
        "es geht um die eigenen Anweisungen des Modells";
    /// A conversation, or keys.
    PassedOn
        "it wants what was said, or secrets, to be passed on"
        "Gesagtes oder Geheimnisse sollen weitergegeben werden";
    /// A word of attackers.
    RareWord
        "it has a word that tools seldom need"
        "darin steht ein Wort, das Werkzeuge selten brauchen";
    /// A tag such as `<system>`.
    ModelTag
        "a tag that is meant for a model"
        "ein Tag, das sich an ein Modell richtet";
    /// A mark such as `[inst]`.
    ModelMark
        "a mark of a model's own format"
        "eine Marke aus dem eigenen Format eines Modells";
    /// `<!--`.
    Comment
        "a comment, which a page does not show"
        "ein Kommentar, den eine Seite nicht zeigt";
    /// A file such as `~/.ssh/id_rsa`.
    SecretFile
        "a file of secrets is named"
        "eine Datei mit Geheimnissen ist genannt";
    /// A private key.
    Secret
        "a secret is spoken of"
        "es geht um ein Geheimnis";
    /// Base64.
    Unreadable
        "a long text that nobody can read (Base64)"
        "ein langer Text, den niemand lesen kann (Base64)";
    /// Letters of other scripts.
    ForeignLetters(letters: String)
        "letters in it look like others: {letters}"
        "Buchstaben darin sehen wie andere aus: {letters}";
    /// A tool of another member has the name.
    SameName(member: String)
        "the member {member} has a tool of that name"
        "das Mitglied {member} hat ein Werkzeug mit diesem Namen";
    /// A tool of another member has a name that looks the same.
    LooksTheSame(tool: String, member: String)
        "it looks the same as {tool}, a tool of {member}"
        "sieht so aus wie {tool}, ein Werkzeug von {member}";
    /// A tool of another member has nearly the name.
    OneLetterAway(tool: String, member: String)
        "it is one letter away from {tool}, a tool of {member}"
        "unterscheidet sich um einen Buchstaben von {tool}, einem Werkzeug von {member}";
    /// A description names a tool of another member.
    SpeaksOf(tool: String, member: String)
        "it speaks of {tool}, a tool of {member}"
        "darin ist von {tool} die Rede, einem Werkzeug von {member}";
}

notes! {
    /// What of a person's no longer works as it did, and why.
    BreakageNote;
    /// A policy of a tool that is gone.
    PolicyOfNone
        "It stands for a tool that is gone."
        "Das Werkzeug, für das sie gilt, gibt es nicht mehr.";
    /// It allows a tool that may write now.
    NoLongerReads
        "It allows a tool that said that it only reads, and does so no more."
        "Sie erlaubt ein Werkzeug, das nur lesend war und das nicht mehr angibt.";
    /// It allows a tool that may destroy now.
    MayDestroy
        "It allows a tool that says now that it may destroy something."
        "Sie erlaubt ein Werkzeug, das jetzt angibt, dass es etwas zerstören kann.";
    /// A profile with a tool that is gone.
    NamesNone
        "It names a tool that is gone."
        "Es nennt ein Werkzeug, das es nicht mehr gibt.";
    /// A profile with its own description of the tool.
    OwnWords
        "It describes the tool in words of its own, which may not fit any more."
        "Es beschreibt das Werkzeug mit eigenen Worten, die vielleicht nicht mehr passen.";
    /// A saved call of a tool that is gone.
    CallsNone
        "Its tool is gone."
        "Das Werkzeug dazu gibt es nicht mehr.";
    /// A saved call whose arguments do not fit as a whole.
    Unfit(what: ValueWrong)
        "Its arguments do not fit any more: {what}"
        "Die Argumente passen nicht mehr: {what}";
    /// A saved call with an argument that does not fit.
    UnfitAt(place: String, what: ValueWrong)
        "Its arguments do not fit any more: {place}: {what}"
        "Die Argumente passen nicht mehr: {place}: {what}";
}

notes! {
    /// Where a policy stands; in German behind the word for it.
    PolicyPlace;
    /// In the member's manifest.
    Manifest
        "the manifest"
        "im Manifest";
    /// In a file of the data folder.
    File(name: &'static str)
        "{name}"
        "in {name}";
}

notes! {
    /// How a container may use a folder that is mounted into it.
    MountUse;
    /// It reads.
    ReadOnly
        "(read only)"
        "(nur lesend)";
    /// It writes.
    Writes
        "(may write)"
        "(darf schreiben)";
    /// It reads a folder that gives much away.
    ReadsDangerously
        "(read only, dangerous)"
        "(nur lesend, gefährlich)";
    /// It writes a folder that gives much away.
    WritesDangerously
        "(may write, dangerous)"
        "(darf schreiben, gefährlich)";
}

troubles! {
    /// Why something is not accepted, or what was accepted is not known.
    ReviewTrouble;
    /// It runs something else by now.
    OtherLaunch
        "What it runs is not what was shown: its manifest changed since."
        "Es führt etwas anderes aus, als gezeigt wurde: Sein Manifest wurde seitdem geändert."
        "Look at the review again."
        "Die Prüfung noch einmal ansehen.";
    /// It has other tools by now.
    OtherTools
        "Its tools are not those that were shown: its server changed them since."
        "Seine Werkzeuge sind nicht die, die gezeigt wurden: Der Server hat sie seitdem geändert."
        "Look at the review again."
        "Die Prüfung noch einmal ansehen.";
    /// There is no such tool.
    NoTool(tool: String)
        "The member has no tool {tool}."
        "Das Mitglied hat kein Werkzeug {tool}."
        "Look at the review again."
        "Die Prüfung noch einmal ansehen.";
    /// It has said no tools yet.
    Unreviewed(member: MemberName)
        "What the member runs was not accepted, so that it has said no tools."
        "Was das Mitglied ausführt, wurde nicht angenommen; darum hat es keine Werkzeuge genannt."
        "Accept it first: `guildhall review {member} --accept`."
        "Es zuerst annehmen: `guildhall review {member} --accept`.";
    /// The file of what was accepted can't be used.
    Unusable(file: PathBuf, problem: ReviewWrong)
        "{file} can't be used: {problem}. Members from elsewhere count as unreviewed."
        "{file} ist nicht nutzbar: {problem}. Mitglieder von woanders gelten als ungeprüft."
        "Put it back from a backup, or review them again."
        "Die Datei aus einer Sicherung zurückholen oder die Mitglieder noch einmal prüfen.";
    /// It can't be written.
    Unwritable(file: PathBuf, problem: ReviewWrong)
        "{file} can't be written: {problem}."
        "{file} lässt sich nicht schreiben: {problem}."
        "Nothing was accepted. Make the data folder writable, then try again."
        "Nichts wurde angenommen. Den Datenordner beschreibbar machen und es noch einmal versuchen.";
    /// A list of tools that was accepted can't be used.
    ListUnusable(file: PathBuf, problem: ReviewWrong)
        "The list of tools that was accepted, {file}, can't be used: {problem}. Agents get none of the member's tools."
        "Die Liste der angenommenen Werkzeuge, {file}, ist nicht nutzbar: {problem}. Agenten erhalten keines der Werkzeuge des Mitglieds."
        "Put it back from a backup, or accept the tools again."
        "Die Datei aus einer Sicherung zurückholen oder die Werkzeuge noch einmal annehmen.";
    /// It can't be written.
    ListUnwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "What was accepted counts until Guild Hall ends; make the data folder writable, then accept again."
        "Was angenommen wurde, gilt, bis Guild Hall endet; den Datenordner beschreibbar machen und dann noch einmal annehmen.";
}

notes! {
    /// What is wrong with a file of what was accepted: the rest of a sentence.
    ReviewWrong;
    /// It is of another version.
    Version(version: u32)
        "its version is {version}"
        "ihre Version ist {version}";
    /// A member has too much to be kept.
    TooLong
        "what the member runs is too long to be kept"
        "was das Mitglied ausführt, ist zu lang, um aufbewahrt zu werden";
    /// The system, or whoever reads it, says so.
    Unread(error: Each)
        "{error}"
        "{error}";
}
