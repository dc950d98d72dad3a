//! Lists the encodings in which a secret may occur in a text.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// Minimum and maximum length of a secret that is also searched in Base64, in bytes. A shorter
/// secret has too few characters in Base64, and names and passwords are not longer.
const BASE64_MIN: usize = 6;
const BASE64_MAX: usize = 512;
/// Bytes that Base64 encodes as one group of four characters.
const GROUP: usize = 3;

/// Maximum length of a secret that is searched in all encodings, in bytes. For a longer secret,
/// only some encodings are searched.
const EVERY_WAY_MAX: usize = 4 * 1024;

/// The escaping rules of a language's JSON library.
struct Json {
    /// Whether the library escapes a slash as `\/`.
    slash: bool,
    /// The ASCII characters that the library escapes by number.
    by_number: &'static str,
    /// Whether the library escapes all non-ASCII characters by number.
    ascii: bool,
    /// Whether the library uses uppercase hexadecimal digits.
    capital: bool,
}

/// The rules of these libraries, in this order: Rust and most others, Python, PHP, Go, .NET, Gson.
const JSONS: [Json; 6] = [
    Json::new(false, "", false, false),
    Json::new(false, "", true, false),
    Json::new(true, "", true, false),
    Json::new(false, "<>&", false, false),
    Json::new(false, "\"&'+<>`", true, true),
    Json::new(false, "<>&='", false, false),
];
/// Characters that stay unescaped in a URL, besides letters and digits: by RFC 3986, by Python's
/// `quote`, and by JavaScript's `encodeURIComponent` and `encodeURI`.
const KEPT: [&str; 4] = ["-._~", "-._~/", "-._~!'()*", "-._~!'()*;/?:@&=+$,#"];
/// Characters that stay unescaped in a form body, where a space becomes a plus sign.
const KEPT_IN_FORMS: [&str; 2] = ["-._*", "-._~"];

impl Json {
    const fn new(slash: bool, by_number: &'static str, ascii: bool, capital: bool) -> Self {
        Self {
            slash,
            by_number,
            ascii,
            capital,
        }
    }

    fn write(&self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        for c in text.chars() {
            if self.by_number.contains(c) || (self.ascii && !c.is_ascii()) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    written.push_str(&match self.capital {
                        true => format!("\\u{unit:04X}"),
                        false => format!("\\u{unit:04x}"),
                    });
                }
            } else if c == '/' && self.slash {
                written.push_str("\\/");
            } else if c == '"' || c == '\\' || c.is_ascii_control() {
                let quoted = serde_json::Value::from(c.to_string()).to_string();
                written.push_str(&quoted[1..quoted.len() - 1]);
            } else {
                written.push(c);
            }
        }
        written
    }
}

/// Returns the encodings of a secret: literal, JSON, nested JSON, Rust's `Debug`, URL and Base64.
pub(super) fn forms_of(value: &str) -> Vec<String> {
    let jsons = match value.len() {
        0..=EVERY_WAY_MAX => &JSONS[..],
        _ => &JSONS[..2],
    };
    let mut forms = vec![value.to_owned()];
    for json in jsons {
        let once = json.write(value);
        // Guild Hall itself writes the result into JSON, so its strings are escaped once more.
        forms.push(JSONS[0].write(&once));
        forms.push(once);
    }
    let debug = format!("{value:?}");
    forms.push(debug[1..debug.len() - 1].to_owned());
    if (BASE64_MIN..=BASE64_MAX).contains(&value.len()) {
        base64(value, &mut forms);
    }
    let addresses = match value.len() {
        0..=EVERY_WAY_MAX => KEPT.len(),
        _ => 1,
    };
    for capital in [true, false] {
        let kept = KEPT[..addresses].iter();
        forms.extend(kept.map(|kept| address(value, kept, "%20", capital)));
        let kept = KEPT_IN_FORMS.iter();
        forms.extend(kept.map(|kept| address(value, kept, "+", capital)));
    }
    forms
}

/// Adds the Base64 of a value: the whole encoding, and the characters that are the same if the
/// value is inside a longer encoded text, for example after a name and a colon.
fn base64(value: &str, forms: &mut Vec<String>) {
    for engine in [STANDARD, URL_SAFE] {
        let whole = engine.encode(value);
        forms.push(whole.trim_end_matches('=').to_owned());
        forms.push(whole);
        for before in 0..GROUP {
            let mut bytes = vec![0; before];
            bytes.extend(value.as_bytes());
            // Groups that also encode adjacent text are excluded.
            let end = bytes.len() / GROUP * GROUP;
            let begin = if before == 0 { 0 } else { GROUP };
            if begin + BASE64_MIN <= end {
                forms.push(engine.encode(&bytes[begin..end]));
            }
        }
    }
}

fn address(value: &str, kept: &str, space: &str, capital: bool) -> String {
    let mut written = String::with_capacity(value.len());
    for byte in value.bytes() {
        let c = char::from(byte);
        if byte.is_ascii_alphanumeric() || kept.contains(c) {
            written.push(c);
        } else if c == ' ' {
            written.push_str(space);
        } else {
            written.push_str(&match capital {
                true => format!("%{byte:02X}"),
                false => format!("%{byte:02x}"),
            });
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_known_in_base64_wherever_it_stands() {
        let forms = forms_of("planted-secret?>");
        for around in ["{}", "me:{}", "a:{}", "{}:", "user@example.test:{}:x"] {
            let text = around.replace("{}", "planted-secret?>");
            for engine in [STANDARD, URL_SAFE] {
                let written = engine.encode(&text);
                let longest = forms.iter().filter(|form| written.contains(*form));
                let longest = longest.map(String::len).max().unwrap_or_default();
                assert!(longest >= 16, "{text}: {longest} characters of {written}");
            }
        }
    }
}
