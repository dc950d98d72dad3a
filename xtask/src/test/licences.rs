//! The licences of the npm packages that end up in the app; cargo-deny looks after the crates.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What the packages' licences may be.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
];

/// Fails naming each package of the lock that is not for development alone and has no licence of
/// the list.
pub(crate) fn check(ui: &Path) -> Result<()> {
    let lock = read(&ui.join("package-lock.json"))?;
    let packages = lock["packages"]
        .as_object()
        .context("the lock lists no packages")?;
    let mut bad = Vec::new();
    for (place, package) in packages {
        // The entry without a place is the UI itself.
        if place.is_empty() || package["dev"] == true {
            continue;
        }
        let licence = match package["license"].as_str() {
            Some(licence) => licence.to_owned(),
            None => installed_licence(&ui.join(place))?,
        };
        if !is_allowed(&licence) {
            bad.push(format!("{place}: {licence}"));
        }
    }
    if !bad.is_empty() {
        bail!(
            "npm packages with licences that are not allowed:\n{}",
            bad.join("\n")
        );
    }
    Ok(())
}

/// What an installed package says of itself, where the lock does not.
fn installed_licence(folder: &Path) -> Result<String> {
    let file = folder.join("package.json");
    // Optional packages for other systems are in the lock and not installed.
    if !file.exists() {
        return Ok("not known".into());
    }
    let licence = read(&file)?["license"].as_str().map(str::to_owned);
    Ok(licence.unwrap_or_else(|| "none given".into()))
}

/// Whether one of the choices of an expression such as `(MIT OR GPL-3.0)` is allowed.
fn is_allowed(licence: &str) -> bool {
    licence
        .trim_matches(['(', ')'])
        .split(" OR ")
        .any(|choice| {
            choice
                .split(" AND ")
                .all(|one| ALLOWED.contains(&one.trim()))
        })
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_is_enough_and_all_of_a_sum_are_needed() {
        for allowed in ["MIT", "(MIT OR GPL-3.0)", "MIT AND ISC"] {
            assert!(is_allowed(allowed), "{allowed} is allowed");
        }
        for refused in ["GPL-3.0", "MIT AND GPL-3.0", "UNLICENSED", "not known", ""] {
            assert!(!is_allowed(refused), "{refused:?} is not allowed");
        }
    }
}
