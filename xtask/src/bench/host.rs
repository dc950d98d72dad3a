//! Measures the processor time that the host of a virtual machine takes. If the host takes much,
//! measured times are not reliable.

use anyhow::{Context, Result};

use super::BenchRow;

const FILE: &str = "/proc/stat";

/// The time of all processors since the machine's start, in ticks of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticks {
    all: u64,
    taken: u64,
}

impl Ticks {
    pub(super) fn now() -> Result<Self> {
        let text = fs_err::read_to_string(FILE)?;
        Self::read(&text).with_context(|| format!("{FILE} does not begin as proc(5) says"))
    }

    /// Parses `/proc/stat`: `cpu`, then user, nice, system, idle, iowait, irq, softirq and steal.
    /// The first two include the time of guests.
    fn read(text: &str) -> Option<Self> {
        let fields = text.lines().next()?.strip_prefix("cpu ")?;
        let fields: Vec<u64> = fields
            .split_ascii_whitespace()
            .map_while(|field| field.parse().ok())
            .take(8)
            .collect();
        let &[.., taken] = fields.as_slice() else {
            return None;
        };
        (fields.len() == 8).then(|| Self {
            all: fields.iter().sum(),
            taken,
        })
    }

    /// Returns the row with the time that the host took since `before`.
    pub(super) fn row_since(self, before: Self) -> BenchRow {
        let all = self.all.saturating_sub(before.all).max(1);
        let taken = self.taken.saturating_sub(before.taken);
        #[expect(clippy::cast_precision_loss, reason = "ticks of an hour")]
        let percent = taken as f64 * 100.0 / all as f64;
        let subject = "the processor time that the machine's host took";
        BenchRow::new(subject, format!("{percent:.1} %")).aim("<= 1 %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_part_is_of_the_time_between() {
        let before = Ticks::read("cpu  100 0 50 800 0 0 0 50 0 0\ncpu0 1 2\n").expect("ticks");
        let after = Ticks::read("cpu  110 0 50 870 0 0 0 70 9 9\n").expect("ticks");
        assert_eq!(after.row_since(before).value, "20.0 %");
        assert_eq!(before.row_since(before).value, "0.0 %");
        assert_eq!(Ticks::read("cpu  100 0 50\n"), None);
        assert_eq!(Ticks::read(""), None);
    }
}
