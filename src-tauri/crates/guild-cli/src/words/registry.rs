//! Servers that registries list, and bundles.

use guild_core::language::Language::{De, En};
use guild_core::wire::RegistryStanding;

use super::counted;

#[derive(Debug)]
pub(crate) struct Registry {
    pub(crate) no_source: &'static str,
    pub(crate) shown: fn(rows: usize, total: usize) -> String,
    pub(crate) left_out: fn(usize) -> String,
    pub(crate) reading: fn(source: &str) -> String,
    pub(crate) servers: fn(usize) -> String,
    pub(crate) never_read: &'static str,
    pub(crate) as_of: fn(age: &str) -> String,
    pub(crate) just_now: &'static str,
    /// What its publisher, or the registry, has done with an entry.
    pub(crate) entry: fn(RegistryStanding) -> &'static str,
    pub(crate) standing: fn(RegistryStanding, message: &str) -> String,
    pub(crate) run_by: fn(member: &str, version: &str, newer: bool) -> String,
    pub(crate) versions: fn(versions: &str) -> String,
    pub(crate) way: fn(number: usize, way: &str) -> String,
    pub(crate) no_way: &'static str,
    pub(crate) unusable: fn(why: &str) -> String,
    pub(crate) size: fn(files: usize, kib: u64, unpacked: u64, digest: &str) -> String,
    pub(crate) runs: fn(command: &str) -> String,
    pub(crate) by: fn(runtime: &str) -> String,
    pub(crate) tool: fn(name: &str, description: &str) -> String,
    pub(crate) prompt: fn(name: &str) -> String,
    pub(crate) may_be_more: &'static str,
    pub(crate) signature: &'static str,
    pub(crate) made_of_it: fn(member: &str, how: &str) -> String,
    pub(crate) same_file: &'static str,
    pub(crate) newer: fn(version: &str) -> String,
    pub(crate) older: fn(version: &str) -> String,
    pub(crate) other: fn(version: &str) -> String,
    pub(crate) of_tool: fn(tool: &str) -> String,
}

pub(super) const EN: Registry = Registry {
    no_source: "No source is named yet: `guildhall registry sources add PATH|URL`.",
    shown: |rows, total| {
        let [rows, total] = [rows, total].map(|count| En.number(count as u64));
        format!("{rows} of {total}")
    },
    left_out: |count| {
        let entries = counted(En, count, "entry is", "entries are");
        format!("{entries} wrong and left out")
    },
    reading: |source| format!("Reading {source} …"),
    servers: |count| counted(En, count, "server", "servers"),
    never_read: "never read",
    as_of: |age| format!("as of {age} ago"),
    just_now: "as of now",
    entry: RegistryStanding::as_str,
    standing: |standing, message| format!("it is {}. {message}", standing.as_str()),
    run_by: |member, version, newer| {
        let newer = if newer { ", a newer one is listed" } else { "" };
        format!("the member {member} runs {version}{newer}")
    },
    versions: |versions| format!("versions: {versions}"),
    way: |number, way| format!("way {number}: {way}"),
    no_way: "It lists no way to run it.",
    unusable: |why| format!("can't be installed: {why}"),
    size: |files, kib, unpacked, digest| {
        let files = counted(En, files, "file", "files");
        let [kib, unpacked] = [kib, unpacked].map(|count| En.number(count));
        format!("{files}, {kib} KiB; unpacked {unpacked} KiB; sha256 {digest}")
    },
    runs: |command| format!("runs: {command}"),
    by: |runtime| format!("by {runtime}"),
    tool: |name, description| format!("tool {name}: {description}"),
    prompt: |name| format!("prompt {name}"),
    may_be_more: "There may be more tools when it runs.",
    signature: "It has a signature, which is not checked.",
    made_of_it: |member, how| format!("the member {member} was made of it: {how}"),
    same_file: "it is the same file",
    newer: |version| format!("this one is newer than its {version}"),
    older: |version| format!("this one is older than its {version}"),
    other: |version| format!("it is another file than its {version}"),
    of_tool: |tool| format!(" of the tool {tool}"),
};

pub(super) const DE: Registry = Registry {
    no_source: "Noch keine Quelle ist genannt: `guildhall registry sources add PFAD|URL`.",
    shown: |rows, total| {
        let [rows, total] = [rows, total].map(|count| De.number(count as u64));
        format!("{rows} von {total}")
    },
    left_out: |count| {
        let entries = counted(De, count, "Eintrag ist", "Einträge sind");
        format!("{entries} fehlerhaft und weggelassen")
    },
    reading: |source| format!("{source} wird gelesen …"),
    servers: |count| counted(De, count, "Server", "Server"),
    never_read: "nie gelesen",
    as_of: |age| {
        let parts: Vec<String> = age.split(' ').map(german_part).collect();
        format!("Stand vor {}", parts.join(" "))
    },
    just_now: "eben gelesen",
    entry: |standing| match standing {
        RegistryStanding::Active => "aktiv",
        RegistryStanding::Deprecated => "veraltet",
        RegistryStanding::Deleted => "gelöscht",
    },
    standing: |standing, message| format!("der Eintrag ist {}. {message}", (DE.entry)(standing)),
    run_by: |member, version, newer| {
        let newer = if newer {
            ", eine neuere ist aufgelistet"
        } else {
            ""
        };
        format!("das Mitglied {member} führt {version} aus{newer}")
    },
    versions: |versions| format!("Versionen: {versions}"),
    way: |number, way| format!("Art {number}: {way}"),
    no_way: "Keine Art, ihn zu betreiben, ist aufgelistet.",
    unusable: |why| format!("lässt sich nicht installieren: {why}"),
    size: |files, kib, unpacked, digest| {
        let files = counted(De, files, "Datei", "Dateien");
        let [kib, unpacked] = [kib, unpacked].map(|count| De.number(count));
        format!("{files}, {kib} KiB; entpackt {unpacked} KiB; sha256 {digest}")
    },
    runs: |command| format!("führt aus: {command}"),
    by: |runtime| format!("mit {runtime}"),
    tool: |name, description| format!("Werkzeug {name}: {description}"),
    prompt: |name| format!("Prompt {name}"),
    may_be_more: "Wenn es läuft, können es mehr Werkzeuge sein.",
    signature: "Es hat eine Signatur, die nicht geprüft wird.",
    made_of_it: |member, how| format!("das Mitglied {member} wurde daraus gemacht: {how}"),
    same_file: "es ist dieselbe Datei",
    newer: |version| format!("dieses ist neuer als {version}"),
    older: |version| format!("dieses ist älter als {version}"),
    other: |version| format!("es ist eine andere Datei als {version}"),
    of_tool: |tool| format!(" des Werkzeugs {tool}"),
};

/// A part of an age, such as `2days`, in German; `h`, `m` and `s` are the same there.
fn german_part(part: &str) -> String {
    let end = part.find(|c: char| !c.is_ascii_digit());
    let (count, unit) = part.split_at(end.unwrap_or(part.len()));
    let unit = match unit {
        "year" => "Jahr",
        "years" => "Jahren",
        "month" => "Monat",
        "months" => "Monaten",
        "day" => "Tag",
        "days" => "Tagen",
        _ => return part.to_owned(),
    };
    format!("{count} {unit}")
}
