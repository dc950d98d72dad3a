//! A hall that closes while calls run.

use std::time::Duration;

use guild_api::wire::CallEnd;
use guild_model::Code;
use guild_tests::{PromiseClock, RecordFile, processes_of};

use crate::test_env::{CLOSED, TestEnv, request};

/// Time limit for a call to end after its hall begins to close.
const END_LIMIT: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_in_flight_and_members_are_notified() {
    let env = TestEnv::new("told of the end");
    let mut records = Vec::new();
    for member in ["pipes", "web"] {
        let folder = match member {
            "web" => env.http(member),
            _ => env.member(member),
        };
        let folder = folder.recorded();
        folder.write();
        records.push(RecordFile::new(&folder.record_path()));
    }
    let open = env.started().await;
    let (end, ends) = tokio::sync::watch::channel(None::<PromiseClock>);
    let calls: Vec<_> = ["pipes", "web"]
        .into_iter()
        .map(|member| {
            let hall = open.hall.clone();
            let call = request(member, "slow", r#"{"ms":60000}"#);
            let mut ends = ends.clone();
            tokio::spawn(async move {
                let outcome = hall.invoke(call).await;
                let begun = ends.wait_for(Option::is_some).await.expect("it ends");
                (outcome, begun.map(|begun: PromiseClock| begun.took()))
            })
        })
        .collect();
    for record in &records {
        record.wait_for_call("slow").await;
    }
    let begun = PromiseClock::start();
    end.send_replace(Some(begun));
    open.close().await;
    let took = begun.took();
    for call in calls {
        let (outcome, after) = call.await.expect("it ends");
        let CallEnd::Failed { report, .. } = outcome.end else {
            panic!("it was broken off");
        };
        assert_eq!(report.code, Code::ShuttingDown, "{report}");
        assert!(report.message.contains("Guild Hall is closing"), "{report}");
        assert!(report.member.is_some(), "{report}");
        after
            .expect("it is ending")
            .assert_within(END_LIMIT, "a call ends");
    }
    for record in &records {
        record.wait_for_method("notifications/cancelled").await;
    }
    println!("closed: {took}");
    took.assert_within(CLOSED, "closed");
    assert_eq!(processes_of(&env.nonce), Vec::<u32>::new());
}
