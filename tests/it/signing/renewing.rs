//! Tokens that expire, are renewed, are revoked, or belong to another address.

use futures::future::join_all;
use guild_api::wire::SignInStage;
use guild_engine::Keychain;
use guild_model::Code;
use guild_model::status::Status;
use guild_tests::guarded::{Registration, Switches};
use guild_tests::{LIMIT, eventually};
use serde_json::json;

use super::{Place, elsewhere, error_of, guarding, opened, signed_in};
use crate::fake_keychain::FakeKeychain;
use crate::test_env::{name, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_token_is_renewed_once_for_all() {
    let switches = Switches {
        registration: Registration::Secret,
        ..Switches::default()
    };
    let Place {
        env,
        guarded,
        keychain,
        open,
    } = Place::signed_in("renewing", switches).await;
    let before = keychain.get("oauth/forge").expect("asked").expect("kept");

    // From now on the server rejects all tokens, also during many concurrent calls.
    guarded.expire();
    let calls = (0..20).map(|_| open.result("forge", "read", "{}"));
    for result in join_all(calls).await {
        assert_eq!(text(&result), "read done");
    }
    assert_eq!(
        guarded.asked("POST /token refresh_token"),
        1,
        "{:?}",
        guarded.log()
    );
    let after = keychain.get("oauth/forge").expect("asked").expect("kept");
    assert_ne!(before, after);
    open.close().await;

    // The next run uses the renewed token.
    let mut open = opened(&env, &keychain).await;
    open.status("forge", Status::Ready).await;
    assert_eq!(guarded.asked("POST /token refresh_token"), 1);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_is_renewed_before_it_ends() {
    let switches = Switches {
        first_lasts: Some(0),
        ..Switches::default()
    };
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::signed_in("in time", switches).await;
    assert_eq!(
        guarded.asked("POST /token refresh_token"),
        1,
        "{:?}",
        guarded.log()
    );
    assert_eq!(guarded.asked("POST /mcp refused"), 0, "{:?}", guarded.log());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_renews_with_metadata_from_refusals() {
    let switches = Switches {
        described_elsewhere: true,
        ..Switches::default()
    };
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::signed_in("described", switches).await;
    guarded.expire();
    let result = open.result("forge", "read", "{}").await;
    assert_eq!(text(&result), "read done");
    assert_eq!(guarded.asked("POST /token refresh_token"), 1);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unrenewable_token_is_forgotten() {
    let Place {
        env: _house,
        guarded,
        keychain,
        open,
    } = Place::signed_in("taken back", Switches::default()).await;

    guarded.expire();
    guarded.revoke_refresh();
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    let state = open
        .hall
        .sign_in_state(&name("forge"))
        .await
        .expect("its state");
    assert!(state.needed && state.grant.is_none(), "{state:?}");
    assert!(keychain.names().is_empty());

    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    assert_eq!(text(&open.result("forge", "read", "{}").await), "read done");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_sign_in_revokes_old_tokens() {
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::signed_in("signed in twice", Switches::default()).await;
    assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    eventually(LIMIT, "both tokens are given back", || {
        (guarded.asked("POST /revoke") == 2).then_some(())
    })
    .await;
    assert_eq!(text(&open.result("forge", "read", "{}").await), "read done");
    assert_eq!(
        open.hall.sign_out(&name("forge")).await.expect("out").grant,
        None
    );
    assert_eq!(guarded.asked("POST /revoke"), 4, "{:?}", guarded.log());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_sign_in_keeps_its_client() {
    let switches = Switches {
        registration: Registration::None,
        ..Switches::default()
    };
    let auth = json!({"auth": {"client_id": "by-hand", "client_secret": "${secret:CLIENT}"}});
    let keychain = FakeKeychain::default();
    keychain.set("CLIENT", "by-hand-secret").expect("kept");
    let Place {
        env: _house,
        guarded,
        mut open,
        ..
    } = Place::with("by hand twice", switches, keychain, &auth).await;
    for _ in 0..2 {
        assert_eq!(signed_in(&open).await.stage, SignInStage::Done);
    }
    open.shown("forge", "its tools", |view| view.tools == 2)
        .await;
    assert_eq!(text(&open.result("forge", "read", "{}").await), "read done");
    open.close().await;
    assert_eq!(guarded.asked("POST /revoke"), 0, "{:?}", guarded.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_go_to_no_other_address_than_their_own() {
    let Place {
        env,
        guarded,
        keychain,
        open,
    } = Place::signed_in("another address", Switches::default()).await;
    let other = guarding(Switches::default()).await;
    open.close().await;

    elsewhere(&env, "forge", &other.url(), &json!({}));
    let open = opened(&env, &keychain).await;
    assert_eq!(error_of(&open).code, Code::SignInNeeded);
    assert_eq!(other.asked("POST /mcp refused"), 0, "{:?}", other.log());
    open.close().await;

    // Another client's member does not get the tokens either.
    elsewhere(
        &env,
        "forge",
        &guarded.url(),
        &json!({"auth": {"client_id": "by-hand"}}),
    );
    let refused = guarded.asked("POST /mcp known");
    let open = opened(&env, &keychain).await;
    assert_eq!(error_of(&open).code, Code::SignInNeeded);
    assert_eq!(guarded.asked("POST /mcp known"), refused);
    open.close().await;

    // For the original address, the tokens are valid again.
    elsewhere(&env, "forge", &guarded.url(), &json!({}));
    let mut open = opened(&env, &keychain).await;
    open.status("forge", Status::Ready).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replaced_authorization_server_gets_no_token() {
    let Place {
        env: _house,
        guarded,
        open,
        ..
    } = Place::signed_in("another issuer", Switches::default()).await;

    guarded.switch(|switches| switches.wrong_issuer = true);
    guarded.expire();
    let report = open.refusal("forge", "read", "{}").await;
    assert_eq!(report.code, Code::SignInNeeded, "{report}");
    assert_eq!(
        guarded.asked("POST /token refresh_token"),
        0,
        "{:?}",
        guarded.log()
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_manifest_gets_the_tokens_of_another_member_by_their_name() {
    let Place {
        env,
        guarded: _guarded,
        keychain,
        open,
    } = Place::signed_in("by name", Switches::default()).await;
    open.close().await;

    let thief = json!({"headers": {"X-Key": "${secret:oauth/forge}"}});
    let other = guarding(Switches::default()).await;
    elsewhere(&env, "thief", &other.url(), &thief);
    let mut open = opened(&env, &keychain).await;
    let view = open.status("thief", Status::Error).await;
    let report = view.error.expect("why");
    assert_eq!(report.code, Code::SecretMissing, "{report}");
    assert!(other.log().is_empty(), "{:?}", other.log());
    open.close().await;
}
