//! Sends all values that the tests of the window's forms have entered. Each goes through the hall
//! to a member, which returns the received bytes.
//!
//! The window's tests write the values to the folder in `GUILD_FORM_RECORDS`, or to
//! `target/form-records`. So this is a separate test target: `cargo xtask test --only ui-test
//! --only forms`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

#[path = "forms/exact.rs"]
mod exact;
#[path = "forms/records.rs"]
mod records;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{ArgumentCheck, CallEnd, InvokeTool};
use guild_engine::{GuildHall, GuildHallOptions, Paths};
use guild_model::status::Status;
use guild_model::{CallId, Code, MemberName, ToolName};
use guild_schema::validate::ArgumentError;
use guild_tests::{MemberFolder, Nonce, Watchdog};
use serde_json::json;
use tokio::task::JoinSet;

use self::records::{Invalid, Record, Valid};

/// The number of concurrent calls.
const CALLS: usize = 16;
/// Maximum number of printed errors.
const SHOWN: usize = 20;

enum Outcome {
    /// The bytes that the member got.
    Arrived(String),
    /// The check of the arguments has failed, so the call was not sent.
    Refused(Vec<ArgumentError>),
    Failed(String),
}

#[tokio::test(flavor = "multi_thread")]
async fn form_values_arrive_unchanged() {
    let records = records::read();
    let nonce = Nonce::new();
    let _watchdog = Watchdog::start(&nonce, "forms", Duration::from_secs(600));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let members = folder.path().join("members");
    let lists = records::tools();
    for (server, tools) in &lists {
        write_member(&members, server, tools, &nonce);
    }
    let paths = Paths {
        members_dir: members,
        data_dir: folder.path().join("data"),
        cache_dir: None,
    };
    let hall = GuildHall::open(paths, GuildHallOptions::default())
        .await
        .expect("the hall opens");
    hall.start_all().settled().await;
    for view in &hall.roster().members {
        assert_eq!(view.status, Status::Ready, "{view:#?}");
        let listed = lists[view.name.as_str()].as_array().expect("a list").len();
        assert_eq!(view.tools, listed, "{}: every tool is listed", view.name);
    }

    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (record, outcome) in send_all(&hall, records).await {
        let (count, complaint) = match &record {
            Record::Valid(valid) => of_valid(valid, &outcome),
            Record::Invalid(invalid) => of_invalid(invalid, &outcome),
        };
        for what in count {
            *counts.entry(what).or_default() += 1;
        }
        wrong.extend(complaint.map(|complaint| format!("{}: {complaint}", record.place())));
    }
    hall.shutdown().await;

    println!("\nForms through the hall, {} members", lists.len());
    for (what, count) in &counts {
        println!("{what:<62} {count:>6}");
    }
    assert!(
        wrong.is_empty(),
        "{} are wrong, such as:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(SHOWN)].join("\n")
    );
    assert!(
        counts.get(SENT).is_some_and(|sent| *sent > 3_000),
        "values of all tools were sent: {counts:?}"
    );
}

const SENT: &str = "1 values sent with the check on";
const ARRIVED: &str = "2 arrived with the same meaning, digit for digit";
const BOTH: &str = "3 valid by both validators";
const HERE_ALONE: &str = "4 valid here; the second validator can't compile the schema";
const REFUSED: &str = "5 invalid values, refused here as by the second validator";
const AT_FIELD: &str = "6 with the error at the very field";
const AT_GROUP: &str = "7 with the error at the group around the field";
const INSIDE: &str = "8 with the error inside of the field, which is a group";

fn of_valid(valid: &Valid, outcome: &Outcome) -> (Vec<&'static str>, Option<String>) {
    let mut counts = vec![SENT];
    match outcome {
        Outcome::Arrived(bytes) if exact::same(bytes, &valid.text) => {
            counts.push(ARRIVED);
            match valid.second {
                Some(true) => counts.push(BOTH),
                None => counts.push(HERE_ALONE),
                Some(false) => return (counts, Some("only valid here".into())),
            }
            (counts, None)
        }
        Outcome::Arrived(bytes) => {
            let sent = &valid.text;
            (counts, Some(format!("sent {sent}, arrived as {bytes}")))
        }
        Outcome::Refused(errors) => (counts, Some(format!("refused {}: {errors:?}", valid.text))),
        Outcome::Failed(why) => (counts, Some(why.clone())),
    }
}

fn of_invalid(invalid: &Invalid, outcome: &Outcome) -> (Vec<&'static str>, Option<String>) {
    let Invalid {
        way, pointer, text, ..
    } = invalid;
    let errors = match outcome {
        Outcome::Refused(errors) => errors,
        Outcome::Arrived(_) => {
            return (vec![], Some(format!("{way} at {pointer} was sent: {text}")));
        }
        Outcome::Failed(why) => return (vec![], Some(why.clone())),
    };
    let around = |error: &ArgumentError| {
        let rest = pointer.strip_prefix(error.pointer.as_str());
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let inside = |error: &ArgumentError| {
        let rest = error.pointer.strip_prefix(pointer.as_str());
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    if errors.iter().any(|error| error.pointer == *pointer) {
        (vec![REFUSED, AT_FIELD], None)
    } else if errors.iter().any(around) {
        (vec![REFUSED, AT_GROUP], None)
    } else if errors.iter().any(inside) {
        (vec![REFUSED, INSIDE], None)
    } else {
        let complaint = format!("{way} at {pointer} is told elsewhere: {errors:?}");
        (vec![REFUSED], Some(complaint))
    }
}

/// Sends all values, with [`CALLS`] concurrent calls.
async fn send_all(hall: &GuildHall, records: Vec<Record>) -> Vec<(Record, Outcome)> {
    let free = Arc::new(tokio::sync::Semaphore::new(CALLS));
    let mut calls = JoinSet::new();
    for (number, record) in records.into_iter().enumerate() {
        let permit = Arc::clone(&free).acquire_owned().await.expect("open");
        let hall = hall.clone();
        calls.spawn(async move {
            let outcome = send(&hall, number, &record).await;
            drop(permit);
            (record, outcome)
        });
    }
    calls.join_all().await
}

async fn send(hall: &GuildHall, number: usize, record: &Record) -> Outcome {
    let (server, tool, text) = record.call();
    let request = InvokeTool {
        call: CallId::parse(&format!("form-{number}")).expect("an id"),
        member: MemberName::parse(server).expect("a member's name"),
        tool: ToolName::parse(tool).expect("a tool's name"),
        arguments: text.to_owned(),
        check: ArgumentCheck::Refuse,
        timeout_ms: None,
    };
    match hall.invoke(request).await.end {
        CallEnd::Result { result, .. } => {
            let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
            let bytes = result["content"][0]["text"].as_str().expect("a text");
            Outcome::Arrived(bytes.to_owned())
        }
        CallEnd::Failed {
            report, arguments, ..
        } if report.code == Code::ArgumentsInvalid => Outcome::Refused(arguments),
        CallEnd::Failed { report, .. } => Outcome::Failed(report.to_string()),
    }
}

/// Writes a member that lists these tools, and answers a call with the bytes of its arguments.
fn write_member(members: &Path, server: &str, tools: &serde_json::Value, nonce: &Nonce) {
    let folder = MemberFolder::new(members, server);
    let list = folder.path().join("tools.json").display().to_string();
    folder
        .nonce(nonce)
        .manifest(json!({"command": env!("CARGO_BIN_EXE_echo"), "args": [list]}))
        .file("tools.json", tools.to_string())
        .write();
}
