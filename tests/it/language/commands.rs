//! What single commands say to somebody who reads German: of words that mean nothing, while they go on,
//! and of policies.

use std::process::Stdio;

use guild_tests::LIMIT;
use rustix::process::Signal;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpSocket};
use tokio::process::Command;
use tokio::time::timeout;

use super::german;
use crate::guildhall::{Desk, Ended};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_mean_nothing_are_refused_in_german() {
    let desk = Desk::new("language-usage").await;
    for (words, english, expected) in [
        (
            &["--endpoint", "everything"][..],
            "--endpoint is all, member NAME or profile NAME",
            "--endpoint ist all, member NAME oder profile NAME.",
        ),
        (
            &["--endpoint", "member", "a b"][..],
            "a name is made of letters, digits, '.', '_' and '-'; ' ' is not allowed",
            "ein Name besteht aus Buchstaben, Ziffern, '.', '_' und '-'; ' ' ist nicht erlaubt.",
        ),
        (
            &["--url", "http://example.org/mcp"][..],
            "The gateway is on this machine: its address begins with http://127.0.0.1: and a port.",
            "Das Gateway ist auf diesem Rechner: Seine Adresse beginnt mit http://127.0.0.1: und \
             einem Port.",
        ),
        (
            &["--url", ""][..],
            "The address is not valid: empty string.",
            "Die Adresse ist nicht gültig: empty string.",
        ),
        (
            &["--url", "http://127.0.0.1:1/mcp", "--token", "to\nken"][..],
            "The token has characters that no token has.",
            "Das Token hat Zeichen, die kein Token hat.",
        ),
    ] {
        let words = [&["connect"][..], words].concat();
        let refused = desk.run(&words).await;
        assert_eq!(refused.code, Some(2), "{refused:#?}");
        assert_eq!(refused.stderr, format!("error: {english}\n"));
        let by_locale = desk.ended(german(desk.command(&words))).await;
        assert_eq!(by_locale.code, Some(2), "{by_locale:#?}");
        let expected = format!("Fehler: {expected}\nMehr dazu: --help\n");
        assert_eq!(by_locale.stderr, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_that_is_none_is_refused_with_what_it_may_be() {
    let desk = Desk::new("language-values").await;
    for (words, english, expected) in [
        (
            &["connect", "--mode", "fast"][..],
            "invalid value 'fast' for '--mode <MODE>': it is lazy, full or search",
            "»fast« ist kein Wert für --mode <MODE>: möglich sind lazy, full und search.",
        ),
        (
            &["add", "notes.mcpb", "--set", "key"][..],
            "invalid value 'key' for '--set <KEY=VALUE>': write it as KEY=VALUE",
            "»key« ist kein Wert für --set <KEY=VALUE>: zu schreiben als KEY=VALUE.",
        ),
        (
            &["history", "--limit", "0"][..],
            "invalid value '0' for '--limit <N>': 0 is not in 1..=500",
            "»0« ist kein Wert für --limit <N>: erwartet wird eine ganze Zahl in 1..=500.",
        ),
    ] {
        let refused = desk.run(words).await;
        assert_eq!(refused.code, Some(2), "{refused:#?}");
        let begins = format!("error: {english}\n");
        assert!(refused.stderr.starts_with(&begins), "{refused:#?}");
        let by_locale = desk.ended(german(desk.command(words))).await;
        assert_eq!(by_locale.code, Some(2), "{by_locale:#?}");
        let expected = format!("Fehler: {expected}\nMehr dazu: --help\n");
        assert_eq!(by_locale.stderr, expected);
    }
}

/// How `guildhall connect` ends after one request.
async fn connected(mut command: Command) -> Ended {
    command.stdin(Stdio::piped()).env_remove("GUILD_HALL_TOKEN");
    let mut child = command.spawn().expect("guildhall runs");
    let mut input = child.stdin.take().expect("its input");
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let line = format!("{asked}\n");
    input.write_all(line.as_bytes()).await.expect("it reads");
    let stdout = child.stdout.take().expect("its stdout");
    let mut lines = BufReader::new(stdout).lines();
    let answer = timeout(LIMIT, lines.next_line()).await;
    let answer = answer.expect("in time").expect("UTF-8");
    drop(input);
    let ended = timeout(LIMIT, child.wait_with_output()).await;
    let ended = ended.expect("in time").expect("its end");
    Ended {
        code: ended.status.code(),
        stdout: answer.expect("an answer"),
        stderr: String::from_utf8(ended.stderr).expect("UTF-8"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn that_no_gateway_answers_is_german_for_the_person_and_english_for_the_program() {
    let desk = Desk::new("language-connect").await;
    // Taken, and nobody listens on it.
    let taken = TcpSocket::new_v4().expect("a socket");
    taken.bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let place = format!("http://{}/mcp", taken.local_addr().expect("bound"));
    let words = ["connect", "--url", &place];
    let english = connected(desk.command(&words)).await;
    assert_eq!(english.code, Some(4), "{english:#?}");
    let begins = format!("Guild Hall's gateway does not answer at {place} (");
    let why = english.stderr.strip_prefix(&begins);
    let ends = "). Open Guild Hall, or run guildhall serve.\n";
    let why = why.and_then(|rest| rest.strip_suffix(ends));
    let why = why.unwrap_or_else(|| panic!("{english:#?}"));

    let by_locale = connected(german(desk.command(&words))).await;
    assert_eq!(by_locale.code, Some(4), "{by_locale:#?}");
    let expected = format!(
        "Das Gateway von Guild Hall antwortet unter {place} nicht ({why}). Guild Hall öffnen oder \
         guildhall serve ausführen.\n"
    );
    assert_eq!(by_locale.stderr, expected);
    assert_eq!(by_locale.stdout, english.stdout, "as programs are told");

    let stranger = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let place = format!("http://{}/mcp", stranger.local_addr().expect("bound"));
    let words = ["connect", "--url", &place, "--token", "t"];
    let english = connected(desk.command(&words)).await;
    for says in [
        ": another program listens there, and no Guild Hall runs on the data folder ",
        ", so the token was not sent). Open Guild Hall",
    ] {
        assert!(english.stderr.contains(says), "{says}: {english:#?}");
    }
    let by_locale = connected(german(desk.command(&words))).await;
    for says in [
        ": dort lauscht ein anderes Programm, und auf dem Datenordner ",
        " läuft keine Guild Hall; das Token wurde deshalb nicht gesendet). Guild Hall öffnen",
    ] {
        assert!(by_locale.stderr.contains(says), "{says}: {by_locale:#?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kinds_of_tools_and_what_decided_a_policy_are_german_and_json_is_the_same_everywhere() {
    let desk = Desk::new("language-policies").await;
    let melt = json!([{
        "name": "melt", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": true},
    }]);
    desk.house
        .member("forge")
        .args(["--tools-json", "tools.json"])
        .file("tools.json", melt.to_string())
        .write();
    let listed = desk.run(&["tools", "--wait"]).await;
    assert_eq!(listed.code, Some(0), "{listed:#?}");
    let rule = ["policy", "set", "--kind", "destructive", "ask"];
    let set = desk.run(&rule).await;
    assert_eq!(set.code, Some(0), "{set:#?}");

    let english = desk.run(&["policy"]).await;
    assert_eq!(
        english.stdout,
        "destructive tools: ask\nforge/melt  ask (the rule for destructive tools)  [destructive]\n"
    );
    let by_locale = desk.ended(german(desk.command(&["policy"]))).await;
    assert_eq!(
        by_locale.stdout,
        "zerstörende Werkzeuge: ask\nforge/melt  ask (die Regel für zerstörende Werkzeuge)  \
         [destructive]\n"
    );
    let words = ["--json", "policy"];
    let json = desk.ended(german(desk.command(&words))).await.json(0);
    assert_eq!(json, desk.run(&words).await.json(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn examples_that_a_hall_runs_are_told_in_the_language_of_who_follows_them() {
    let desk = Desk::new("language-dev").await;
    let examples = json!([{"name": "fails", "tool": "echo", "expect": {"is_error": true}}]);
    let forge = desk.house.member("forge");
    forge
        .manifest(json!({"dev": true, "examples": examples}))
        .write();
    let mut serve = desk.start(&["serve", "--no-gateway"]);
    serve.line().await.expect("it says that it is there");

    let mut command = german(desk.command(&["dev", "forge"]));
    let mut following = command.spawn().expect("guildhall runs");
    let stdout = following.stdout.take().expect("its stdout");
    let mut lines = BufReader::new(stdout).lines();
    let expected = async {
        loop {
            let line = lines.next_line().await.expect("UTF-8").expect("a line");
            if line.contains("erwartet") {
                return line;
            }
        }
    };
    let expected = timeout(LIMIT, expected).await.expect("a round");
    assert_eq!(
        expected,
        "      erwartet  das Werkzeug meldet, dass es gescheitert ist"
    );
    following.kill().await.expect("it ends");
    serve.signal(Signal::TERM);
    let ended = serve.ended(&desk).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
}
