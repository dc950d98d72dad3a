//! Counts passed and failed tests in the output of the test runners.

/// Maximum number of stored names of failed tests.
const NAMES_MAX: usize = 500;

/// The counts and failures of all test runs so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// The names of failed tests, in the order in which they were printed.
    pub(crate) failed_tests: Vec<String>,
}

impl Tally {
    /// Reads one line of output. A closing line is added to the counts, and a failed test to the
    /// names.
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if let Some(name) = failed_test(line)
            && self.failed_tests.len() < NAMES_MAX
            && !self.failed_tests.iter().any(|known| known == name)
        {
            self.failed_tests.push(name.to_owned());
        }
        // cargo: `test result: ok. 12 passed; 0 failed; 0 ignored; …`
        // Vitest: `Tests  1 failed | 33 passed (34)`
        let counts = line.strip_prefix("test result: ").or_else(|| {
            line.strip_prefix("Tests ")
                .filter(|rest| rest.starts_with(' '))
        });
        let words: Vec<&str> = counts.unwrap_or_default().split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1].trim_end_matches(';') {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                _ => {}
            }
        }
    }
}

/// Returns the name of the test that a line reports as failed.
fn failed_test(line: &str) -> Option<&str> {
    // cargo: `test store::tests::name ... FAILED`
    let cargo = line
        .strip_prefix("test ")
        .and_then(|rest| rest.strip_suffix(" ... FAILED"));
    // Vitest: `FAIL  src/features/form/rows.test.tsx > rows > keeps its fields`
    cargo.or_else(|| line.strip_prefix("FAIL ").map(str::trim_start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            tally.read(line);
        }
        tally
    }

    fn check(lines: &[&str], passed: u64, failed: u64) {
        let tally = read(lines);
        assert_eq!((tally.passed, tally.failed), (passed, failed), "{lines:?}");
    }

    #[test]
    fn failed_tests_are_named_once() {
        let tally = read(&[
            "test store::tests::kept ... ok",
            "test store::tests::lost ... FAILED",
            " FAIL  src/features/form/rows.test.tsx > rows > keeps its fields",
            " FAIL  src/features/form/rows.test.tsx > rows > keeps its fields",
        ]);
        let names = [
            "store::tests::lost",
            "src/features/form/rows.test.tsx > rows > keeps its fields",
        ];
        assert_eq!(tally.failed_tests, names);
    }

    #[test]
    fn cargos_closing_lines_are_added_up() {
        check(
            &[
                "running 12 tests",
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out",
                "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            ],
            15,
            2,
        );
    }

    #[test]
    fn vitests_closing_lines_are_added_up() {
        check(
            &[" Test Files  3 passed (3)", "      Tests  34 passed (34)"],
            34,
            0,
        );
        check(&["      Tests  1 failed | 33 passed (34)"], 33, 1);
    }

    #[test]
    fn other_lines_do_not_count() {
        check(&["Tests: 3 passed", "5 passed", "test a ... ok"], 0, 0);
    }
}
