//! Any content of the members folder and any behavior of a server leads to a clear error of that
//! member. It never affects other members, and memory stays bounded.

mod answers;
mod commands;
mod floods;
mod lists;
mod manifests;

use guild_model::status::{Freshness, Status};
use guild_model::{Code, Report};
use guild_tests::{LIMIT, eventually};

use crate::test_env::{Open, TestEnv, name};

/// Returns an environment with one healthy member, `neighbour`, beside the test's members.
fn env(test: &str) -> TestEnv {
    let env = TestEnv::new(test);
    env.http("neighbour").write();
    env
}

/// Checks that the healthy member is ready, lists its tools, and answers a call.
async fn neighbour_is_well(open: &Open) {
    let view = open.view("neighbour");
    assert_eq!(
        (view.status, view.freshness),
        (Status::Ready, Freshness::Live),
        "{view:#?}"
    );
    assert_eq!((view.error, view.warnings), (None, vec![]));
    let result = open.result("neighbour", "add", r#"{"a":20,"b":22}"#).await;
    assert!(result.to_string().contains("42"), "{result}");
}

/// Waits for a member's error. It must have the code, name the member, and suggest a fix. Returns
/// the error.
async fn fault(open: &Open, member: &str, code: Code) -> Report {
    let view = open.view(member);
    let report = view
        .error
        .unwrap_or_else(|| panic!("{member} is {:?}", view.status));
    assert_eq!(report.code, code, "{report}");
    check_words(member, &report);
    eventually(LIMIT, "the end of its process", || {
        let view = open.view(member);
        (view.pid.is_none() && view.port.is_none()).then_some(())
    })
    .await;
    report
}

/// Checks the parts that every report must have.
fn check_words(member: &str, report: &Report) {
    assert_eq!(
        report.member,
        Some(name(member)),
        "REQ-MCP-HTTP-44: {report}"
    );
    assert!(!report.hint.is_empty(), "what to do next: {report}");
    assert!(
        report.message.len() < 4_000,
        "{} bytes: {report}",
        report.message.len()
    );
    assert!(
        !report.message.contains(".."),
        "one full stop is enough: {report}"
    );
}
