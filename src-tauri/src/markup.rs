//! Text where markup is read: in pages, in notifications and beside the icon in the tray.

/// Escapes a text for HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a <b> & c"), "a &lt;b&gt; &amp; c");
    }
}
