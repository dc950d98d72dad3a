//! `guildhall auth sign-in` and `sign-out`, with and without a running hall.

use std::io::Write;

use guild_tests::guarded::{Switches, redirect_of};
use serde_json::json;

use super::{browse, elsewhere, files_with, guarding};
use crate::guildhall::CliHarness;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn command_line_sign_in_lasts_until_sign_out() {
    let cli = CliHarness::new("sign-in").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));

    let ended = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_ne!(ended.code, Some(0), "{ended:?}");
    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    let address = first["address"].as_str().expect("an address");
    assert!(address.starts_with(guarded.origin()), "{first}");
    assert_eq!(
        guarded.asked("GET /authorize"),
        0,
        "it opens nothing by itself"
    );
    browse(address).await;
    let last = signing.line().await.expect("how it ended");
    assert_eq!(last["stage"]["kind"], "done", "{last}");
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said = format!("{}{}", ended.stdout, ended.stderr);
    assert!(!super::has_one(said.as_bytes(), &guarded.given()), "{said}");

    let called = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_eq!(called.code, Some(0), "{called:?}");
    assert!(called.stdout.contains("read done"), "{called:?}");
    let doctor = cli.run(&["doctor", "--json"]).await;
    assert!(doctor.stdout.contains("Signed in with"), "{doctor:?}");

    // Without a keychain, the tokens are in a file that only the user can read.
    let kept = files_with(&cli.env.data_dir(), &guarded.given());
    assert_eq!(kept, [cli.env.data_dir().join("secrets.json")]);
    let listed = cli.run(&["secret", "list", "--json"]).await;
    assert!(!listed.stdout.contains("oauth"), "{listed:?}");

    let ended = cli.run(&["auth", "sign-out", "forge"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(files_with(&cli.env.data_dir(), &guarded.given()).is_empty());
    assert_eq!(guarded.asked("POST /revoke"), 2);
    let again = cli.run(&["call", "forge", "read"]).await;
    assert!(again.stderr.contains("sign-in-needed"), "{again:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removed_member_can_be_signed_out_by_name() {
    let cli = CliHarness::new("sign-out late").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    browse(first["address"].as_str().expect("an address")).await;
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    std::fs::remove_dir_all(cli.env.members_dir().join("forge")).expect("removed");

    let ended = cli.run(&["auth", "sign-out", "forge"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(files_with(&cli.env.data_dir(), &guarded.given()).is_empty());
    assert_eq!(guarded.asked("POST /revoke"), 2, "{:#?}", guarded.log());
    let again = cli.run(&["auth", "sign-out", "forge"]).await;
    assert!(again.stderr.contains("member-unknown"), "{again:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_several_programs_renews_the_token() {
    let cli = CliHarness::new("renewing at once").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    browse(first["address"].as_str().expect("an address")).await;
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");

    // The second one starts while the first is still running.
    guarded.switch(|switches| switches.tokens_after_ms = 2_000);
    guarded.expire();
    let call = || cli.run_beside(&["call", "forge", "read", "--json"]);
    let (one, two, three) = tokio::join!(call(), call(), call());
    for called in [one, two, three] {
        assert_eq!(called.code, Some(0), "{called:?}: {:#?}", guarded.log());
        assert!(called.stdout.contains("read done"), "{called:?}");
    }
    assert_eq!(
        guarded.asked("POST /token refresh_token"),
        1,
        "{:#?}",
        guarded.log()
    );
    cli.nothing_left();
    // The server accepts the stored tokens.
    let again = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(guarded.asked("POST /token refresh_token"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_hall_signs_in_for_the_cli() {
    let cli = CliHarness::new("sign-in beside").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let mut serving = cli.start(&["serve", "--gateway-port", "0"]);
    serving.line().await.expect("it serves");

    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    signing.signal(rustix::process::Signal::INT);
    signing.gone().await;
    let address = first["address"].as_str().expect("an address");
    guild_tests::eventually(guild_tests::LIMIT, "the port is closed", || {
        let port = address.split("127.0.0.1%3A").nth(1)?.split("%2F").next()?;
        let port: u16 = port.parse().ok()?;
        std::net::TcpStream::connect(("127.0.0.1", port))
            .is_err()
            .then_some(())
    })
    .await;

    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    browse(first["address"].as_str().expect("an address")).await;
    let last = signing.line().await.expect("how it ended");
    assert_eq!(last["stage"]["kind"], "done", "{last}");
    signing.gone().await;
    serving
        .line_where("that it is ready", |line| {
            line["event"]["kind"] == "member_changed"
                && line["event"]["member"]["status"] == "ready"
        })
        .await;
    let called = cli.run_beside(&["call", "forge", "read", "--json"]).await;
    assert_eq!(called.code, Some(0), "{called:?}");
    serving.signal(rustix::process::Signal::TERM);
    let ended = serving.ended(&cli).await;
    assert!(
        !super::has_one(ended.stdout.as_bytes(), &guarded.given()),
        "a token was told"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_somebody_is_signed_in_to_runs_for_no_team() {
    let cli = CliHarness::new("sign-in and a team").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let profile = json!({"name": "metal", "members": [{"member": "forge"}]});
    std::fs::create_dir_all(cli.env.data_dir()).expect("made");
    let settings = json!({ "profiles": [profile] }).to_string();
    std::fs::write(cli.env.data_dir().join("gateway.json"), settings).expect("written");
    let mut signing = cli.start(&["auth", "sign-in", "forge", "--json"]);
    let first = signing.line().await.expect("where");
    browse(first["address"].as_str().expect("an address")).await;
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");

    let words = ["profile", "export", "metal", "--format", "compose"];
    let images = ["--image", "guild-hall:1", "--gateway-image", "gateway:1"];
    let refused = cli.run(&[&words[..], &images].concat()).await;
    assert!(
        refused
            .stderr
            .contains("forge: it needs a sign-in in a browser"),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn code_signs_in_without_a_browser_here() {
    let cli = CliHarness::new("sign-in by code").await;
    let guarded = guarding(Switches {
        device_polls: Some(1),
        ..Switches::default()
    })
    .await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let mut signing = cli.start(&["auth", "sign-in", "forge", "--code", "--json"]);
    let first = signing.line().await.expect("where");
    assert_eq!(first["code"], "WDJB-MJHT", "{first}");
    let address = format!("{}/enter", guarded.origin());
    assert_eq!(first["address"], address, "{first}");
    let last = signing.line().await.expect("how it ended");
    assert_eq!(last["stage"]["kind"], "done", "{last}");
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let said = format!("{}{}", ended.stdout, ended.stderr);
    assert!(!super::has_one(said.as_bytes(), &guarded.given()), "{said}");
    // The server answered the first request with "pending", the second with "slow down", and the
    // third with tokens.
    let polls = "POST /token urn:ietf:params:oauth:grant-type:device_code";
    assert_eq!(guarded.asked(polls), 3, "{:#?}", guarded.log());
    assert_eq!(guarded.asked("GET /authorize"), 0);

    // The tokens are renewed like others.
    guarded.expire();
    let called = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_eq!(called.code, Some(0), "{called:?}");
    assert_eq!(guarded.asked("POST /token refresh_token"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn denied_or_missing_code_is_an_error() {
    let cli = CliHarness::new("sign-in without code").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let ended = cli.run(&["auth", "sign-in", "forge", "--code"]).await;
    assert!(ended.stderr.contains("offers no code"), "{ended:?}");
    guarded.switch(|switches| {
        switches.device_polls = Some(0);
        switches.denies = true;
    });
    let ended = cli.run(&["auth", "sign-in", "forge", "--code"]).await;
    assert_ne!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("access_denied"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn manifest_endpoints_replace_metadata() {
    let cli = CliHarness::new("sign-in by endpoints").await;
    let guarded = guarding(Switches {
        no_metadata: true,
        device_polls: Some(0),
        ..Switches::default()
    })
    .await;
    let origin = guarded.origin();
    let auth = json!({"auth": {
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "registration_endpoint": format!("{origin}/register"),
        "device_authorization_endpoint": format!("{origin}/device"),
        "scopes": ["read"],
    }});
    elsewhere(&cli.env, "forge", &guarded.url(), &auth);
    let ended = cli.run(&["auth", "sign-in", "forge", "--code"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    guarded.expire();
    let called = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_eq!(called.code, Some(0), "{called:?}: {:#?}", guarded.log());
    assert_eq!(guarded.asked("POST /token refresh_token"), 1);
    let asked = guarded.asked("GET /.well-known/oauth-authorization-server");
    assert_eq!(asked, 0, "{:#?}", guarded.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pasted_address_signs_in_from_elsewhere() {
    let cli = CliHarness::new("sign-in by paste").await;
    let guarded = guarding(Switches::default()).await;
    elsewhere(&cli.env, "forge", &guarded.url(), &json!({}));
    let (input, mut pasted) = std::io::pipe().expect("a pipe");
    let mut command = cli.command(&["auth", "sign-in", "forge", "--paste", "--json"]);
    command.stdin(input);
    let mut signing = cli.started(command);
    let first = signing.line().await.expect("where");
    let address = first["address"].as_str().expect("an address");
    let back = redirect_of(address).await.expect("a redirect");
    writeln!(pasted, "only-a-code").expect("written");
    writeln!(pasted, "{back}").expect("written");
    let last = signing.line().await.expect("how it ended");
    assert_eq!(last["stage"]["kind"], "done", "{last}");
    let ended = signing.ended(&cli).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("sign-in-failed"), "{ended:?}");
    let called = cli.run(&["call", "forge", "read", "--json"]).await;
    assert_eq!(called.code, Some(0), "{called:?}");
}
