//! Where tokens are kept: with the secrets, in the keychain or the file, under a name that is theirs
//! alone ([`grant_name`]).

use guild_core::note::SigningTrouble;
use guild_core::wire::{OfSecret, SetSecret};
use guild_core::{Code, MemberName, Report};
use guild_mcp::sign_in::Grant;

use crate::secrets::{Values, grant_name};

/// The tokens that are kept of a member. The keychain is asked where something was put there from
/// here, and else nobody.
///
/// # Errors
/// `keychain-unanswered`, `secrets-unsafe`.
pub(super) async fn kept(values: &Values, member: &MemberName) -> Result<Option<Grant>, Report> {
    let text = values.noted_secret(&grant_name(member)).await?;
    Ok(text.and_then(|text| Grant::from_text(&text)))
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
    let request = SetSecret {
        name: grant_name(member),
        value: grant.to_text(),
        place: None,
    };
    match values.book().keep(request).await {
        Ok(_) => Ok(()),
        Err(report) if report.code == Code::SecretRefused => {
            Err(Report::told(Code::SignInFailed, &SigningTrouble::TooLarge))
        }
        Err(report) => Err(report),
    }
}

/// Keeps none any more.
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
