//! Links to a page of the window: `guildhall://member/NAME`, `guildhall://review/MEMBER`,
//! `guildhall://question/MEMBER`, `guildhall://tool/MEMBER/TOOL`, `guildhall://page/NAME`.
//!
//! Any web page and any program can open a link, so a link only shows a page. It starts no member,
//! calls no tool and changes no setting, and it contains only names.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{PercentEncode, percent_decode_str, utf8_percent_encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Report};
use crate::id::{MemberName, ToolName};
use crate::manifest::{UNRESERVED, has_valid_escapes};
use crate::messages::{LinkError, LinkProblem};

pub(crate) const LINK_SCHEME: &str = "guildhall";
/// Maximum length of a link, in bytes.
pub const LINK_MAX: usize = 2_048;
/// Maximum length of the reported part of an invalid link, in characters.
const SHOWN_MAX: usize = 80;

/// A page in the window, possibly of a member or a tool, to which a link can lead.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Link {
    /// A member's page.
    Member {
        /// The member.
        member: MemberName,
    },
    /// The review of a member: its launch command and tool texts, compared with the accepted ones.
    Review {
        /// The member.
        member: MemberName,
    },
    /// A member's oldest open question to the user, or the member's page if there is none.
    Question {
        /// The member.
        member: MemberName,
    },
    /// A tool's form.
    Tool {
        /// The tool's member.
        member: MemberName,
        /// The tool.
        tool: ToolName,
    },
    /// A page that belongs to no member.
    Page {
        /// The page.
        page: Page,
    },
}

/// A page of the window that belongs to no member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Page {
    /// Servers that the user adds.
    Adding,
    /// The tools that agents get.
    Agents,
    /// Calls of agents that wait for a person.
    Approvals,
    /// The settings of tool discovery.
    Discovery,
    /// The problems that keep members from working on this machine.
    Doctor,
    /// Servers from other programs' configurations.
    Found,
    /// Past calls.
    History,
    /// The palette, over the current page.
    Palette,
    /// The secrets.
    Secrets,
    /// The settings.
    Settings,
}

impl Page {
    /// All pages with their names in links.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("adding", Self::Adding),
        ("agents", Self::Agents),
        ("approvals", Self::Approvals),
        ("discovery", Self::Discovery),
        ("doctor", Self::Doctor),
        ("found", Self::Found),
        ("history", Self::History),
        ("palette", Self::Palette),
        ("secrets", Self::Secrets),
        ("settings", Self::Settings),
    ];

    /// Returns the page's name in links.
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(_, page)| *page == self);
        named.map_or("", |(name, _)| name)
    }
}

impl Link {
    /// Parses a link.
    ///
    /// # Errors
    /// `link-invalid`: the text is not a Guild Hall link, or longer than [`LINK_MAX`].
    pub fn parse(text: &str) -> Result<Self, Report> {
        read(text).map_err(|problem| {
            let shown: String = text.chars().take(SHOWN_MAX).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            let trouble = LinkError::Nowhere(format!("{shown:?}{more}"), problem);
            Report::from_error(Code::LinkInvalid, &trouble)
        })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LINK_SCHEME}://")?;
        match self {
            Self::Member { member } => write!(f, "member/{}", encoded(member.as_str())),
            Self::Review { member } => write!(f, "review/{}", encoded(member.as_str())),
            Self::Question { member } => write!(f, "question/{}", encoded(member.as_str())),
            Self::Tool { member, tool } => {
                let (member, tool) = (encoded(member.as_str()), encoded(tool.as_str()));
                write!(f, "tool/{member}/{tool}")
            }
            Self::Page { page } => write!(f, "page/{}", page.name()),
        }
    }
}

/// Checks whether a string has the scheme of a link. The rest of the link may be invalid.
pub fn claims_to_be_a_link(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(LINK_SCHEME))
}

fn read(text: &str) -> Result<Link, LinkProblem> {
    if text.len() > LINK_MAX {
        return Err(LinkProblem::TooLong(LINK_MAX));
    }
    let rest = text
        .split_once("://")
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(LINK_SCHEME))
        .map(|(_, rest)| rest)
        .ok_or(LinkProblem::Scheme(LINK_SCHEME))?;
    if rest.contains(['?', '#']) {
        return Err(LinkProblem::More);
    }
    // Desktops and browsers add a slash at the end.
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let parts: Vec<&str> = rest.split('/').take(4).collect();
    // This part is where other URLs have the host, so other programs may change its case.
    let kind = parts.first().copied().unwrap_or_default();
    match (kind.to_ascii_lowercase().as_str(), &parts[1..]) {
        ("member", [member]) => Ok(Link::Member {
            member: member_named(member)?,
        }),
        ("review", [member]) => Ok(Link::Review {
            member: member_named(member)?,
        }),
        ("question", [member]) => Ok(Link::Question {
            member: member_named(member)?,
        }),
        ("tool", [member, tool]) => {
            let member = member_named(member)?;
            let tool =
                ToolName::parse(&decoded(tool)?).map_err(|error| LinkProblem::Name(error.0))?;
            Ok(Link::Tool { member, tool })
        }
        ("page", [name]) => {
            let page = Page::ALL.iter().find(|(known, _)| known == name);
            let (_, page) = page.ok_or(LinkProblem::NoPage)?;
            Ok(Link::Page { page: *page })
        }
        ("member" | "review" | "question" | "tool" | "page", _) => Err(LinkProblem::Parts),
        _ => Err(LinkProblem::NoPlace),
    }
}

fn member_named(part: &str) -> Result<MemberName, LinkProblem> {
    MemberName::try_from(decoded(part)?).map_err(|error| LinkProblem::Name(error.0))
}

/// Decodes the `%XX` in a part of a link.
pub fn decoded(part: &str) -> Result<String, LinkProblem> {
    if !has_valid_escapes(part) {
        return Err(LinkProblem::Escape);
    }
    let decoded = percent_decode_str(part).decode_utf8();
    decoded
        .map(Cow::into_owned)
        .map_err(|_| LinkProblem::NotUtf8)
}

fn encoded(name: &str) -> PercentEncode<'_> {
    utf8_percent_encode(name, UNRESERVED)
}

#[cfg(test)]
mod tests;
