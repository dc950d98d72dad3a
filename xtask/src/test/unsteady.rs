//! Tests that failed beside others and are run once more, alone.
//!
//! Most tests here start real processes with real time limits, several at once; on a machine that
//! does other work too, one in thousands loses a race that says nothing of the program. Run alone
//! it tells the two apart: what fails twice has failed, what passes alone is named at the end for
//! somebody to look into. Random cases do not get away with it: proptest writes down the case that
//! failed and begins with it.

use std::collections::BTreeSet;

/// More than these did not fail by chance, and are not run again.
const AT_MOST: usize = 3;

/// What is said of a test that passed then; the window's test runner says it too.
pub(crate) const SAID: &str = "passed only when run again: ";

/// The tests that cargo's runner said had failed.
#[derive(Debug, Default)]
pub(crate) struct Failed {
    names: BTreeSet<String>,
}

impl Failed {
    /// Looks at one line of output: `test a::b ... FAILED`.
    pub(crate) fn read(&mut self, line: &str) {
        let name = line
            .trim()
            .strip_prefix("test ")
            .and_then(|rest| rest.strip_suffix(" ... FAILED"));
        if let Some(name) = name {
            // A test that should have panicked, or is of a documentation, has a remark behind it.
            let name = name.strip_suffix(" - should panic").unwrap_or(name);
            self.names.insert(name.to_owned());
        }
    }

    /// The tests to run again, where they are all that `failed`: nothing that failed for another
    /// reason (a build, a crash of the runner, a name cut off) is taken for a test.
    pub(crate) fn worth_another_run(&self, failed: u64) -> Option<Vec<String>> {
        let known = u64::try_from(self.names.len()).is_ok_and(|known| known == failed);
        (known && (1..=AT_MOST).contains(&self.names.len()))
            .then(|| self.names.iter().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&str]) -> Failed {
        let mut failed = Failed::default();
        for line in lines {
            failed.read(line);
        }
        failed
    }

    #[test]
    fn failed_tests_are_known_by_their_names() {
        let failed = after(&[
            "test a::passes ... ok",
            "test a::fails ... FAILED",
            "test b::slow has been running for over 60 seconds",
            "test src/lib.rs - a (line 3) ... FAILED",
            "    a::fails",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored",
        ]);
        assert_eq!(
            failed.worth_another_run(2),
            Some(vec![
                "a::fails".to_owned(),
                "src/lib.rs - a (line 3)".to_owned()
            ])
        );
    }

    #[test]
    fn a_failure_nobody_named_is_not_run_again() {
        assert_eq!(after(&[]).worth_another_run(0), None);
        assert_eq!(after(&["test a ... FAILED"]).worth_another_run(2), None);
    }

    #[test]
    fn many_failures_are_no_chance() {
        let lines: Vec<String> = (0..4).map(|n| format!("test t{n} ... FAILED")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(after(&lines).worth_another_run(4), None);
        assert_eq!(
            after(&lines[..3]).worth_another_run(3).map(|n| n.len()),
            Some(3)
        );
    }
}
