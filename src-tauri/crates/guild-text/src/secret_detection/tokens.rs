//! Detects keys and tokens by their shape, anywhere in a text.
//!
//! The shapes follow the rules of gitleaks (`config/gitleaks.toml` of github.com/gitleaks/gitleaks
//! at b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b), but without their exact lengths: issuers change
//! the lengths, and it is better to mask too many values that look like a key. The last shapes are
//! those of keys that are common among MCP servers and missing from those rules.

use std::sync::LazyLock;

use super::spans::SecretSpan;

/// The shape of a key or token.
struct TokenPattern {
    /// The token's prefix.
    begin: &'static str,
    /// The characters that may follow the prefix, besides ASCII letters and digits.
    others: &'static str,
    /// Minimum number of characters after the prefix.
    rest_min: usize,
    /// Whether ordinary words may begin with the same prefix. If so, the text after the prefix must
    /// look random.
    weak: bool,
}

/// Returns the shape of tokens with one of these prefixes, which are separated by spaces.
fn strong(prefixes: &'static str) -> Vec<TokenPattern> {
    let pattern = |begin| TokenPattern {
        begin,
        others: "_-",
        rest_min: REST_MIN,
        weak: false,
    };
    prefixes.split(' ').map(pattern).collect()
}

fn weak(prefixes: &'static str) -> Vec<TokenPattern> {
    changed(strong(prefixes), |pattern| pattern.weak = true)
}

/// Changes the characters that may follow the prefixes, such as to those of Base64.
fn with(patterns: Vec<TokenPattern>, others: &'static str) -> Vec<TokenPattern> {
    changed(patterns, |pattern| pattern.others = others)
}

fn at_least(patterns: Vec<TokenPattern>, rest_min: usize) -> Vec<TokenPattern> {
    changed(patterns, |pattern| pattern.rest_min = rest_min)
}

fn changed(
    mut patterns: Vec<TokenPattern>,
    change: impl Fn(&mut TokenPattern),
) -> Vec<TokenPattern> {
    patterns.iter_mut().for_each(change);
    patterns
}

/// Minimum number of characters after a key's prefix.
const REST_MIN: usize = 16;
/// Minimum length of any key.
const TOKEN_MIN: usize = REST_MIN + 2;
/// Minimum length at which a run of letters without digits looks random.
const LETTERS_MIN: usize = 30;
/// Minimum number of alternations between digits and letters in a string that looks random.
const CHANGES_MIN: usize = 3;
/// Base64 characters besides letters and digits.
const BASE64: &str = "_-+/=";

static SHAPES: LazyLock<Vec<TokenPattern>> = LazyLock::new(|| {
    [
        // GitHub and GitLab.
        strong(
            "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glptt- gldt- glcbt- glft- glffct- \
             glimt- glagent- gloas- glsoat- GR1348941",
        ),
        with(strong("glpat- glrt-"), "_-."),
        // Slack.
        strong("xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-"),
        with(strong("xoxe."), "_-."),
        // Models: OpenAI, Anthropic, OpenRouter and others; Perplexity; Hugging Face.
        weak("sk- hf_ api_org_"),
        strong("pplx-"),
        // Stripe.
        strong("sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_"),
        // Clouds.
        strong(
            "AIza LTAI doo_v1_ dop_v1_ dor_v1_ HRKU-AA fo1_ tk-us- sha256~ \
             AGE-SECRET-KEY-1",
        ),
        with(strong("ABSK fm1a_ fm1r_ fm2_ ops_eyJ"), BASE64),
        weak("dapi pul-"),
        with(strong("dp.pt. dt0c01. hvs. hvb."), "_-."),
        // Packages.
        weak("npm_ pypi-"),
        strong("rubygems_ CLOJARS_ AKCp cmVmd"),
        // Services.
        strong(
            "ntn_ lin_api_ PMAK- pnu_ rdme_ xkeysib- sntryu_ shippo_live_ \
             shippo_test_ shpat_ shpca_ shppa_ shpss_ sgp_ sq0atp- sq0csp- glsa_ \
             EZAK EZTK FLWSECK_TEST- p8e- sm_aat_ sm_pat_ sm_sat_",
        ),
        weak("secret_ EAAA ico- fio-u-"),
        with(strong("ATATT3 duffel_live_ duffel_test_"), "_-="),
        with(at_least(strong("SG."), 20), "_-.="),
        with(strong("sntrys_ glc_ eyJrIjoi"), BASE64),
        with(strong("pscale_tkn_ pscale_oauth_ pscale_pw_"), "_-.="),
        // Not in gitleaks' rules.
        strong(
            "GOCSPX- whsec_ lin_oauth_ figd_ sbp_ sb_secret_ tvly- gsk_ xai- \
             ctx7sk- apify_api_ nvapi- dckr_pat_ tskey- phx_ pcsk_",
        ),
        with(strong("ya29."), "_-."),
        weak("fc- r8_ jina_ e2b_ csk- re_ gh_"),
    ]
    .into_iter()
    .flatten()
    .collect()
});
/// Prefixes of AWS key ids, followed by capital letters and digits.
const AWS: [&str; 5] = ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"];
/// Number of characters in an AWS key id.
const AWS_LENGTH: usize = 20;
/// Minimum length of a JSON Web Token, and of each of its first two parts.
const JWT_MIN: usize = 30;
const JWT_PART_MIN: usize = 10;
/// Minimum length of a value that consists only of JSON in Base64.
const JSON_MIN: usize = 20;
const BASE64_DOTTED: &str = "_-+/=.";
/// Number of digits in a Telegram bot's id, and minimum length of the secret in its token.
const TELEGRAM_ID: std::ops::RangeInclusive<usize> = 8..=10;
const TELEGRAM_SECRET_MIN: usize = 34;
/// Number of hexadecimal digits after `SK` in a Twilio API key.
const TWILIO_DIGITS: usize = 32;
/// The lengths of the three parts of a Discord bot token; the last one may be longer.
const DISCORD_ID: std::ops::RangeInclusive<usize> = 24..=28;
const DISCORD_TIME: std::ops::RangeInclusive<usize> = 6..=7;
const DISCORD_SECRET_MIN: usize = 27;
/// Maximum length of the text between `-----BEGIN` and `-----` in the head of a PEM block, in
/// bytes.
const PEM_HEAD_MAX: usize = 100;

/// Returns all keys and tokens in a text, PEM blocks first.
pub(super) fn tokens_in(text: &str) -> Vec<SecretSpan> {
    let mut found = private_keys(text);
    let mut at = 0;
    while let Some(begin) = next_word(text, at) {
        match token_at(&text[begin..]) {
            Some((length, name)) => {
                found.push(SecretSpan::new(name, begin..begin + length));
                at = begin + length;
            }
            None => at = begin + 1,
        }
    }
    found
}

/// Returns the name of the key that makes up the whole text. `None` for other text.
pub(super) fn whole_token(text: &str) -> Option<&'static str> {
    match token_at(text) {
        Some((length, name)) => (length == text.len()).then_some(name),
        // A text that consists only of JSON in Base64 counts as a token, because public values are
        // not written in this form.
        None => {
            let is_json = text.starts_with("eyJ") && text.len() >= JSON_MIN;
            (is_json && run(text, BASE64_DOTTED).len() == text.len()).then_some("token")
        }
    }
}

/// Returns the start of the next word, at or after `from`.
fn next_word(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..bytes.len()).find(|&at| bytes[at].is_ascii_alphanumeric() && begins_word(bytes, at))
}

fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    match before {
        [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] => !(last.is_ascii_alphanumeric() || matches!(last, b'_' | b'-')),
        [] => true,
    }
}

/// Returns the length and the name of the key that begins the text.
fn token_at(text: &str) -> Option<(usize, &'static str)> {
    // This quick check excludes most words, which are too short, before the shapes are compared.
    let head = text.as_bytes().get(..TOKEN_MIN)?;
    let of_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/=.:~".contains(byte);
    if !head.iter().all(of_token) {
        return None;
    }
    aws(text)
        .or_else(|| jwt(text))
        .or_else(|| airtable(text))
        .or_else(|| telegram(text))
        .or_else(|| twilio(text))
        .or_else(|| discord(text))
        .or_else(|| SHAPES.iter().find_map(|shape| shape.at(text)))
}

impl TokenPattern {
    fn at(&self, text: &str) -> Option<(usize, &'static str)> {
        let rest = text.strip_prefix(self.begin)?;
        let rest = run(rest, self.others).trim_end_matches(['.', '-']);
        let is_one = rest.len() >= self.rest_min && (!self.weak || looks_random(rest));
        let name = match self.begin.starts_with("sk") || self.begin.starts_with("AIza") {
            true => "key",
            false => "token",
        };
        is_one.then_some((self.begin.len() + rest.len(), name))
    }
}

/// Returns the letters, digits and `others` at the start of a text.
fn run<'t>(text: &'t str, others: &str) -> &'t str {
    let other = |c: char| !(c.is_ascii_alphanumeric() || others.contains(c));
    &text[..text.find(other).unwrap_or(text.len())]
}

/// Whether a string looks random: digits are mixed with letters, or it is a long run of letters.
fn looks_random(text: &str) -> bool {
    let changes = text.as_bytes().windows(2).filter(|pair| {
        let digits = pair.iter().filter(|byte| byte.is_ascii_digit()).count();
        digits == 1 && pair.iter().all(u8::is_ascii_alphanumeric)
    });
    changes.count() >= CHANGES_MIN
        || (text.len() >= LETTERS_MIN && text.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn aws(text: &str) -> Option<(usize, &'static str)> {
    AWS.iter().find(|begin| text.starts_with(**begin))?;
    let id = run(text, "_-");
    let of_id = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    (id.len() == AWS_LENGTH && id.bytes().all(of_id)).then_some((id.len(), "key"))
}

/// Matches a JSON Web Token: two parts of JSON in Base64, and a signature that may be empty.
fn jwt(text: &str) -> Option<(usize, &'static str)> {
    if !text.starts_with("ey") {
        return None;
    }
    let token = run(text, "_-.=").trim_end_matches('.');
    let mut parts = token.split('.');
    let json = |part: Option<&str>| {
        part.is_some_and(|part| part.starts_with("ey") && part.len() >= JWT_PART_MIN)
    };
    let is_one = token.len() >= JWT_MIN && json(parts.next()) && json(parts.next());
    is_one.then_some((token.len(), "token"))
}

/// Matches an Airtable token: `pat`, an id, a dot and a hash.
fn airtable(text: &str) -> Option<(usize, &'static str)> {
    let (id, rest) = text.strip_prefix("pat")?.split_once('.')?;
    let hash = run(rest, "");
    let is_one = id.len() == 14
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && hash.len() >= 32
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some(("pat".len() + id.len() + 1 + hash.len(), "token"))
}

/// Matches a Telegram token: a bot's id, a colon, and a secret that begins with `A`. In an address,
/// `bot` precedes the id.
fn telegram(text: &str) -> Option<(usize, &'static str)> {
    let rest = text.strip_prefix("bot").unwrap_or(text);
    let id = &rest[..rest.find(|c: char| !c.is_ascii_digit())?];
    let secret = run(rest[id.len()..].strip_prefix(':')?, "_-");
    let is_one = TELEGRAM_ID.contains(&id.len())
        && secret.starts_with('A')
        && secret.len() >= TELEGRAM_SECRET_MIN;
    let begin = text.len() - rest.len();
    is_one.then_some((begin + id.len() + 1 + secret.len(), "token"))
}

fn twilio(text: &str) -> Option<(usize, &'static str)> {
    let digits = run(text.strip_prefix("SK")?, "_-");
    let is_one =
        digits.len() == TWILIO_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_one.then_some(("SK".len() + digits.len(), "key"))
}

/// Matches a Discord token: a user's id in Base64 that begins with M, N or O, the time, and a
/// signature.
fn discord(text: &str) -> Option<(usize, &'static str)> {
    if !text.starts_with(['M', 'N', 'O']) {
        return None;
    }
    let id = run(text, "_-");
    let rest = text[id.len()..].strip_prefix('.')?;
    let time = run(rest, "_-");
    let signature = run(rest[time.len()..].strip_prefix('.')?, "_-");
    let is_one = DISCORD_ID.contains(&id.len())
        && DISCORD_TIME.contains(&time.len())
        && signature.len() >= DISCORD_SECRET_MIN;
    is_one.then_some((id.len() + time.len() + 2 + signature.len(), "token"))
}

/// Returns the PEM blocks of private keys. A block without an end extends to the end of the text.
fn private_keys(text: &str) -> Vec<SecretSpan> {
    const BEGIN: &str = "-----BEGIN";
    const END: &str = "-----END";
    const DASHES: &str = "-----";
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text[from..].find(BEGIN).map(|at| from + at) {
        let head = &text[begin + BEGIN.len()..];
        from = begin + BEGIN.len();
        let Some(kind) = head.find(DASHES).map(|end| &head[..end]) else {
            break;
        };
        if kind.len() > PEM_HEAD_MAX || !kind.contains("PRIVATE KEY") {
            continue;
        }
        let body = from + kind.len() + DASHES.len();
        let end = text[body..].find(END).map(|at| body + at + END.len());
        let end = end.and_then(|at| Some(at + text[at..].find(DASHES)? + DASHES.len()));
        let end = end.unwrap_or(text.len());
        found.push(SecretSpan::new("private-key", begin..end));
        from = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> String {
        let mut left = String::new();
        let mut at = 0;
        for span in super::super::spans::merged(tokens_in(text)) {
            left.push_str(&text[at..span.range.start]);
            left.push('*');
            at = span.range.end;
        }
        left + &text[at..]
    }

    #[test]
    fn each_known_shape_is_a_token_in_any_text() {
        let random = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3";
        for shape in SHAPES.iter() {
            let token = format!("{}{random}", shape.begin);
            assert_eq!(whole_token(&token), Some(token_name(&token)), "{token}");
            for (before, after) in [("", ""), ("key=", "&x"), ("say \"", "\"."), ("%20", " ")] {
                let text = format!("{before}{token}{after}");
                assert_eq!(hidden(&text), format!("{before}*{after}"), "{text}");
            }
        }
    }

    fn token_name(token: &str) -> &'static str {
        match token.starts_with("sk") || token.starts_with("AIza") {
            true => "key",
            false => "token",
        }
    }

    #[test]
    fn tokens_with_a_form_of_their_own_are_found() {
        let hash = "0123456789abcdef".repeat(4);
        for token in [
            "AKIAIOSFODNN7ABCDEFG".to_owned(),
            format!("pat0123456789abcd.{hash}"),
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c".to_owned(),
            "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1".to_owned(),
            "bot1234567890:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw-".to_owned(),
            format!("SK{}", &hash[..32]),
            "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs".to_owned(),
            "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END OPENSSH PRIVATE KEY-----".to_owned(),
            "-----BEGIN PRIVATE KEY-----\\nMIIEvQ".to_owned(),
        ] {
            assert_eq!(hidden(&format!("a {token}")), "a *", "{token}");
        }
    }

    #[test]
    fn ordinary_words_are_no_tokens() {
        for plain in [
            "sk-learn-estimators-of-any-kind",
            "npm_config_registry_of_this_user",
            "secret_something_identifier",
            "gh_ is a prefix of many",
            "re_export_of_everything_else",
            "task-sk-0123456789abcdefghij",
            "eyJ",
            "AKIAS",
            "hf_hub_download_of_a_model",
            "1712345678:0123456789abcdef0123456789abcdef01234567",
            "12:30:45 AM",
            "SKU-0123456789abcdef",
            "SKIPPED_0123456789abcdef0123456789",
            "MyModule.Some.Class",
            "Module4NjIyNDgzNDcxOTI1MjQ4.config.js",
            "-----BEGIN CERTIFICATE-----\nMIIEvQ\n-----END CERTIFICATE-----",
            "https://example.test/a/b?c=d",
        ] {
            assert_eq!(hidden(plain), plain);
        }
    }
}
