//! What should be known of an MCPB bundle before it is installed.

use std::path::PathBuf;

use serde_json::Value;

use super::{ArgumentsWrong, Every, Ungrouped, notes, troubles};

notes! {
    /// What is odd about a bundle and stops nothing, or that it is made for other machines.
    BundleNote;
    /// Its server's file is missing.
    NoEntry
        "The file that its server begins with is not in the bundle.";
    /// A setting that nobody is asked for.
    UnaskedSetting(key: String)
        "It uses the setting {key}, which it does not ask for.";
    /// A default of another type than its setting.
    OddDefault(key: String)
        "Left out: the default of {key}, which is none for it.";
    /// Several answers in one place.
    SeveralAnswers(place: String)
        "Several answers are one text in {place}, with commas between them.";
    /// A variable that is none.
    UnknownVariable(name: String)
        "${{{name}}} is no variable of the format; it is passed on as it stands.";
    /// It is made for other systems.
    MadeFor(systems: Every, own: String)
        "It is made for {systems}, and this is {own}.";
    /// A version of the format.
    UnknownFormat(format: String)
        "It is written in version {format} of the format, which is not known here.";
    /// A field that is wrong.
    LeftOut(wrong: BundleWrong)
        "Left out: {wrong}.";
    /// Entries of a list that are wrong.
    SomeLeftOut(count: usize, list: String)
        "Left out: {count} of its {list} can't be read.";
    /// A list that is none.
    NoList(list: String)
        "Left out: {list} is no list.";
}

notes! {
    /// What is wrong with a field of its manifest.
    BundleWrong;
    /// Its text is too long.
    TooLong(field: String, most: usize)
        "{field} has more than {most} bytes";
    /// It has too many entries.
    TooMany(field: String, most: usize)
        "{field} has more than {most} entries";
    /// It is something else.
    Mismatch(field: String, is: JsonKind, wanted: JsonKind)
        "{field} is {is} and should be {wanted}";
}

notes! {
    /// What a value is.
    JsonKind;
    /// Nothing.
    Null
        "null";
    /// A truth value.
    Boolean
        "a boolean";
    /// One of the two.
    Flag
        "true or false";
    /// A number.
    Number
        "a number";
    /// A number without a fraction.
    Whole
        "a whole number";
    /// A text.
    Text
        "a text";
    /// A list.
    List
        "a list";
    /// An object.
    Object
        "an object";
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
        "Get the bundle anew from its maker.";
    /// It is another file by now.
    Another(file: PathBuf)
        "{file} is not the file that was looked into."
        "Look into it again: it is another bundle by now.";
}

notes! {
    /// What is wrong with a bundle: the rest of a sentence that begins with its name.
    BundleFault;
    /// It is a folder, perhaps.
    NoFile
        "is no file";
    /// It is too large.
    TooLarge(mebibytes: u64, most: u64)
        "has {mebibytes} MiB; {most} are the most";
    /// It can't be read, or not as an archive.
    Archive(wrong: ArchiveFault)
        "{wrong}";
    /// It is of a kind that no bundle is of.
    Larger
        "is an archive of the kind for more than 65,534 files or 4 GiB";
    /// There is more of it.
    OnePart
        "is one part of an archive of several";
    /// It has something that nobody looks at.
    BetweenParts
        "has something before its archive, or between its parts";
    /// It has something that nobody looks at.
    Before
        "has something before its archive";
    /// It is something else.
    NoZip
        "is no zip archive, or was cut off";
    /// It has too many files.
    ManyFiles(files: u64, kib: u64, most: u64, most_kib: u64)
        "has {files} files in a list of {kib} KiB; {most} and {most_kib} KiB are the most";
    /// Files have the same name.
    Twice
        "has files that are there twice";
    /// One of its files can't be.
    File(name: String, wrong: EntryFault)
        "has the file {name}, which {wrong}";
    /// It would be too large.
    TooMuch(mebibytes: u64, ratio: u64, most: u64)
        "would be {mebibytes} MiB or more unpacked; {ratio} times its own length are the most, and {most} MiB";
    /// It has no manifest.
    NoManifest(file: &'static str)
        "has no {file}";
    /// Its manifest can't be unpacked.
    ManifestUnread(file: &'static str, error: String)
        "has a {file} that can't be read: {error}";
    /// Its manifest is wrong.
    Manifest(file: &'static str, wrong: ManifestFault)
        "has a {file} that {wrong}";
    /// Its manifest names a file that is missing.
    NoEntry(file: String)
        "names a file {file} that is not in the bundle";
    /// Its manifest runs a file that is missing.
    NoProgram(file: String)
        "runs {file}, which is not in the bundle";
    /// Somebody writes it.
    Changed
        "was changed while it was unpacked";
}

notes! {
    /// What whoever reads an archive says of it, or of a file in it: the rest of a sentence.
    ArchiveFault;
    /// The system says so.
    Unread(error: String)
        "can't be read: {error}";
    /// It is damaged.
    Unsound(what: String)
        "is no sound archive: {what}";
    /// It is of an unknown kind.
    Unsupported(what: String)
        "is an archive that can't be read: {what}";
}

notes! {
    /// What is wrong with a bundle's manifest: the rest of a sentence that begins with its
    /// name.
    ManifestFault;
    /// It is too long.
    TooLong(length: usize, most: usize)
        "has {length} bytes; {most} are the most";
    /// It is no text.
    NotUtf8
        "is no UTF-8";
    /// It is no JSON, as the reader says.
    Unread(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "can't be read: line {line}, column {column}: {wrong}";
    /// Something is missing.
    NoField(field: String)
        "has no {field}";
    /// It is run in an unknown way.
    NoType(kind: String)
        "has the server.type {kind}, which is none of node, python, binary and uv";
    /// Nothing says how it is run.
    NoEntry
        "has neither server.entry_point nor server.mcp_config";
    /// There are too many variables.
    ManyVariables(path: String, most: usize)
        "{path} has more than {most} variables";
    /// A variable's name is none.
    OddVariable(path: String)
        "{path} has a name that no variable has";
    /// A setting is of an unknown type.
    UnknownType(path: String, kind: String)
        "{path} has the unknown type {kind}";
    /// A part of it is empty.
    Empty(path: String)
        "{path} is empty";
    /// A field is wrong.
    Field(wrong: BundleWrong)
        "{wrong}";
}

impl From<BundleWrong> for ManifestFault {
    fn from(wrong: BundleWrong) -> Self {
        Self::Field(wrong)
    }
}

notes! {
    /// What is wrong with a file of a bundle: the rest of a sentence that begins with its
    /// name.
    EntryFault;
    /// Its name is no text.
    NotUtf8
        "is no UTF-8";
    /// Its path is too long.
    LongPath(most: usize)
        "has more than {most} bytes";
    /// It leads elsewhere.
    FromRoot
        "is a path from the root";
    /// It stands in too many folders.
    TooDeep(most: usize)
        "is more than {most} folders deep";
    /// A part of its path is empty.
    NoName
        "has a part without a name";
    /// It leads elsewhere.
    Elsewhere
        "leads to another folder";
    /// Its name is too long.
    LongName(most: usize)
        "has a name of more than {most} bytes";
    /// It would lead elsewhere on Windows.
    Backslash
        "has a backslash";
    /// It would lead elsewhere on Windows.
    Drive
        "names a drive";
    /// Its name deceives.
    Hidden
        "has a character that can't be seen";
    /// It would have another name on Windows.
    EndsOddly
        "ends in a dot or a space, which Windows takes away";
    /// It would be something else on Windows.
    Device
        "names a device of Windows";
    /// It can't be on Windows.
    NotOnWindows
        "has a character that no name has on Windows";
    /// It would take another's place.
    SameAs(spelled: String)
        "is the same as {spelled} to systems without case";
    /// It would take another's place.
    Twice
        "is there twice";
    /// Nobody has its password.
    Encrypted
        "is encrypted";
    /// It is packed otherwise.
    OddPacking
        "is packed in a way that bundles do not have";
    /// It leads elsewhere.
    Link
        "is a link";
    /// It is something else.
    Neither
        "is neither a file nor a folder";
    /// It can't be unpacked, as the reader says.
    Archive(wrong: ArchiveFault)
        "{wrong}";
    /// It can't be unpacked.
    Damaged(error: String)
        "is damaged: {error}";
    /// It is not what it says.
    OtherLength
        "has another length than it says";
}
