//! Compares versions.

use std::cmp::Ordering;

/// Checks whether `one` is newer than `other`. Returns `false` if either has no numbers.
///
/// Numbers are compared from left to right. With equal numbers, a pre-release (`2.0.0-beta`) is
/// older, and pre-release parts compare as in semantic versions. Build metadata after `+` is
/// ignored.
pub fn is_newer(one: &str, other: &str) -> bool {
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => one > other,
        _ => false,
    }
}

/// Compares two semantic versions. `None` if one of them is not a semantic version.
pub fn compared(one: &str, other: &str) -> Option<Ordering> {
    let read = |version: &str| {
        let core = version.split(['-', '+']).next().unwrap_or_default();
        numbers(version).filter(|_| core.split('.').count() == 3)
    };
    Some(read(one)?.cmp(&read(other)?))
}

/// Returns the sort key of a version. `None` if the version has no numbers.
pub(super) fn numbers(version: &str) -> Option<Numbers> {
    let version = version.trim().trim_start_matches(['v', 'V']);
    let version = version.split('+').next().unwrap_or_default();
    let (numbers, early) = version.split_once('-').unwrap_or((version, ""));
    let numbers: Option<Vec<u64>> = numbers.split('.').map(|part| part.parse().ok()).collect();
    let mut numbers = numbers?;
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    let part = |part: &str| match part.parse() {
        Ok(number) => PreReleasePart::Number(number),
        Err(_) => PreReleasePart::Word(part.to_owned()),
    };
    let pre_release = match early {
        "" => PreRelease::None,
        parts => PreRelease::Of(parts.split('.').map(part).collect()),
    };
    Some(Numbers(numbers, pre_release))
}

/// A version's numbers without trailing zeros, and its pre-release.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Numbers(Vec<u64>, PreRelease);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PreRelease {
    /// A pre-release, compared part by part. Numbers compare numerically and precede words, which
    /// compare alphabetically.
    Of(Vec<PreReleasePart>),
    /// No pre-release part: a final release. This is the last variant, so that a release sorts
    /// after its pre-releases.
    None,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PreReleasePart {
    Number(u64),
    Word(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prereleases_sort_before_releases() {
        let ordered = [
            "0.9",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0",
            "1.0.1",
            "1.10.0",
            "v2",
            "2025.11.21",
        ];
        for (at, older) in ordered.iter().enumerate() {
            for newer in &ordered[at + 1..] {
                assert!(is_newer(newer, older), "{newer} > {older}");
                assert!(!is_newer(older, newer), "{older} < {newer}");
            }
            assert!(!is_newer(older, older));
        }
        assert!(!is_newer("1.0.0+build", "1.0"));
    }

    #[test]
    fn version_without_numbers_is_never_newer() {
        for (one, other) in [("main", "1.0"), ("1.0", "main"), ("", "1"), ("1..2", "1")] {
            assert!(!is_newer(one, other), "{one} {other}");
        }
    }
}
