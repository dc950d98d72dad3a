//! Checks whether the hall that runs on the data folder responds.

use std::sync::Arc;

use guild_api::wire::{Check, Finding, Verdict};

use super::DoctorInput;
use guild_ipc::{InstanceStatus, IpcClient};

/// Finds a hall that holds the lock of the data folder and does not respond. Possible causes: a
/// signal stopped it, it has no free file descriptor, or it belongs to another user.
pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    // The checks run in that hall itself.
    if known.keeps_folder {
        return Vec::new();
    }
    let report = match IpcClient::find(&known.paths.data_dir).await {
        InstanceStatus::NotRunning => return Vec::new(),
        InstanceStatus::Running(mut visit) => match visit.answers().await {
            Ok(()) => return Vec::new(),
            Err(report) => report,
        },
        InstanceStatus::Unreachable(report) => report,
    };
    vec![Finding::of_report(
        Check::Folders,
        "Guild Hall",
        Verdict::Problem,
        &report,
    )]
}
