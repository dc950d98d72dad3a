//! Splits a page into blocks and detects the format of each.

use super::super::normalize::runners::starts_like_a_command;
use super::SnippetFormat;

/// Maximum number of blocks that are read from one page.
const BLOCKS_MAX: usize = 64;

/// A block of a page. The text begins with one empty line for each line before the block, so that
/// line numbers are those of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) text: String,
}

impl Block {
    pub(super) fn whole(text: &str) -> Self {
        Self {
            text: text.trim_start_matches('\u{feff}').to_owned(),
        }
    }

    /// Returns the block with the lines of a range.
    fn lines(lines: &[&str], from: usize, to: usize) -> Self {
        let mut text = "\n".repeat(from);
        text.push_str(&lines[from..to].join("\n"));
        Self { text }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Returns the fenced blocks of a text. Without fences, returns the whole text without the
/// surrounding sentences.
pub(super) fn of(text: &str) -> Vec<Block> {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().collect();
    let mut blocks = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    for (at, line) in lines.iter().enumerate() {
        match (open, fence(line)) {
            (None, Some((mark, length))) => open = Some((at + 1, mark, length)),
            (Some((from, mark, length)), Some((other, closing)))
                if mark == other && closing >= length && is_only(line, mark) =>
            {
                blocks.push(Block::lines(&lines, from, at));
                open = None;
            }
            _ => {}
        }
        if blocks.len() == BLOCKS_MAX {
            break;
        }
    }
    // The closing fence is missing, so the text was probably not copied completely.
    if let Some((from, ..)) = open {
        blocks.push(Block::lines(&lines, from, lines.len()));
    }
    blocks.retain(|block| !block.is_blank());
    match blocks.is_empty() {
        true => vec![without_words_around(&lines)],
        false => blocks,
    }
}

/// Returns the character and the length of a line's fence. `None` if the line is not a fence.
fn fence(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.chars().take_while(|&c| c == mark).count();
    (length >= 3).then_some((mark, length))
}

fn is_only(line: &str, mark: char) -> bool {
    line.trim_matches([' ', '\t', '>'])
        .chars()
        .all(|c| c == mark)
}

/// Removes sentences before and after the code.
fn without_words_around(lines: &[&str]) -> Block {
    // A line in single backquotes is code.
    if let [line] = lines
        && let Some(inside) = line.trim().strip_prefix('`')
        && let Some(inside) = inside.strip_suffix('`')
    {
        return Block::lines(&[inside], 0, 1);
    }
    let first = lines.iter().position(|line| !line.trim().is_empty());
    let first = first.unwrap_or(0);
    let all = Block::lines(lines, first, lines.len());
    if form_of_line(lines.get(first).copied().unwrap_or_default()).is_some() {
        return all;
    }
    let Some(from) = lines.iter().position(|line| opens(line)) else {
        return all;
    };
    let closes = |line: &&str| line.trim_start().starts_with(['}', ']']) || line.ends_with('}');
    let to = lines
        .iter()
        .rposition(closes)
        .map_or(lines.len(), |at| at + 1);
    Block::lines(lines, from, to.max(from + 1))
}

fn opens(line: &str) -> bool {
    matches!(
        form_of_line(line),
        Some(SnippetFormat::Json | SnippetFormat::JsonMembers)
    )
}

/// Detects the format of a block by its first meaningful line.
pub(super) fn form_of(text: &str) -> SnippetFormat {
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return SnippetFormat::Json;
    };
    let more = lines.next();
    if more.is_none() && is_address(first) {
        return SnippetFormat::Address;
    }
    // Comments at the start are skipped, since only the lines after them show the format.
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//");
    let mut code = text.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !is_comment(line)
    });
    let first = code.next().unwrap_or(first);
    form_of_line(first).unwrap_or(SnippetFormat::Commands)
}

/// Checks whether a text may contain install links: it is a page or an address, not a list of
/// servers.
pub(super) fn may_have_links(text: &str) -> bool {
    // A badge on a page (`[![…](…)](…)`) begins like a JSON list.
    text.contains("](")
        || matches!(
            form_of(text),
            SnippetFormat::Address | SnippetFormat::Commands
        )
}

/// Detects the format of a text by its first line.
fn form_of_line(line: &str) -> Option<SnippetFormat> {
    let plain = with_plain_quotes(line);
    let line = plain.as_deref().unwrap_or(line).trim();
    if line.starts_with('{') || line.starts_with("/*") || line.starts_with("//") {
        return Some(SnippetFormat::Json);
    }
    if line.starts_with('[') {
        return Some(if is_table(line) {
            SnippetFormat::Toml
        } else {
            SnippetFormat::Json
        });
    }
    if starts_like_a_command(line) || is_address(line) {
        return Some(SnippetFormat::Commands);
    }
    if line.starts_with("---") || line.starts_with("- ") {
        return Some(SnippetFormat::Yaml);
    }
    let key = key_length(line)?;
    let after = line[key..].trim_start();
    if let Some(value) = after.strip_prefix(':') {
        let of_json = value.trim_start().starts_with(['{', '[', '"']) || line.starts_with('"');
        // `key: {…}` is also YAML, which gives the same result.
        return Some(match of_json {
            true => SnippetFormat::JsonMembers,
            false if value.is_empty() || value.starts_with(' ') => SnippetFormat::Yaml,
            false => return None,
        });
    }
    let is_set = after.starts_with('=') && line[key..].starts_with(' ');
    is_set.then_some(SnippetFormat::Toml)
}

/// Returns the length of the key at the start of a line, if there is one.
fn key_length(line: &str) -> Option<usize> {
    for quote in ['"', '\''] {
        if let Some(rest) = line.strip_prefix(quote) {
            return rest.find(quote).map(|end| end + 2);
        }
    }
    let of_a_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let length = line.find(|c| !of_a_key(c)).unwrap_or(line.len());
    (length > 0).then_some(length)
}

/// Checks whether a line is the header of a TOML table.
fn is_table(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim();
    let inside = line.trim_start_matches('[');
    let of_a_name = |c: char| c.is_alphanumeric() || "_-.\"'/@ ]".contains(c);
    inside.ends_with(']')
        && inside.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && inside.chars().all(of_a_name)
}

pub(super) fn is_address(line: &str) -> bool {
    let line = line.trim();
    let line = line.strip_prefix('<').unwrap_or(line);
    ["http://", "https://"].iter().any(|begin| {
        let head = line.get(..begin.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(begin))
    }) && !line.contains(char::is_whitespace)
}

/// Replaces typographic quotes and spaces by plain ones. `None` if there are none.
pub(super) fn with_plain_quotes(text: &str) -> Option<String> {
    let plain = |c: char| match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ff02}' => '"',
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2007}' => ' ',
        c => c,
    };
    let is_other = |c: char| plain(c) != c;
    text.contains(is_other)
        .then(|| text.chars().map(plain).collect())
}
