//! Members, their tools, and calls.

use guild_core::language::Language::{De, En};
use guild_core::status::{Freshness, Status};
use guild_core::wire::ToolMark;

use super::counted;

#[derive(Debug)]
pub(crate) struct Members {
    /// The heads of the table: member, status, tools, list, port, process.
    pub(crate) heads: [&'static str; 6],
    pub(crate) none: fn(folder: &str) -> String,
    pub(crate) status: fn(Status) -> &'static str,
    pub(crate) freshness: fn(Freshness) -> &'static str,
    /// A port that other machines reach.
    pub(crate) exposed: fn(port: u16) -> String,
    pub(crate) is_now: fn(member: &str, Status) -> String,
    pub(crate) pulling: fn(seconds: u64) -> String,
    pub(crate) installing: fn(seconds: u64) -> String,
    pub(crate) overtime: fn(seconds: u64) -> String,
    pub(crate) late: fn(seconds: u64) -> String,
    /// Members whose tools nobody knows yet; whether it was waited for them.
    pub(crate) never_listed: fn(members: &str, waited: bool) -> String,
    pub(crate) known_without: &'static str,
    pub(crate) import_awaited: fn(process: u32) -> String,
    pub(crate) progress: &'static str,
    pub(crate) data: &'static str,
    /// Where in the arguments something is wrong.
    pub(crate) at: fn(pointer: &str, problem: &str) -> String,
    pub(crate) arguments: &'static str,
    pub(crate) result: &'static str,
    pub(crate) remark: &'static str,
    /// A member whose tools could not be found out.
    pub(crate) not_discovered: &'static str,
    /// A tool that nobody has accepted as it is.
    pub(crate) held: fn(ToolMark) -> &'static str,
    /// A member whose tools agents do not get.
    pub(crate) withheld: &'static str,
    pub(crate) tools_would_change: fn(usize) -> String,
    pub(crate) tools_changed: fn(usize) -> String,
    pub(crate) by_their_word: fn(members: &str) -> String,
    pub(crate) signed_in: fn(member: &str, issuer: Option<&str>, scopes: &str) -> String,
    pub(crate) signed_out: fn(member: &str) -> String,
    pub(crate) sign_in_at: fn(host: &str) -> String,
    pub(crate) asked_for: fn(scopes: &str) -> String,
    pub(crate) tools_found: fn(count: usize, way: &str) -> String,
    pub(crate) tools_predicted: fn(count: usize) -> String,
    pub(crate) may_be_sent: &'static str,
    pub(crate) not_sent_now: &'static str,
    pub(crate) send_this: &'static str,
}

pub(super) const EN: Members = Members {
    heads: ["MEMBER", "STATUS", "TOOLS", "LIST", "PORT", "PID"],
    none: |folder| format!("No members in {folder}."),
    status: Status::as_str,
    freshness: |freshness| match freshness {
        Freshness::Unknown => "unknown",
        Freshness::Cached => "cached",
        Freshness::Outdated => "outdated",
        Freshness::Refreshing => "refreshing",
        Freshness::Live => "live",
    },
    exposed: |port| format!("{port} exposed"),
    is_now: |member, status| format!("{member} is {}.", status.as_str()),
    pulling: |seconds| format!("has its container's image fetched, {seconds} s"),
    installing: |seconds| format!("is being installed, {seconds} s"),
    overtime: |seconds| {
        format!("is still being installed past its start limit, {seconds} s; Ctrl-C gives it up")
    },
    late: |seconds| {
        format!("is still starting past its start limit, {seconds} s; Ctrl-C gives it up")
    },
    never_listed: |members, waited| match waited {
        true => format!("never listed: {members}. `guildhall list` shows why."),
        false => format!("never listed: {members}. `--wait` lists them."),
    },
    known_without: "This is what is known without it.",
    import_awaited: |process| {
        format!("Waiting for process {process}, which imports settings; Ctrl-C gives up.")
    },
    progress: "progress",
    data: "data",
    at: |pointer, problem| format!("at {pointer:?}: {problem}"),
    arguments: "Arguments",
    result: "Result",
    remark: "Note",
    not_discovered: "failed",
    held: |mark| match mark {
        ToolMark::New => "held back: new",
        ToolMark::Changed => "held back: changed",
    },
    withheld: "withheld",
    tools_would_change: |count| format!("{} would change.", counted(En, count, "tool", "tools")),
    tools_changed: |count| format!("{} changed.", counted(En, count, "tool", "tools")),
    by_their_word: |members| {
        format!(
            "These go by their servers' word, which may change: {members}. `guildhall review MEMBER \
             --hold on` holds changes back until you accept them."
        )
    },
    signed_in: |member, issuer, scopes| {
        let by = issuer
            .map(|issuer| format!(" by {issuer}"))
            .unwrap_or_default();
        let scopes = match scopes {
            "" => String::new(),
            scopes => format!(", for {scopes}"),
        };
        format!("Signed in to {member}{by}{scopes}.")
    },
    signed_out: |member| format!("Signed out of {member}."),
    sign_in_at: |host| format!("Sign in at {host}, in a browser on this machine:"),
    asked_for: |scopes| format!("It is asked for: {scopes}"),
    tools_found: |count, way| {
        let tools = counted(En, count, "tool was", "tools were");
        format!("{tools} found in {way}.")
    },
    tools_predicted: |count| {
        let tools = counted(En, count, "tool was", "tools were");
        let (they, them) = if count == 1 {
            ("It", "it")
        } else {
            ("They", "them")
        };
        format!("{tools} predicted. {they} can't be called before the server confirms {them}.")
    },
    may_be_sent: "This request may be sent without a question.",
    not_sent_now: "It would not be sent now",
    send_this: "Send this?",
};

pub(super) const DE: Members = Members {
    heads: ["MITGLIED", "ZUSTAND", "WERKZEUGE", "LISTE", "PORT", "PID"],
    none: |folder| format!("Keine Mitglieder in {folder}."),
    status: |status| match status {
        Status::Stopped => "angehalten",
        Status::Starting => "startet",
        Status::Ready => "bereit",
        Status::Stopping => "hält an",
        Status::Error => "fehlgeschlagen",
        Status::Backoff => "neuer Versuch",
        Status::CrashLoop => "Absturzschleife",
        Status::Disabled => "ausgeschaltet",
        Status::Unreviewed => "ungeprüft",
    },
    freshness: |freshness| match freshness {
        Freshness::Unknown => "unbekannt",
        Freshness::Cached => "gespeichert",
        Freshness::Outdated => "veraltet",
        Freshness::Refreshing => "wird gelesen",
        Freshness::Live => "aktuell",
    },
    exposed: |port| format!("{port} offen"),
    is_now: |member, status| format!("{member}: {}.", (DE.status)(status)),
    pulling: |seconds| format!("holt das Abbild seines Containers, {seconds} s"),
    installing: |seconds| format!("wird installiert, {seconds} s"),
    overtime: |seconds| {
        format!("wird über seine Startfrist hinaus installiert, {seconds} s; Strg-C bricht ab")
    },
    late: |seconds| {
        format!("startet noch über seine Startfrist hinaus, {seconds} s; Strg-C bricht ab")
    },
    never_listed: |members, waited| match waited {
        true => format!("nie aufgelistet: {members}. `guildhall list` zeigt, warum."),
        false => format!("nie aufgelistet: {members}. `--wait` listet sie auf."),
    },
    known_without: "Das ist ohne sie bekannt.",
    import_awaited: |process| {
        format!("Prozess {process} importiert Einstellungen und wird abgewartet; Strg-C bricht ab.")
    },
    progress: "Fortschritt",
    data: "Daten",
    at: |pointer, problem| format!("bei {pointer:?}: {problem}"),
    arguments: "Argumente",
    result: "Ergebnis",
    remark: "Hinweis",
    not_discovered: "fehlgeschlagen",
    held: |mark| match mark {
        ToolMark::New => "zurückgehalten: neu",
        ToolMark::Changed => "zurückgehalten: geändert",
    },
    withheld: "nicht angeboten",
    tools_would_change: |count| {
        format!(
            "{} sich ändern.",
            counted(De, count, "Werkzeug würde", "Werkzeuge würden")
        )
    },
    tools_changed: |count| format!("{} geändert.", counted(De, count, "Werkzeug", "Werkzeuge")),
    by_their_word: |members| {
        format!(
            "Diese richten sich nach dem Wort ihrer Server, das sich ändern kann: {members}. \
             `guildhall review MITGLIED --hold on` hält Änderungen zurück, bis sie angenommen sind."
        )
    },
    signed_in: |member, issuer, scopes| {
        let by = issuer
            .map(|issuer| format!(" durch {issuer}"))
            .unwrap_or_default();
        let scopes = match scopes {
            "" => String::new(),
            scopes => format!(", für {scopes}"),
        };
        format!("Angemeldet bei {member}{by}{scopes}.")
    },
    signed_out: |member| format!("Von {member} abgemeldet."),
    sign_in_at: |host| format!("Anmelden bei {host}, in einem Browser auf diesem Rechner:"),
    asked_for: |scopes| format!("Gebeten wird um: {scopes}"),
    tools_found: |count, way| {
        format!(
            "{} gefunden: {way}.",
            counted(De, count, "Werkzeug", "Werkzeuge")
        )
    },
    tools_predicted: |count| {
        let tools = counted(De, count, "Werkzeug", "Werkzeuge");
        let (may, they) = if count == 1 {
            ("lässt es", "es")
        } else {
            ("lassen sie", "sie")
        };
        format!("{tools} vorhergesagt. Aufrufen {may} sich erst, wenn der Server {they} bestätigt.")
    },
    may_be_sent: "Diese Anfrage darf ohne Rückfrage gesendet werden.",
    not_sent_now: "Jetzt würde sie nicht gesendet",
    send_this: "Senden?",
};
