use std::env;
use std::fs;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use guild_core::event::HallEvent;
use guild_core::settings::SettingChange;
use guild_core::wire::ChangeSettings;
use guild_engine::{Options, Paths};
use tokio::time;

use super::*;

/// Far more than an answer takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A hall without members, in a folder of its own.
struct House {
    hall: Hall,
    root: PathBuf,
}

impl House {
    async fn new(name: &str) -> Self {
        Self::with(name, &[]).await
    }

    /// The same with members, by their manifests.
    async fn with(name: &str, manifests: &[(&str, &str)]) -> Self {
        let root = env::temp_dir().join(format!("guild-hall-{name}-{}", std::process::id()));
        let paths = Paths {
            members_dir: root.join("members"),
            data_dir: root.join("data"),
            cache_dir: None,
        };
        fs::create_dir_all(&paths.members_dir).expect("a folder");
        for (member, manifest) in manifests {
            let folder = paths.members_dir.join(member);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("plugin.json"), manifest).expect("a manifest");
        }
        let hall = Hall::open(paths, Options::default()).await;
        Self {
            hall: hall.expect("the hall opens"),
            root,
        }
    }

    /// Has something happen, which the hall tells of before this ends.
    async fn zoom(&self, percent: u32) {
        let changes = vec![SettingChange::new("appearance.zoom", percent)];
        let changed = self.hall.change_settings(ChangeSettings { changes }).await;
        changed.expect("a setting is changed");
    }

    async fn close(self) {
        self.hall.shutdown().await;
        fs::remove_dir_all(&self.root).expect("the folder goes");
    }
}

async fn next(listener: &Listener, number: u64) -> Vec<Envelope> {
    let batch = time::timeout(PATIENCE, listener.next(number)).await;
    serde_json::from_str(&batch.expect("an answer")).expect("a list of events")
}

fn is_roster(batch: &[Envelope]) -> bool {
    matches!(
        batch,
        [Envelope {
            event: HallEvent::Roster { .. },
            ..
        }]
    )
}

fn changes_of_settings(batch: &[Envelope]) -> usize {
    let is_change = |told: &&Envelope| matches!(told.event, HallEvent::SettingsChanged { .. });
    batch.iter().filter(is_change).count()
}

/// Asks, and gives the question back once nothing is left that it would be answered with at once.
async fn waiting(
    listener: &Listener,
    number: u64,
) -> Pin<Box<impl Future<Output = Vec<Envelope>>>> {
    loop {
        let mut question = Box::pin(next(listener, number));
        // What has begun to be gathered is told well before.
        if time::timeout(GATHER * 10, &mut question).await.is_err() {
            return question;
        }
    }
}

#[tokio::test]
async fn a_page_is_told_the_whole_roster_and_then_all_that_has_happened_at_once() {
    let house = House::new("all-at-once").await;
    let listener = Listener::default();
    let page = listener.listen(&house.hall);
    let roster = next(&listener, page).await;
    assert!(is_roster(&roster), "{roster:?}");
    for percent in [110, 120, 130] {
        house.zoom(percent).await;
    }
    let batch = next(&listener, page).await;
    assert_eq!(changes_of_settings(&batch), 3, "{batch:?}");
    let revisions = batch.iter().map(|told| told.revision);
    let without_a_gap = (roster[0].revision + 1..).take(batch.len());
    assert!(revisions.eq(without_a_gap), "{batch:?}");
    house.close().await;
}

#[tokio::test]
async fn what_has_no_place_in_a_batch_is_in_the_next_ones_before_anything_newer() {
    let house = House::new("full").await;
    let listener = Listener {
        full: 1,
        ..Listener::default()
    };
    let page = listener.listen(&house.hall);
    let roster = next(&listener, page).await;
    assert!(is_roster(&roster), "{roster:?}");
    for percent in [110, 120, 130] {
        house.zoom(percent).await;
    }
    let mut told = next(&listener, page).await;
    assert_eq!(told.len(), 1, "{told:?}");
    // While two of them wait still.
    house.zoom(140).await;
    for _ in 0..3 {
        let batch = next(&listener, page).await;
        assert_eq!(batch.len(), 1, "{batch:?}");
        told.extend(batch);
    }
    assert_eq!(changes_of_settings(&told), 4, "{told:?}");
    let revisions = told.iter().map(|told| told.revision);
    let without_a_gap = (roster[0].revision + 1..).take(told.len());
    assert!(revisions.eq(without_a_gap), "{told:?}");
    assert!(told.iter().all(|told| told.since.is_none()), "{told:?}");
    let zooms: Vec<_> = told
        .iter()
        .map(|told| match &told.event {
            HallEvent::SettingsChanged { settings, .. } => settings.appearance.zoom,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(zooms, [110, 120, 130, 140]);
    house.close().await;
}

#[tokio::test]
async fn an_event_says_which_one_was_told_before_it_where_others_were_left_out() {
    // It fails at once, by way of several states.
    let forge = r#"{"name": "forge", "version": "1.0.0", "description": "", "transport": "stdio",
        "command": "/no/such/program", "restart": "never"}"#;
    let house = House::with("since", &[("forge", forge)]).await;
    for full in [FULL, 1] {
        let listener = Listener {
            full,
            ..Listener::default()
        };
        let page = listener.listen(&house.hall);
        let roster = next(&listener, page).await;
        assert!(is_roster(&roster), "{roster:?}");
        let member = guild_core::id::MemberName::parse("forge").expect("a name");
        // Why it does not start is an event as well.
        let _ = house.hall.start_member(&member).await;
        house.zoom(if full == 1 { 110 } else { 120 }).await;
        let mut told = roster;
        while changes_of_settings(&told) == 0 {
            told.extend(next(&listener, page).await);
        }
        let mut left_out = 0;
        for pair in told.windows(2) {
            let [before, after] = pair else { continue };
            match after.since {
                Some(since) => {
                    assert_eq!(since, before.revision, "{told:?}");
                    assert!(after.revision > since + 1, "{told:?}");
                    left_out += 1;
                }
                None => assert_eq!(after.revision, before.revision + 1, "{told:?}"),
            }
        }
        assert!(left_out > 0, "each state was told: {told:?}");
    }
    house.close().await;
}

#[tokio::test]
async fn a_question_is_answered_when_something_happens() {
    let house = House::new("answered").await;
    let listener = Listener::default();
    let page = listener.listen(&house.hall);
    let question = waiting(&listener, page).await;
    house.zoom(110).await;
    let batch = question.await;
    assert_eq!(changes_of_settings(&batch), 1, "{batch:?}");
    house.close().await;
}

#[tokio::test]
async fn a_page_that_another_one_follows_is_told_nothing_more() {
    let house = House::new("follows").await;
    let listener = Listener::default();
    let old = listener.listen(&house.hall);
    let question = waiting(&listener, old).await;
    let new = listener.listen(&house.hall);
    assert_eq!(question.await, [], "it is over for the old one");
    assert_eq!(next(&listener, old).await, [], "and stays so");
    let roster = next(&listener, new).await;
    assert!(is_roster(&roster), "{roster:?}");
    house.close().await;
}
