//! Shortens a tool's description to one line: its first sentence, without headings and product
//! prefixes.

use crate::search::words::{self, among};
use guild_schema::schema::{first_sentence, whole_first_sentence};

/// Usual maximum length of a stub's description, in characters. A stub may exceed it to keep a
/// negation or a warning.
pub const BRIEF_CHARS_MAX: usize = 160;
/// Maximum length of a summary, in characters.
pub(crate) const SUMMARY_CHARS_MAX: usize = 200;
/// Maximum length of a warning that is added to a stub, in characters.
const WARNING_CHARS_MAX: usize = 160;
/// Maximum size of the part of a description that is searched for a warning, in bytes.
const WARNING_SEARCHED_MAX: usize = 2_000;
/// Maximum length of a sentence that is kept whole because it could only be cut in a list, in
/// characters.
const WHOLE_CHARS_MAX: usize = 500;
/// Marks omitted text.
const MARK: char = '…';
/// Minimum length of a cut sentence, in bytes.
const KEPT_MIN: usize = 40;
/// Minimum length of a sentence that is cut before a list, in bytes.
const KEPT_BEFORE_LIST_MIN: usize = 15;
/// Words that introduce a list.
const LIST_HEADS: &[&str] = &[": ", " including ", " such as ", " e.g. ", " like "];
/// Words before which a long sentence may be cut, since the rest only explains.
const CUT_BEFORE: &str = "\
    ( - – — allowing because e.g. including returning so such using via which";
/// Words that negate or limit a sentence, or name a loss. A sentence is not cut if the removed part
/// would contain one.
const KEPT: &str = "\
    not no never cannot can't don't doesn't without except unless only delete deletes deleting \
    remove removes removing overwrite overwrites overwriting replace replaces replacing erase \
    erases drop drops permanently irreversible";
/// Prefixes of warning words.
const WARNING: &str = "overwrit permanent irrevers undone erase destroy wipe";
/// Warning phrases.
const WARNING_PHRASES: &[&str] = &[
    "removes all",
    "removes the original",
    "replaces all",
    "replaces existing",
    "replaces the complete",
    "replaces the entire",
    "replaces the existing",
    "replaces the full",
    "replaces the whole",
];
/// Verbs that describe no single operation, as in `Manages files`. If the first sentence begins
/// with one, a later sentence with `delete` counts as a warning.
const VAGUE: &str = "manage manages";
/// Labels that are removed from the start of a sentence.
const LABELS: &str = "attention caution critical danger important note tip warning";
/// Tags at the start of a description that a summary keeps.
const TAGS: &str = "beta deprecated experimental preview";
/// Words that must not be the last word of a shortened text.
const LINKS: &str = "\
    a an and are as at by for from in is its of on or that the to with your";

/// Returns the first sentence of a description. If this sentence does not warn, the first warning
/// in the description follows. `…` marks omitted text at the end.
pub fn brief(name: &str, description: &str) -> String {
    let text = without_headings(name, description);
    let sentence = cut(&whole_first_sentence(text));
    if is_all_of(&sentence, description) {
        return sentence;
    }
    match warning(text, &sentence) {
        Some(warning) => marked(&format!("{} {warning}", ended(&sentence))),
        None => marked(&sentence),
    }
}

/// Returns the first sentence of a description, at most `SUMMARY_CHARS_MAX` characters. `…` marks
/// omitted text at the end.
pub fn summary(description: &str) -> String {
    let sentence = first_sentence(without_headings("", description));
    match is_all_of(&sentence, description) {
        true => sentence,
        false => {
            let sentence = sentence.trim_end_matches(MARK);
            marked(within(sentence, SUMMARY_CHARS_MAX - 1))
        }
    }
}

fn marked(text: &str) -> String {
    let text = text.trim_end_matches(['.', ',', ';', ':', ' ', MARK]);
    format!("{text}{MARK}")
}

fn ended(sentence: &str) -> String {
    let text = sentence.trim_end_matches([',', ';', ':', ' ']);
    match text.ends_with(['.', '!', '?', MARK]) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

/// Strips headings, tags, symbols and a prefix that only repeats the name.
pub(crate) fn without_headings<'d>(name: &str, description: &'d str) -> &'d str {
    let mut text = description.trim_start();
    loop {
        let line = text.lines().next().unwrap_or_default();
        let rest = text[line.len()..].trim_start();
        let (line, next) = (line.trim(), rest.lines().next().unwrap_or_default());
        let only_the_name = !line.ends_with('.') && repeats(name, line);
        let heading = line.starts_with('#')
            || line.starts_with("**") && line.ends_with("**")
            || only_the_name && next.ends_with('.') && next.split(' ').count() > 3;
        if !heading || rest.is_empty() {
            break;
        }
        text = rest;
    }
    text = text.trim_start_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '[' | '(' | '`' | '"' | '\'' | '*' | '<' | '/')
    });
    if let Some((tag, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && tag.len() <= 30
        && !among(TAGS, &tag.to_lowercase())
        && !rest.trim_start().is_empty()
        && !rest.starts_with('(')
    {
        text = rest.trim_start_matches([' ', ':', '-']);
    }
    for sign in [": ", " - ", " – ", " — "] {
        if let Some((prefix, rest)) = text.split_once(sign)
            && prefix.len() <= 40
            && !prefix.contains('\n')
            // In `Create a monitor — a recurring scrape`, the first part is not a heading.
            && !rest.trim_start().is_empty()
            && !rest.trim_start().starts_with(char::is_lowercase)
            && repeats(name, prefix)
        {
            return rest.trim_start();
        }
    }
    text
}

/// Shortens a sentence to [`BRIEF_CHARS_MAX`] characters, unless its end matters. It is cut before
/// a part that only explains, and never inside a list.
fn cut(sentence: &str) -> String {
    let Some((end, _)) = sentence.char_indices().nth(BRIEF_CHARS_MAX) else {
        return sentence.to_owned();
    };
    let words = sentence.match_indices(' ').map(|(at, _)| at);
    let explains = |at: &usize| {
        let next = sentence[*at..]
            .split_whitespace()
            .next()
            .unwrap_or_default();
        next.starts_with('(') || sentence[..*at].ends_with(';') || among(CUT_BEFORE, next)
    };
    let at = words
        .rev()
        .filter(|at| (KEPT_MIN..end).contains(at))
        .filter(explains)
        .find(|at| !is_within_list(sentence, *at));
    let kept = match at {
        Some(at) => &sentence[..at],
        None => {
            let words = within(sentence, BRIEF_CHARS_MAX - 1);
            match is_within_list(sentence, words.len()) {
                true => before_list(sentence, words.len()),
                false => words,
            }
        }
    };
    let matters = |word: &str| {
        let word = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        among(KEPT, &word)
    };
    match sentence[kept.len()..].split_whitespace().any(matters) {
        true => sentence.to_owned(),
        false => kept.to_owned(),
    }
}

/// Checks whether an offset is inside brackets or inside a list.
fn is_within_list(sentence: &str, at: usize) -> bool {
    let (before, after) = sentence.split_at(at);
    if before.matches('(').count() > before.matches(')').count() {
        return true;
    }
    let last = |item: &str| ["and ", "or "].iter().any(|link| item.starts_with(link));
    let in_clause = before.rsplit(['.', ';']).next().unwrap_or_default();
    let goes_on = [", ", "/", " and ", " or "]
        .iter()
        .any(|link| after.split(';').next().unwrap_or_default().contains(link));
    match in_clause.rsplit_once(", ") {
        Some((_, item)) => goes_on && !last(item),
        None => after.trim_start_matches(',').len() < after.len() && goes_on,
    }
}

/// Cuts a sentence before the list around an offset. A sentence that begins with the list stays
/// whole.
fn before_list(sentence: &str, at: usize) -> &str {
    let heads = LIST_HEADS.iter();
    let head = heads.filter_map(|head| sentence[..at].rfind(head)).max();
    match head.filter(|head| *head >= KEPT_BEFORE_LIST_MIN) {
        Some(head) if !is_within_list(sentence, head) => &sentence[..head],
        _ => within(sentence, WHOLE_CHARS_MAX),
    }
}

/// Returns the first later sentence that warns of a loss or names a deletion, without labels and
/// explanations. `None` if the first sentence already warns.
fn warning(text: &str, sentence: &str) -> Option<String> {
    if warns(sentence) {
        return None;
    }
    let first = sentence.split(' ').next().unwrap_or_default();
    let is_vague = among(VAGUE, &first.to_lowercase());
    // `Deletes a meeting` repeats `Delete a meeting`.
    let repeats = |part: &str| first.starts_with("Delet") && part.starts_with("Delete");
    let deletes = |part: &str| {
        let mut words = part.split(|c: char| !c.is_alphanumeric());
        words.any(|word| match word {
            "deletes" => !repeats(part),
            "delete" | "deleting" => is_vague,
            _ => false,
        })
    };
    let text = unwrapped(&text[..text.floor_char_boundary(WARNING_SEARCHED_MAX)]);
    let first_that = |fits: &dyn Fn(&str) -> bool| {
        let mut later = sentences(&text).skip(1);
        later.find_map(|part| as_warning(part, fits))
    };
    first_that(&warns).or_else(|| first_that(&deletes))
}

/// Returns a sentence as a short warning, if `fits` accepts it.
fn as_warning(sentence: &str, fits: &dyn Fn(&str) -> bool) -> Option<String> {
    let (part, labelled) = without_labels(sentence);
    let starts = labelled || part.starts_with(char::is_uppercase);
    let clause = part.split(['—', ';']).next().map(str::trim_end)?;
    let part = cut(if fits(clause) { clause } else { part });
    let is_short = part.chars().count() <= WARNING_CHARS_MAX && !part.contains(':');
    let ends = sentence.ends_with(['.', '!']);
    (starts && ends && is_short && fits(&part)).then_some(part)
}

/// Joins each line that begins in lowercase to the previous one.
fn unwrapped(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines().map(str::trim) {
        let goes_on = !before.is_empty() && line.starts_with(char::is_lowercase);
        joined.push(if goes_on { ' ' } else { '\n' });
        joined.push_str(line);
        before = line;
    }
    joined
}

fn warns(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| WARNING.split(' ').any(|begin| word.starts_with(begin)))
        || WARNING_PHRASES.iter().any(|phrase| text.contains(phrase))
}

/// Returns the sentences of a text. The end of a line also ends a sentence.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line.trim();
        std::iter::from_fn(move || {
            let end = rest.find(". ").or(rest.find("! ")).map(|at| at + 1);
            let (sentence, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after.trim_start();
            (!sentence.is_empty()).then_some(sentence)
        })
    })
}

/// Strips symbols and labels (`WARNING:`) before a sentence, and reports whether there was a label.
fn without_labels(sentence: &str) -> (&str, bool) {
    let mut text = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut labelled = false;
    while let Some((label, rest)) = text.split_once(':')
        && among(LABELS, &label.trim_matches(['*', ' ']).to_lowercase())
    {
        text = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        labelled = true;
    }
    (text, labelled)
}

/// Returns as many words of a text as fit in this number of characters.
fn within(text: &str, chars: usize) -> &str {
    if text.chars().count() <= chars {
        return text;
    }
    let end = text.char_indices().nth(chars);
    let mut kept = end.map_or(text, |(end, _)| &text[..end]);
    while let Some((before, last)) = kept.rsplit_once(' ') {
        kept = before;
        let link = before.rsplit(' ').next().unwrap_or_default();
        if !among(LINKS, link) || last.is_empty() {
            break;
        }
    }
    kept
}

/// Checks whether a text contains the whole description, ignoring line breaks.
fn is_all_of(said: &str, description: &str) -> bool {
    let visible = |c: &char| !c.is_whitespace() && !c.is_control();
    let (said, all) = (said.chars(), description.chars());
    said.filter(visible).eq(all.filter(visible))
}

/// Checks whether a text only repeats words of the name in some form, and link words.
fn repeats(name: &str, text: &str) -> bool {
    let mut in_name = Vec::new();
    words::of_name(name, |word| in_name.push(words::stem(word).into_owned()));
    let (mut all, mut some) = (true, false);
    words::of_prose(text, |word| {
        let stem = words::stem(word);
        some = true;
        all &= among(LINKS, word) || in_name.iter().any(|known| *known == stem);
    });
    all && some
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn brief_is_the_first_sentence() {
        for (description, said) in [
            ("", ""),
            ("Reads a file", "Reads a file"),
            ("Reads a file.", "Reads a file."),
            ("Reads a file. It has to be text.", "Reads a file…"),
            (
                "Removes all documents that match the filter from a collection. Use with care.",
                "Removes all documents that match the filter from a collection…",
            ),
            ("# Reading\n\nReads a file. Or two.", "Reads a file…"),
            ("**mm t**\nReads a file. Or two.", "Reads a file…"),
            ("[Files] Reads a file. Or two.", "Reads a file…"),
            ("[beta] Reads a file. Or two.", "[beta] Reads a file…"),
            ("📁 Reads a file. Or two.", "Reads a file…"),
            ("mm: Reads a file. Or two.", "Reads a file…"),
            (
                "MM — a file that is read. Or two.",
                "MM — a file that is read…",
            ),
            (
                "Writes a file. Overwrites what is there. Ok.",
                "Writes a file. Overwrites what is there…",
            ),
        ] {
            assert_eq!(brief("mm__t", description), said, "{description:?}");
        }
    }

    #[test]
    fn brief_that_repeats_the_name_is_kept() {
        let name = "iam__delete_user";
        let said = brief(name, "Deletes an IAM user. For ever.");
        assert_eq!(said, "Deletes an IAM user…");
    }

    #[test]
    fn long_sentence_keeps_what_matters() {
        let long = format!(
            "Stores {} but does not delete the old ones",
            "many things ".repeat(12).trim()
        );
        assert!(brief("t", &long).ends_with("does not delete the old ones"));
        let explained = format!(
            "Stores one thing of many kinds for all users (see {})",
            "there ".repeat(30).trim()
        );
        assert_eq!(
            brief("t", &explained),
            "Stores one thing of many kinds for all users…"
        );
    }

    #[test]
    fn long_sentence_is_not_cut_within_a_list() {
        let list = format!(
            "Manages these kinds of things: {}",
            "alphas, betas, gammas, ".repeat(10)
        );
        assert_eq!(brief("t", &list), "Manages these kinds of things…");
        let items = "a first kind, a second kind, a third kind, ".repeat(4);
        for head in ["including", "such as"] {
            let list = format!("Stores things of the user {head} {items}and more of that");
            assert_eq!(brief("t", &list), "Stores things of the user…", "{head}");
        }
        let list = format!("Stores {items}and a last kind of the things of a user");
        assert_eq!(brief("t", &list), list, "nothing can be left out");
        let bracketed =
            format!("Stores many things of the user, other things (old), {items}and new ones");
        assert_eq!(brief("t", &bracketed), bracketed);
        let late = format!(
            "Stores {} but not the old ones",
            "many things ".repeat(20).trim()
        );
        assert!(late.chars().count() > SUMMARY_CHARS_MAX);
        assert!(brief("t", &late).ends_with("but not the old ones"));
    }

    #[test]
    fn warning_behind_the_first_sentence_is_kept() {
        for (description, warning) in [
            (
                "Update an event. Needs an id.\n\n💡 TIP: CRITICAL: Do not guess. WARNING: Setting attendees \
                 replaces the entire attendee list — include all attendees, not just new ones.",
                "Setting attendees replaces the entire attendee list",
            ),
            (
                "Set restrictions on a page.\n\nReplaces all existing restrictions with the provided lists.  \
                 Omitting all\nparameters removes all restrictions.",
                "Replaces all existing restrictions with the provided lists",
            ),
            (
                "Approve a deployment. Use this for the specific operation described; choose a sibling tool. It \
                 changes or removes remote GitLab data and may be irreversible; it requires the necessary \
                 project or group permission and returns validation, conflict, permission, or rate-limit errors.",
                "It changes or removes remote GitLab data and may be irreversible",
            ),
            (
                "Create a draft. Send it later.\n\n💡 TIP: Use HTML. Note: supplying Message.body replaces the \
                 whole draft body, so the original quoted history is not included. More.",
                "supplying Message.body replaces the whole draft body, so the original quoted history is not \
                 included",
            ),
            (
                "Move a message to another folder. This creates a new copy of the message in the destination \
                 folder and removes the original message.\n\n💡 TIP: None.",
                "This creates a new copy of the message in the destination folder and removes the original \
                 message",
            ),
            (
                "Manage triggers to automate jobs. This tool allows you to create, delete, start, and stop \
                 triggers, which define the conditions that automatically start jobs or workflows of all users of a whole \
                 account. More.",
                "This tool allows you to create, delete, start, and stop triggers",
            ),
            (
                "Stores a file. Takes a path. It overwrites\nthe file that is there. More.",
                "It overwrites the file that is there",
            ),
        ] {
            let said = brief("t", description);
            assert!(said.ends_with(&format!(". {warning}…")), "{said}");
        }
        let meeting = "Delete a meeting. Deletes it online. This cannot be undone. More.";
        assert_eq!(
            brief("t", meeting),
            "Delete a meeting. This cannot be undone…"
        );
        let series = "Delete an event. Deleting a series deletes ALL occurrences. More.";
        assert!(brief("t", series).ends_with("deletes ALL occurrences…"));
        let definite = "Stop a trigger. Use the other tool to delete a trigger. More.";
        assert_eq!(brief("t", definite), "Stop a trigger…");
        let parameter = "Writes a file. Takes a path.\n- overwrite: Whether it overwrites a file.";
        assert_eq!(brief("t", parameter), "Writes a file…");
    }

    #[test]
    fn summary_keeps_its_limit() {
        for words in ["word ".repeat(100), "x".repeat(500), "of ".repeat(100)] {
            let summary = summary(&words);
            assert!(summary.chars().count() <= SUMMARY_CHARS_MAX, "{summary}");
            assert!(summary.ends_with(MARK));
        }
        assert_eq!(summary("To be … or not."), "To be … or not.");
        assert_eq!(summary("Reads it. Or not."), "Reads it…");
    }

    proptest! {
        #[test]
        fn without_a_mark_it_is_everything(text in "[a-z .,(…\n]{0,300}") {
            for said in [brief("t", &text), summary(&text)] {
                prop_assert!(said.ends_with(MARK) || is_all_of(&said, &text));
            }
        }

        #[test]
        fn any_text_has_a_brief(name in any::<String>(), text in any::<String>()) {
            prop_assert!(brief(&name, &text).chars().count() <= 2_000 + WARNING_CHARS_MAX + 3);
            prop_assert!(summary(&text).chars().count() <= SUMMARY_CHARS_MAX);
        }
    }
}
