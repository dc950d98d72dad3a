//! What is wrong with settings, and with secrets.

use std::path::PathBuf;
use std::time::Duration;

use super::{Each, JsonWrong, Shown, Told, Ungrouped, notes, troubles};
use crate::language::Language;

troubles! {
    /// Why settings are not read, or not changed.
    SettingsTrouble;
    /// A mistake in the file.
    Mistake(place: Each, hint: Each)
        "{place}."
        "{place}."
        "{hint}"
        "{hint}";
    /// There are more.
    MoreMistakes(file: String, count: usize)
        "Further mistakes in {file}: {count}."
        "Weitere Fehler in {file}: {count}."
        "Mend those that are told, and look again."
        "Die genannten berichtigen und noch einmal ansehen.";
    /// A value can't be set.
    Refused(key: String, wrong: SettingWrong, doc: SettingDoc)
        "`{key}` {wrong}."
        "`{key}` {wrong}."
        "{doc}"
        "{doc}";
    /// There is no such setting.
    NoSetting(key: String, next: NearSetting)
        "There is no setting {key}."
        "Eine Einstellung {key} gibt es nicht."
        "{next}"
        "{next}";
    /// The file can't be changed as it is.
    Untouched(file: String, why: WhyUntouched)
        "{file} was not touched: {why}."
        "{file} wurde nicht angerührt: {why}."
        "Mend the file by hand, or remove it to go back to the defaults."
        "Die Datei von Hand berichtigen oder sie entfernen, um zu den Vorgaben zurückzukehren.";
    /// Somebody else writes it.
    ChangedElsewhere(file: PathBuf)
        "{file} is being changed by another program; nothing was written."
        "{file} wird gerade von einem anderen Programm geändert; nichts wurde geschrieben."
        "Save it there, and try again."
        "Dort speichern und es noch einmal versuchen.";
    /// Another Guild Hall writes it.
    NoTurn
        "Another program of Guild Hall does not come to the end of its change; nothing was written."
        "Ein anderes Programm von Guild Hall kommt mit seiner Änderung nicht zum Ende; nichts wurde geschrieben."
        "Try again."
        "Es noch einmal versuchen.";
    /// It can't be read.
    Unreadable(file: PathBuf, error: Each)
        "{file} can't be read: {error}."
        "{file} ist nicht lesbar: {error}."
        "Make it a file that you may read, or remove it to go back to the defaults."
        "Eine lesbare Datei daraus machen oder sie entfernen, um zu den Vorgaben zurückzukehren.";
    /// It can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Give yourself the right to write there, or free space on the disk."
        "Sich dort das Schreibrecht geben oder Platz auf dem Datenträger schaffen.";
    /// What would be needed to undo an import is too much.
    UndoTooLarge(folder: PathBuf, mib: usize, largest: String)
        "Nothing was imported: the files in {folder} that an import writes over, with what it makes of them, take more than the {mib} MiB that are kept to undo it."
        "Nichts wurde übernommen: Die Dateien in {folder}, die dabei überschrieben werden, und was daraus wird, sind größer als die {mib} MiB, die zum Zurücknehmen aufgehoben werden."
        "Make {largest} smaller, the largest of them, and try again."
        "{largest}, die größte davon, verkleinern und es noch einmal versuchen.";
    /// Too many at once.
    TooMany(most: usize)
        "More than {most} settings at once are too many."
        "Mehr als {most} Einstellungen auf einmal sind zu viele."
        ""
        "";
    /// The work was given up.
    NotCarriedOut(error: String)
        "It was not carried out: {error}."
        "Es wurde nicht ausgeführt: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// A file for an export can't be written.
    NotExported(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Pick a folder that you may write to, or free space on the disk."
        "Einen beschreibbaren Ordner wählen oder Platz auf dem Datenträger schaffen.";
    /// A secret stands in what would be exported.
    SecretInExport(place: String)
        "Nothing was exported: `{place}` has the text of a secret in it."
        "Nichts wurde exportiert: In `{place}` steht der Text eines Geheimnisses."
        "Put something else there, or give the secret another value."
        "Dort etwas anderes eintragen oder dem Geheimnis einen anderen Wert geben.";
    /// It is not what was shown.
    NotAsShown
        "What would be imported, or what is set, is not what was shown."
        "Was übernommen würde oder was eingestellt ist, ist nicht das, was gezeigt wurde."
        "Look at the import again."
        "Die Übernahme noch einmal ansehen.";
    /// A file was written since it was kept, and before an import came to it.
    ChangedSince(file: PathBuf)
        "{file} was changed by another program; nothing was imported."
        "{file} wurde von einem anderen Programm geändert; nichts wurde übernommen."
        "Look at the import again."
        "Die Übernahme noch einmal ansehen.";
    /// Two texts of a file were written in the moment that it was to be replaced.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "{file} wurde im selben Augenblick von einem anderen Programm geschrieben; ein Text davon liegt in {kept}."
        "Compare both, keep what is to hold, and try again."
        "Beide vergleichen, behalten, was gelten soll, und es noch einmal versuchen.";
    /// A file is no export.
    NotImported(file: String, why: WhyNoExport)
        "{file} can't be imported: {why}."
        "{file} lässt sich nicht übernehmen: {why}."
        "Give a file that Guild Hall has exported."
        "Eine Datei nennen, die Guild Hall exportiert hat.";
    /// A path that begins nowhere.
    NoWholePath(path: PathBuf)
        "{path} is no whole path."
        "{path} ist kein ganzer Pfad."
        "Give one that begins at the root of the disk."
        "Einen nennen, der an der Wurzel des Datenträgers beginnt.";
    /// There is no place for data.
    NoDataFolder
        "The system names no folder for data: there is no home folder."
        "Das System nennt keinen Ordner für Daten: Es gibt kein Home-Verzeichnis."
        "Name one with --data DIR or GUILD_HALL_DATA."
        "Einen mit --data ORDNER oder GUILD_HALL_DATA nennen.";
}

notes! {
    /// Where a mistake stands, and what it is.
    SettingPlace;
    /// In a field.
    Field(place: String, field: String, wrong: SettingWrong)
        "{place}: `{field}` {wrong}"
        "{place}: `{field}` {wrong}";
    /// At a place.
    At(place: String, wrong: SettingWrong)
        "{place}: {wrong}"
        "{place}: {wrong}";
    /// In the file as a whole.
    File(file: String, wrong: SettingWrong)
        "{file} {wrong}"
        "{file} {wrong}";
}

notes! {
    /// What is wrong with a setting or with the file: the end of a sentence.
    SettingWrong;
    /// It is too large.
    Large(length: usize, most: u64)
        "has {length} bytes; {most} are the most"
        "hat {length} Bytes; höchstens {most} dürfen es sein";
    /// It is not UTF-8.
    NotUtf8
        "is no UTF-8 from here on"
        "ist von hier an kein UTF-8";
    /// It is no JSON.
    Json(wrong: JsonWrong)
        "{wrong}"
        "{wrong}";
    /// It is no object.
    NoObject(found: Shown)
        "expected an object in braces, found {found}"
        "erwartet: ein Objekt in geschweiften Klammern; gefunden: {found}";
    /// A section is no object.
    NoSection(found: Shown)
        "must be an object in braces; found {found}"
        "muss ein Objekt in geschweiften Klammern sein; gefunden: {found}";
    /// It can't be used.
    Unusable(error: String)
        "can't be used: {error}"
        "ist nicht nutzbar: {error}";
    /// It is none.
    Unknown
        "is no setting; it is kept and has no effect"
        "ist keine Einstellung; es bleibt stehen und bewirkt nichts";
    /// No action.
    NoAction
        "is no name of an action"
        "ist kein Name einer Aktion";
    /// There is no such action.
    UnknownAction
        "names no action; it is kept and has no effect"
        "nennt keine Aktion; es bleibt stehen und bewirkt nichts";
    /// Keys that are no text.
    KeysNoText(found: Shown)
        "must be a text in quotes; found {found}"
        "muss ein Text in Anführungszeichen sein; gefunden: {found}";
    /// Keys that are no text, where they are set.
    KeysNoKeys(found: Shown)
        "must be keys such as \"Ctrl+Shift+K\"; found {found}"
        "muss aus Tasten bestehen wie \"Ctrl+Shift+K\"; gefunden: {found}";
    /// Keys that can't be.
    Press(wrong: PressWrong)
        "{wrong}"
        "{wrong}";
    /// No truth value.
    Flag(found: Shown)
        "must be true or false; found {found}"
        "muss true oder false sein; gefunden: {found}";
    /// None of a few words.
    Choice(words: String, found: Shown)
        "must be one of {words}; found {found}"
        "muss eines sein von {words}; gefunden: {found}";
    /// No whole number of these.
    Whole(least: Ungrouped<u64>, most: Ungrouped<u64>, found: Shown)
        "must be a whole number from {least} to {most}; found {found}"
        "muss eine ganze Zahl von {least} bis {most} sein; gefunden: {found}";
    /// No port of the gateway.
    Port(found: Shown)
        "must be a port from 1024 to 19999 or from 30001 to 65535, as those between are the members'; found {found}"
        "muss ein Port von 1024 bis 19999 oder von 30001 bis 65535 sein, denn die dazwischen gehören den Mitgliedern; gefunden: {found}";
    /// Another address.
    Address
        "must begin with https://, or be on this machine"
        "muss mit https:// beginnen oder auf diesem Rechner sein";
    /// Another key.
    PublicKey
        "is no public key as `cargo xtask update-key` writes it"
        "ist kein öffentlicher Schlüssel, wie `cargo xtask update-key` ihn schreibt";
    /// No text.
    NoText(expected: SettingText, found: Shown)
        "must be {expected} in double quotes; found {found}"
        "muss in doppelten Anführungszeichen stehen: {expected}; gefunden: {found}";
    /// An empty text.
    Empty(expected: SettingText)
        "must be {expected}; found an empty text"
        "muss sein: {expected}; gefunden: ein leerer Text";
    /// A text that is too long.
    Long(length: usize, most: usize)
        "has {length} bytes; {most} are the most"
        "hat {length} Bytes; höchstens {most} dürfen es sein";
    /// A control character.
    Control
        "has a control character"
        "hat ein Steuerzeichen";
}

notes! {
    /// What a text stands for.
    SettingText;
    /// A folder.
    Folder
        "the path of a folder"
        "der Pfad eines Ordners";
    /// An address.
    Address
        "an address"
        "eine Adresse";
    /// A key.
    PublicKey
        "a public key"
        "ein öffentlicher Schlüssel";
    /// Keys.
    Keys
        "keys such as \"Ctrl+Alt+K\""
        "Tasten wie \"Ctrl+Alt+K\"";
}

notes! {
    /// What is wrong with keys: the end of a sentence.
    PressWrong;
    /// They have Super.
    Super
        "has Super, which is the system's"
        "hat Super, das dem System gehört";
    /// They mean something everywhere.
    Everywhere(key: String)
        "is {key}, which has a meaning everywhere"
        "ist {key}, was überall eine Bedeutung hat";
    /// They mean something where somebody writes.
    InTexts(key: String)
        "is {key}, which has a meaning of its own where somebody writes: it must have Ctrl or Alt"
        "ist {key}, was beim Schreiben eine eigene Bedeutung hat: Ctrl oder Alt muss dabei sein";
    /// They are a character.
    ShiftAlone(key: String)
        "has Shift alone with {key}: write the character that they type"
        "hat nur Shift bei {key}: das Zeichen schreiben, das sie zusammen tippen";
    /// They count in every program.
    Bare
        "must have Ctrl, Alt or Super: it counts in every program"
        "muss Ctrl, Alt oder Super haben: Es gilt in jedem Programm";
    /// They are no keys.
    NoKeys(found: String)
        "must be keys such as \"Ctrl+Shift+K\" or \"F6\"; found {found}"
        "muss aus Tasten bestehen wie \"Ctrl+Shift+K\" oder \"F6\"; gefunden: {found}";
    /// One of them stands twice.
    Twice(held: &'static str)
        "has {held} twice"
        "hat {held} zweimal";
}

notes! {
    /// What to do about a mistake.
    SettingHint;
    /// A key stands twice.
    TakeOneOut
        "Take one of the two out."
        "Eines der beiden herausnehmen.";
    /// It is nested.
    NotSoDeep
        "Settings are not nested so deep."
        "So tief sind Einstellungen nicht verschachtelt.";
    /// It is no JSON.
    MendHere
        "Mend this place; look at what stands right before it too."
        "Diese Stelle berichtigen; auch ansehen, was direkt davor steht.";
    /// It is too large.
    TakeOut
        "Take out what is not needed."
        "Herausnehmen, was nicht gebraucht wird.";
    /// It is not UTF-8.
    SaveAsUtf8
        "Save it as UTF-8."
        "Als UTF-8 speichern.";
    /// It has no braces.
    Braces
        "Put braces around the settings."
        "Geschweifte Klammern um die Einstellungen setzen.";
    /// The default holds, as if nothing stood there.
    Default
        "Its default holds."
        "Es gilt die Vorgabe.";
    /// The default holds, and what may stand there.
    DefaultOf(doc: SettingDoc)
        "Its default holds. {doc}"
        "Es gilt die Vorgabe. {doc}";
    /// No default takes the place of the members' folder that a person has named.
    NoDefault
        "No default holds for it: name a folder, or take the setting out to have the one in the data folder."
        "Dafür gilt keine Vorgabe: einen Ordner nennen oder die Einstellung herausnehmen, um den im Datenordner zu haben.";
    /// Another setting is meant.
    Near(near: NearSetting)
        "{near}"
        "{near}";
    /// Nothing.
    None
        ""
        "";
}

/// What a setting does, as the settings' table has it; in German the page of the settings says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingDoc(pub &'static str);

impl Told for SettingDoc {
    fn told(&self, language: Language) -> String {
        match language {
            Language::En => self.0.to_owned(),
            Language::De => {
                "Was diese Einstellung bewirkt, steht auf der Seite der Einstellungen.".to_owned()
            }
        }
    }
}

#[cfg(test)]
impl super::Example for SettingDoc {
    fn example() -> Self {
        Self("What it does.")
    }
}

notes! {
    /// The setting that was meant.
    NearSetting;
    /// One is like it.
    Meant(near: &'static str)
        "Did you mean `{near}`?"
        "War `{near}` gemeint?";
    /// None is.
    Listed
        "`guildhall settings` lists all there are."
        "`guildhall settings` listet alle auf.";
    /// An action is like it.
    Action(near: &'static str)
        "Did you mean `keys.{near}`?"
        "War `keys.{near}` gemeint?";
    /// No action is.
    Actions
        "The settings' page has all actions, each with its keys."
        "Auf der Seite der Einstellungen stehen alle Aktionen mit ihren Tasten.";
}

notes! {
    /// Why the file is left as it is: the rest of a sentence.
    WhyUntouched;
    /// It can't be read.
    Unreadable
        "it can't be read"
        "sie ist nicht lesbar";
    /// It would be too large.
    Large(length: usize, most: u64)
        "it would have {length} bytes; {most} are the most"
        "sie hätte {length} Bytes; höchstens {most} dürfen es sein";
    /// It would be broken.
    Broken
        "it could not be read afterwards"
        "sie wäre danach nicht lesbar";
    /// A place in it can't be changed.
    Place(wrong: Each)
        "{wrong}"
        "{wrong}";
}

notes! {
    /// Why a file is no export of settings: the rest of a sentence.
    WhyNoExport;
    /// It can't be read.
    Unreadable(error: Each)
        "{error}"
        "{error}";
    /// It is of another version.
    Version(version: Ungrouped<u64>)
        "its form {version} is not known"
        "die Form {version} ist nicht bekannt";
    /// It is something else.
    NoExport
        "it is no export of settings"
        "es ist kein Export von Einstellungen";
    /// A setting in it can't be.
    Setting(place: String)
        "`{place}` is not what it must be"
        "`{place}` ist nicht, was es sein muss";
}

troubles! {
    /// Why a secret can't be had or kept.
    SecretTrouble;
    /// Nobody could look.
    NotLooked(error: String)
        "The secrets could not be looked at: {error}."
        "Die Geheimnisse ließen sich nicht ansehen: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// Others can read a token that was written into another program's file.
    TokenReadable(path: PathBuf)
        "{path} has a token in it, and other users of this machine can read it."
        "{path} enthält ein Token, und andere Benutzer dieses Rechners können die Datei lesen."
        "Run `chmod 600 '{path}'`."
        "`chmod 600 '{path}'` ausführen.";
    /// There is no keychain.
    NoKeychain(name: String, why: String)
        "There is no keychain for the secret {name}: {why}."
        "Für das Geheimnis {name} gibt es keinen Schlüsselbund: {why}."
        "Start the keychain of the system, or keep it in a file: `guildhall secret set {name} --place file`."
        "Den Schlüsselbund des Systems starten oder es in einer Datei aufbewahren: `guildhall secret set {name} --place file`.";
    /// The keychain said no.
    Refused(name: String, why: String)
        "The keychain refused when it was asked for the secret {name}: {why}."
        "Der Schlüsselbund lehnte ab, als er nach dem Geheimnis {name} gefragt wurde: {why}."
        "Unlock the keychain and try again, or keep it in a file: `guildhall secret set {name} --place file`."
        "Den Schlüsselbund entsperren und es noch einmal versuchen oder es in einer Datei aufbewahren: `guildhall secret set {name} --place file`.";
    /// The keychain can't keep it.
    Unfit(name: String, why: String)
        "The keychain can't keep the secret {name}: {why}."
        "Der Schlüsselbund kann das Geheimnis {name} nicht aufbewahren: {why}."
        "Choose a shorter value, or keep it in a file: `guildhall secret set {name} --place file`."
        "Einen kürzeren Wert wählen oder es in einer Datei aufbewahren: `guildhall secret set {name} --place file`.";
    /// The keychain is silent.
    Unanswered(name: String, limit: Duration)
        "The keychain was asked for the secret {name} and did not answer within {limit} s."
        "Der Schlüsselbund wurde nach dem Geheimnis {name} gefragt und antwortete nicht innerhalb von {limit} s."
        "Look for a dialog that asks for the keychain's password, answer it and try again, or keep it in a file: `guildhall secret set {name} --place file`."
        "Nach einem Dialog sehen, der nach dem Passwort des Schlüsselbunds fragt, ihn beantworten und es noch einmal versuchen oder es in einer Datei aufbewahren: `guildhall secret set {name} --place file`.";
    /// The keychain is silent about all.
    Silent(limit: Duration)
        "The keychain did not answer within {limit} s."
        "Der Schlüsselbund antwortete nicht innerhalb von {limit} s."
        "Look for a dialog that asks for its password, and answer it."
        "Nach einem Dialog sehen, der nach seinem Passwort fragt, und ihn beantworten.";
    /// The keychain said no to all.
    Locked(why: String)
        "The keychain refused: {why}."
        "Der Schlüsselbund lehnte ab: {why}."
        "Look for a dialog that asks for its password, and answer it."
        "Nach einem Dialog sehen, der nach seinem Passwort fragt, und ihn beantworten.";
    /// They are kept in a file.
    InFile(why: String, file: PathBuf)
        "No keychain can be reached ({why}), so secrets are kept in {file}."
        "Kein Schlüsselbund ist erreichbar ({why}), deshalb stehen Geheimnisse in {file}."
        "Every program that you start can read that file. Start the keychain of the system to keep secrets there."
        "Jedes selbst gestartete Programm kann diese Datei lesen. Den Schlüsselbund des Systems starten, um Geheimnisse dort aufzubewahren.";
    /// The name is a sign-in's.
    Grant
        "Under that name stand the tokens of a member."
        "Unter diesem Namen stehen die Token eines Mitglieds."
        "Sign in and out with `guildhall sign-in` and `guildhall sign-out`, or on the member's page."
        "Mit `guildhall sign-in` und `guildhall sign-out` oder auf der Seite des Mitglieds an- und abmelden.";
    /// The name is none.
    BadName(name: String)
        "{name} can't be the name of a secret."
        "{name} kann nicht der Name eines Geheimnisses sein."
        "A name has 1 to 256 bytes, no space, no control character and none of = $ {{ }}."
        "Ein Name hat 1 bis 256 Bytes, kein Leerzeichen, kein Steuerzeichen und keines von = $ {{ }}.";
    /// The value is empty.
    NoValue(name: String)
        "The secret {name} was given no value."
        "Das Geheimnis {name} bekam keinen Wert."
        "To take its value away, remove it."
        "Um ihm den Wert zu nehmen, es entfernen.";
    /// The value is too long.
    LongValue(name: String, most: usize)
        "The value of {name} is longer than {most} bytes."
        "Der Wert von {name} ist länger als {most} Bytes."
        "Keep a long value in a file that the member reads itself."
        "Einen langen Wert in einer Datei aufbewahren, die das Mitglied selbst liest.";
    /// The value can't be handed on.
    ZeroValue(name: String)
        "The value of {name} has a zero character, which no process can be given."
        "Der Wert von {name} hat ein Nullzeichen, das keinem Prozess übergeben werden kann."
        "Set a text."
        "Einen Text setzen.";
    /// Others may read the file.
    Open(file: PathBuf)
        "{file} is not used: others may read it."
        "{file} wird nicht verwendet: Andere dürfen sie lesen."
        "Run `chmod 600 '{file}'`, and change the secrets that others may have read."
        "`chmod 600 '{file}'` ausführen und die Geheimnisse ändern, die andere gelesen haben könnten.";
    /// There are too many.
    TooMany(most: usize)
        "There are {most} secrets, and more are not kept."
        "Es gibt {most} Geheimnisse, und mehr werden nicht aufbewahrt."
        "Remove some that no member uses."
        "Einige entfernen, die kein Mitglied verwendet.";
    /// The file can't be read.
    Unreadable(file: PathBuf, error: Each)
        "{file} can't be read: {error}."
        "{file} ist nicht lesbar: {error}."
        "Look at the file and at the rights of its folder."
        "Die Datei und die Rechte ihres Ordners ansehen.";
    /// The file can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Look at the file and at the rights of its folder."
        "Die Datei und die Rechte ihres Ordners ansehen.";
}
