//! Checks the keychain, and whether each secret in use has a value.

use std::sync::Arc;

use guild_api::wire::{Check, FactKind, Finding, KeychainState, Verdict};
use guild_model::Code;

use super::DoctorInput;

pub(super) async fn run(known: Arc<DoctorInput>) -> Vec<Finding> {
    let secrets = &known.secrets;
    let used = secrets
        .secrets
        .iter()
        .any(|secret| !secret.members.is_empty());
    let keychain =
        |verdict, kind, found| Finding::new(Check::Keychain, "keychain", verdict, kind, found);
    let mut found = vec![match (secrets.keychain, used) {
        (KeychainState::Ready, _) => {
            keychain(Verdict::Fine, FactKind::KeychainReady, "It answers.")
        }
        (KeychainState::Absent, true) => keychain(
            Verdict::Warning,
            FactKind::KeychainAbsent,
            "Not available: secrets are saved in secrets.json in the data folder.",
        )
        .advised(
            "Every program that you start can read that file. Start the keychain of the system \
             (GNOME Keyring, KWallet) to keep secrets there.",
        ),
        (KeychainState::Absent, false) => keychain(
            Verdict::Note,
            FactKind::KeychainAbsent,
            "Not available: secrets would be saved in secrets.json in the data folder.",
        ),
        (KeychainState::Unanswered, _) => keychain(
            Verdict::Warning,
            FactKind::KeychainUnanswered,
            "It does not answer.",
        )
        .advised("Look for a dialog that asks for its password, and answer it."),
    }];
    if let Some(report) = &secrets.warning
        && report.code == Code::SecretsUnsafe
    {
        let unsafe_file =
            Finding::of_report(Check::Keychain, "secrets.json", Verdict::Problem, report);
        found.push(unsafe_file);
    }
    let missing = secrets.secrets.iter().filter(|one| one.kept.is_none());
    found.extend(missing.map(|secret| {
        let name = &secret.name;
        // Another program may have stored a value in the keychain. This check does not look it up
        // there.
        let missing = Finding::new(
            Check::Keychain,
            name,
            Verdict::Warning,
            FactKind::SecretMissing,
            "It has no value.",
        )
        .with(
            secret
                .members
                .iter()
                .map(|member| format!("used by {member}")),
        )
        .advised(format!("Set it: `guildhall secret set {name}`."));
        match secret.members.first() {
            Some(member) => missing.about(member),
            None => missing,
        }
    }));
    found
}
