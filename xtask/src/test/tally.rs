//! How many tests passed, read from what the test runners print.

/// What has been counted so far.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    /// Looks at one line of output; only the runners' closing lines count.
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], passed: u64, failed: u64) {
        let mut tally = Tally::default();
        for line in lines {
            tally.read(line);
        }
        assert_eq!(tally, Tally { passed, failed }, "{lines:?}");
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
