//! Checks the licences of the npm packages in the app. cargo-deny checks those of the crates.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::Value;

/// The licences that a package may have.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    // Fonts, which may be bundled but not sold by themselves.
    "OFL-1.1",
    "MIT",
];

/// Fails if a package in the lock file has no allowed licence, and names it. Packages that are only
/// for development are ignored.
pub(crate) fn check(ui: &Path) -> Result<()> {
    let file = ui.join("package-lock.json");
    let lock = fs::read_to_string(&file)?;
    let lock: Value = serde_json::from_str(&lock).context("reading the UI's lock")?;
    let packages = lock["packages"].as_object();
    let mut refused = Vec::new();
    for (place, package) in packages.context("the lock lists no packages")? {
        // The entry without a path is the UI itself.
        if place.is_empty() || package["dev"] == true {
            continue;
        }
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_allowed(licence) {
            refused.push(format!("{place}: {licence}"));
        }
    }
    ensure!(
        refused.is_empty(),
        "npm packages with licences that are not allowed:\n{}",
        refused.join("\n")
    );
    Ok(())
}

/// Whether one of the choices of an expression such as `(MIT OR GPL-3.0)` is allowed.
fn is_allowed(licence: &str) -> bool {
    let mut choices = licence.trim_matches(['(', ')']).split(" OR ");
    choices.any(|choice| {
        let mut all = choice.split(" AND ");
        all.all(|one| ALLOWED.contains(&one.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_is_enough() {
        for allowed in ["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC"] {
            assert!(is_allowed(allowed), "{allowed} is allowed");
        }
        for refused in ["GPL-3.0", "MIT AND GPL-3.0", "UNLICENSED", ""] {
            assert!(!is_allowed(refused), "{refused:?} is not allowed");
        }
    }
}
