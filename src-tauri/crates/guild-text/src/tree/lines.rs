//! Maps offsets of a text to line numbers.

/// Counts lines from the previous offset, so that lookups in ascending order scan the text only
/// once.
pub(super) struct LineCounter<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl<'t> LineCounter<'t> {
    pub(super) fn of_text(text: &'t str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// Returns the line of an offset, from 1.
    pub(super) fn of(&mut self, offset: usize) -> usize {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.line += between.iter().filter(|&&byte| byte == b'\n').count();
        self.at = offset;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_forwards_and_back() {
        let mut lines = LineCounter::of_text("a\nb\r\nc");
        for (offset, line) in [(0, 1), (2, 2), (5, 3), (1, 1), (6, 3), (100, 3)] {
            assert_eq!(lines.of(offset), line, "{offset}");
        }
    }
}
