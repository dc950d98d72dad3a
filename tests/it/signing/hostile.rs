//! Authorization servers with errors or bad intentions.

use guild_api::event::HallEvent;
use guild_api::wire::{PasteSignIn, SignInStage};
use guild_engine::Keychain;
use guild_model::{Code, Report};
use guild_tests::LIMIT;
use guild_tests::guarded::{Registration, Switches, redirect_of};
use serde_json::json;

use super::{Place, browse, ended, signed_in};
use crate::fake_keychain::FakeKeychain;
use crate::test_env::{HallEvents, name};

/// Maximum number of requests of one sign-in.
const REQUESTS_MAX: usize = 40;

/// Signs in at the authorization server for which `client_secret` is set. Then the MCP server names
/// another authorization server, which must not get the secret.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_secret_goes_to_the_first_server_only() {
    let auth = json!({"auth": {"client_id": "by-hand", "client_secret": "${secret:CLIENT}"}});
    let keychain = FakeKeychain::default();
    keychain.set("CLIENT", "by-hand-secret").expect("kept");
    let switches = Switches {
        registration: Registration::None,
        ..Switches::default()
    };
    let Place {
        env: _house,
        guarded,
        keychain,
        open,
    } = Place::with("bound", switches, keychain, &auth).await;
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);

    // The tokens are gone. The record of the server that got the secret stays.
    guarded.switch(|switches| switches.wrong_issuer = true);
    guarded.expire();
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    let left = keychain.get("oauth/forge").expect("asked").expect("kept");
    assert!(left.starts_with("{\"bond\":"), "{left}");

    // Another valid authorization server.
    guarded.switch(|switches| {
        switches.wrong_issuer = false;
        switches.described_elsewhere = true;
    });
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    let tokens = guarded.asked("POST /token");
    let refused = open.hall.sign_in(&name("forge")).await;
    let report = refused.expect_err("it is another one");
    assert_eq!(report.code, Code::SignInFailed, "{report}");
    let first = format!("belongs to {}", guarded.origin());
    assert!(report.message.contains(&first), "{report}");
    let now = format!("{}/sign-in", guarded.origin());
    assert!(report.message.contains(&now), "{report}");
    assert!(report.hint.contains("guildhall auth sign-out"), "{report}");
    assert_eq!(guarded.asked("POST /token"), tokens, "{:#?}", guarded.log());

    // After signing out, another issuer is allowed.
    let forge = name("forge");
    open.hall.sign_out(&forge).await.expect("signed out");
    assert_eq!(keychain.names(), ["CLIENT"], "nothing is left of it");
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    open.close().await;
}

/// Returns the reason why a sign-in with these switches gets no address. Checks that nothing was
/// sent.
async fn no_address(test: &str, switches: Switches) -> Report {
    let place = Place::new(test, switches).await;
    let begun = place.open.hall.sign_in(&name("forge")).await;
    let report = begun.expect_err("no address");
    assert_eq!(report.code, Code::SignInFailed, "{report}");
    assert!(!report.hint.is_empty());
    assert_eq!(place.guarded.asked("POST /token"), 0);
    assert_eq!(place.guarded.asked("GET /authorize"), 0);
    // The member itself sends requests to its own address.
    let log = place.guarded.log();
    let asked = log.iter().filter(|line| !line.contains(" /mcp ")).count();
    assert!(asked <= REQUESTS_MAX, "{test}: {asked} requests: {log:#?}");
    let state = place.open.hall.sign_in_state(&name("forge")).await;
    let stage = state.expect("its state").stage;
    assert!(matches!(stage, SignInStage::Failed { .. }), "{stage:?}");
    place.open.close().await;
    report
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_authorization_server_is_reported() {
    let switches = Switches::default;
    let cases = [
        (
            "another issuer",
            Switches {
                wrong_issuer: true,
                ..switches()
            },
            "issuer mismatch",
        ),
        (
            "no PKCE",
            Switches {
                no_pkce: true,
                ..switches()
            },
            "PKCE with S256",
        ),
        (
            "huge metadata",
            Switches {
                huge_metadata: true,
                ..switches()
            },
            "larger than 256 KiB",
        ),
        (
            "metadata elsewhere",
            Switches {
                metadata_at: Some("http://127.0.0.1:1/".to_owned()),
                ..switches()
            },
            "non-same-origin",
        ),
        (
            "another resource",
            Switches {
                resource: Some("https://another.example/mcp".to_owned()),
                ..switches()
            },
            "resource mismatch",
        ),
        (
            "a script",
            Switches {
                authorize_at: Some("javascript:alert(1)".to_owned()),
                ..switches()
            },
            "begins with \"javascript\"",
        ),
        (
            "a file",
            Switches {
                authorize_at: Some("file:///etc/passwd".to_owned()),
                ..switches()
            },
            "begins with \"file\"",
        ),
        (
            "tokens in the open",
            Switches {
                tokens_at: Some("http://192.0.2.1/token".to_owned()),
                ..switches()
            },
            "not asked over plain http",
        ),
        (
            "the network's own services",
            Switches {
                tokens_at: Some("https://169.254.169.254/".to_owned()),
                ..switches()
            },
            "another reserved address",
        ),
        (
            "many, and the first speaks for another",
            Switches {
                decoys: 500,
                ..switches()
            },
            "issuer mismatch",
        ),
        (
            "no registration",
            Switches {
                registration: Registration::Refused,
                ..switches()
            },
            "invalid_client_metadata",
        ),
        (
            "nowhere to register",
            Switches {
                registration: Registration::None,
                ..switches()
            },
            "not supported",
        ),
    ];
    for (test, switches, expected) in cases {
        let report = no_address(test, switches).await;
        assert!(report.message.contains(expected), "{test}: {report}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_authorization_server_is_given_up() {
    let switches = Switches {
        slow: Some("/.well-known/oauth-authorization-server".to_owned()),
        ..Switches::default()
    };
    let Place {
        open,
        guarded,
        env: _house,
        ..
    } = Place::new("slow", switches).await;
    let hall = open.hall.clone();
    let asking = tokio::spawn(async move { hall.sign_in(&name("forge")).await });
    let mut subscription = HallEvents::of(&open.hall);
    guild_tests::eventually(LIMIT, "it is asked", || {
        (guarded.asked("GET /.well-known/oauth-protected-resource") > 0).then_some(())
    })
    .await;
    let view = open
        .hall
        .cancel_sign_in(&name("forge"))
        .await
        .expect("given up");
    assert_eq!(view.stage, SignInStage::Cancelled);
    let report = asking.await.expect("it ends").expect_err("no address");
    assert_eq!(report.code, Code::SignInUnknown, "{report}");
    subscription
        .find("that it was given up", |event| {
            matches!(
                event,
                HallEvent::SignInChanged { sign_in }
                    if sign_in.stage == SignInStage::Cancelled
            )
            .then_some(())
        })
        .await;
    // The sign-in also ends after its time limit.
    let begun = open.hall.sign_in(&name("forge")).await;
    let report = begun.expect_err("no address");
    assert!(
        report.message.contains("did not answer within 10 s"),
        "{report}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answer_of_another_sign_in_is_ignored() {
    let switches = Switches {
        wrong_state: true,
        ..Switches::default()
    };
    let Place {
        open,
        guarded,
        keychain,
        env: _house,
    } = Place::new("another state", switches).await;
    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    let mut subscription = HallEvents::of(&open.hall);
    let (status, page) = browse(&begun.address).await;
    assert_eq!(status, 400, "{page}");
    assert!(page.contains("does not belong to the sign-in"), "{page}");
    // The page arrives before the event of the sign-in.
    subscription
        .find("that it was not used", |event| {
            let HallEvent::SignInChanged { sign_in } = event else {
                return None;
            };
            matches!(sign_in.stage, SignInStage::Waiting { strays: 1, .. }).then_some(())
        })
        .await;
    assert_eq!(guarded.asked("POST /token"), 0);
    guarded.switch(|switches| switches.wrong_state = false);
    browse(&begun.address).await;
    assert_eq!(ended(&open).await.stage, SignInStage::Done);
    assert_eq!(keychain.names(), ["oauth/forge"]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_another_issuer_and_a_no_lead_to_no_token() {
    for (test, switches, expected) in [
        (
            "another issuer's answer",
            Switches {
                wrong_iss: true,
                ..Switches::default()
            },
            "issuer mismatch",
        ),
        (
            "a no",
            Switches {
                denies: true,
                ..Switches::default()
            },
            "access_denied (Not today)",
        ),
        (
            "another issuer's no",
            Switches {
                denies: true,
                wrong_iss: true,
                ..Switches::default()
            },
            "a refusal from another authorization server",
        ),
    ] {
        let Place {
            open,
            guarded,
            keychain,
            env: _house,
        } = Place::new(test, switches).await;
        let SignInStage::Failed { report } = signed_in(&open).await.stage else {
            panic!("{test}: it fails");
        };
        assert!(report.message.contains(expected), "{test}: {report}");
        let in_its_words = report.message.contains("Not today");
        assert_eq!(in_its_words, test == "a no", "{test}: {report}");
        assert_eq!(guarded.asked("POST /token"), 0, "{test}");
        assert!(keychain.names().is_empty());
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_token_is_renewed_only_once() {
    let switches = Switches {
        takes_none: true,
        ..Switches::default()
    };
    let Place {
        open,
        guarded,
        env: _house,
        ..
    } = Place::new("never taken", switches).await;
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    for _ in 0..3 {
        let report = open.refusal("forge", "read", "{}").await;
        assert!(
            matches!(report.code, Code::SignInNeeded | Code::ToolUnknown),
            "{report}"
        );
    }
    let renewed = guarded.asked("POST /token refresh_token");
    assert!(renewed <= 2, "{renewed} renewals");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_nobody_accepted_is_not_asked_where_to_sign_in() {
    let origin = json!({"origin": {"from": "registry"}});
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::with(
        "unreviewed",
        Switches::default(),
        FakeKeychain::default(),
        &origin,
    )
    .await;
    let report = open
        .hall
        .sign_in(&name("forge"))
        .await
        .expect_err("refused");
    assert_eq!(report.code, Code::MemberUnreviewed, "{report}");
    assert!(guarded.log().is_empty(), "{:?}", guarded.log());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_authorization_code_is_redacted() {
    let switches = Switches {
        echoes_at_exchange: true,
        ..Switches::default()
    };
    let Place {
        open,
        guarded,
        env: _house,
        ..
    } = Place::new("an echo", switches).await;
    let SignInStage::Failed { report } = signed_in(&open).await.stage else {
        panic!("it fails");
    };
    let message = report.to_string();
    assert!(
        !super::has_one(message.as_bytes(), &guarded.given()),
        "{message}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pasted_redirect_needs_its_state_and_issuer() {
    let Place {
        guarded,
        open,
        env: _house,
        ..
    } = Place::new("pasted", Switches::default()).await;
    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    let paste = |answer: String| {
        let member = name("forge");
        open.hall.paste_sign_in(PasteSignIn { member, answer })
    };
    let whole = redirect_of(&begun.address).await.expect("a redirect");
    for other in [
        "guarded-code".to_owned(),
        whole.replace("state=", "state=x"),
        "x".repeat(20_000),
    ] {
        let report = paste(other).await.expect_err("refused");
        assert_eq!(report.code, Code::SignInFailed, "{report}");
    }
    assert_eq!(guarded.asked("POST /token"), 0);
    paste(whole.clone()).await.expect("taken");
    assert_eq!(ended(&open).await.stage, SignInStage::Done);
    let report = paste(whole).await.expect_err("none is running");
    assert_eq!(report.code, Code::SignInUnknown, "{report}");

    guarded.switch(|switches| switches.wrong_iss = true);
    let asked = guarded.asked("POST /token");
    let begun = open.hall.sign_in(&name("forge")).await.expect("an address");
    let foreign = redirect_of(&begun.address).await.expect("a redirect");
    let member = name("forge");
    let pasted = open.hall.paste_sign_in(PasteSignIn {
        member,
        answer: foreign,
    });
    pasted.await.expect("taken");
    let stage = ended(&open).await.stage;
    assert!(matches!(stage, SignInStage::Failed { .. }), "{stage:?}");
    assert_eq!(guarded.asked("POST /token"), asked);
    open.close().await;
}
