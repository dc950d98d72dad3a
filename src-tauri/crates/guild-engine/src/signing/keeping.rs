//! Where tokens are kept: with the secrets, in the keychain or the file, under a name that is theirs
//! alone ([`grant_name`]).

use std::fs::{File, TryLockError};
use std::time::Duration;

use guild_core::note::SigningTrouble;
use guild_core::wire::{OfSecret, SetSecret};
use guild_core::{Code, MemberName, Report};
use guild_mcp::sign_in::{Bond, ClientFrom, Grant, revoke};
use tokio::time::{Instant, sleep, timeout};

use crate::secrets::{Values, grant_name};

/// The folder of the locks that programs take before they renew a member's tokens.
const LOCKS: &str = "sign-in";
/// How often it is looked whether another program is done. Nobody tells.
const LOOK: Duration = Duration::from_millis(25);
/// How long giving back what is kept no more may take: less than a hall that closes waits for all that
/// it does, its members' ends among them.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// The tokens that are kept of a member. The keychain is asked where something was put there from
/// here, and else nobody.
///
/// # Errors
/// `keychain-unanswered`, `secrets-unsafe`.
pub(super) async fn kept(values: &Values, member: &MemberName) -> Result<Option<Grant>, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.and_then(|text| Grant::from_text(&text)))
}

/// Whether anything is kept of a member: tokens, or what is left of them.
///
/// # Errors
/// As [`kept`].
pub(super) async fn is_kept(values: &Values, member: &MemberName) -> Result<bool, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.is_some())
}

/// The authorization server that the secret of a client was shown to, as the tokens say that are kept,
/// or what is left of them.
///
/// # Errors
/// As [`kept`].
pub(super) async fn bond(values: &Values, member: &MemberName) -> Result<Option<Bond>, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.and_then(|text| Bond::from_text(&text)))
}

/// Has a member's tokens changed by no other program on the data folder until what is given is
/// dropped. `None` where there are no locks: then whoever comes second finds the token used.
///
/// # Errors
/// In words, where another program does not come to its end within `limit`.
pub(super) async fn turn(
    values: &Values,
    member: &MemberName,
    limit: Duration,
) -> Result<Option<File>, String> {
    let folder = values.data_dir().join(LOCKS);
    let at = folder.join(format!("{member}.lock"));
    let opening = tokio::task::spawn_blocking(move || {
        crate::files::create_own_folder(&folder)?;
        crate::files::open_lock(&at)
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
                return Err("another program renews it, and does not come to its end".to_owned());
            }
            Err(TryLockError::WouldBlock) => sleep(LOOK).await,
        }
    }
}

/// Keeps tokens in the place of others.
///
/// # Errors
/// As keeping a secret.
pub(super) async fn keep(
    values: &Values,
    member: &MemberName,
    grant: &Grant,
) -> Result<(), Report> {
    match put(values, member, grant.to_text()).await {
        Ok(()) => Ok(()),
        Err(report) if report.code == Code::SecretRefused => {
            Err(Report::told(Code::SignInFailed, &SigningTrouble::TooLarge))
        }
        Err(report) => Err(report),
    }
}

/// The tokens that those of a new sign-in take the place of, and that are to be given back: nobody would
/// know them any more, and they could be renewed for ever. Those of the same client stay: many servers
/// count them as one grant, and would end the new ones too. Each registration brings another client.
pub(super) async fn replaced_by(
    values: &Values,
    member: &MemberName,
    grant: &Grant,
) -> Option<Grant> {
    let old = kept(values, member).await.inspect_err(|report| {
        tracing::warn!(%member, "whether tokens are to be given back is not known: {report}");
    });
    let old = old.ok().flatten()?;
    let is_apart = old.url == grant.url
        && old.client.from == ClientFrom::Registration
        && old.client.id != grant.client.id;
    // Another program may still send them. Where it could renew them, it looks for the new ones once they
    // are refused; else it would want a person.
    (is_apart && old.refresh_token.is_some()).then_some(old)
}

/// Gives back tokens that are kept no more, where their authorization server takes them.
pub(super) async fn give_back(values: &Values, member: &MemberName, old: &Grant) {
    for secret in old.secrets() {
        values.remember(secret);
    }
    let revoked = timeout(GIVING_BACK, revoke(old, None)).await;
    let revoked =
        revoked.unwrap_or_else(|_| Err(format!("it took longer than {} s", GIVING_BACK.as_secs())));
    if let Err(mut why) = revoked {
        values.veil().hide_in(&mut why);
        tracing::warn!(%member, "tokens of an earlier sign-in were not given back: {why}");
    }
}

async fn put(values: &Values, member: &MemberName, value: String) -> Result<(), Report> {
    let request = SetSecret {
        name: grant_name(member),
        value,
        place: None,
    };
    values.book().keep(request).await.map(|_| ())
}

/// Keeps of tokens that are over whom their client's secret was shown to, where it has one.
///
/// # Errors
/// As keeping or removing a secret.
pub(super) async fn let_go(
    values: &Values,
    member: &MemberName,
    grant: &Grant,
) -> Result<(), Report> {
    match grant.bond() {
        Some(bond) => put(values, member, bond.to_text()).await,
        None => forget(values, member).await,
    }
}

/// Keeps none any more, and nothing of them.
///
/// # Errors
/// As removing a secret.
pub(super) async fn forget(values: &Values, member: &MemberName) -> Result<(), Report> {
    let name = grant_name(member);
    if values.noted_secret(&name).await?.is_none() {
        return Ok(());
    }
    values.book().drop_kept(&OfSecret { name }).await
}
