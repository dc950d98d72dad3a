//! Where secrets are kept, and whether each that is used has a value.

use std::sync::Arc;

use guild_core::Code;
use guild_core::wire::{Check, Finding, KeychainState, Verdict};

use super::{Knowledge, More, finding};

pub(super) async fn look(known: Arc<Knowledge>) -> Vec<Finding> {
    let secrets = &known.secrets;
    let used = secrets
        .secrets
        .iter()
        .any(|secret| !secret.members.is_empty());
    let of = |verdict, found: &str| finding(Check::Keychain, "keychain", verdict, found);
    let mut findings = vec![match (secrets.keychain, used) {
        (KeychainState::Ready, _) => of(Verdict::Fine, "It answers."),
        (KeychainState::Absent, true) => of(
            Verdict::Warning,
            "None can be reached: secrets are kept in secrets.json of the data folder.",
        )
        .advised(
            "Every program that you start can read that file. Start the keychain of the system \
             (GNOME Keyring, KWallet) to keep secrets there.",
        ),
        (KeychainState::Absent, false) => of(
            Verdict::Note,
            "None can be reached: a secret would be kept in secrets.json of the data folder.",
        ),
        (KeychainState::Unanswered, _) => of(Verdict::Warning, "It does not answer.")
            .advised("Look for a dialog that asks for its password, and answer it."),
    }];
    if let Some(report) = &secrets.warning
        && report.code == Code::SecretsUnsafe
    {
        let found = finding(
            Check::Keychain,
            "secrets.json",
            Verdict::Problem,
            &report.message,
        );
        findings.push(found.advised(&report.hint));
    }
    let missing = secrets.secrets.iter().filter(|one| one.kept.is_none());
    findings.extend(missing.map(|secret| {
        let name = &secret.name;
        // The keychain may have it from another program, and is not asked here.
        let found = "No value is known for it.";
        let finding = finding(Check::Keychain, name, Verdict::Warning, found)
            .with(
                secret
                    .members
                    .iter()
                    .map(|member| format!("used by {member}")),
            )
            .advised(format!("Set it: `guildhall secret set {name}`."));
        match secret.members.first() {
            Some(member) => finding.about(member),
            None => finding,
        }
    }));
    findings
}
