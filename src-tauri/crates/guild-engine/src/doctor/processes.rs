//! Finds processes of earlier runs that could not be ended when this run started.

use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, Verdict};
use guild_process::orphaned_processes;

use super::{DoctorInput, blocking};

pub(super) const SUBJECT: &str = "earlier runs";

pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    // The number of leftover processes is unknown until the cleanup has finished.
    known.custody.swept().await;
    blocking(Check::Processes, SUBJECT, move || {
        let left = orphaned_processes(&known.paths.data_dir.join("running"));
        let of = |verdict, kind, found: String| {
            Finding::new(Check::Processes, SUBJECT, verdict, kind, found)
        };
        if left.is_empty() {
            let found = "No process of an earlier run is left.".to_owned();
            return vec![of(Verdict::Fine, FactKind::NothingLeft, found)];
        }
        let count: usize = left.iter().map(|one| one.processes.len()).sum();
        let plural = if count == 1 { " is" } else { "es are" };
        let found = format!("{count} process{plural} left from an earlier run.");
        let lines = left.iter().map(|one| {
            let pids: Vec<String> = one.processes.iter().map(u32::to_string).collect();
            format!("{}: {}", one.member, pids.join(" "))
        });
        let found = of(Verdict::Warning, FactKind::ProcessesLeft, found).with(lines);
        vec![found.advised("The next start tries again; or end them with `kill -9`.")]
    })
    .await
}
