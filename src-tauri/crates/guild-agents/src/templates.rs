//! Matches URIs against resource templates (RFC 6570).
//!
//! A member decides which URIs it accepts. Here, a match only determines the owner of a URI. An
//! expression in a template therefore matches all its possible expansions, and may match more.

use std::cmp::Reverse;

/// Limits of a template and of a URI, in bytes.
const TEMPLATE_MAX: usize = 4 << 10;
const ADDRESS_MAX: usize = 8 << 10;
/// Maximum number of expressions in a template.
const EXPRESSIONS_MAX: usize = 64;

/// A parsed template. It is compact, since a member may list thousands.
#[derive(Debug, Clone)]
pub(super) struct UriTemplate {
    parts: Vec<UriTemplateSegment>,
    /// The number of literal bytes.
    literal: usize,
    /// The number of literal bytes before the first expression.
    beginning: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum UriTemplateSegment {
    Literal(String),
    /// An expression such as `{name}`. It matches a sequence of bytes, which may be empty.
    Run {
        /// The first byte of the sequence, if the operator of the expression adds one.
        lead: Option<u8>,
        /// The bytes that end the sequence.
        ends: &'static [u8],
    },
}

impl UriTemplate {
    /// Parses a template. Returns `None` if it is invalid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > TEMPLATE_MAX {
            return None;
        }
        let mut parts = Vec::new();
        let (mut literal, mut beginning) = (0, None);
        let mut rest = text;
        while let Some((fixed, tail)) = rest.split_once('{') {
            let (inner, after) = tail.split_once('}')?;
            literal += fixed.len();
            beginning.get_or_insert(literal);
            parts.push(UriTemplateSegment::Literal(fixed.to_owned()));
            parts.push(expression(inner)?);
            if parts.len() > 2 * EXPRESSIONS_MAX {
                return None;
            }
            rest = after;
        }
        literal += rest.len();
        parts.push(UriTemplateSegment::Literal(rest.to_owned()));
        Some(Self {
            parts,
            literal,
            beginning: beginning.unwrap_or(literal),
        })
    }

    /// Returns a template for a text that can't be parsed. It matches every URI that begins with
    /// the literal text before the first expression.
    pub(super) fn unread(text: &str) -> Self {
        let beginning = text.split('{').next().unwrap_or_default();
        let rest = UriTemplateSegment::Run {
            lead: None,
            ends: b"",
        };
        Self {
            parts: vec![UriTemplateSegment::Literal(beginning.to_owned()), rest],
            literal: beginning.len(),
            beginning: beginning.len(),
        }
    }

    pub(super) fn matches(&self, address: &str) -> bool {
        let address = address.as_bytes();
        if address.len() > ADDRESS_MAX {
            return false;
        }
        // Marks the offsets up to which the previous segments can match. Each segment visits each
        // offset once.
        let mut reached = vec![false; address.len() + 1];
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        for part in &self.parts {
            reached = part.after(&reached, address);
        }
        reached.last() == Some(&true)
    }

    /// Returns the exactness of the template. If several templates match, the most exact one wins.
    fn exactness(&self) -> (usize, usize) {
        (self.literal, self.beginning)
    }

    /// Checks whether a URI begins with the template's literal prefix.
    fn begins(&self, address: &str) -> bool {
        match self.parts.first() {
            Some(UriTemplateSegment::Literal(text)) => {
                !text.is_empty() && address.starts_with(text.as_str())
            }
            _ => false,
        }
    }
}

/// Returns the items whose templates match a URI, the most exact template first. If no template
/// matches, returns the items whose literal prefix the URI begins with, the longest prefix first,
/// because members may accept more URIs than their templates describe.
pub(super) fn of_address<'a, T: Ord>(
    address: &str,
    templates: impl Iterator<Item = (&'a UriTemplate, T)>,
) -> Vec<T> {
    let (mut matching, mut beginning) = (Vec::new(), Vec::new());
    for (template, of) in templates {
        if template.matches(address) {
            matching.push((Reverse(template.exactness()), of));
        } else if template.begins(address) {
            beginning.push((Reverse((template.beginning, 0)), of));
        }
    }
    let mut nearest = match matching.is_empty() {
        true => beginning,
        false => matching,
    };
    nearest.sort();
    nearest.into_iter().map(|(_, of)| of).collect()
}

impl UriTemplateSegment {
    /// Returns the offsets up to which the template matches if this segment is added. `before`
    /// marks the offsets of the previous segments.
    fn after(&self, before: &[bool], address: &[u8]) -> Vec<bool> {
        let places = || (0..before.len()).filter(|&at| before[at]);
        match self {
            Self::Literal(text) => {
                let mut after = vec![false; before.len()];
                for at in places().filter(|&at| address[at..].starts_with(text.as_bytes())) {
                    after[at + text.len()] = true;
                }
                after
            }
            Self::Run { lead, ends } => {
                let mut run = match lead {
                    None => before.to_vec(),
                    Some(lead) => {
                        let mut run = vec![false; before.len()];
                        for at in places().filter(|&at| address.get(at) == Some(lead)) {
                            run[at + 1] = true;
                        }
                        run
                    }
                };
                for (at, byte) in address.iter().enumerate() {
                    run[at + 1] |= run[at] && !ends.contains(byte);
                }
                run.iter()
                    .zip(before)
                    .map(|(run, before)| run | before)
                    .collect()
            }
        }
    }
}

/// Parses an expression without its braces.
fn expression(text: &str) -> Option<UriTemplateSegment> {
    let operator = text.chars().next().filter(|c| "+#./;?&".contains(*c));
    let names = &text[operator.map_or(0, char::len_utf8)..];
    if names.split(',').any(str::is_empty) {
        return None;
    }
    let ends: &'static [u8] = match operator {
        Some('+' | '#') => b"",
        // Servers also use a variable with `*` for several path segments.
        None if names.contains('*') => b"",
        None | Some('.' | ';') => b"/?#",
        Some('/') => b"?#",
        Some(_) => b"#",
    };
    let lead = match operator {
        Some('+' | '#') | None => None,
        Some(lead) => u8::try_from(lead).ok(),
    };
    Some(UriTemplateSegment::Run { lead, ends })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(template: &str, address: &str) -> bool {
        UriTemplate::parse(template).is_some_and(|it| it.matches(address))
    }

    #[test]
    fn expansions_match_their_template() {
        // The examples of RFC 6570, section 3.2, and those of servers.
        for (template, addresses) in [
            (
                "kit://note/{id}",
                &["kit://note/7", "kit://note/a%2Fb", "kit://note/"][..],
            ),
            ("{+path}/here", &["/foo/bar/here"]),
            ("X{#path,x}/here", &["X#/foo/bar,1024/here"]),
            ("X{.var:3}", &["X.val", "X"]),
            ("{/var,x}/here", &["/value/1024/here"]),
            ("{/list*}", &["/red/green/blue"]),
            ("map{;x,y,empty}", &["map;x=1024;y=768;empty"]),
            ("find{?x,y}", &["find?x=1024&y=768", "find"]),
            ("?fixed=yes{&x}", &["?fixed=yes&x=1024"]),
            ("file:///{path*}", &["file:///a/b.txt"]),
            ("a(b)[{c}].d", &["a(b)[x].d"]),
            ("a://{x}/{x}/c{?q}", &["a://1/2/c?q=/"]),
        ] {
            for address in addresses {
                assert!(matches(template, address), "{template}: {address}");
            }
        }
        for (template, address) in [
            ("kit://note/{id}", "kit://note/7/more"),
            ("kit://note/{id}", "kit://notes/7"),
            ("kit://note/{id}", "kit://note/7?x"),
            ("kit://note/{id}.txt", "kit://note/7.md"),
            ("find{?x}", "find/x"),
            ("a{", "a{"),
            ("a{}", "a"),
        ] {
            assert!(!matches(template, address), "{template}: {address}");
        }
    }

    #[test]
    fn the_more_exact_template_is_meant() {
        let exactness = |text| UriTemplate::parse(text).expect("a template").exactness();
        assert!(exactness("a://x/{id}/raw") > exactness("a://x/{id}"));
        assert!(exactness("a://x/{id}") > exactness("a://{kind}/{id}"));
        assert!(exactness("a://x/{id}") > exactness("{+any}"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_matched(template in "[a-z:/{}+*,?.é\\\\(\\[]{0,40}", address in ".{0,40}") {
            if let Some(read) = UriTemplate::parse(&template) {
                let _ = read.matches(&address);
                let has_expression = template.contains('{');
                prop_assert!(has_expression || read.matches(&template));
            }
        }
    }
}
