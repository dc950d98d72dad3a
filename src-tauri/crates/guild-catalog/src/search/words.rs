//! Splits texts into words, and words into stems.

use std::borrow::Cow;

/// Stop words. They are searched only if a task has no other words.
const STOP_WORDS: &str = "\
    a about actually all already also always am an and any anybody anyone anything are as at bad \
    be because been being bit both but by came can come comes could couldn did didn do does \
    doesn don each else ever every everybody everyone everything few folks for from give go \
    going gone good got great had has have he hello her hers hey him his how if in into is isn \
    it its just kind let like little ll longer looking making many maybe me mine more much my \
    need never nice no nobody not now of ok okay on once one only oops or our out own please re \
    really she since so some somebody someone something sort still stuff such sure than that the \
    their them then there these they thing things this those through to too up us use using ve \
    very want wants was way we were what when where which while who whose will with would wouldn \
    you your";
/// Maximum length of a word, in bytes. Longer runs are ignored.
const WORD_MAX: usize = 64;

/// Checks whether a list of words, separated by blanks, has this word.
pub(crate) fn among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Checks whether a word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    among(STOP_WORDS, word)
}

/// Passes the words of a text to `each`, in lowercase: runs of letters and digits. In scripts
/// without spaces, each character is a word.
pub(crate) fn of_prose(text: &str, mut each: impl FnMut(&str)) {
    let mut lower = String::new();
    for run in runs(text) {
        give(run, &mut lower, &mut each);
    }
}

/// Passes the words of a name to `each`: `getUser_v2` has `get`, `user`, `v2` and `getuser`.
pub fn of_name(name: &str, mut each: impl FnMut(&str)) {
    let mut lower = String::new();
    for run in runs(name) {
        let mut rest = run;
        let mut parts = 0;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(humps_end(rest));
            rest = after;
            parts += 1;
            give(part, &mut lower, &mut each);
        }
        if parts > 1 {
            give(run, &mut lower, &mut each);
        }
    }
}

/// Normalizes a name: lowercase, without separators.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn give(word: &str, lower: &mut String, each: &mut impl FnMut(&str)) {
    if word.len() > WORD_MAX || (word.len() == 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
    {
        return;
    }
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(word.chars().flat_map(char::to_lowercase));
    }
    each(lower);
}

/// Returns runs of letters and digits. Characters of scripts without spaces are separate runs.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.find(char::is_alphanumeric)?;
        rest = &rest[begin..];
        let first = rest.chars().next()?;
        let end = if without_spaces(first) {
            first.len_utf8()
        } else {
            let ends = |c: char| !c.is_alphanumeric() || without_spaces(c);
            rest.find(ends).unwrap_or(rest.len())
        };
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn without_spaces(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns the end of the first word of a run in camel case: `get|User`, `URL|For`, `v2|Api`.
fn humps_end(run: &str) -> usize {
    let mut chars = run.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        if let Some(before) = before
            && c.is_uppercase()
        {
            let next_is_small = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
            if !before.is_uppercase() || next_is_small {
                return at;
            }
        }
        before = Some(c);
    }
    run.len()
}

/// Strips the endings of a word, so that `deleted`, `deletes` and `deleting` are equal. The result
/// need not be a word. It is only compared with other stems.
pub fn stem(word: &str) -> Cow<'_, str> {
    if !word.is_ascii() || word.len() < 4 || word.ends_with(|c: char| c.is_ascii_digit()) {
        return word.into();
    }
    let singular = singular(word);
    let bare = without_ending(&singular);
    let bare = match bare.strip_suffix('e') {
        Some(bare) if bare.len() >= 3 => bare,
        _ => bare,
    };
    if bare.len() == word.len() {
        return word.into();
    }
    bare.to_owned().into()
}

fn singular(word: &str) -> Cow<'_, str> {
    if let Some(stem) = word.strip_suffix("ies") {
        return match stem.len() {
            0..=1 => word.into(),
            _ => format!("{stem}y").into(),
        };
    }
    for ending in ["sses", "shes", "ches", "xes", "zes"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].into();
        }
    }
    let kept = word == "news" || ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('s') {
        Some(stem) if !kept => stem.into(),
        _ => word.into(),
    }
}

/// Strips `ing`, `ed`, `ion` or `ment` if a word remains.
fn without_ending(word: &str) -> &str {
    for ending in ["ing", "ed"] {
        let Some(stem) = word.strip_suffix(ending) else {
            continue;
        };
        let a_word = stem.len() >= 3
            && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
            && !(ending == "ed" && stem.ends_with('e'));
        return if a_word { undoubled(stem) } else { word };
    }
    if let Some(stem) = word.strip_suffix("ion")
        && stem.len() >= 5
        && stem.ends_with(['s', 't'])
    {
        return stem;
    }
    match word.strip_suffix("ment") {
        Some(stem) if stem.len() >= 5 => stem,
        _ => word,
    }
}

/// Removes a doubled last letter: `stopp` becomes `stop`, but `call` stays.
fn undoubled(stem: &str) -> &str {
    let mut last = stem.bytes().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, b'l' | b's' | b'z' | b'e' | b'o') => {
            &stem[..stem.len() - 1]
        }
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        of_prose(text, |word| words.push(word.to_owned()));
        words
    }

    fn name(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        of_name(text, |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn names_are_split_where_their_words_begin() {
        for (text, words) in [
            ("create_pull_request", vec!["create", "pull", "request"]),
            ("list-excel.range", vec!["list", "excel", "range"]),
            (
                "getUserByURL",
                vec!["get", "user", "by", "url", "getuserbyurl"],
            ),
            ("URLFor", vec!["url", "for", "urlfor"]),
            ("schedule_v3_2", vec!["schedule", "v3", "2"]),
            ("s3Bucket", vec!["s3", "bucket", "s3bucket"]),
            ("ABC", vec!["abc"]),
            ("__a__", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(name(text), words, "{text}");
        }
    }

    #[test]
    fn prose_keeps_its_words_whole() {
        assert_eq!(
            prose("Reads GitHub's issues."),
            ["reads", "github", "issues"]
        );
        assert_eq!(prose("读取 файл"), ["读", "取", "файл"]);
        assert_eq!(prose(&"x".repeat(100)), Vec::<String>::new());
    }

    #[test]
    fn words_that_say_nothing_are_in_order_to_be_found() {
        assert!(STOP_WORDS.split(' ').is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("issue"));
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["delete", "deletes", "deleted", "deleting", "deletion"][..],
            &["create", "creates", "creating", "creation"],
            &["issue", "issues"],
            &["query", "queries"],
            &["branch", "branches"],
            &["stop", "stopped", "stopping"],
            &["call", "calls", "called", "calling"],
            &["box", "boxes"],
            &["index", "indexes", "indexing"],
            &["deploy", "deployment", "deploying", "deployed"],
            &["run", "running", "runs"],
            &["process", "processes", "processing"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.windows(2).all(|two| two[0] == two[1]), "{stems:?}");
        }
        for (one, other) in [
            ("status", "state"),
            ("news", "new"),
            ("action", "act"),
            ("string", "str"),
            ("need", "ne"),
            ("user", "use"),
        ] {
            assert_ne!(stem(one), stem(other), "{one}, {other}");
        }
    }
}
