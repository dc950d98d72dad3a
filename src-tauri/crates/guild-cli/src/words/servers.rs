//! Servers of other programs, what a person brings, and what was accepted.

use guild_core::language::Language::{De, En};
use guild_core::wire::{BreakageKind, FoundScope};

use super::counted;

#[derive(Debug)]
pub(crate) struct Servers {
    /// How it stands with a server that was found: off, new, adopted, the gateway's, unusable.
    pub(crate) states: [&'static str; 5],
    pub(crate) run_by: fn(member: &str) -> String,
    pub(crate) own_entry: &'static str,
    pub(crate) with: fn(values: &str) -> String,
    pub(crate) in_folder: fn(folder: &str) -> String,
    pub(crate) asks_for: fn(what: &str) -> String,
    pub(crate) may_be_given: fn(what: &str) -> String,
    pub(crate) as_container: fn(parts: &str) -> String,
    pub(crate) may_be_container: fn(reasons: &str) -> String,
    pub(crate) stays_command: fn(reasons: &str) -> String,
    pub(crate) kept_outside: fn(variables: &str) -> String,
    pub(crate) a_secret: &'static str,
    /// Whom an entry of another program's file is for.
    pub(crate) scope: fn(FoundScope) -> &'static str,
    pub(crate) switched_off: &'static str,
    pub(crate) another_of_this_name: &'static str,
    pub(crate) can_be_adopted: fn(usize) -> String,
    pub(crate) make_members: fn(usize) -> String,
    pub(crate) make_member: fn(name: &str) -> String,
    pub(crate) replace: fn(new: &str, old: &str, member: &str) -> String,
    pub(crate) nothing_adopted: &'static str,
    pub(crate) nothing_added: &'static str,
    pub(crate) nothing_installed: &'static str,
    pub(crate) nothing_accepted: &'static str,
    pub(crate) is_member: fn(member: &str, folder: &str) -> String,
    pub(crate) has_it: fn(member: &str, before: &str, folder: &str) -> String,
    pub(crate) kept_secrets: fn(names: &str) -> String,
    pub(crate) runs_when_reviewed: fn(member: &str) -> String,
    pub(crate) hand_over_next: &'static str,
    pub(crate) server_asks: fn(server: &str, what: &str) -> String,
    pub(crate) runs_else: fn(member: &str, command: &str) -> String,
    pub(crate) handed_over: &'static str,
    pub(crate) handed_over_but: fn(servers: &str) -> String,
    pub(crate) has: fn(servers: &str) -> String,
    pub(crate) no_file: &'static str,
    pub(crate) write: fn(path: &str) -> String,
    pub(crate) as_it_was: fn(path: &str) -> String,
    pub(crate) has_entries_again: fn(path: &str) -> String,
    pub(crate) called: fn(name: &str) -> String,
    /// A program that offers only some tools of servers; the profile that keeps that.
    pub(crate) some_tools: fn(program: &str, choices: &str, profile: Option<&str>) -> String,
    pub(crate) tools_all: &'static str,
    pub(crate) tools_none: &'static str,
    pub(crate) tools_but: fn(tools: &str) -> String,
    pub(crate) comments_go: fn(usize) -> String,
    pub(crate) revoke: fn(clients: &str) -> String,
    pub(crate) revoked: fn(clients: &str) -> String,
    pub(crate) nothing_revoked: &'static str,
    pub(crate) tokens_valid: fn(clients: &str, ids: &str) -> String,
    pub(crate) no_clients: &'static str,
    /// When a client's token was made, and last used.
    pub(crate) client_times: fn(made: &str, used: Option<&str>) -> String,
    pub(crate) no_entry_goes: &'static str,
    pub(crate) reaches: fn(program: &str, servers: &str) -> String,
    pub(crate) token_stands: fn(change: &str) -> String,
    pub(crate) belongs_to: fn(project: &str) -> String,
    pub(crate) uses_hall: fn(program: &str, path: &str) -> String,
    pub(crate) backup: fn(path: &str) -> String,
    pub(crate) without_entry: fn(path: &str) -> String,
    pub(crate) not_written: &'static str,
    pub(crate) names_gateway: fn(path: &str) -> String,
    pub(crate) accept: fn(member: &str) -> String,
    /// How it stands with what a member runs: own, accepted, unreviewed, changed.
    pub(crate) launch: [&'static str; 4],
    pub(crate) changes_pass: &'static str,
    pub(crate) changes_held: &'static str,
    pub(crate) held: fn(usize) -> String,
    pub(crate) it_runs: &'static str,
    pub(crate) accepted_with: fn(changes: &str) -> String,
    pub(crate) more_tools: fn(usize) -> String,
    pub(crate) runs_there: fn(members: &str) -> String,
    pub(crate) does_not: fn(member: &str, why: &str) -> String,
    pub(crate) to_be_set: &'static str,
    pub(crate) written_too: fn(files: &str) -> String,
    pub(crate) belongs_into: fn(path: &str) -> String,
    pub(crate) token_made: &'static str,
    /// How a tool is beside what was accepted: same, new, changed, gone.
    pub(crate) differences: [&'static str; 4],
    /// What the change of a schema means: breaking, widened, words.
    pub(crate) effects: [&'static str; 3],
    pub(crate) breaks: fn(kind: BreakageKind, name: &str, what: &str) -> String,
    /// Where a member comes from: by whom, path, address, when.
    pub(crate) origin: [&'static str; 4],
    /// What it runs: command, folder, url, argument, variable, header, sign-in.
    pub(crate) launch_parts: [&'static str; 7],
}

pub(super) const EN: Servers = Servers {
    states: ["off", "new", "adopted", "gateway", "unusable"],
    run_by: |member| format!("the member {member} runs it"),
    own_entry: "Guild Hall's own entry",
    with: |values| format!("with {values}"),
    in_folder: |folder| format!("in {folder}"),
    asks_for: |what| format!("asks for {what}"),
    may_be_given: |what| format!("may be given {what}"),
    as_container: |parts| format!("as the member's container: {parts}"),
    may_be_container: |reasons| {
        format!("the member's container, or a command, by what you answer: {reasons}")
    },
    stays_command: |reasons| format!("stays a command, whose container may outlive it: {reasons}"),
    kept_outside: |variables| {
        format!("without {variables}, which its engine hands to no container")
    },
    a_secret: "a secret",
    scope: FoundScope::as_str,
    switched_off: "switched off",
    another_of_this_name: "Another server of this name runs something else.",
    can_be_adopted: |count| {
        let count = En.number(count as u64);
        format!("{count} can be adopted: `guildhall adopt NAME` or `guildhall adopt --all`.")
    },
    make_members: |count| match count {
        1 => "Make this server a member of the hall?".to_owned(),
        _ => format!(
            "Make these {} servers members of the hall?",
            En.number(count as u64)
        ),
    },
    make_member: |name| format!("Make this a member of the hall, called {name}?"),
    replace: |new, old, member| format!("Put {new} in the place of {old} in the member {member}?"),
    nothing_adopted: "Nothing was adopted.",
    nothing_added: "Nothing was added.",
    nothing_installed: "Nothing was installed.",
    nothing_accepted: "Nothing was accepted.",
    is_member: |member, folder| format!("{member} is a member now: {folder}"),
    has_it: |member, before, folder| format!("{member} has it in the place of {before}: {folder}"),
    kept_secrets: |names| format!("Kept as secrets: {names}"),
    runs_when_reviewed: |member| {
        format!("It runs when it was reviewed: guildhall review {member} --accept")
    },
    hand_over_next: "`guildhall hand-over` has their programs use Guild Hall instead.",
    server_asks: |server, what| format!("{server} asks for {what}"),
    runs_else: |member, command| format!("the member {member} runs something else: {command}"),
    handed_over: "handed over",
    handed_over_but: |servers| format!("handed over but for {servers}"),
    has: |servers| format!("has {servers}"),
    no_file: "No program's file has a server that is a member.",
    write: |path| format!("Write {path}?"),
    as_it_was: |path| format!("{path} is as it was."),
    has_entries_again: |path| {
        format!("{path} has its entries again. Changes made to it since are kept.")
    },
    called: |name| format!("called {name}"),
    some_tools: |program, choices, profile| {
        let offered = match choices {
            "" => format!("{program} stays connected to a profile."),
            choices => format!("{program} offered only some tools ({choices})."),
        };
        match profile {
            Some(profile) => format!(
                "{offered} The profile {profile} keeps this choice, without members that come \
                 later; --all-tools offers all tools of all members."
            ),
            None => format!("{offered} It gets all tools now."),
        }
    },
    tools_all: "all",
    tools_none: "none",
    tools_but: |tools| format!("all but {tools}"),
    comments_go: |count| {
        let comments = counted(En, count, "comment", "comments");
        format!(
            "{comments} inside the removed entries will be removed too; --undo brings them back."
        )
    },
    revoke: |clients| format!("Revoke the token of {clients}?"),
    revoked: |clients| format!("Revoked: {clients}."),
    nothing_revoked: "Nothing was revoked.",
    tokens_valid: |clients, ids| {
        format!("Still valid: the token of {clients}. `guildhall clients revoke {ids}` revokes it.")
    },
    no_clients: "No client has a token.",
    client_times: |made, used| match used {
        Some(used) => format!("made {made}, last used {used}"),
        None => format!("made {made}, never used"),
    },
    no_entry_goes: "No entry goes",
    reaches: |program, servers| {
        format!("{program} reaches {servers} by Guild Hall then, while it runs")
    },
    token_stands: |change| format!("{change}. A token stands in the place of <token>."),
    belongs_to: |project| {
        format!(
            "the file belongs to {project}: whoever shares that gets the change, and the token."
        )
    },
    uses_hall: |program, path| format!("{program} uses Guild Hall now: {path}"),
    backup: |path| format!("As it was, it is kept in {path}; --undo gives it back."),
    without_entry: |path| format!("{path} is without the entry again."),
    not_written: "Nothing was written. With --yes it is, with a token in the place of <token>.",
    names_gateway: |path| format!("{path} names the gateway now."),
    accept: |member| format!("Accept this of {member}?"),
    launch: [
        "needs no review",
        "is accepted",
        "is not accepted: nothing starts it",
        "runs something else than was accepted: nothing starts it",
    ],
    changes_pass: "changes of its tools pass",
    changes_held: "changes of its tools are held back",
    held: |count| {
        let tools = counted(En, count, "tool is", "tools are");
        format!("{tools} held back from agents")
    },
    it_runs: "It runs:",
    accepted_with: |changes| format!("It was accepted with another {changes}:"),
    more_tools: |count| format!("and {}", counted(En, count, "more tool", "more tools")),
    runs_there: |members| format!("Runs there: {members}."),
    does_not: |member, why| format!("{member} does not: {why}."),
    to_be_set: "To be set there, and written nowhere:",
    written_too: |files| format!("With --out DIR these are written too: {files}."),
    token_made: "A token is made on the agents' page, or by --write.",
    belongs_into: |path| format!("This belongs into {path}:"),
    differences: ["as it was", "new", "changed", "gone"],
    effects: ["breaks", "widens", "words"],
    breaks: |_, name, what| format!("breaks {name}: {what}"),
    origin: ["from", "path", "address", "at"],
    launch_parts: [
        "command", "folder", "url", "argument", "variable", "header", "sign-in",
    ],
};

pub(super) const DE: Servers = Servers {
    states: ["aus", "neu", "Mitglied", "Gateway", "unbrauchbar"],
    run_by: |member| format!("das Mitglied {member} führt ihn aus"),
    own_entry: "der eigene Eintrag von Guild Hall",
    with: |values| format!("mit {values}"),
    in_folder: |folder| format!("in {folder}"),
    asks_for: |what| format!("fragt nach {what}"),
    may_be_given: |what| format!("nimmt auch {what}"),
    as_container: |parts| format!("als Container des Mitglieds: {parts}"),
    may_be_container: |reasons| {
        format!("je nach den Antworten Container des Mitglieds oder Befehl: {reasons}")
    },
    stays_command: |reasons| {
        format!("bleibt ein Befehl, den sein Container überleben kann: {reasons}")
    },
    kept_outside: |variables| format!("ohne {variables}, was die Engine keinem Container gibt"),
    a_secret: "ein Geheimnis",
    scope: |scope| match scope {
        FoundScope::User => "für die angemeldete Person",
        FoundScope::Local => "für die angemeldete Person, in einem Projekt",
        FoundScope::Project => "für ein Projekt",
        FoundScope::Workspace => "für einen Arbeitsbereich",
    },
    switched_off: "ausgeschaltet",
    another_of_this_name: "Ein anderer Server dieses Namens führt etwas anderes aus.",
    can_be_adopted: |count| {
        let servers = counted(De, count, "Server lässt", "Server lassen");
        format!("{servers} sich übernehmen: `guildhall adopt NAME` oder `guildhall adopt --all`.")
    },
    make_members: |count| match count {
        1 => "Diesen Server zum Mitglied machen?".to_owned(),
        _ => format!(
            "Diese {} Server zu Mitgliedern machen?",
            De.number(count as u64)
        ),
    },
    make_member: |name| format!("Daraus das Mitglied {name} machen?"),
    replace: |new, old, member| format!("Im Mitglied {member} {old} durch {new} ersetzen?"),
    nothing_adopted: "Nichts wurde übernommen.",
    nothing_added: "Nichts wurde hinzugefügt.",
    nothing_installed: "Nichts wurde installiert.",
    nothing_accepted: "Nichts wurde angenommen.",
    is_member: |member, folder| format!("{member} ist jetzt Mitglied: {folder}"),
    has_it: |member, before, folder| format!("{member} hat es anstelle von {before}: {folder}"),
    kept_secrets: |names| format!("Als Geheimnisse gespeichert: {names}"),
    runs_when_reviewed: |member| {
        format!("Es läuft, sobald es geprüft ist: guildhall review {member} --accept")
    },
    hand_over_next: "Mit `guildhall hand-over` benutzen die Programme stattdessen Guild Hall.",
    server_asks: |server, what| format!("{server} fragt nach {what}"),
    runs_else: |member, command| {
        format!("das Mitglied {member} führt etwas anderes aus: {command}")
    },
    handed_over: "umgestellt",
    handed_over_but: |servers| format!("umgestellt bis auf {servers}"),
    has: |servers| format!("hat {servers}"),
    no_file: "Keine Datei eines Programms hat einen Server, der Mitglied ist.",
    write: |path| format!("{path} schreiben?"),
    as_it_was: |path| format!("{path} ist wie vorher."),
    has_entries_again: |path| {
        format!("{path} hat seine Einträge wieder. Spätere Änderungen bleiben erhalten.")
    },
    called: |name| format!("dort {name}"),
    some_tools: |program, choices, profile| {
        let offered = match choices {
            "" => format!("{program} bleibt mit einem Profil verbunden."),
            choices => format!("{program} bot nur einige Werkzeuge an ({choices})."),
        };
        match profile {
            Some(profile) => format!(
                "{offered} Das Profil {profile} behält diese Auswahl, ohne spätere Mitglieder; mit \
                 --all-tools gibt es alle Werkzeuge aller Mitglieder."
            ),
            None => format!("{offered} Jetzt bekommt es alle."),
        }
    },
    tools_all: "alle",
    tools_none: "keines",
    tools_but: |tools| format!("alle außer {tools}"),
    comments_go: |count| {
        let comments = counted(De, count, "Kommentar", "Kommentare");
        format!(
            "{comments} innerhalb der entfernten Einträge: Sie fallen mit weg; --undo stellt sie \
             wieder her."
        )
    },
    revoke: |clients| format!("Das Token von {clients} widerrufen?"),
    revoked: |clients| format!("Widerrufen: {clients}."),
    nothing_revoked: "Nichts wurde widerrufen.",
    tokens_valid: |clients, ids| {
        format!(
            "Weiter gültig: das Token von {clients}. `guildhall clients revoke {ids}` widerruft es."
        )
    },
    no_clients: "Kein Client hat ein Token.",
    client_times: |made, used| match used {
        Some(used) => format!("angelegt {made}, zuletzt benutzt {used}"),
        None => format!("angelegt {made}, nie benutzt"),
    },
    no_entry_goes: "Kein Eintrag fällt weg",
    reaches: |program, servers| {
        format!("{program} erreicht {servers} dann über Guild Hall, solange Guild Hall läuft")
    },
    token_stands: |change| format!("{change}. An der Stelle von <token> steht ein Token."),
    belongs_to: |project| {
        format!("die Datei gehört zu {project}: Wer das teilt, bekommt die Änderung und das Token.")
    },
    uses_hall: |program, path| format!("{program} benutzt jetzt Guild Hall: {path}"),
    backup: |path| format!("Der vorige Stand liegt in {path}; --undo stellt ihn wieder her."),
    without_entry: |path| format!("{path} ist wieder ohne den Eintrag."),
    not_written: "Nichts wurde geschrieben. Mit --yes geschieht es, mit einem Token statt <token>.",
    names_gateway: |path| format!("{path} nennt jetzt das Gateway."),
    accept: |member| format!("Das von {member} annehmen?"),
    launch: [
        "braucht keine Prüfung",
        "ist angenommen",
        "ist nicht angenommen: Nichts startet es",
        "führt etwas anderes aus als angenommen: Nichts startet es",
    ],
    changes_pass: "Änderungen seiner Werkzeuge gehen durch",
    changes_held: "Änderungen seiner Werkzeuge werden zurückgehalten",
    held: |count| {
        let tools = counted(De, count, "Werkzeug wird", "Werkzeuge werden");
        format!("{tools} vor Agenten zurückgehalten")
    },
    it_runs: "Es führt aus:",
    accepted_with: |changes| format!("Angenommen wurde es mit anderem Inhalt ({changes}):"),
    more_tools: |count| {
        format!(
            "und {}",
            counted(De, count, "weiteres Werkzeug", "weitere Werkzeuge")
        )
    },
    runs_there: |members| format!("Läuft dort: {members}."),
    does_not: |member, why| format!("{member} nicht: {why}."),
    to_be_set: "Dort zu setzen, und nirgends geschrieben:",
    written_too: |files| format!("Mit --out ORDNER werden auch diese geschrieben: {files}."),
    token_made: "Ein Token entsteht auf der Seite der Agenten oder mit --write.",
    belongs_into: |path| format!("Das gehört in {path}:"),
    differences: ["wie vorher", "neu", "geändert", "weg"],
    effects: ["nicht verträglich", "erweitert", "nur Text"],
    breaks: |kind, name, what| match kind {
        BreakageKind::SavedCall => format!("betrifft den gespeicherten Aufruf {name}: {what}"),
        BreakageKind::Policy => format!("betrifft die Regel {name}: {what}"),
        BreakageKind::Profile => format!("betrifft das Profil {name}: {what}"),
    },
    origin: ["Herkunft", "Pfad", "Adresse", "Zeitpunkt"],
    launch_parts: [
        "Befehl",
        "Ordner",
        "URL",
        "Argument",
        "Variable",
        "Header",
        "Anmeldung",
    ],
};
