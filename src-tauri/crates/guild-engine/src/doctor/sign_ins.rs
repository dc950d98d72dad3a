//! Checks whether remote members need a sign-in.

use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, SignInView, Verdict};
use guild_mcp_client::sign_in::now_secs;
use guild_model::Code;

use super::DoctorInput;

pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    let now_ms = now_secs().saturating_mul(1_000);
    let of = |view: &SignInView| {
        let entry = known.snapshot.members.get(&view.member)?;
        let refused = entry.view.error.as_ref().map(|error| error.code) == Some(Code::SignInNeeded);
        let manifest = entry.manifest.as_ref()?;
        let found = manifest
            .enabled
            .then(|| finding(view, refused, manifest.auth.is_some(), now_ms));
        found.flatten()
    };
    known.sign_ins.iter().filter_map(of).collect()
}

/// Returns the finding of a member. `None` if the member does not use a sign-in.
fn finding(view: &SignInView, refused: bool, expected: bool, now_ms: u64) -> Option<Finding> {
    let member = &view.member;
    let of = |verdict, kind, found: String| {
        Finding::new(Check::Member, member.as_str(), verdict, kind, found).about(member)
    };
    let needed = |kind, found: &str| {
        Some(
            of(Verdict::Problem, kind, found.to_owned()).advised(format!(
                "Sign in on its page, or with `guildhall auth sign-in {member}`."
            )),
        )
    };
    let Some(grant) = &view.grant else {
        let wants = view.needed || refused;
        return match (wants, expected) {
            (true, _) => needed(
                FactKind::SignInWanted,
                "Its server requires you to sign in.",
            ),
            (false, true) => needed(FactKind::NobodySignedIn, "You haven't signed in yet."),
            (false, false) => None,
        };
    };
    let ended = grant.expires_at_ms.is_some_and(|end| end <= now_ms);
    if ended && !grant.renews {
        return needed(
            FactKind::SignInEnded,
            "The sign-in has expired and can't be renewed automatically.",
        );
    }
    if view.needed || refused {
        return needed(FactKind::SignInRefused, "Its server rejected the sign-in.");
    }
    let by = grant.issuer.as_deref().unwrap_or("its own server");
    let found = format!("Signed in with {by}.");
    Some(of(Verdict::Fine, FactKind::SignedIn, found))
}

#[cfg(test)]
mod tests {
    use guild_api::wire::{GrantView, SignInClient, SignInStage};
    use guild_model::MemberName;

    use super::*;

    fn view(grant: Option<GrantView>, needed: bool) -> SignInView {
        SignInView {
            member: MemberName::parse("forge").expect("a name"),
            possible: true,
            needed,
            wanted: vec![],
            stage: SignInStage::Idle,
            grant,
        }
    }

    fn grant(expires_at_ms: Option<u64>, renews: bool) -> Option<GrantView> {
        Some(GrantView {
            issuer: Some("https://auth.example".to_owned()),
            scopes: vec![],
            received_at_ms: 0,
            expires_at_ms,
            renews,
            client: SignInClient::Registration,
        })
    }

    #[test]
    fn missing_sign_in_is_a_problem_with_advice() {
        let verdict = |view: SignInView, refused, expected| {
            finding(&view, refused, expected, 1_000).map(|finding| finding.verdict)
        };
        assert_eq!(verdict(view(None, false), false, false), None);
        for problem in [
            verdict(view(None, true), false, false),
            verdict(view(None, false), true, false),
            verdict(view(None, false), false, true),
            verdict(view(grant(Some(1_000), false), false), false, false),
            verdict(view(grant(None, true), true), false, false),
            verdict(view(grant(None, true), false), true, false),
        ] {
            assert_eq!(problem, Some(Verdict::Problem));
        }
        for fine in [
            verdict(view(grant(Some(1_000), true), false), false, true),
            verdict(view(grant(Some(1_001), false), false), false, true),
        ] {
            assert_eq!(fine, Some(Verdict::Fine));
        }
        let wanted = finding(&view(None, true), false, false, 0).expect("a finding");
        let advice = wanted.advice;
        assert!(advice.contains("guildhall auth sign-in forge"), "{advice}");
    }
}
