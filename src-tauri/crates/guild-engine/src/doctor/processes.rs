//! Processes of earlier runs that could not be ended when this one began.

use std::sync::Arc;

use guild_core::doctor::{Advice, Detail, Fact, Observation, Subject};
use guild_core::wire::{Check, Verdict};
use guild_process::left_over;

use super::{Knowledge, blocking};

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Observation> {
    // While they are being ended, the number of leftovers is unknown.
    known.custody.swept().await;
    blocking(Check::Processes, Subject::EarlierRuns, move || {
        let left = left_over(&known.paths.data_dir.join("running"));
        let of =
            |verdict, fact| Observation::new(Check::Processes, Subject::EarlierRuns, verdict, fact);
        if left.is_empty() {
            return vec![of(Verdict::Fine, Fact::NothingLeft)];
        }
        let count = left.iter().map(|one| one.processes.len()).sum();
        let lines = left.iter().map(|one| {
            let pids: Vec<String> = one.processes.iter().map(u32::to_string).collect();
            Detail::Plain(format!("{}: {}", one.member, pids.join(" ")))
        });
        let found = of(Verdict::Warning, Fact::ProcessesLeft { count }).with(lines);
        vec![found.advised(Advice::EndLeft)]
    })
    .await
}
