pub(super) fn count(text: &str) -> usize {
    text.len() / 4
}
