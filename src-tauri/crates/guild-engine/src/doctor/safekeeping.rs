//! Where secrets are kept, and whether each that is used has a value.

use std::sync::Arc;

use guild_core::Code;
use guild_core::doctor::{Advice, Detail, Fact, Observation, Subject};
use guild_core::wire::{Check, KeychainState, Verdict};

use super::Knowledge;

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Observation> {
    let secrets = &known.secrets;
    let used = secrets
        .secrets
        .iter()
        .any(|secret| !secret.members.is_empty());
    let of = |subject, verdict, fact| Observation::new(Check::Keychain, subject, verdict, fact);
    let keychain = |verdict, fact| of(Subject::Keychain, verdict, fact);
    let mut found = vec![match (secrets.keychain, used) {
        (KeychainState::Ready, _) => keychain(Verdict::Fine, Fact::KeychainReady),
        (KeychainState::Absent, true) => {
            keychain(Verdict::Warning, Fact::KeychainAbsent { used }).advised(Advice::StartKeychain)
        }
        (KeychainState::Absent, false) => keychain(Verdict::Note, Fact::KeychainAbsent { used }),
        (KeychainState::Unanswered, _) => {
            keychain(Verdict::Warning, Fact::KeychainUnanswered).advised(Advice::AnswerKeychain)
        }
    }];
    if let Some(report) = &secrets.warning
        && report.code == Code::SecretsUnsafe
    {
        let file = Subject::Named("secrets.json".to_owned());
        found.push(Observation::of_report(
            Check::Keychain,
            file,
            Verdict::Problem,
            report,
        ));
    }
    let missing = secrets.secrets.iter().filter(|one| one.kept.is_none());
    found.extend(missing.map(|secret| {
        let name = &secret.name;
        let users = secret.members.iter();
        // The keychain may have it from another program, and is not asked here.
        let missing = of(
            Subject::Named(name.clone()),
            Verdict::Warning,
            Fact::SecretMissing,
        )
        .with(users.map(|member| Detail::UsedBy(member.to_string())))
        .advised(Advice::SetSecret { name: name.clone() });
        match secret.members.first() {
            Some(member) => missing.about(member),
            None => missing,
        }
    }));
    found
}
