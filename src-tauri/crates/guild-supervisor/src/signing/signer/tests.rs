use guild_mcp_client::sign_in::OAuthClient;
use guild_process::Environment;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

fn grant_of(url: &str, number: u32) -> Grant {
    Grant {
        url: url.to_owned(),
        issuer: None,
        client: OAuthClient {
            id: "client".to_owned(),
            secret: Some("the-client-secret".to_owned()),
            from: ClientFrom::Registration,
        },
        access_token: format!("access-token-{number:02}"),
        refresh_token: Some("the-refresh-token".to_owned()),
        received_at: now_secs(),
        expires_at: None,
        scopes: vec![],
        revocation_endpoint: None,
        described_at: None,
        token_endpoint: None,
    }
}

fn place_of(url: &str) -> OAuthTarget {
    OAuthTarget {
        url: url.to_owned(),
        ..OAuthTarget::default()
    }
}

fn signer_in(folder: &tempfile::TempDir) -> Arc<Signer> {
    let values = SecretResolver::new(folder.path().to_owned(), None, Environment::default());
    let roster = Arc::new(Roster::new(String::new()));
    let member = MemberName::parse("forge").expect("a name");
    Arc::new(Signer::new(member, values, roster, TaskTracker::new()))
}

const HERE: &str = "https://here.example/mcp";
const THERE: &str = "https://there.example/mcp";

#[tokio::test]
async fn a_token_goes_to_no_connection_but_those_to_its_own_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    let here = Bearer(Arc::clone(&signer), HERE.to_owned());
    let there = Bearer(Arc::clone(&signer), THERE.to_owned());
    signer.at(place_of(HERE)).await.expect("there");
    signer.take(Some(grant_of(HERE, 1)));
    assert_eq!(here.token().await.as_deref(), Some("access-token-01"));
    assert_eq!(there.token().await, None);

    // A sign-in at the old address does not count for the new one.
    signer.at(place_of(THERE)).await.expect("there");
    let late = signer.signed_in(grant_of(HERE, 2)).await;
    assert_eq!(late.expect_err("refused").code, Code::SignInFailed);
    signer.take(Some(grant_of(HERE, 3)));
    assert_eq!(here.token().await, None);
    assert_eq!(there.token().await, None);

    // The old server's requirements do not apply to the new one.
    let want = Want::default();
    assert!(here.refused(want, None).await == AuthDecision::SignIn);
    assert!(!signer.view(true).needed);
}

#[tokio::test]
async fn secrets_that_outlive_many_tokens_stay_masked() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    for number in 0..40 {
        signer.take(Some(grant_of(HERE, number)));
    }
    let mut said = "the-client-secret the-refresh-token access-token-39 access-token-00".to_owned();
    signer.values.redactor().hide_in(&mut said);
    for hidden in ["the-client-secret", "the-refresh-token", "access-token-39"] {
        assert!(!said.contains(hidden), "{said}");
    }
    assert!(said.contains("access-token-00"), "{said}");
}

#[tokio::test]
async fn signing_out_waits_for_a_renewal_under_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    let (old, renewing) = (grant_of(HERE, 1), Arc::clone(&signer));
    signer.take(Some(old));
    let renewal = async move {
        tokio::task::yield_now().await;
        renewing.take(Some(grant_of(HERE, 2)));
    };
    signer.state.lock().renewal = Some(renewal.boxed().shared());
    let gone = signer.signed_out().await.expect("signed out");
    assert_eq!(
        gone.map(|grant| grant.access_token.clone()).as_deref(),
        Some("access-token-02")
    );
    assert!(signer.grant().is_none());
}

#[tokio::test]
async fn signing_out_gives_back_what_another_program_renewed() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    signer.take(Some(grant_of(HERE, 1)));
    let renewed = grant_of(HERE, 2);
    token_store::keep(&signer.values, &signer.member, &renewed)
        .await
        .expect("kept");
    let gone = signer.signed_out().await.expect("signed out");
    assert_eq!(gone.as_deref(), Some(&renewed));
    let left = token_store::kept(&signer.values, &signer.member).await;
    assert_eq!(left.expect("looked at"), None);
}

#[tokio::test]
async fn unstorable_tokens_are_revoked() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    let mut old = grant_of(HERE, 1);
    old.received_at -= 3_600;
    token_store::keep(&signer.values, &signer.member, &old)
        .await
        .expect("kept");
    let renewed = grant_of(HERE, 2);
    signer.take(Some(renewed.clone()));
    let gone = signer.signed_out().await.expect("signed out");
    assert_eq!(gone.as_deref(), Some(&renewed));
}

#[tokio::test]
async fn nothing_is_renewed_while_somebody_signs_in_or_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    let mut old = grant_of(HERE, 1);
    old.expires_at = Some(old.received_at);
    signer.take(Some(old));
    let alone = signer.without_renewal().await;
    let bearer = Bearer(Arc::clone(&signer), HERE.to_owned());
    let mut asking = bearer.token();
    assert!(asking.as_mut().now_or_never().is_none(), "it waits");
    // Tokens from a sign-in during the renewal are sent afterwards.
    signer.take(Some(grant_of(HERE, 2)));
    drop(alone);
    assert_eq!(asking.await.as_deref(), Some("access-token-02"));
    assert!(signer.state.lock().renewal.is_none());
}

#[tokio::test]
async fn a_token_that_still_holds_is_sent_after_a_renewal_that_failed() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    // No server listens there.
    let url = "http://127.0.0.1:1/mcp";
    let bearer = Bearer(Arc::clone(&signer), url.to_owned());
    signer.at(place_of(url)).await.expect("there");
    let mut grant = grant_of(url, 1);
    grant.received_at -= 3_570;
    grant.expires_at = Some(grant.received_at + 3_600);
    signer.take(Some(grant));
    assert_eq!(bearer.token().await.as_deref(), Some("access-token-01"));
    let failed_at = signer.state.lock().failed_at;
    assert!(signer.has_just_failed(now_secs()));
    signer.state.lock().failed_at = failed_at.map(|at| at - 10);
    let before = signer.state.lock().failed_at;
    assert_eq!(bearer.token().await.as_deref(), Some("access-token-01"));
    assert_eq!(signer.state.lock().failed_at, before, "it was tried again");
}

#[tokio::test]
async fn nobody_has_to_sign_in_because_a_renewal_fails_this_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    // No server listens there.
    let url = "http://127.0.0.1:1/mcp";
    let bearer = Bearer(Arc::clone(&signer), url.to_owned());
    signer.at(place_of(url)).await.expect("there");
    signer.take(Some(grant_of(url, 1)));
    // The second rejection comes too soon for another renewal.
    for _ in 0..2 {
        let sent: Option<Arc<str>> = Some(Arc::from("access-token-01"));
        let want = Want::default();
        let verdict = bearer.refused(want, sent).await;
        assert!(matches!(verdict, AuthDecision::NotNow(_)), "{verdict:?}");
        assert!(!signer.view(true).needed);
    }
    // New tokens clear the error.
    signer.take(Some(grant_of(url, 2)));
    assert!(signer.state.lock().unrenewed.is_none());
}

#[tokio::test]
async fn once_a_token_is_renewed_nobody_has_to_sign_in_but_for_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(HERE)).await.expect("there");
    let (first, second) = (grant_of(HERE, 1), grant_of(HERE, 2));
    let third = grant_of(HERE, 3);
    for (more, old, new) in [(false, &first, &second), (true, &second, &third)] {
        signer.take(Some(old.clone()));
        let want = Want {
            more,
            ..Want::default()
        };
        signer.note(want);
        assert!(signer.view(true).needed);
        // Another program has renewed the token, so the server gets no request.
        let kept = token_store::keep(&signer.values, &signer.member, new).await;
        kept.expect("kept");
        signer.renew(old).await;
        assert_eq!(signer.grant().as_deref(), Some(new));
        assert_eq!(signer.view(true).needed, more);
    }
}

/// Reads one request up to `end`, answers it with success, and returns it.
async fn asked(listener: &TcpListener, end: &str) -> String {
    let asked = async {
        let (mut stream, _) = listener.accept().await.expect("a request");
        let mut request = Vec::new();
        while !String::from_utf8_lossy(&request).ends_with(end) {
            let read = stream.read_buf(&mut request).await.expect("read");
            assert_ne!(read, 0, "it ends before its end");
        }
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        stream.write_all(answer).await.expect("written");
        String::from_utf8_lossy(&request).into_owned()
    };
    tokio::time::timeout(Duration::from_secs(60), asked)
        .await
        .expect("asked in time")
}

#[tokio::test]
async fn replaced_tokens_of_another_client_are_revoked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let here = format!("http://{}", listener.local_addr().expect("its address"));
    let url = format!("{here}/mcp");
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    signer.at(place_of(&url)).await.expect("there");
    let mut old = grant_of(&url, 1);
    old.client.id = "another-client".to_owned();
    old.refresh_token = Some("the-older-refresh-token".to_owned());
    old.revocation_endpoint = Some(format!("{here}/revoke"));
    token_store::keep(&signer.values, &signer.member, &old)
        .await
        .expect("kept");

    // The sign-in does not wait for the revocation.
    let new = grant_of(&url, 2);
    signer.signed_in(new.clone()).await.expect("signed in");
    let kept = token_store::kept(&signer.values, &signer.member).await;
    assert_eq!(kept.expect("looked at"), Some(new));
    let renewing = asked(&listener, "token_type_hint=refresh_token").await;
    assert!(renewing.starts_with("POST /revoke "), "{renewing}");
    assert!(
        renewing.contains("token=the-older-refresh-token&"),
        "{renewing}"
    );
    let sending = asked(&listener, "token_type_hint=access_token").await;
    assert!(sending.contains("token=access-token-01&"), "{sending}");
    signer.tasks.close();
    signer.tasks.wait().await;
}

#[tokio::test]
async fn tokens_stay_if_revoking_ends_their_successors() {
    let folder = tempfile::tempdir().expect("a folder");
    let signer = signer_in(&folder);
    let (values, member) = (&signer.values, &signer.member);
    let mut old = grant_of(HERE, 1);
    old.client.id = "another-client".to_owned();
    let replaced = async |old: &Grant, new: &Grant| {
        token_store::keep(values, member, old).await.expect("kept");
        token_store::replaced_by(values, member, new)
            .await
            .is_some()
    };
    assert!(replaced(&old, &grant_of(HERE, 2)).await);
    // Tokens of the same client, tokens for another address, and tokens without a refresh token.
    assert!(!replaced(&grant_of(HERE, 1), &grant_of(HERE, 2)).await);
    assert!(!replaced(&old, &grant_of(THERE, 2)).await);
    let without = Grant {
        refresh_token: None,
        ..old.clone()
    };
    assert!(!replaced(&without, &grant_of(HERE, 2)).await);
    for from in [ClientFrom::Manifest, ClientFrom::Document] {
        let mut by_hand = old.clone();
        by_hand.client.from = from;
        assert!(!replaced(&by_hand, &grant_of(HERE, 2)).await);
    }
}
