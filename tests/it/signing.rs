//! Sign-in to remote members. The test acts as the browser, and requests the sign-in address like a
//! browser would.

mod commands;
mod hostile;
mod renewing;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::FutureExt;
use guild_api::event::HallEvent;
use guild_api::wire::{SignInStage, SignInView, WriteBundle};
use guild_engine::{GuildHallOptions, Keychain, KeychainChoice};
use guild_model::status::Status;
use guild_model::{Code, Report};
use guild_tests::guarded::{self, Guarded, Switches};
use guild_tests::{Events, LIMIT};
use serde_json::{Value, json};

use crate::fake_keychain::FakeKeychain;
use crate::http_client::HttpClient;
use crate::test_env::{HallEvents, Open, TestEnv, name, open_gateway, text};

/// Adds a member with an address, and additional fields in its manifest.
fn elsewhere(env: &TestEnv, member: &str, url: &str, more: &Value) {
    let mut manifest = json!({
        "name": member, "version": "1.0.0", "transport": "http", "url": url, "restart": "never",
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        manifest[key] = value.clone();
    }
    let folder = env.members_dir().join(member);
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("plugin.json"), manifest.to_string()).expect("written");
}

/// Opens the hall with a keychain, after its members were started once.
async fn opened(env: &TestEnv, keychain: &Arc<FakeKeychain>) -> Open {
    let options = GuildHallOptions {
        keychain: KeychainChoice::Custom(keychain.clone(), LIMIT),
        ..env.options()
    };
    let open = env.open_with(options).await;
    open.hall.start_all().settled().await;
    open
}

/// An environment with the member `forge`, whose server requires a token.
struct Place {
    env: TestEnv,
    guarded: Guarded,
    keychain: Arc<FakeKeychain>,
    open: Open,
}

impl Place {
    /// Opens the hall without signing in.
    async fn new(test: &str, switches: Switches) -> Self {
        Self::with(test, switches, FakeKeychain::default(), &json!({})).await
    }

    /// Like [`Place::new`], with the content of the keychain and additional manifest fields.
    async fn with(test: &str, switches: Switches, keychain: FakeKeychain, more: &Value) -> Self {
        let env = TestEnv::new(test);
        let guarded = guarding(switches).await;
        elsewhere(&env, "forge", &guarded.url(), more);
        let keychain = Arc::new(keychain);
        let open = opened(&env, &keychain).await;
        Self {
            env,
            guarded,
            keychain,
            open,
        }
    }

    /// Opens the hall, signs in, and waits for the member's tools.
    async fn signed_in(test: &str, switches: Switches) -> Self {
        let mut place = Self::new(test, switches).await;
        assert_eq!(signed_in(&place.open).await.stage, SignInStage::Done);
        place
            .open
            .shown("forge", "its tools", |view| view.tools == 2)
            .await;
        place
    }
}

/// Starts a server that requires a token.
async fn guarding(switches: Switches) -> Guarded {
    Guarded::serve(switches).await.expect("it serves")
}

/// Opens an address like a browser. Returns the status and the text of the last page.
async fn browse(address: &str) -> (u16, String) {
    guarded::browse(address).await.expect("an answer")
}

/// Signs in to `forge` like a person would. Returns the outcome.
async fn signed_in(open: &Open) -> SignInView {
    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    browse(&begun.address).await;
    ended(open).await
}

/// Waits until the sign-in of `forge` has ended. Returns its outcome.
async fn ended(open: &Open) -> SignInView {
    let member = name("forge");
    let ended = open.hall.sign_in_ended(&member);
    let ended = tokio::time::timeout(LIMIT, ended).await;
    ended.expect("it ends").expect("one was begun")
}

fn error_of(open: &Open) -> Report {
    open.view("forge").error.expect("an error")
}

/// Returns the files below a folder that contain one of the texts.
fn files_with(folder: &Path, texts: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).is_ok_and(|bytes| has_one(&bytes, texts)) {
                found.push(path);
            }
        }
    }
    found
}

fn has_one(bytes: &[u8], texts: &[String]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    texts.iter().any(|one| text.contains(one.as_str()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_sign_in_keeps_tokens_in_keychain() {
    let Place {
        env,
        guarded,
        keychain,
        mut open,
    } = Place::new("signing in", Switches::default()).await;
    let mut subscription = HallEvents::of(&open.hall);

    let report = error_of(&open);
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    assert!(report.hint.contains("guildhall auth sign-in"), "{report}");
    let state = open
        .hall
        .sign_in_state(&name("forge"))
        .await
        .expect("its state");
    assert!(
        state.possible && state.needed && state.grant.is_none(),
        "{state:?}"
    );
    assert_eq!(guarded.asked("GET /authorize"), 0, "nobody opened anything");

    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    let SignInStage::Waiting {
        host,
        scopes,
        issuer,
        ..
    } = &begun.sign_in.stage
    else {
        panic!("it waits for a person: {begun:?}");
    };
    assert_eq!(format!("http://{host}"), guarded.origin());
    assert_eq!(scopes, &["read"]);
    assert_eq!(issuer.as_deref(), Some(guarded.origin()));
    let again = open.hall.sign_in(&name("forge")).await.expect("the same");
    assert_eq!(again.address, begun.address, "one sign-in at a time");
    assert_eq!(guarded.asked("GET /authorize"), 0, "nobody opened anything");

    let (status, page) = browse(&begun.address).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("Guild Hall received the answer"), "{page}");
    let view = ended(&open).await;
    assert_eq!(view.stage, SignInStage::Done);
    let grant = view.grant.expect("a grant");
    assert_eq!(grant.issuer.as_deref(), Some(guarded.origin()));
    assert_eq!(grant.scopes, ["read"]);
    assert!(grant.renews && grant.expires_at_ms.is_some());

    open.status("forge", Status::Ready).await;
    let result = open.result("forge", "read", "{}").await;
    assert_eq!(text(&result), "read done");
    open.hall.history().settled().await.expect("written");
    assert_eq!(keychain.names(), ["oauth/forge"]);
    let secrets = open.hall.secrets().await;
    assert!(
        secrets.secrets.is_empty(),
        "it is no secret to be used: {secrets:?}"
    );

    let bundle = env.data_dir().with_file_name("bundle.tar.gz");
    let path = bundle.display().to_string();
    open.hall
        .write_bundle(WriteBundle { path })
        .await
        .expect("written");
    let detail = open
        .hall
        .member_detail(&name("forge"))
        .await
        .expect("its page");
    let given = guarded.given();
    assert!(given.len() >= 3, "a code and two tokens: {given:?}");
    let shown = format!("{detail:?} {:?}", open.hall.roster());
    assert!(!has_one(shown.as_bytes(), &given), "{shown}");
    open.close().await;

    let mut events = 0;
    while let Some(Some(envelope)) = subscription.next().now_or_never() {
        let event = serde_json::to_string(&*envelope).expect("JSON");
        assert!(!has_one(event.as_bytes(), &given), "{event}");
        events += 1;
    }
    assert!(events > 5, "only {events} events were told");
    assert_eq!(files_with(&env.data_dir(), &given), [] as [PathBuf; 0]);
    assert_eq!(files_with(&env.members_dir(), &given), [] as [PathBuf; 0]);
    let packed = std::fs::File::open(&bundle).expect("the bundle");
    let mut unpacked = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(packed);
    std::io::Read::read_to_end(&mut reader, &mut unpacked).expect("unpacked");
    assert!(!has_one(&unpacked, &given), "a token is in the bundle");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_out_forgets_and_revokes_tokens() {
    let Place {
        env: _house,
        guarded,
        keychain,
        mut open,
    } = Place::new("signing out", Switches::default()).await;
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    open.status("forge", Status::Ready).await;

    let view = open
        .hall
        .sign_out(&name("forge"))
        .await
        .expect("signed out");
    assert_eq!((view.stage, view.grant), (SignInStage::Idle, None));
    assert_eq!(guarded.asked("POST /revoke"), 2, "{:?}", guarded.log());
    assert!(keychain.names().is_empty());
    open.status("forge", Status::Stopped).await;
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    assert_eq!(
        guarded.asked("POST /mcp refused"),
        0,
        "the old token is not sent"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_of_a_removed_member_are_revoked() {
    for is_gone in [true, false] {
        let Place {
            env,
            guarded,
            keychain,
            open,
        } = Place::new("signing out late", Switches::default()).await;
        assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
        open.close().await;
        std::fs::remove_dir_all(env.members_dir().join("forge")).expect("removed");
        if !is_gone {
            env.member("forge").write();
        }
        let open = opened(&env, &keychain).await;
        assert_eq!(keychain.names(), ["oauth/forge"]);

        let view = open.hall.sign_out(&name("forge")).await;
        let view = view.expect("signed out");
        assert_eq!((view.possible, view.grant), (false, None));
        assert_eq!(guarded.asked("POST /revoke"), 2, "{:?}", guarded.log());
        assert!(keychain.names().is_empty());

        let nothing = open.hall.sign_out(&name("forge")).await;
        let report = nothing.expect_err("nothing is left");
        let code = match is_gone {
            true => Code::MemberUnknown,
            false => Code::SignInUnknown,
        };
        assert_eq!(report.code, code, "{report}");
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preregistered_oauth_client_sends_its_secret() {
    let switches = Switches {
        registration: guild_tests::guarded::Registration::None,
        ..Switches::default()
    };
    let auth = json!({"auth": {
        "client_id": "by-hand", "client_secret": "${secret:CLIENT}", "scopes": ["read", "write"],
    }});
    let keychain = FakeKeychain::default();
    keychain.set("CLIENT", "by-hand-secret").expect("kept");
    let Place {
        env: _house,
        guarded,
        keychain,
        mut open,
    } = Place::with("by hand", switches, keychain, &auth).await;
    let view = signed_in(&open).await;
    assert_eq!(view.stage, SignInStage::Done);
    assert_eq!(view.grant.expect("a grant").scopes, ["read", "write"]);
    open.status("forge", Status::Ready).await;
    assert_eq!(
        text(&open.result("forge", "write", "{}").await),
        "write done"
    );
    let kept = keychain.get("oauth/forge").expect("asked").expect("kept");
    assert!(
        !kept.contains("by-hand-secret"),
        "it stands under its own name"
    );
    assert_eq!(guarded.asked("POST /register"), 0);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn larger_scope_needs_a_new_sign_in() {
    let Place {
        env: _house,
        guarded: _guarded,
        mut open,
        ..
    } = Place::new("stepping up", Switches::default()).await;
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    open.status("forge", Status::Ready).await;

    let report = open.refusal("forge", "write", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    assert!(
        report.message.contains("needs more permissions: write"),
        "{report}"
    );
    assert_eq!(text(&open.result("forge", "read", "{}").await), "read done");
    let state = open
        .hall
        .sign_in_state(&name("forge"))
        .await
        .expect("its state");
    assert_eq!(
        (state.needed, state.wanted),
        (true, vec!["write".to_owned()])
    );

    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    let SignInStage::Waiting { scopes, .. } = &begun.sign_in.stage else {
        panic!("it waits: {begun:?}");
    };
    assert_eq!(scopes, &["read", "write"]);
    browse(&begun.address).await;
    let view = ended(&open).await;
    assert!(!view.needed && view.stage == SignInStage::Done, "{view:?}");
    assert_eq!(
        text(&open.result("forge", "write", "{}").await),
        "write done"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agent_gets_sign_in_advice_without_a_browser() {
    // The tools are known from an earlier sign-in.
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::signed_in("agents", Switches::default()).await;
    open.hall
        .sign_out(&name("forge"))
        .await
        .expect("signed out");
    let opened = guarded.asked("GET /authorize");

    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let call = json!({"name": "forge__read", "arguments": {}});
    let answer = agent.ask("/mcp", "tools/call", call).await;
    let said = answer.to_string();
    assert!(said.contains("requires you to sign in"), "{said}");
    assert!(said.contains("guildhall auth sign-in"), "{said}");
    assert_eq!(
        guarded.asked("GET /authorize"),
        opened,
        "no browser was opened"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_step_of_a_sign_in_is_reported() {
    let Place {
        env: _house,
        guarded: _guarded,
        open,
        ..
    } = Place::new("steps", Switches::default()).await;
    let mut subscription = HallEvents::of(&open.hall);
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    let mut stages = Vec::new();
    subscription
        .find("the end", |event| match event {
            HallEvent::SignInChanged { sign_in } => {
                stages.push(sign_in.stage.clone());
                (sign_in.stage == SignInStage::Done).then_some(())
            }
            _ => None,
        })
        .await;
    let is = |at: usize, fits: fn(&SignInStage) -> bool| fits(&stages[at]);
    assert!(is(0, |stage| *stage == SignInStage::Looking), "{stages:?}");
    assert!(is(1, |stage| matches!(
        stage,
        SignInStage::Waiting { strays: 0, .. }
    )));
    assert!(is(2, |stage| *stage == SignInStage::Taking), "{stages:?}");
    open.close().await;
}
