//! Where tokens are kept: with the secrets, in the keychain or the file, under a member's name.
//!
//! No manifest can use such a name and nobody can set or read it by hand: a member could have another
//! one's tokens sent to itself.

use guild_core::wire::{OfSecret, SetSecret};
use guild_core::{Code, MemberName, Report};
use guild_mcp::sign_in::Grant;

use crate::secrets::Values;

/// How the names begin.
const PREFIX: &str = "oauth/";

fn name_of(member: &MemberName) -> String {
    format!("{PREFIX}{member}")
}

/// Whether a secret's name is one of a member's tokens.
pub(crate) fn is_grant(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The texts of a kept secret that nobody may see.
pub(crate) fn hidden_in(name: &str, value: String) -> Vec<String> {
    let grant = is_grant(name).then(|| Grant::from_text(&value)).flatten();
    match grant {
        Some(grant) => grant.secrets().map(str::to_owned).collect(),
        None => vec![value],
    }
}

/// The tokens that are kept of a member. The keychain is asked where something was put there from
/// here, and else nobody.
///
/// # Errors
/// `keychain-unanswered`, `secrets-unsafe`.
pub(super) async fn kept(values: &Values, member: &MemberName) -> Result<Option<Grant>, Report> {
    let text = values.noted_secret(&name_of(member)).await?;
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
        name: name_of(member),
        value: grant.to_text(),
        place: None,
    };
    match values.book().keep(request).await {
        Ok(_) => Ok(()),
        Err(report) if report.code == Code::SecretRefused => Err(Report::new(
            Code::SignInFailed,
            "The tokens are larger than can be kept here.",
            "Ask for fewer scopes: \"auth\": {\"scopes\": […]} in plugin.json.",
        )),
        Err(report) => Err(report),
    }
}

/// Keeps none any more.
///
/// # Errors
/// As removing a secret.
pub(super) async fn forget(values: &Values, member: &MemberName) -> Result<(), Report> {
    let name = name_of(member);
    if values.noted_secret(&name).await?.is_none() {
        return Ok(());
    }
    values.book().drop_kept(&OfSecret { name }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tokens_in_what_is_kept_are_hidden_one_by_one() {
        let grant = concat!(
            r#"{"url":"https://a/","issuer":null,"client":{"id":"c","secret":"cs","#,
            r#""from":"registration"},"access_token":"at","refresh_token":"rt","#,
            r#""received_at":1,"expires_at":null,"scopes":[],"revocation_endpoint":null}"#
        );
        let hidden = hidden_in("oauth/forge", grant.to_owned());
        assert_eq!(hidden, ["at", "rt", "cs"]);
        assert_eq!(hidden_in("KEY", "value".to_owned()), ["value"]);
        assert_eq!(hidden_in("oauth/forge", "other".to_owned()), ["other"]);
    }
}
