//! Finds tokens, keys and passwords that are not stored as secrets, by their shape or by their
//! field's name in JSON.

use guild_api::wire::MASK;
use guild_text::secret_detection::{inner_secrets, secret_ranges};

/// Minimum length of a found secret that is masked in other texts too, in bytes.
const ALONE_MIN: usize = 6;
/// Number of bytes on each side of a cut that are searched for a token that the cut would divide.
const AROUND: usize = 4 * 1024;

/// Masks tokens, keys and passwords in a text. `None` if it has none. Adds the secrets that are
/// also masked in other texts to `found`.
pub(super) fn take_out(text: &str, found: &mut Vec<String>) -> Option<String> {
    let mut hidden = String::with_capacity(text.len());
    let mut at = 0;
    for range in secret_ranges(text) {
        hidden.push_str(&text[at..range.start]);
        hidden.push_str(MASK);
        found.extend(alone(&text[range.start..range.end]));
        at = range.end;
    }
    hidden.push_str(&text[at..]);
    (at > 0 && hidden != text).then_some(hidden)
}

/// Returns the parts of a secret that are also masked in other texts: the secret and its inner
/// password. A user name in an address is excluded, since masking it would hide ordinary words.
fn alone(secret: &str) -> impl Iterator<Item = String> {
    let is_name = !secret.contains(':') && !secret.bytes().any(|byte| byte.is_ascii_digit());
    let is_searched = !is_name && secret.len() >= ALONE_MIN && !secret.contains(MASK);
    let whole = is_searched.then(|| secret.to_owned());
    inner_secrets(secret).into_iter().chain(whole)
}

/// Returns the offset of a token that a cut at `max` bytes would divide.
pub(super) fn across(text: &str, max: usize) -> Option<usize> {
    if max >= text.len() {
        return None;
    }
    let begin = text.floor_char_boundary(max.saturating_sub(AROUND));
    let end = text.floor_char_boundary(max.saturating_add(AROUND));
    let mut ranges = secret_ranges(&text[begin..end]).into_iter();
    let divided = ranges.find(|range| begin + range.start < max && max < begin + range.end);
    divided.map(|range| begin + range.start)
}
