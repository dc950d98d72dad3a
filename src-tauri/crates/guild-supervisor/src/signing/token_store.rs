//! Stores tokens as secrets, in the keychain or the file, under a reserved name ([`grant_name`]).

use std::fs::{File, TryLockError};
use std::time::Duration;

use crate::messages::SigningError;
use guild_api::wire::{SecretRef, SetSecret};
use guild_mcp_client::sign_in::{Bond, ClientFrom, Grant, revoke};
use guild_model::{Code, MemberName, Report};
use tokio::time::{Instant, sleep, timeout};

use guild_secrets::{SecretResolver, grant_name};

/// The folder of the locks for renewing a member's tokens.
const LOCKS: &str = "sign-in";
/// Polling interval of a lock, since the system sends no event.
const LOOK: Duration = Duration::from_millis(25);
/// Timeout for revoking replaced tokens. Guild Hall waits longer than this for its tasks when it
/// closes.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// Returns a member's stored tokens. The keychain is queried only if this program stored something
/// there.
///
/// # Errors
/// `keychain-unanswered`, `secrets-unsafe`.
pub(super) async fn kept(
    values: &SecretResolver,
    member: &MemberName,
) -> Result<Option<Grant>, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.and_then(|text| Grant::from_text(&text)))
}

/// Whether anything is stored for a member: tokens, or the record that replaced expired tokens.
///
/// # Errors
/// The errors of [`kept`].
pub(super) async fn is_kept(values: &SecretResolver, member: &MemberName) -> Result<bool, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.is_some())
}

/// Returns the authorization server that received the client's secret, from the stored tokens or
/// from the record that replaced expired tokens.
///
/// # Errors
/// The errors of [`kept`].
pub(super) async fn bond(
    values: &SecretResolver,
    member: &MemberName,
) -> Result<Option<Bond>, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.and_then(|text| Bond::from_text(&text)))
}

/// Locks a member's tokens against other programs on the same data folder, until the result is
/// dropped. `None` if the system has no file locks. In that case, if two programs renew at the same
/// time, the second one finds that the refresh token has been used.
///
/// # Errors
/// The reason, if another program holds the lock for longer than `limit`.
pub(super) async fn turn(
    values: &SecretResolver,
    member: &MemberName,
    limit: Duration,
) -> Result<Option<File>, String> {
    let folder = values.data_dir().join(LOCKS);
    let at = folder.join(format!("{member}.lock"));
    let opening = tokio::task::spawn_blocking(move || {
        guild_files::files::create_own_folder(&folder)?;
        guild_files::files::open_lock(&at)
    });
    let lock = match opening.await {
        Ok(Ok(lock)) => lock,
        Ok(Err(error)) => {
            tracing::warn!(%member, %error, "its tokens can't be locked");
            return Ok(None);
        }
        Err(_) => return Ok(None),
    };
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(TryLockError::Error(_)) => return Ok(None),
            Err(TryLockError::WouldBlock) if begun.elapsed() >= limit => {
                return Err("another program has been renewing it for too long".to_owned());
            }
            Err(TryLockError::WouldBlock) => sleep(LOOK).await,
        }
    }
}

/// Stores tokens, and replaces existing ones.
///
/// # Errors
/// The errors of storing a secret.
pub(super) async fn keep(
    values: &SecretResolver,
    member: &MemberName,
    grant: &Grant,
) -> Result<(), Report> {
    match put(values, member, grant.to_text()).await {
        Ok(()) => Ok(()),
        Err(report) if report.code == Code::SecretRefused => Err(Report::from_error(
            Code::SignInFailed,
            &SigningError::TooLarge,
        )),
        Err(report) => Err(report),
    }
}

/// Returns the old tokens if a new sign-in replaces them and they should be revoked. Without a
/// revocation, they would no longer be stored here, but could be renewed forever. Tokens of the
/// same client are not revoked, since many servers treat old and new tokens as one grant and would
/// revoke both. Each registration creates another client.
pub(super) async fn replaced_by(
    values: &SecretResolver,
    member: &MemberName,
    grant: &Grant,
) -> Option<Grant> {
    let old = kept(values, member).await.inspect_err(|report| {
        tracing::warn!(%member, "the replaced tokens can't be read, so they are not revoked: {report}");
    });
    let old = old.ok().flatten()?;
    let is_apart = old.url == grant.url
        && old.client.from == ClientFrom::Registration
        && old.client.id != grant.client.id;
    // Another program may still use the old tokens. If these have a refresh token, that program
    // reads the new tokens after a rejection. Otherwise a person would have to sign in there again.
    (is_apart && old.refresh_token.is_some()).then_some(old)
}

/// Revokes replaced tokens, if the authorization server supports it.
pub(super) async fn give_back(
    values: &SecretResolver,
    member: &MemberName,
    old: &Grant,
    proxies: bool,
) {
    for secret in old.secrets() {
        values.remember(secret);
    }
    let revoked = timeout(GIVING_BACK, revoke(old, None, proxies)).await;
    let revoked =
        revoked.unwrap_or_else(|_| Err(format!("it took longer than {} s", GIVING_BACK.as_secs())));
    if let Err(mut why) = revoked {
        values.redactor().hide_in(&mut why);
        tracing::warn!(%member, "tokens of an earlier sign-in were not revoked: {why}");
    }
}

async fn put(values: &SecretResolver, member: &MemberName, value: String) -> Result<(), Report> {
    let request = SetSecret {
        name: grant_name(member),
        value,
        place: None,
    };
    values.store().set_any(request).await.map(|_| ())
}

/// Removes expired tokens. If an authorization server has received the client's secret, a record
/// that names this server is stored in their place.
///
/// # Errors
/// The errors of storing or removing a secret.
pub(super) async fn let_go(
    values: &SecretResolver,
    member: &MemberName,
    grant: &Grant,
) -> Result<(), Report> {
    match grant.bond() {
        Some(bond) => put(values, member, bond.to_text()).await,
        None => forget(values, member).await,
    }
}

/// Removes the tokens, or the record of the authorization server that `let_go` stored in their
/// place.
///
/// # Errors
/// The errors of removing a secret.
pub(super) async fn forget(values: &SecretResolver, member: &MemberName) -> Result<(), Report> {
    let name = grant_name(member);
    if values.noted_secret(&name).await?.is_none() {
        return Ok(());
    }
    values.store().remove_any(&SecretRef { name }).await
}
