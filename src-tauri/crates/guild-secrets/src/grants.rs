//! Members' OAuth tokens, which are stored as secrets. Their names are derived from the members'
//! names.
//!
//! Manifests can't use such names, and users can't set or read them. Otherwise a member could have
//! another member's tokens sent to itself.

use guild_mcp_client::sign_in::Grant;
use guild_model::MemberName;

/// Prefix of the names of members' tokens.
const PREFIX: &str = "oauth/";

/// Returns the name of the secret that stores a member's OAuth tokens.
pub fn grant_name(member: &MemberName) -> String {
    format!("{PREFIX}{member}")
}

/// Whether a secret's name belongs to a member's tokens.
pub(super) fn is_grant(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Returns the strings to mask for a stored secret: its value, or the tokens in it.
pub(super) fn hidden_in(name: &str, value: String) -> Vec<String> {
    let grant = is_grant(name).then(|| Grant::from_text(&value)).flatten();
    match grant {
        Some(grant) => grant.secrets().map(str::to_owned).collect(),
        None => vec![value],
    }
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
