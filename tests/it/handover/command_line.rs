//! `guildhall clients switch` and `undo`, with and without a running hall.

use std::fs;

use guild_client_config::ClientProgram;
use rustix::process::Signal;
use serde_json::json;

use super::{COMMAND, has_member, text_of};
use crate::user::{AtHome, put};

#[tokio::test]
async fn the_command_line_lists_shows_writes_and_gives_back() {
    let user = AtHome::new("hand-over-cli").await;
    has_member(&user.cli.env, COMMAND);
    let file = user.home.path().join(".cursor/mcp.json");
    let before = text_of(ClientProgram::Cursor);
    put(&file, &before);
    let run = async |words: &[&str]| user.cli.ended(user.command(words)).await;
    let text = || fs::read_to_string(&file).expect("read");

    let listed = run(&["clients", "switch"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    assert!(listed.stdout.starts_with("cursor"), "{listed:#?}");
    assert!(listed.stdout.contains("has mine"), "{listed:#?}");

    let unasked = run(&["clients", "switch", "cursor"]).await;
    assert_eq!(unasked.code, Some(2), "{unasked:#?}");
    assert!(
        unasked
            .stderr
            .contains("-\t\t\t\"command\": \"no-such-program\""),
        "{unasked:#?}"
    );
    assert!(
        unasked.stderr.contains("reaches mine through Guild Hall"),
        "{unasked:#?}"
    );
    assert!(unasked.stderr.contains("--yes"), "{unasked:#?}");
    assert_eq!(text(), before);
    let seen = run(&["clients", "switch", "cursor", "--json"])
        .await
        .json(0);
    assert_eq!(seen[0]["takenOut"], json!(["mine"]));
    assert_eq!(text(), before);

    let written = run(&["clients", "switch", "cursor", "--yes"]).await;
    assert_eq!(written.code, Some(0), "{written:#?}");
    assert!(
        written.stdout.contains("Cursor uses Guild Hall now"),
        "{written:#?}"
    );
    assert!(!text().contains("server-mine"), "{}", text());
    assert!(
        !format!("{written:?}").contains("Bearer gh"),
        "{written:#?}"
    );
    let listed = run(&["clients", "switch"]).await;
    assert!(listed.stdout.contains("switched"), "{listed:#?}");

    let listed = run(&["clients"]).await;
    assert!(listed.stdout.contains("  Cursor  …"), "{listed:#?}");
    let undone = run(&["clients", "undo", "cursor"]).await;
    assert_eq!(undone.code, Some(0), "{undone:#?}");
    assert!(undone.stdout.starts_with("Restored /"), "{undone:#?}");
    assert!(
        undone.stderr.contains("Still valid: the token of Cursor"),
        "{undone:#?}"
    );
    assert_eq!(text(), before);
    let unasked = run(&["clients", "revoke", "Cursor"]).await;
    assert_eq!(unasked.code, Some(2), "{unasked:#?}");
    let revoked = run(&["clients", "revoke", "Cursor", "--yes"]).await;
    assert_eq!(revoked.code, Some(0), "{revoked:#?}");
    let listed = run(&["clients"]).await;
    assert_eq!(listed.stdout, "", "{listed:#?}");
    let unknown = run(&["clients", "revoke", "Cursor", "--yes"]).await;
    assert!(unknown.stderr.contains("client-unknown"), "{unknown:#?}");

    let written = run(&["clients", "switch", "cursor", "--yes"]).await;
    assert_eq!(written.code, Some(0), "{written:#?}");
    put(&file, &format!("{}\n", text()));
    let undone = run(&["clients", "undo", "cursor", "--yes"]).await;
    assert_eq!(undone.code, Some(0), "{undone:#?}");
    assert!(undone.stdout.contains("kept later changes"), "{undone:#?}");
    assert!(undone.stderr.contains("Revoked: Cursor"), "{undone:#?}");
    assert_eq!(run(&["clients", "--json"]).await.json(0), json!([]));
    put(&file, &before);
    let again = run(&["clients", "undo", "cursor"]).await;
    assert_eq!(again.code, Some(2), "{again:#?}");
    assert!(again.stderr.contains("client-config-changed"), "{again:#?}");

    for (words, code, says) in [
        (
            &["clients", "switch", "emacs", "--yes"][..],
            5,
            "program-unknown",
        ),
        (
            &["clients", "switch", "zed", "--yes"],
            5,
            "found-server-unknown",
        ),
        (&["clients", "undo"], 2, "required"),
        (
            &["clients", "switch", "cursor", "--file", "/nowhere", "--yes"],
            2,
            "client-config-refused",
        ),
    ] {
        let ended = run(words).await;
        assert_eq!(ended.code, Some(code), "{ended:#?}");
        assert!(ended.stderr.contains(says), "{ended:#?}");
    }
    assert_eq!(text(), before);
}

#[tokio::test]
async fn running_hall_switches_over_for_the_cli() {
    let user = AtHome::new("hand-over-beside").await;
    has_member(&user.cli.env, COMMAND);
    let file = user.home.path().join(".cursor/mcp.json");
    let before = text_of(ClientProgram::Cursor);
    put(&file, &before);
    let mut serving = user.serve();
    let first = serving.line().await.expect("it serves");
    let address = first["gateway"].as_str().expect("an address");

    let run = async |words: &[&str]| {
        let ended = user.command(words).output().await;
        ended.expect("guildhall runs")
    };
    let written = run(&["clients", "switch", "cursor", "--yes", "--json"]).await;
    assert!(written.status.success(), "{written:?}");
    let text = fs::read_to_string(&file).expect("read");
    assert!(text.contains(address), "{address} in {text}");
    assert!(!text.contains("server-mine"), "{text}");
    let undone = run(&["clients", "undo", "cursor"]).await;
    assert!(undone.status.success(), "{undone:?}");
    assert_eq!(fs::read_to_string(&file).expect("read"), before);

    serving.signal(Signal::TERM);
    serving.ended(&user.cli).await;
}
