//! What is wrong with a member's folder and with its `plugin.json`.

use std::path::PathBuf;

use super::{Each, JsonWrong, notes, troubles};

troubles! {
    /// What is wrong with the members' folder or with a folder in it.
    FolderTrouble;
    /// It can't be read now, for want of something that comes back.
    Scarce(folder: PathBuf, error: Each)
        "The members' folder {folder} can't be read: {error}."
        "Der Ordner der Mitglieder {folder} ist nicht lesbar: {error}."
        "Everything stays as it is; it is tried again in a moment."
        "Alles bleibt, wie es ist; gleich wird es noch einmal versucht.";
    /// It can't be read.
    Unreadable(folder: PathBuf, error: String)
        "The members' folder {folder} can't be read: {error}."
        "Der Ordner der Mitglieder {folder} ist nicht lesbar: {error}."
        "Make the folder, or name another with --members DIR or GUILD_HALL_MEMBERS."
        "Den Ordner anlegen oder mit --members ORDNER oder GUILD_HALL_MEMBERS einen anderen nennen.";
    /// The same, of a folder that the settings name.
    UnreadableAsSet(folder: PathBuf, error: String)
        "The members' folder {folder} can't be read: {error}."
        "Der Ordner der Mitglieder {folder} ist nicht lesbar: {error}."
        "The setting `membersDir` names it: make the folder, or name another with `guildhall settings set membersDir DIR`; null is the one in the data folder."
        "Die Einstellung `membersDir` nennt ihn: den Ordner anlegen oder mit `guildhall settings set membersDir ORDNER` einen anderen nennen; null ist der im Datenordner.";
    /// It has more folders than are read.
    TooMany(folder: PathBuf, count: usize, most: usize)
        "{folder} has {count} folders; only the first {most} were read."
        "{folder} hat {count} Ordner; nur die ersten {most} wurden gelesen."
        "Check that this is the folder you meant: each folder in it is one member."
        "Prüfen, ob dieser Ordner gemeint ist: Jeder Ordner darin ist ein Mitglied.";
    /// A link that the system does not follow.
    Unsafe(folder: PathBuf, error: String)
        "{folder} is no member's folder: {error}."
        "{folder} ist kein Ordner eines Mitglieds: {error}."
        "Remove the link, or let it point to a folder with a plugin.json of its own."
        "Den Link entfernen oder auf einen Ordner mit eigener plugin.json richten.";
    /// A link back.
    LeadsBack(folder: PathBuf)
        "{folder} is no member's folder: the link leads back to the folder that it stands in."
        "{folder} ist kein Ordner eines Mitglieds: Der Link führt zurück in den Ordner, in dem er steht."
        "Remove the link, or let it point to a folder with a plugin.json of its own."
        "Den Link entfernen oder auf einen Ordner mit eigener plugin.json richten.";
    /// There is no manifest in it.
    NoManifest(file: PathBuf)
        "{file} can't be used: there is no such file."
        "{file} ist nicht nutzbar: Die Datei gibt es nicht."
        "Put a plugin.json with name, version, transport and command there, or remove the folder."
        "Dort eine plugin.json mit name, version, transport und command anlegen oder den Ordner entfernen.";
    /// Its manifest is larger than may be read.
    HugeManifest(file: PathBuf, error: Each)
        "{file} can't be used: {error}."
        "{file} ist nicht nutzbar: {error}."
        "A manifest is a short file; check that this is one."
        "Ein Manifest ist eine kurze Datei; prüfen, ob das eines ist.";
    /// Its manifest can't be read.
    ClosedManifest(file: PathBuf, error: Each)
        "{file} can't be used: {error}."
        "{file} ist nicht nutzbar: {error}."
        "Make it a regular file that you may read."
        "Eine gewöhnliche Datei daraus machen, die lesbar ist.";
    /// Its manifest gives a name that another's gives.
    NameTwice(file: PathBuf, name: String, other: PathBuf)
        "{file} gives the name {name}, which {other} has already."
        "{file} gibt den Namen {name} an, den {other} schon hat."
        "Give one of the two another name."
        "Einem der beiden einen anderen Namen geben.";
}

troubles! {
    /// Why a manifest can't be used as a whole.
    ManifestTrouble;
    /// It is too large.
    TooLarge(file: String, length: usize, most: u64)
        "{file} has {length} bytes; {most} are the most."
        "{file} hat {length} Bytes; höchstens {most} dürfen es sein."
        "Take out what does not belong in a manifest."
        "Herausnehmen, was nicht in ein Manifest gehört.";
    /// It is not UTF-8.
    NotUtf8(place: String)
        "{place}: not UTF-8"
        "{place}: kein UTF-8"
        "Save the file as UTF-8."
        "Die Datei als UTF-8 speichern.";
    /// There is nothing in it.
    Empty(file: String)
        "{file}:1:1: the file is empty"
        "{file}:1:1: Die Datei ist leer"
        "Write at least name, transport and command."
        "Mindestens name, transport und command hineinschreiben.";
    /// It is no JSON.
    NotJson(place: String, wrong: JsonWrong)
        "{place}: {wrong}"
        "{place}: {wrong}"
        "A manifest is one JSON object, without comments or trailing commas."
        "Ein Manifest ist ein JSON-Objekt, ohne Kommentare und ohne Kommas am Ende.";
    /// A key stands twice.
    KeyTwice(place: String, wrong: JsonWrong)
        "{place}: {wrong}"
        "{place}: {wrong}"
        "Take one of them out."
        "Eines davon herausnehmen.";
    /// It is nested too deep.
    Nested(place: String, wrong: JsonWrong)
        "{place}: {wrong}"
        "{place}: {wrong}"
        "Mend it in an editor that knows the manifest's JSON Schema, plugin.schema.json."
        "In einem Editor berichtigen, der das JSON Schema des Manifests kennt, plugin.schema.json.";
    /// Fields that are wrong, line by line, with what to do about the first.
    Fields(lines: Each, hint: Each)
        "{lines}"
        "{lines}"
        "{hint}"
        "{hint}";
    /// Something is wrong that was told elsewhere.
    Unfit
        "The manifest has an error."
        "Das Manifest hat einen Fehler."
        ""
        "";
    /// A variable that has no port to stand for.
    NoPort
        "${{PORT}} has no value: this member is given no port."
        "${{PORT}} hat keinen Wert: Dieses Mitglied bekommt keinen Port."
        "Only a member with a command and the transport `http` has a port."
        "Nur ein Mitglied mit einem Befehl und dem Transport `http` hat einen Port.";
    /// A variable that the environment does not have.
    NoVariable(name: String)
        "${{env:{name}}} has no value: the environment has no {name}."
        "${{env:{name}}} hat keinen Wert: In der Umgebung gibt es kein {name}."
        "Set {name} in your login shell, or write the value in the manifest."
        "{name} in der Login-Shell setzen oder den Wert ins Manifest schreiben.";
    /// A secret that is not there.
    NoSecret(name: String)
        "${{secret:{name}}} has no value: there is no secret of that name."
        "${{secret:{name}}} hat keinen Wert: Ein Geheimnis dieses Namens gibt es nicht."
        "Set it on the page of the secrets, or with `guildhall secret set {name}`."
        "Es auf der Seite der Geheimnisse setzen oder mit `guildhall secret set {name}`.";
    /// An example of that name is there.
    ExampleTwice(name: String)
        "The manifest has an example {name} already."
        "Das Manifest hat schon ein Beispiel {name}."
        "Give this one another name."
        "Diesem einen anderen Namen geben.";
    /// An example finds no place.
    NoPlace(file: String)
        "{file} has no place for an example."
        "{file} hat keinen Platz für ein Beispiel."
        "Put it in by hand."
        "Es von Hand eintragen.";
    /// With the example in it, it would be another.
    NotTheSame(file: String)
        "{file} would not be what it was with the example in it."
        "{file} wäre mit dem Beispiel nicht mehr, was es war."
        "Put it in by hand."
        "Es von Hand eintragen.";
}

notes! {
    /// A line about fields that are wrong.
    FieldLine;
    /// About the file as a whole.
    OfFile(place: String, wrong: Each)
        "{place}: {wrong}"
        "{place}: {wrong}";
    /// About a field.
    OfField(place: String, field: String, wrong: Each)
        "{place}: `{field}` {wrong}"
        "{place}: `{field}` {wrong}";
    /// So many are not listed.
    More(count: usize)
        "and {count} more"
        "weitere Fehler: {count}";
    /// What helps where nothing better is known.
    BySchema
        "Mend it in an editor that knows the manifest's JSON Schema, plugin.schema.json."
        "In einem Editor berichtigen, der das JSON Schema des Manifests kennt, plugin.schema.json.";
}
