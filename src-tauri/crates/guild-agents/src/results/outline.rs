//! The outline of a result: the structure of its JSON, the sections of its text, or its list of
//! blocks.
//!
//! An outline has a limited number of lines, each of a limited length.

use guild_text::number::grouped;

use super::document::{BlockSummary, ResultDocument, container, each_element, each_field};

/// Maximum number of lines of an outline.
const LINES_MAX: usize = 60;
/// Maximum number of fields that are listed for each object.
const FIELDS_MAX: usize = 20;
/// Maximum nesting depth.
const DEPTH_MAX: usize = 6;
/// Maximum length of a name or a first line that is shown, in characters.
const SHOWN_CHARS_MAX: usize = 60;

/// Returns the outline of a result, one entry per line.
pub(super) fn outline(document: &ResultDocument) -> Vec<String> {
    let mut lines = Vec::new();
    if document.block_count > 1 {
        blocks(document, &mut lines);
    }
    match &document.json {
        // For several texts, the JSON is an array that would only repeat the list of blocks.
        Some(json) if document.block_count <= 1 || json.starts_with('{') => {
            lines.extend(of_json("", json));
        }
        _ if document.block_count <= 1 => of_text(&document.text, &mut lines),
        _ => {}
    }
    lines.truncate(LINES_MAX);
    lines
}

/// Returns the outline of the JSON value at a pointer: types, names and lengths. The outer levels
/// come first. Only the first element of an array is described.
pub(super) fn of_json(pointer: &str, json: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut level = vec![(pointer.to_owned(), json)];
    for depth in 0..=DEPTH_MAX {
        let mut next = Vec::new();
        for (pointer, json) in level {
            if lines.len() >= LINES_MAX {
                lines.push("…".into());
                return lines;
            }
            let mut count = 0;
            let mut inner = Vec::new();
            let size = match json.as_bytes().first() {
                Some(b'{') => {
                    each_field(json, |name, value| {
                        count += 1;
                        if inner.len() < FIELDS_MAX {
                            inner.push((format!("{pointer}/{}", escaped(&name)), value));
                        }
                    });
                    let more = match count - inner.len() {
                        0 => String::new(),
                        more => format!(", {} not shown here", grouped(more)),
                    };
                    format!("object with {}{more}", counted(count, "key"))
                }
                Some(b'[') => {
                    each_element(json, |element| {
                        if count == 0 {
                            inner.push((format!("{pointer}/0"), element));
                        }
                        count += 1;
                    });
                    format!("array of {}", grouped(count))
                }
                Some(b'"') => {
                    let chars = serde_json::from_str::<String>(json).unwrap_or_default();
                    format!("string, {}", counted(chars.chars().count(), "character"))
                }
                Some(b't' | b'f') => "boolean".into(),
                Some(b'n') => "null".into(),
                _ => "number".into(),
            };
            let shown = if pointer.is_empty() {
                "(whole)"
            } else {
                &pointer
            };
            lines.push(format!("{}: {size}", shortened(shown, 4 * SHOWN_CHARS_MAX)));
            if depth < DEPTH_MAX {
                next.extend(inner);
            }
        }
        level = next;
    }
    lines
}

/// Lists the blocks with their sizes, and where their texts begin.
fn blocks(document: &ResultDocument, lines: &mut Vec<String>) {
    let ResultDocument { text, blocks, .. } = document;
    lines.push(format!("{} blocks:", grouped(document.block_count)));
    let (mut chars, mut at) = (0, 0);
    for (number, block) in blocks.iter().take(LINES_MAX - 2).enumerate() {
        let BlockSummary { kind, bytes, .. } = block;
        let kind = shortened(kind, SHOWN_CHARS_MAX);
        lines.push(match block.text {
            None => format!("{number}: {kind}, {} bytes", grouped(bytes)),
            Some((from, to)) => {
                chars += text[at..from].chars().count();
                at = from;
                let own = &text[from..to];
                let size = counted(own.chars().count(), "character");
                let is_json = container(own).is_some();
                let form = if is_json { ", JSON" } else { "" };
                let offset = grouped(chars);
                format!(
                    "{number}: {kind}{form}, {size} at offset {offset}: {}",
                    begin(own)
                )
            }
        });
    }
    if document.block_count > lines.len() - 1 {
        let more = document.block_count - (lines.len() - 1);
        lines.push(format!("… and {} more", grouped(more)));
    }
}

/// Lists the headings of a text, or the beginnings of its paragraphs.
fn of_text(text: &str, lines: &mut Vec<String>) {
    let is_heading = |line: &str| {
        let name = line.trim_start_matches('#');
        (1..=6).contains(&(line.len() - name.len())) && name.starts_with(' ')
    };
    let by_headings = text.lines().any(is_heading);
    let (mut count, mut chars, mut sections, mut begins) = (0_usize, 0, 0_usize, true);
    let size = counted(text.chars().count(), "character");
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        let is_section = match by_headings {
            true => is_heading(line),
            false => begins && !words.is_empty(),
        };
        if is_section {
            sections += 1;
            if lines.len() < LINES_MAX - 2 {
                let offset = grouped(chars);
                lines.push(format!(
                    "offset {offset}, line {}: {}",
                    grouped(count),
                    begin(words)
                ));
            }
        }
        begins = words.is_empty();
        count += 1;
        chars += line.chars().count();
    }
    let listed = lines.len();
    lines.insert(0, format!("text, {}, {size}", counted(count, "line")));
    if sections > listed {
        lines.push(format!(
            "… and {} more sections",
            grouped(sections - listed)
        ));
    }
}

fn counted(count: usize, of: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {of}{plural}", grouped(count))
}

/// Returns the first words of a text on one line.
fn begin(text: &str) -> String {
    shortened(text.trim_start(), SHOWN_CHARS_MAX)
}

fn shortened(text: &str, max: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut shown: String = text.chars().take(max).map(plain).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Escapes a name for a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
