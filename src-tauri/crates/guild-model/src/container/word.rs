//! An argument of a command, for the parser: a string from a manifest, or a template. Both may
//! contain placeholders. The value of a placeholder is never split.

/// An argument of a command.
pub trait Word: Clone {
    /// Creates an argument from literal text.
    fn of(text: String) -> Self;
    /// Returns a reference to an environment variable.
    fn of_environment(name: &str) -> Self;
    /// Returns the argument as text. `None` for a template with a placeholder. In a string from a
    /// manifest, the placeholders are part of the text.
    fn plain(&self) -> Option<&str>;
    /// Returns the literal text at the start of the word.
    fn beginning(&self) -> &str;
    /// Whether the argument begins with a placeholder that may be replaced by a whole path.
    fn begins_open(&self) -> bool;
    /// Returns the rest of the word after this many bytes.
    fn behind(&self, bytes: usize) -> Self;
    /// Splits at the first character `at` that is outside of placeholders and not among the first
    /// `from` bytes. `None` if there is no such character.
    fn cut(&self, at: char, from: usize) -> Option<(Self, Self)>;
    /// Returns the word for display, without secrets.
    fn shown(&self) -> String;

    /// Splits at each character `between` that is outside of placeholders.
    fn parts(&self, between: char) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self.clone();
        while let Some((before, after)) = rest.cut(between, 0) {
            parts.push(before);
            rest = after;
        }
        parts.push(rest);
        parts
    }
}

/// A string from a manifest. `${…}` is a placeholder.
impl Word for String {
    fn of(text: String) -> Self {
        text
    }

    fn of_environment(name: &str) -> Self {
        format!("${{env:{name}}}")
    }

    fn plain(&self) -> Option<&str> {
        Some(self)
    }

    fn beginning(&self) -> &str {
        self
    }

    fn begins_open(&self) -> bool {
        self.starts_with("${PLUGIN_DIR}") || self.starts_with("${env:")
    }

    fn behind(&self, bytes: usize) -> Self {
        self.get(bytes..).unwrap_or_default().to_owned()
    }

    fn cut(&self, at: char, from: usize) -> Option<(Self, Self)> {
        let mut inside = false;
        for (index, c) in self.char_indices() {
            match c {
                '{' if self[..index].ends_with('$') => inside = true,
                '}' => inside = false,
                _ if c == at && !inside && index >= from => {
                    let after = &self[index + c.len_utf8()..];
                    return Some((self[..index].to_owned(), after.to_owned()));
                }
                _ => {}
            }
        }
        None
    }

    fn shown(&self) -> String {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_place_separates() {
        let word = "${env:HOME}:/data:ro".to_owned();
        assert_eq!(word.parts(':'), ["${env:HOME}", "/data", "ro"]);
        assert_eq!(
            "C:\\a:/b".to_owned().cut(':', 2),
            Some(("C:\\a".to_owned(), "/b".to_owned()))
        );
        assert_eq!("{a:b}".to_owned().parts(':'), ["{a", "b}"]);
        assert_eq!("a".to_owned().cut('=', 0), None);
    }
}
