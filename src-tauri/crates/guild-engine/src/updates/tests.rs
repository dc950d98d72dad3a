use guild_api::wire::ChangeSettings;
use guild_model::settings::SettingChange;
use tokio_util::task::AbortOnDropHandle;

use super::*;
use crate::tests::{open_hall, paths_in};
use guild_roster::Subscription;

/// A source without newer versions.
struct Never;

impl Releases for Never {
    fn newer(&self, _: Value, _: &str) -> Result<Option<Arc<dyn Release>>, String> {
        Ok(None)
    }
}

async fn set(hall: &GuildHall, check: bool) {
    let changes = vec![SettingChange::new("updates.check", check)];
    let changed = hall.change_settings(ChangeSettings { changes });
    changed.await.expect("set");
}

/// Waits for the next check for updates, and returns its time.
async fn looked(events: &mut Subscription) -> Instant {
    loop {
        let told = events.next().await.expect("the hall goes on");
        if let HallEvent::UpdatesChanged { updates } = &told.event
            && matches!(updates.stage, UpdateStage::Looking)
        {
            return Instant::now();
        }
    }
}

/// The test controls the time. Without an address, a check ends immediately and without network
/// access.
#[tokio::test]
async fn update_check_runs_daily_if_enabled() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = paths_in(folder.path());
    std::fs::create_dir_all(&paths.members_dir).expect("made");
    let hall = open_hall(paths).await;
    let place = UpdateTarget {
        program: folder.path().join("program"),
        arguments: Vec::new(),
        running: folder.path().join("running"),
        preset: None,
        patience: FIRST,
    };
    let updates = Updates::of(hall.clone(), Some(place), Never);
    let mut events = hall.subscribe();
    tokio::time::pause();
    let _following = AbortOnDropHandle::new(tokio::spawn(updates.clone().follow_settings()));
    let none = tokio::time::timeout(EVERY * 2, looked(&mut events)).await;
    assert!(none.is_err(), "nobody wants it");
    assert_eq!(updates.state().looked_at_ms, None);

    set(&hall, true).await;
    let asked = Instant::now();
    let first = looked(&mut events).await;
    assert!(first - asked < FIRST, "what is due is done at once");
    let second = looked(&mut events).await;
    let third = looked(&mut events).await;
    for pause in [second - first, third - second] {
        assert!(pause.abs_diff(EVERY) < FIRST, "{pause:?}");
    }
    assert!(updates.state().looked_at_ms.is_some());

    set(&hall, false).await;
    let none = tokio::time::timeout(EVERY * 2, looked(&mut events)).await;
    assert!(none.is_err(), "nobody wants it any more");
    tokio::time::resume();
    hall.shutdown().await;
}
