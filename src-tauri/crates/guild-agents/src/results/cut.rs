//! Cuts a result that is too large for a model.

use guild_text::number::grouped;
use serde_json::{Value, json};

use super::document::{ResultDocument, block_text, each_element, each_field};
use super::outline::outline;
use super::part::cut_at;
use crate::tokens;

/// Maximum size of an outline, in tokens. A quarter of the result's limit, if that is less.
const OUTLINE_TOKENS_MAX: usize = 2_000;
/// Number of bytes at the beginning of a text from which the text's number of tokens is estimated.
const ESTIMATED_BYTES: usize = 256 << 10;
/// Number of tokens that are reserved for the sentences about the cut.
pub(super) const NOTE_TOKENS: usize = 200;

/// The limit of a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResultLimit {
    /// The limit, in tokens.
    pub(super) tokens: usize,
    /// Whether the structured content is for an app and not for the model. If so, it is neither
    /// counted nor cut.
    pub(super) is_for_app: bool,
}

/// A result that was cut. Its last block, which describes the cut, is missing until
/// [`Self::with_handle`].
#[derive(Debug)]
pub(super) struct CutResult {
    /// The blocks before the last one, as JSON with a comma after each.
    blocks: String,
    /// The result's other fields, as JSON with a comma before each.
    fields: String,
    /// The beginning of the text of the last block, up to the handle.
    note: String,
    /// The offset in characters of the first character that was cut from the text. `None` if the
    /// result contains the whole text.
    rest: Option<usize>,
}

/// Returns whether the texts of a result, or its structured content, have more tokens than the
/// limit. The two are counted separately, because they usually have the same content, and clients
/// pass only one of them to their model. Blocking.
fn exceeds(result: &str, limit: ResultLimit) -> bool {
    let (mut content, mut structured) = ("[]", "");
    each_field(result, |name, value| match name.as_str() {
        "content" => content = value,
        "structuredContent" if !limit.is_for_app => structured = value,
        _ => {}
    });
    // A token has at least one byte, so a small number of bytes shows that the limit is not
    // exceeded.
    let mut bytes = 0;
    each_element(content, |block| {
        bytes += block_text(block).1.map_or(0, |text| text.len());
    });
    let is_longer = |text: &str, max| tokens::fitting(text, max).0 < text.len();
    if structured.len() > limit.tokens && is_longer(structured, limit.tokens) {
        return true;
    }
    let (mut left, mut exceeds) = (limit.tokens, false);
    if bytes > limit.tokens {
        each_element(content, |block| {
            let text = block_text(block).1.filter(|_| !exceeds);
            let text = text.unwrap_or_default();
            let (end, used) = tokens::fitting(&text, left);
            exceeds |= end < text.len();
            left -= used;
        });
    }
    exceeds
}

/// Cuts a result that exceeds the limit. Returns `None` for other results. Blocking.
pub(super) fn cut(result: &str, limit: ResultLimit) -> Option<CutResult> {
    if !exceeds(result, limit) {
        return None;
    }
    let document = ResultDocument::read(result);
    let mut outline = outline(&document).join("\n");
    let outline_max = OUTLINE_TOKENS_MAX.min(limit.tokens / 4);
    outline.truncate(cut_at(&outline, outline_max));
    let reserved = tokens::count(&outline) + NOTE_TOKENS;
    let mut left = limit.tokens.saturating_sub(reserved);
    let (mut blocks, mut fields) = (String::new(), String::new());
    // The offset in bytes at which the document's text is cut.
    let mut shown = 0;
    let mut is_cut = false;
    let mut content = "[]";
    each_field(result, |name, value| match name.as_str() {
        "content" => content = value,
        "structuredContent" if !limit.is_for_app => {}
        _ => fields.push_str(&format!(",{}:{value}", Value::from(name))),
    });
    each_element(content, |block| {
        let (_, text) = block_text(block);
        let Some(text) = text else {
            blocks.push_str(&format!("{block},"));
            return;
        };
        if is_cut {
            return;
        }
        let begin = if shown > 0 { shown + 1 } else { 0 };
        let (end, used) = tokens::fitting(&text, left);
        is_cut = end < text.len();
        if !is_cut {
            blocks.push_str(&format!("{block},"));
            shown = begin + end;
        } else if left > 0 {
            let head = &text[..cut_at(&text, left)];
            blocks.push_str(&format!("{},", json!({"type": "text", "text": head})));
            shown = begin + head.len();
        }
        left -= used;
    });
    let text = &document.text;
    let all = grouped(text.chars().count());
    let chars = text[..shown].chars().count();
    let given = match shown == text.len() {
        true => "The text above is complete, but the structured content was left out.".to_owned(),
        false => format!("Above are the characters 0 to {} of {all}.", grouped(chars)),
    };
    let size = estimated(text).max(document.json.as_deref().map_or(0, estimated));
    Some(CutResult {
        blocks,
        fields,
        note: format!(
            "This result was cut, because it has about {} tokens and the limit is {}. {given}\n\
             Outline of the whole result:\n{outline}",
            grouped(size),
            grouped(limit.tokens),
        ),
        rest: (shown < text.len()).then_some(chars),
    })
}

impl CutResult {
    /// Returns the result with a last block that describes the cut and contains the handle.
    /// `is_recorded` is whether the history stores the whole result.
    pub(super) fn with_handle(self, handle: &str, is_recorded: bool) -> String {
        let mut arguments = json!({"handle": handle});
        if let Some(rest) = self.rest {
            arguments["offset"] = rest.into();
        }
        let kept = match is_recorded {
            true => {
                "The result can be read as long as the history keeps the call. Secrets that Guild \
                 Hall knows are masked in it."
            }
            false => {
                "The history does not have the whole result, so it can be read only until Guild \
                 Hall ends or newer results need the memory."
            }
        };
        let text = format!(
            "{}\nCall result_read with {arguments} to read on. Add pointer (a JSON Pointer) to read \
             a part of JSON, or search to find a text. {kept}",
            self.note
        );
        let last = json!({"type": "text", "text": text});
        format!("{{\"content\":[{}{last}]{}}}", self.blocks, self.fields)
    }
}

/// Estimates the tokens of a text from its beginning.
fn estimated(text: &str) -> usize {
    let head = &text[..text.floor_char_boundary(ESTIMATED_BYTES)];
    match tokens::count(head) {
        count if head.len() == text.len() => count,
        count => (count as f64 / head.len() as f64 * text.len() as f64) as usize,
    }
}
