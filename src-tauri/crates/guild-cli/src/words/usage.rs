//! What is wrong with words of a command that clap takes for right.

use guild_core::language::Language::{De, En};
use guild_core::note::{NameWrong, Told};

#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) endpoint: &'static str,
    pub(crate) name: fn(wrong: &NameWrong) -> String,
    pub(crate) profile_name: &'static str,
    pub(crate) direct: &'static str,
    pub(crate) no_policy: fn(word: &str) -> String,
    pub(crate) tools_or_kind: &'static str,
    pub(crate) no_tools: &'static str,
    pub(crate) no_approvals: &'static str,
    pub(crate) approved: &'static str,
    pub(crate) denied: &'static str,
    pub(crate) no_embeddings: &'static str,
    pub(crate) tested: fn(dimensions: usize, ms: u64) -> String,
    pub(crate) claim_doubted: &'static str,
    pub(crate) claim_confirmed: &'static str,
}

pub(super) const EN: Usage = Usage {
    endpoint: "--endpoint is all, member NAME or profile NAME",
    name: |wrong| wrong.told(En),
    profile_name: "a profile's name has letters, digits, '.', '_' and '-'",
    direct: "--direct wants --endpoint member NAME",
    no_policy: |word| format!("{word:?} is none of allow, ask and deny"),
    tools_or_kind: "name either tools or a kind of tools",
    no_tools: "name the tools as member/tool, or --kind",
    no_approvals: "No calls are waiting for approval.",
    approved: "Approved the call.",
    denied: "Denied the call.",
    no_embeddings: "No embeddings endpoint is set: searches rank tools by words alone.",
    tested: |dimensions, ms| {
        format!("The endpoint works: vectors of {dimensions} numbers, answered in {ms} ms.")
    },
    claim_doubted: "its server says that it only reads, its name or description says otherwise",
    claim_confirmed: "confirmed to only read",
};

pub(super) const DE: Usage = Usage {
    endpoint: "--endpoint ist all, member NAME oder profile NAME.",
    name: |wrong| format!("{}.", wrong.told(De)),
    profile_name: "Der Name eines Profils hat Buchstaben, Ziffern, '.', '_' und '-'.",
    direct: "--direct braucht --endpoint member NAME.",
    no_policy: |word| format!("{word:?} ist weder allow noch ask noch deny."),
    tools_or_kind: "Entweder Werkzeuge nennen oder eine Art von Werkzeugen.",
    no_tools: "Die Werkzeuge als mitglied/werkzeug nennen, oder --kind.",
    no_approvals: "Kein Aufruf wartet auf eine Entscheidung.",
    approved: "Der Aufruf ist erlaubt.",
    denied: "Der Aufruf ist abgelehnt.",
    no_embeddings: "Kein Embeddings-Endpunkt ist eingestellt: Die Suche ordnet nach Wörtern allein.",
    tested: |dimensions, ms| {
        format!(
            "Der Endpunkt funktioniert: Vektoren aus {dimensions} Zahlen, Antwort nach {ms} ms."
        )
    },
    claim_doubted: "laut Server nur lesend, Name oder Beschreibung sagen etwas anderes",
    claim_confirmed: "als nur lesend bestätigt",
};
