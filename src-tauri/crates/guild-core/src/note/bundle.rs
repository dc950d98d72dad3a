//! What should be known of an MCPB bundle before it is installed.

use std::path::PathBuf;

use serde_json::Value;

use super::{ArgumentsWrong, Every, Ungrouped, notes, troubles};

notes! {
    /// What is odd about a bundle and stops nothing, or that it is made for other machines.
    BundleNote;
    /// Its server's file is missing.
    NoEntry
        "The file that its server begins with is not in the bundle."
        "Die Datei, mit der der Server beginnt, ist nicht im Bündel.";
    /// A setting that nobody is asked for.
    UnaskedSetting(key: String)
        "It uses the setting {key}, which it does not ask for."
        "Es verwendet die Einstellung {key}, nach der es nicht fragt.";
    /// A default of another type than its setting.
    OddDefault(key: String)
        "Left out: the default of {key}, which is none for it."
        "Ausgelassen: die Vorgabe von {key}, die nicht dazu passt.";
    /// Several answers in one place.
    SeveralAnswers(place: String)
        "Several answers are one text in {place}, with commas between them."
        "Mehrere Antworten sind in {place} ein Text, mit Kommas dazwischen.";
    /// A variable that is none.
    UnknownVariable(name: String)
        "${{{name}}} is no variable of the format; it is passed on as it stands."
        "${{{name}}} ist keine Variable des Formats; sie wird so weitergegeben, wie sie da steht.";
    /// It is made for other systems.
    MadeFor(systems: Every, own: String)
        "It is made for {systems}, and this is {own}."
        "Es ist für {systems} gemacht, und dies ist {own}.";
    /// A version of the format.
    UnknownFormat(format: String)
        "It is written in version {format} of the format, which is not known here."
        "Es ist in Version {format} des Formats geschrieben, die hier nicht bekannt ist.";
    /// A field that is wrong.
    LeftOut(wrong: BundleWrong)
        "Left out: {wrong}."
        "Ausgelassen: {wrong}.";
    /// Entries of a list that are wrong.
    SomeLeftOut(count: usize, list: String)
        "Left out: {count} of its {list} can't be read."
        "Ausgelassen: {count} unter {list}, nicht lesbar.";
    /// A list that is none.
    NoList(list: String)
        "Left out: {list} is no list."
        "Ausgelassen: {list} ist keine Liste.";
}

notes! {
    /// What is wrong with a field of its manifest.
    BundleWrong;
    /// Its text is too long.
    TooLong(field: String, most: usize)
        "{field} has more than {most} bytes"
        "{field} hat mehr als {most} Bytes";
    /// It has too many entries.
    TooMany(field: String, most: usize)
        "{field} has more than {most} entries"
        "{field} hat mehr als {most} Einträge";
    /// It is something else.
    Mismatch(field: String, is: JsonKind, wanted: JsonKind)
        "{field} is {is} and should be {wanted}"
        "{field} ist {is}, verlangt ist {wanted}";
}

notes! {
    /// What a value is.
    JsonKind;
    /// Nothing.
    Null
        "null"
        "null";
    /// A truth value.
    Boolean
        "a boolean"
        "ein Wahrheitswert";
    /// One of the two.
    Flag
        "true or false"
        "true oder false";
    /// A number.
    Number
        "a number"
        "eine Zahl";
    /// A number without a fraction.
    Whole
        "a whole number"
        "eine ganze Zahl";
    /// A text.
    Text
        "a text"
        "ein Text";
    /// A list.
    List
        "a list"
        "eine Liste";
    /// An object.
    Object
        "an object"
        "ein Objekt";
}

impl JsonKind {
    /// What this one is.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

troubles! {
    /// Why a bundle can't be used.
    BundleTrouble;
    /// Something is wrong with it.
    Unusable(file: PathBuf, wrong: BundleFault)
        "{file} {wrong}."
        "{file} {wrong}."
        "Get the bundle anew from its maker."
        "Das Bündel neu vom Hersteller holen.";
    /// It is another file by now.
    Another(file: PathBuf)
        "{file} is not the file that was looked into."
        "{file} ist nicht die Datei, in die hineingesehen wurde."
        "Look into it again: it is another bundle by now."
        "Noch einmal hineinsehen: Es ist inzwischen ein anderes Bündel.";
}

notes! {
    /// What is wrong with a bundle: the rest of a sentence that begins with its name.
    BundleFault;
    /// It is a folder, perhaps.
    NoFile
        "is no file"
        "ist keine Datei";
    /// It is too large.
    TooLarge(mebibytes: u64, most: u64)
        "has {mebibytes} MiB; {most} are the most"
        "hat {mebibytes} MiB; höchstens {most} dürfen es sein";
    /// It can't be read, or not as an archive.
    Archive(wrong: ArchiveFault)
        "{wrong}"
        "{wrong}";
    /// It is of a kind that no bundle is of.
    Larger
        "is an archive of the kind for more than 65,534 files or 4 GiB"
        "ist ein Archiv der Art für mehr als 65.534 Dateien oder 4 GiB";
    /// There is more of it.
    OnePart
        "is one part of an archive of several"
        "ist ein Teil eines Archivs aus mehreren";
    /// It has something that nobody looks at.
    BetweenParts
        "has something before its archive, or between its parts"
        "hat etwas vor dem Archiv oder zwischen dessen Teilen";
    /// It has something that nobody looks at.
    Before
        "has something before its archive"
        "hat etwas vor dem Archiv";
    /// It is something else.
    NoZip
        "is no zip archive, or was cut off"
        "ist kein Zip-Archiv oder wurde abgeschnitten";
    /// It has too many files.
    ManyFiles(files: u64, kib: u64, most: u64, most_kib: u64)
        "has {files} files in a list of {kib} KiB; {most} and {most_kib} KiB are the most"
        "hat {files} Dateien in einer Liste von {kib} KiB; höchstens {most} und {most_kib} KiB dürfen es sein";
    /// Files have the same name.
    Twice
        "has files that are there twice"
        "enthält Dateien doppelt";
    /// One of its files can't be.
    File(name: String, wrong: EntryFault)
        "has the file {name}, which {wrong}"
        "hat die Datei {name}: {wrong}";
    /// It would be too large.
    TooMuch(mebibytes: u64, ratio: u64, most: u64)
        "would be {mebibytes} MiB or more unpacked; {ratio} times its own length are the most, and {most} MiB"
        "hätte entpackt {mebibytes} MiB oder mehr; höchstens das {ratio}-Fache der eigenen Länge und {most} MiB dürfen es sein";
    /// It has no manifest.
    NoManifest(file: &'static str)
        "has no {file}"
        "hat keine {file}";
    /// Its manifest can't be unpacked.
    ManifestUnread(file: &'static str, error: String)
        "has a {file} that can't be read: {error}"
        "hat eine {file}, die nicht lesbar ist: {error}";
    /// Its manifest is wrong.
    Manifest(file: &'static str, wrong: ManifestFault)
        "has a {file} that {wrong}"
        "hat eine {file} mit einem Fehler: {wrong}";
    /// Its manifest names a file that is missing.
    NoEntry(file: String)
        "names a file {file} that is not in the bundle"
        "nennt eine Datei {file}, die nicht im Bündel ist";
    /// Its manifest runs a file that is missing.
    NoProgram(file: String)
        "runs {file}, which is not in the bundle"
        "führt {file} aus, und das ist nicht im Bündel";
    /// Somebody writes it.
    Changed
        "was changed while it was unpacked"
        "wurde während des Entpackens geändert";
}

notes! {
    /// What whoever reads an archive says of it, or of a file in it: the rest of a sentence.
    ArchiveFault;
    /// The system says so.
    Unread(error: String)
        "can't be read: {error}"
        "ist nicht lesbar: {error}";
    /// It is damaged.
    Unsound(what: String)
        "is no sound archive: {what}"
        "ist kein unbeschädigtes Archiv: {what}";
    /// It is of an unknown kind.
    Unsupported(what: String)
        "is an archive that can't be read: {what}"
        "ist ein Archiv, das sich nicht lesen lässt: {what}";
}

notes! {
    /// What is wrong with a bundle's manifest: in English the rest of a sentence that begins with its
    /// name.
    ManifestFault;
    /// It is too long.
    TooLong(length: usize, most: usize)
        "has {length} bytes; {most} are the most"
        "sie hat {length} Bytes; höchstens {most} dürfen es sein";
    /// It is no text.
    NotUtf8
        "is no UTF-8"
        "sie ist kein UTF-8";
    /// It is no JSON, as the reader says.
    Unread(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "can't be read: line {line}, column {column}: {wrong}"
        "sie ist nicht lesbar: Zeile {line}, Spalte {column}: {wrong}";
    /// Something is missing.
    NoField(field: String)
        "has no {field}"
        "{field} fehlt";
    /// It is run in an unknown way.
    NoType(kind: String)
        "has the server.type {kind}, which is none of node, python, binary and uv"
        "server.type ist {kind} und damit weder node noch python, binary oder uv";
    /// Nothing says how it is run.
    NoEntry
        "has neither server.entry_point nor server.mcp_config"
        "server.entry_point und server.mcp_config fehlen";
    /// There are too many variables.
    ManyVariables(path: String, most: usize)
        "{path} has more than {most} variables"
        "{path} hat mehr als {most} Variablen";
    /// A variable's name is none.
    OddVariable(path: String)
        "{path} has a name that no variable has"
        "{path} hat einen Namen, den keine Variable hat";
    /// A setting is of an unknown type.
    UnknownType(path: String, kind: String)
        "{path} has the unknown type {kind}"
        "{path} hat den unbekannten Typ {kind}";
    /// A part of it is empty.
    Empty(path: String)
        "{path} is empty"
        "{path} ist leer";
    /// A field is wrong.
    Field(wrong: BundleWrong)
        "{wrong}"
        "{wrong}";
}

impl From<BundleWrong> for ManifestFault {
    fn from(wrong: BundleWrong) -> Self {
        Self::Field(wrong)
    }
}

notes! {
    /// What is wrong with a file of a bundle: in English the rest of a sentence that begins with its
    /// name.
    EntryFault;
    /// Its name is no text.
    NotUtf8
        "is no UTF-8"
        "ihr Name ist kein UTF-8";
    /// Its path is too long.
    LongPath(most: usize)
        "has more than {most} bytes"
        "ihr Pfad hat mehr als {most} Bytes";
    /// It leads elsewhere.
    FromRoot
        "is a path from the root"
        "ihr Pfad beginnt an der Wurzel";
    /// It stands in too many folders.
    TooDeep(most: usize)
        "is more than {most} folders deep"
        "sie liegt mehr als {most} Ordner tief";
    /// A part of its path is empty.
    NoName
        "has a part without a name"
        "ein Teil ihres Pfads hat keinen Namen";
    /// It leads elsewhere.
    Elsewhere
        "leads to another folder"
        "ihr Pfad führt in einen anderen Ordner";
    /// Its name is too long.
    LongName(most: usize)
        "has a name of more than {most} bytes"
        "ihr Name hat mehr als {most} Bytes";
    /// It would lead elsewhere on Windows.
    Backslash
        "has a backslash"
        "ihr Name hat einen Backslash";
    /// It would lead elsewhere on Windows.
    Drive
        "names a drive"
        "ihr Name nennt ein Laufwerk";
    /// Its name deceives.
    Hidden
        "has a character that can't be seen"
        "ihr Name hat ein Zeichen, das nicht zu sehen ist";
    /// It would have another name on Windows.
    EndsOddly
        "ends in a dot or a space, which Windows takes away"
        "ihr Name endet mit einem Punkt oder einem Leerzeichen, und das nimmt Windows weg";
    /// It would be something else on Windows.
    Device
        "names a device of Windows"
        "ihr Name nennt ein Gerät von Windows";
    /// It can't be on Windows.
    NotOnWindows
        "has a character that no name has on Windows"
        "ihr Name hat ein Zeichen, das unter Windows kein Name hat";
    /// It would take another's place.
    SameAs(spelled: String)
        "is the same as {spelled} to systems without case"
        "für Systeme ohne Groß- und Kleinschreibung ist sie dasselbe wie {spelled}";
    /// It would take another's place.
    Twice
        "is there twice"
        "sie ist doppelt enthalten";
    /// Nobody has its password.
    Encrypted
        "is encrypted"
        "sie ist verschlüsselt";
    /// It is packed otherwise.
    OddPacking
        "is packed in a way that bundles do not have"
        "sie ist auf eine Art gepackt, die Bündel nicht haben";
    /// It leads elsewhere.
    Link
        "is a link"
        "sie ist ein Link";
    /// It is something else.
    Neither
        "is neither a file nor a folder"
        "sie ist weder eine Datei noch ein Ordner";
    /// It can't be unpacked, as the reader says.
    Archive(wrong: ArchiveFault)
        "{wrong}"
        "sie {wrong}";
    /// It can't be unpacked.
    Damaged(error: String)
        "is damaged: {error}"
        "sie ist beschädigt: {error}";
    /// It is not what it says.
    OtherLength
        "has another length than it says"
        "sie hat eine andere Länge, als sie sagt";
}
