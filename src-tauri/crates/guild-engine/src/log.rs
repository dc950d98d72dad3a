//! Passing on what members write to stderr: as events, and to the log (REQ-MCP-HTTP-18).

use std::sync::Arc;
use std::time::Duration;

use guild_core::MemberName;
use guild_core::event::HallEvent;
use guild_process::Output;

use crate::index::Index;

/// How often lines are passed on at most.
const PAUSE: Duration = Duration::from_millis(100);
/// How many bytes one event carries at most; what comes faster is skipped and counted.
const BATCH_BYTES: usize = 32 * 1024;

/// Passes a member's lines on until it is dropped.
pub(crate) async fn follow(member: MemberName, output: Output, index: Arc<Index>) {
    let mut changed = output.changed();
    let mut next = 0;
    while changed.changed().await.is_ok() {
        let (mut lines, mut skipped) = output.since(next);
        if let Some(last) = lines.last() {
            next = last.seq + 1;
        }
        // The newest lines are the ones worth having.
        let mut bytes = 0;
        let fits = lines.iter().rev().take_while(|line| {
            bytes += line.text.len();
            bytes <= BATCH_BYTES
        });
        let first_kept = lines.len() - fits.count().max(usize::from(!lines.is_empty()));
        skipped += first_kept as u64;
        lines.drain(..first_kept);
        for line in &lines {
            tracing::info!(target: "guild_hall::stderr", %member, "{}", line.text);
        }
        if !lines.is_empty() {
            index.tell(HallEvent::Stderr {
                member: member.clone(),
                lines,
                skipped,
            });
        }
        tokio::time::sleep(PAUSE).await;
    }
}
