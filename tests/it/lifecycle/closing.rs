//! The end of a hall while calls run.

use std::time::{Duration, Instant};

use guild_core::Code;
use guild_core::wire::CallEnd;
use guild_tests::{LIMIT, RecordFile, processes_of};

use crate::house::{CLOSED, House, request};

/// How soon a call hears that its hall ends.
const TOLD: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_in_flight_are_told_and_their_members_too() {
    let house = House::new("told of the end");
    let mut records = Vec::new();
    for member in ["pipes", "web"] {
        let folder = match member {
            "web" => house.http(member),
            _ => house.member(member),
        };
        let folder = folder.recorded();
        folder.write();
        records.push(RecordFile::new(&folder.record_path()));
    }
    let open = house.started().await;
    let calls: Vec<_> = ["pipes", "web"]
        .into_iter()
        .map(|member| {
            let hall = open.hall.clone();
            let call = request(member, "slow", r#"{"ms":60000}"#);
            tokio::spawn(async move { (hall.invoke(call).await, Instant::now()) })
        })
        .collect();
    for record in &records {
        record
            .wait_for(LIMIT, "the call", |entry| {
                entry["message"]["params"]["name"] == "slow"
            })
            .await;
    }
    let begun = Instant::now();
    open.close().await;
    let took = begun.elapsed();
    for call in calls {
        let (outcome, at) = call.await.expect("it ends");
        let CallEnd::Failed { report, .. } = outcome.end else {
            panic!("it was broken off");
        };
        assert_eq!(report.code, Code::ShuttingDown, "{report}");
        assert!(report.message.contains("Guild Hall is closing"), "{report}");
        assert!(report.member.is_some(), "{report}");
        let after = at.duration_since(begun);
        assert!(after < TOLD, "told after {after:?}");
    }
    for record in &records {
        record
            .wait_for(LIMIT, "that it is cancelled", |entry| {
                entry["message"]["method"] == "notifications/cancelled"
            })
            .await;
    }
    println!("closed in {took:?}");
    assert!(took < CLOSED, "{took:?}");
    assert_eq!(processes_of(&house.nonce), Vec::<u32>::new());
}
