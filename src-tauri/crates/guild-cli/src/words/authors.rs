//! For those who write a server.

use guild_core::language::Language::{De, En};
use guild_core::wire::ExamplePart;

use super::counted;

#[derive(Debug)]
pub(crate) struct Authors {
    pub(crate) no_examples: &'static str,
    pub(crate) tally: fn(passed: usize, failed: usize) -> String,
    pub(crate) built: fn(took: &str) -> String,
    pub(crate) build_failed: fn(took: &str, why: &str) -> String,
    pub(crate) restart_failed: fn(why: &str) -> String,
    /// A tool that is new, gone or changed.
    pub(crate) tool: fn(change: &str) -> String,
    pub(crate) more_tools: fn(usize) -> String,
    pub(crate) examples_of: fn(round: u32, member: &str) -> String,
    pub(crate) round: fn(round: u32, files: &str) -> String,
    pub(crate) breaking: &'static str,
    pub(crate) widened: &'static str,
    /// How an example ended: passed, failed, left out.
    pub(crate) ends: [&'static str; 3],
    /// In what a result is not as expected.
    pub(crate) part: fn(ExamplePart) -> &'static str,
    pub(crate) at: fn(place: &str) -> String,
    pub(crate) expected: &'static str,
    pub(crate) got: &'static str,
    pub(crate) runs_on: &'static str,
    pub(crate) not_up: &'static str,
    pub(crate) stays_stopped: &'static str,
    pub(crate) broken_off: fn(tally: &str) -> String,
    pub(crate) up: &'static str,
    pub(crate) gone_or_ended: fn(member: &str) -> String,
    pub(crate) gone: fn(member: &str) -> String,
    /// What is watched, where that is not known yet.
    pub(crate) its_files: &'static str,
    /// What is watched, where nobody chose.
    pub(crate) all_files: &'static str,
    pub(crate) watching: fn(member: &str, patterns: &str, examples: usize) -> String,
    pub(crate) not_printed: &'static str,
    pub(crate) begun: fn(member: &str, folder: &str) -> String,
    pub(crate) set_up: &'static str,
    pub(crate) then: fn(member: &str) -> String,
}

pub(super) const EN: Authors = Authors {
    no_examples: "No member has examples.",
    tally: |passed, failed| {
        let [passed, failed] = [passed, failed].map(|count| En.number(count as u64));
        format!("{passed} passed, {failed} failed")
    },
    built: |took| format!("  build    done in {took}"),
    build_failed: |took, why| format!("  build    failed after {took}: {why}"),
    restart_failed: |why| format!("  restart  failed: {why}"),
    tool: |change| format!("  tools    {change}"),
    more_tools: |count| format!("  tools    and {} more", En.number(count as u64)),
    examples_of: |round, member| format!("round {round}: the examples of {member}"),
    round: |round, files| format!("round {round}: {files}"),
    breaking: "breaking",
    widened: "widened",
    ends: ["passed", "FAILED", "left out"],
    part: |part| match part {
        ExamplePart::Answer => "no result",
        ExamplePart::IsError => "whether it failed",
        ExamplePart::Text => "its text",
        ExamplePart::Structured => "its structured content",
        ExamplePart::Schema => "the example's schema",
        ExamplePart::OutputSchema => "the tool's output schema",
    },
    at: |place| format!(" at {place}"),
    expected: "expected",
    got: "got",
    runs_on: "the server runs on as it was",
    not_up: "the server is not up",
    stays_stopped: "the member is stopped and stays so",
    broken_off: |tally| format!("broken off: {tally}"),
    up: "up",
    gone_or_ended: |member| format!("{member} is no member any more, or the hall has ended."),
    gone: |member| format!("{member} is no member any more."),
    its_files: "its files",
    all_files: "all files that people write",
    watching: |member, patterns, examples| {
        let examples = counted(En, examples, "example", "examples");
        format!("{member}: watching {patterns}; {examples}. Ctrl-C ends it.")
    },
    not_printed: "A round was not printed: nobody reads.",
    begun: |member, folder| format!("{member} is in {folder}."),
    set_up: "Before it can start, run there once:",
    then: |member| {
        format!(
            "`guildhall dev {member}` then follows what you change, `guildhall check {member}` runs its \
             examples."
        )
    },
};

pub(super) const DE: Authors = Authors {
    no_examples: "Kein Mitglied hat Beispiele.",
    tally: |passed, failed| {
        let [passed, failed] = [passed, failed].map(|count| De.number(count as u64));
        format!("{passed} bestanden, {failed} fehlgeschlagen")
    },
    built: |took| format!("  Bau      fertig in {took}"),
    build_failed: |took, why| format!("  Bau      fehlgeschlagen nach {took}: {why}"),
    restart_failed: |why| format!("  Neustart fehlgeschlagen: {why}"),
    tool: |change| format!("  Werkz.   {change}"),
    more_tools: |count| {
        format!(
            "  Werkz.   und {}",
            counted(De, count, "weiteres", "weitere")
        )
    },
    examples_of: |round, member| format!("Runde {round}: die Beispiele von {member}"),
    round: |round, files| format!("Runde {round}: {files}"),
    breaking: "nicht verträglich",
    widened: "erweitert",
    ends: ["bestanden", "FEHLER", "ausgelassen"],
    part: |part| match part {
        ExamplePart::Answer => "kein Ergebnis",
        ExamplePart::IsError => "ob es fehlschlug",
        ExamplePart::Text => "der Text",
        ExamplePart::Structured => "der strukturierte Inhalt",
        ExamplePart::Schema => "das Schema des Beispiels",
        ExamplePart::OutputSchema => "das Ausgabeschema des Werkzeugs",
    },
    at: |place| format!(" bei {place}"),
    expected: "erwartet",
    got: "bekommen",
    runs_on: "der Server läuft weiter wie vorher",
    not_up: "der Server läuft nicht",
    stays_stopped: "das Mitglied ist angehalten und bleibt es",
    broken_off: |tally| format!("abgebrochen: {tally}"),
    up: "läuft",
    gone_or_ended: |member| {
        format!("{member} ist kein Mitglied mehr, oder Guild Hall wurde beendet.")
    },
    gone: |member| format!("{member} ist kein Mitglied mehr."),
    its_files: "seine Dateien",
    all_files: "alle Dateien, die Menschen schreiben",
    watching: |member, patterns, examples| {
        let examples = counted(De, examples, "Beispiel", "Beispiele");
        format!("{member}: beobachtet werden {patterns}; {examples}. Strg-C beendet es.")
    },
    not_printed: "Eine Runde wurde nicht ausgegeben: Niemand liest mit.",
    begun: |member, folder| format!("{member} ist in {folder}."),
    set_up: "Damit es starten kann, dort einmal ausführen:",
    then: |member| {
        format!(
            "`guildhall dev {member}` folgt dann den Änderungen, `guildhall check {member}` führt die \
             Beispiele aus."
        )
    },
};
