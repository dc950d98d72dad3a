//! Which addresses a resource template (RFC 6570) stands for.
//!
//! A member decides itself what it reads. Here a match only tells whose template is meant, so an
//! expression matches at least all that it can expand to.

use std::cmp::Reverse;

/// The longest template that is read, in bytes; the longest address that is matched.
const TEMPLATE_MAX: usize = 4 << 10;
const ADDRESS_MAX: usize = 8 << 10;
/// The most expressions of a template.
const EXPRESSIONS_MAX: usize = 64;

/// A template to match addresses with. It takes little memory: a member may list thousands.
#[derive(Debug, Clone)]
pub(super) struct Template {
    parts: Vec<Part>,
    /// How many bytes of it stand in each of its addresses.
    literal: usize,
    /// How many of them are its beginning.
    beginning: usize,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// It stands in each address as it is.
    Literal(String),
    /// An expression: nothing, or a run of bytes.
    Run {
        /// What the run begins with.
        lead: Option<u8>,
        /// What the rest of it has none of.
        ends: &'static [u8],
    },
}

impl Template {
    /// Reads a template; `None` where it is none.
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
            parts.push(Part::Literal(fixed.to_owned()));
            parts.push(expression(inner)?);
            if parts.len() > 2 * EXPRESSIONS_MAX {
                return None;
            }
            rest = after;
        }
        literal += rest.len();
        parts.push(Part::Literal(rest.to_owned()));
        Some(Self {
            parts,
            literal,
            beginning: beginning.unwrap_or(literal),
        })
    }

    /// Every address with the same beginning, for a template that can't be read.
    pub(super) fn unread(text: &str) -> Self {
        let beginning = text.split('{').next().unwrap_or_default();
        let rest = Part::Run {
            lead: None,
            ends: b"",
        };
        Self {
            parts: vec![Part::Literal(beginning.to_owned()), rest],
            literal: beginning.len(),
            beginning: beginning.len(),
        }
    }

    /// Whether an address is one of its own.
    pub(super) fn matches(&self, address: &str) -> bool {
        let address = address.as_bytes();
        if address.len() > ADDRESS_MAX {
            return false;
        }
        // Up to where the parts so far may reach: each part is looked at once for each place.
        let mut reached = vec![false; address.len() + 1];
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        for part in &self.parts {
            reached = part.after(&reached, address);
        }
        reached.last() == Some(&true)
    }

    /// How exactly it says what its addresses are: of several that match, the highest is meant.
    fn exactness(&self) -> (usize, usize) {
        (self.literal, self.beginning)
    }

    /// Whether an address has the literal text that all addresses of this template begin with.
    fn begins(&self, address: &str) -> bool {
        match self.parts.first() {
            Some(Part::Literal(text)) => !text.is_empty() && address.starts_with(text.as_str()),
            _ => false,
        }
    }
}

/// The templates of an address, each with what it stands for, the nearest first: those that match,
/// the most exact one first. Where none matches, those that begin as the address does, the longest
/// beginning first: members may take more than their templates say.
pub(super) fn of_address<'a, T: Ord>(
    address: &str,
    templates: impl Iterator<Item = (&'a Template, T)>,
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

impl Part {
    /// Up to where an address may be matched with this part, if it is up to `before` without it.
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

/// An expression, which is given without its braces.
fn expression(text: &str) -> Option<Part> {
    let operator = text.chars().next().filter(|c| "+#./;?&".contains(*c));
    let names = &text[operator.map_or(0, char::len_utf8)..];
    if names.split(',').any(str::is_empty) {
        return None;
    }
    let ends: &'static [u8] = match operator {
        Some('+' | '#') => b"",
        // Servers take an exploded variable for several segments too.
        None if names.contains('*') => b"",
        None | Some('.' | ';') => b"/?#",
        Some('/') => b"?#",
        Some(_) => b"#",
    };
    let lead = match operator {
        Some('+' | '#') | None => None,
        Some(lead) => u8::try_from(lead).ok(),
    };
    Some(Part::Run { lead, ends })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(template: &str, address: &str) -> bool {
        Template::parse(template).is_some_and(|it| it.matches(address))
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
        let exactness = |text| Template::parse(text).expect("a template").exactness();
        assert!(exactness("a://x/{id}/raw") > exactness("a://x/{id}"));
        assert!(exactness("a://x/{id}") > exactness("a://{kind}/{id}"));
        assert!(exactness("a://x/{id}") > exactness("{+any}"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_matched(template in "[a-z:/{}+*,?.é\\\\(\\[]{0,40}", address in ".{0,40}") {
            if let Some(read) = Template::parse(&template) {
                let _ = read.matches(&address);
                let has_expression = template.contains('{');
                prop_assert!(has_expression || read.matches(&template));
            }
        }
    }
}
