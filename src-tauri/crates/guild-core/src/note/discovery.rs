//! Why `config.yml`, which says how tools are found out, can't be used.

use std::path::PathBuf;

use super::{Each, Ungrouped, notes, troubles};

troubles! {
    /// Why `config.yml` is not read, or not changed.
    DiscoveryTrouble;
    /// One of its lines is wrong.
    Line(file: &'static str, line: Ungrouped<usize>, wrong: DiscoveryWrong)
        "{file}:{line}: {wrong}."
        "{file}:{line}: {wrong}."
        "It has the section `discovery`, indented below it `enabled: true`, `timeout: 10000` (milliseconds) and `cache: true`, and the section `prediction` with `enabled`, `url`, `model`, `key` and `timeout`, each of them optional."
        "Die Datei hat den Abschnitt `discovery`, eingerückt darunter `enabled: true`, `timeout: 10000` (Millisekunden) und `cache: true`, und den Abschnitt `prediction` mit `enabled`, `url`, `model`, `key` und `timeout`; alle dürfen fehlen.";
    /// A value can't stand there.
    Left(file: &'static str, wrong: DiscoveryWrong)
        "{file} is left as it is: {wrong}."
        "{file} bleibt, wie sie ist: {wrong}."
        "Correct that value."
        "Diesen Wert berichtigen.";
    /// Somebody else changed it.
    Changed(file: &'static str)
        "{file} was changed meanwhile, and is left as it is."
        "{file} wurde inzwischen geändert und bleibt, wie sie ist."
        "Look at the settings again."
        "Die Einstellungen noch einmal ansehen.";
    /// It can't be read.
    Unreadable(file: PathBuf, error: Each)
        "{file} can't be read: {error}."
        "{file} ist nicht lesbar: {error}."
        "Make it readable, or remove it."
        "Die Datei lesbar machen oder entfernen.";
    /// It, or a file beside it, can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Make it and its folder writable."
        "Die Datei und ihren Ordner beschreibbar machen.";
}

notes! {
    /// What is wrong with a line of `config.yml`, or with a value for it: the rest of a sentence.
    DiscoveryWrong;
    /// The file is too long.
    TooLong(length: usize, most: u64)
        "the file has {length} bytes; {most} are the most"
        "die Datei hat {length} Bytes; höchstens {most} dürfen es sein";
    /// It is no text.
    NotUtf8
        "not UTF-8"
        "kein UTF-8";
    /// A tab.
    Tab
        "it is indented by a tab; YAML wants spaces"
        "die Zeile ist mit einem Tabulator eingerückt; YAML verlangt Leerzeichen";
    /// It is indented otherwise.
    OtherIndent(indent: usize, first: usize)
        "it is indented by {indent}, and those before it by {first}"
        "die Zeile ist um {indent} eingerückt, die davor um {first}";
    /// It is indented below nothing.
    BelowNothing
        "it is indented, and belongs to nothing"
        "die Zeile ist eingerückt und gehört zu nichts";
    /// There is no such section.
    NoSection(name: String)
        "there is no section {name}; `discovery` and `prediction` are the only ones"
        "einen Abschnitt {name} gibt es nicht, nur `discovery` und `prediction`";
    /// It was there before.
    Twice(name: String)
        "`{name}` stands here twice"
        "`{name}` steht hier zweimal";
    /// Braces where there are none.
    NoBraces
        "the fields of `prediction` stand on lines of their own"
        "die Felder von `prediction` stehen auf eigenen Zeilen";
    /// A section with a value.
    NotBelow(name: String, fields: DiscoveryFields, value: String)
        "`{name}` has {fields} below it, not {value}"
        "`{name}` hat darunter {fields}, nicht {value}";
    /// A brace that stays open.
    OpenBrace
        "the brace is not closed on this line"
        "die Klammer wird auf dieser Zeile nicht geschlossen";
    /// There is no such field.
    NoField(section: &'static str, fields: DiscoveryFields, name: String)
        "`{section}` has {fields}, and no {name}"
        "`{section}` hat {fields}, aber kein {name}";
    /// No name and value.
    NoPair(content: String)
        "{content} is no `name: value`"
        "{content} ist kein `name: wert`";
    /// A quote that stays open.
    OpenQuote
        "a text in quotes ends with the same one"
        "ein Text in Anführungszeichen endet mit demselben Zeichen";
    /// Neither yes nor no.
    NoFlag(value: String)
        "it is either true or false, not {value}"
        "der Wert ist entweder true oder false, nicht {value}";
    /// No time.
    NoMillis(least: Ungrouped<u64>, most: Ungrouped<u64>, value: String)
        "it is a whole number of milliseconds from {least} to {most}, not {value}"
        "der Wert ist eine ganze Zahl von Millisekunden von {least} bis {most}, nicht {value}";
    /// A time limit that can't be.
    NotWithin(least: Ungrouped<u64>, most: Ungrouped<u64>, given: Ungrouped<u64>)
        "a time limit is a whole number of milliseconds from {least} to {most}, not {given}"
        "eine Zeitgrenze ist eine ganze Zahl von Millisekunden von {least} bis {most}, nicht {given}";
    /// Something is missing.
    Incomplete(missing: &'static str)
        "`prediction` is enabled and has no `{missing}`"
        "`prediction` ist eingeschaltet und hat kein `{missing}`";
    /// No address.
    NoAddress(url: String)
        "{url} is no address"
        "{url} ist keine Adresse";
    /// Another scheme.
    NoScheme(url: String)
        "{url} is no address that begins with https:// or http://"
        "{url} ist keine Adresse, die mit https:// oder http:// beginnt";
    /// More than a host and a path.
    MoreThanPath(url: String)
        "{url} has more than a host and a path; a key stands in `key`"
        "{url} hat mehr als Host und Pfad; ein Schlüssel steht in `key`";
    /// No host.
    NoHost(url: String)
        "{url} names no host"
        "{url} nennt keinen Host";
    /// It goes over the network in the open.
    NotEncrypted(url: String)
        "{url} is not encrypted; http:// is for this machine alone"
        "{url} ist nicht verschlüsselt; http:// gilt nur für diesen Rechner";
    /// No model.
    NoModel(name: String)
        "{name} is no name of a model"
        "{name} ist kein Name eines Modells";
    /// The key itself, perhaps.
    NoKey
        "a key is named as ${{secret:NAME}} or ${{env:NAME}}, and does not stand here itself"
        "ein Schlüssel wird als ${{secret:NAME}} oder ${{env:NAME}} genannt und steht hier nicht selbst";
    /// It would be read otherwise.
    NotLineByLine
        "its lines can't be changed one by one"
        "ihre Zeilen lassen sich nicht einzeln ändern";
    /// Whoever reads it says so.
    Unread(error: String)
        "{error}"
        "{error}";
}

notes! {
    /// What a section may have.
    DiscoveryFields;
    /// `discovery`.
    OfDiscovery
        "`enabled`, `timeout` and `cache`"
        "`enabled`, `timeout` und `cache`";
    /// `prediction`.
    OfPrediction
        "`enabled`, `url`, `model`, `key` and `timeout`"
        "`enabled`, `url`, `model`, `key` und `timeout`";
}
