//! Messages that several commands print, by subject.

pub(crate) mod authors;
pub(crate) mod care;
pub(crate) mod members;
pub(crate) mod registry;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod usage;

use guild_core::number::grouped;

/// The count of entries that are not shown.
pub(crate) fn more(count: usize) -> String {
    format!("and {} more", grouped(count as u64))
}

/// `1 tool`, `2,000 tools`.
fn counted(count: usize, one: &str, other: &str) -> String {
    let form = if count == 1 { one } else { other };
    format!("{} {form}", grouped(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_selects_singular_or_plural() {
        let tools = members::tools_changed;
        assert_eq!(
            [tools(1), tools(2), tools(2_000)],
            [
                "1 tool changed.",
                "2 tools changed.",
                "2,000 tools changed."
            ]
        );
        assert_eq!(more(2_000), "and 2,000 more");
        assert_eq!(registry::left_out(1), "1 entry is wrong and left out");
    }
}
