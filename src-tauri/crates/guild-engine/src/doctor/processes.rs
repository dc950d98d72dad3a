//! Processes of earlier runs that could not be ended when this one began.

use std::sync::Arc;

use guild_core::wire::{Check, Finding, Verdict};
use guild_process::left_over;

use super::{Knowledge, More, blocking, finding};

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Finding> {
    // While they are being ended, nobody can say how many will be left.
    known.custody.swept().await;
    blocking(Check::Processes, "earlier runs", move || {
        let left = left_over(&known.paths.data_dir.join("running"));
        let of = |verdict, found: String| finding(Check::Processes, "earlier runs", verdict, found);
        if left.is_empty() {
            return vec![of(
                Verdict::Fine,
                "No process of an earlier run is left.".to_owned(),
            )];
        }
        let count: usize = left.iter().map(|one| one.processes.len()).sum();
        let plural = if count == 1 { " is" } else { "es are" };
        let lines = left.iter().map(|one| {
            let pids: Vec<String> = one.processes.iter().map(u32::to_string).collect();
            format!("{}: {}", one.member, pids.join(" "))
        });
        vec![
            of(
                Verdict::Warning,
                format!("{count} process{plural} left of a Guild Hall that is gone."),
            )
            .with(lines)
            .advised("The next start tries to end them again; `kill -9` with these numbers may."),
        ]
    })
    .await
}
