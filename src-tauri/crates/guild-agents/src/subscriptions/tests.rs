use serde_json::value::RawValue;
use tokio::sync::watch;

use super::*;
use crate::tests::agents_in;

/// Counts received events.
#[derive(Debug, Default)]
struct Ear {
    updated: watch::Sender<usize>,
}

impl NotificationSink for Ear {
    fn level(&self) -> Option<Level> {
        None
    }

    fn log(&self, _level: Level, _params: &RawValue) {}

    fn updated(&self, _uri: &str) {
        self.updated.send_modify(|count| *count += 1);
    }
}

fn name(text: &str) -> MemberName {
    MemberName::parse(text).expect("a name")
}

#[tokio::test]
async fn quiet_member_beside_a_loud_one_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let agents = agents_in(folder.path());
    let ear = Arc::new(Ear::default());
    let mut heard = ear.updated.subscribe();
    let listener = ResourceListener {
        member: name("quiet"),
        uri: "x://a".to_owned(),
        hearing: ear,
    };
    agents
        .subscriptions
        .add_watch(listener)
        .expect("there is room");
    let (post, posted) = broadcast::channel(4);
    let up = |member| MemberNotification {
        member: name(member),
        kind: MemberNotificationKind::SessionReady,
    };
    for member in std::iter::once("quiet").chain(["loud"; 8]) {
        post.send(up(member)).expect("somebody follows");
    }
    let following = Agents::follow_notifications(Arc::downgrade(&agents), posted);
    tokio::select! {
        () = following => panic!("news may still come"),
        () = sleep(LIMIT) => panic!("nobody saw to it"),
        heard = heard.wait_for(|count| *count > 0) => drop(heard.expect("it is there")),
    }
}
