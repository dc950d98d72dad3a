//! How many comments stand in a part of a file that is taken out.

/// The comments of JSON: `// …` and `/* … */`.
pub(super) fn in_json(text: &str) -> usize {
    let mut rest = text;
    let mut count = 0;
    while let Some(at) = rest.find(['"', '/']) {
        let here = &rest[at..];
        let length = if here.starts_with('"') {
            quoted(here, '"', true)
        } else if here.starts_with("//") {
            count += 1;
            here.find('\n').unwrap_or(here.len())
        } else if here.starts_with("/*") {
            count += 1;
            here.find("*/").map_or(here.len(), |end| end + 2)
        } else {
            1
        };
        rest = &here[length..];
    }
    count
}

/// The comments of TOML: `# …`.
pub(super) fn in_toml(text: &str) -> usize {
    let mut rest = text;
    let mut count = 0;
    while let Some(at) = rest.find(['"', '\'', '#']) {
        let here = &rest[at..];
        let open = [r#"""""#, "'''"]
            .into_iter()
            .find(|open| here.starts_with(open));
        let length = match (open, here.chars().next()) {
            (Some(open), _) => here[3..].find(open).map_or(here.len(), |end| end + 6),
            (None, Some('#')) => {
                count += 1;
                here.find('\n').unwrap_or(here.len())
            }
            (None, quote) => quoted(here, quote.unwrap_or('"'), here.starts_with('"')),
        };
        rest = &here[length..];
    }
    count
}

/// The length of the text in quotes that a text begins with.
fn quoted(text: &str, quote: char, escapes: bool) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if escapes => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_counted_outside_of_texts() {
        for (text, count) in [
            (r#"{"a": "// no", /* two */ "b": "\"/* no */"} // one"#, 2),
            (r#"{"url": "https://a.test"}"#, 0),
            ("1 / 2 /* open", 1),
        ] {
            assert_eq!(in_json(text), count, "{text}");
        }
        for (text, count) in [
            ("[a] # one\n# two\nb = '#no' # three\nc = \"\\\"#no\"\n", 3),
            ("a = \"\"\"\n# no\n\"\"\" # one\nb = '''\n# no'''\n", 1),
            ("a = 'open # no", 0),
        ] {
            assert_eq!(in_toml(text), count, "{text}");
        }
    }
}
