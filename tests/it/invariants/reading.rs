//! Finds the lines of a formatted source that only tests compile.

use std::ops::RangeInclusive;

/// Returns the lines of items behind `#[cfg(test)]` or `#[cfg(all(test, …))]`, numbered from 1.
pub(super) fn for_tests(text: &str) -> Vec<RangeInclusive<usize>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim_start();
        if !line.starts_with("#[cfg(test)") && !line.starts_with("#[cfg(all(test") {
            at += 1;
            continue;
        }
        let indent = lines[at].len() - line.len();
        let last = end_of_item(&lines, at, indent);
        found.push(at + 1..=last + 1);
        at = last + 1;
    }
    found
}

/// Returns the last line of the item whose attributes begin at a line.
fn end_of_item(lines: &[&str], first: usize, indent: usize) -> usize {
    let is_attribute = |at: &usize| lines[*at].trim_start().starts_with("#[");
    let head = (first..lines.len()).find(|at| !is_attribute(at));
    let head = head.unwrap_or(first);
    if lines[head].ends_with([';', ',', '}']) {
        return head;
    }
    let closing = format!("{}}}", " ".repeat(indent));
    let end = (head + 1..lines.len()).find(|at| lines[*at].starts_with(&closing));
    end.unwrap_or(lines.len() - 1)
}

#[test]
fn test_only_code_ends_with_its_item() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\nfn b() {\n    #[cfg(test)]\n    hook();\n    c();\n}\n\
                #[cfg(all(test, unix))]\n#[path = \"d.rs\"]\nmod tests {\n    fn d() {\n    }\n}\nfn e() {}\n";
    assert_eq!(for_tests(text), [2..=3, 5..=6, 9..=14]);
}
