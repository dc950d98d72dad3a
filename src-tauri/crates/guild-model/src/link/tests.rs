use proptest::prelude::*;

use super::*;

fn member(name: &str) -> MemberName {
    MemberName::parse(name).expect("a name")
}

fn tool(name: &str) -> ToolName {
    ToolName::parse(name).expect("a name")
}

#[test]
fn each_place_has_its_link() {
    let cases = [
        (
            "guildhall://member/gallery",
            Link::Member {
                member: member("gallery"),
            },
        ),
        (
            "guildhall://review/gallery",
            Link::Review {
                member: member("gallery"),
            },
        ),
        (
            "guildhall://question/gallery",
            Link::Question {
                member: member("gallery"),
            },
        ),
        (
            "guildhall://tool/gallery/read%20a%2Fb",
            Link::Tool {
                member: member("gallery"),
                tool: tool("read a/b"),
            },
        ),
        (
            "guildhall://page/approvals",
            Link::Page {
                page: Page::Approvals,
            },
        ),
    ];
    for (text, link) in cases {
        assert_eq!(Link::parse(text), Ok(link.clone()));
        assert_eq!(link.to_string(), text);
    }
    for (name, page) in Page::ALL {
        assert_eq!(page.name(), *name);
        let text = format!("guildhall://page/{name}");
        assert_eq!(Link::parse(&text), Ok(Link::Page { page: *page }));
        let json = serde_json::to_string(page).expect("JSON");
        assert_eq!(json, format!("{name:?}"), "one name everywhere");
    }
}

#[test]
fn link_ignores_case_and_final_slash() {
    let link = Link::parse("GuildHall://Member/Gallery/").expect("a link");
    assert_eq!(
        link,
        Link::Member {
            member: member("Gallery")
        }
    );
    assert!(claims_to_be_a_link("GUILDHALL:whatever"));
    assert!(!claims_to_be_a_link("--hidden"));
    assert!(!claims_to_be_a_link("guildhallx://member/a"));
}

#[test]
fn invalid_link_is_refused_with_reason() {
    for (text, reason) in [
        ("", "does not begin"),
        ("guildhall:member/a", "does not begin"),
        ("https://member/a", "does not begin"),
        ("guildhall://", "must name a member"),
        ("guildhall://run/gallery/tool", "must name a member"),
        ("guildhall://member", "too few"),
        ("guildhall://member/a/b", "too few or too many"),
        ("guildhall://review", "too few"),
        ("guildhall://question", "too few"),
        ("guildhall://review/a/b", "too few or too many"),
        ("guildhall://review/..", "must begin with a letter"),
        ("guildhall://tool/a", "too few"),
        ("guildhall://tool/a/b/c/d", "too few or too many"),
        ("guildhall://member/", "too few"),
        ("guildhall://member/..", "must begin with a letter"),
        ("guildhall://member/%2e%2e%2fetc", "not allowed"),
        ("guildhall://member/a%2", "two hex digits"),
        ("guildhall://member/a%+1", "two hex digits"),
        ("guildhall://tool/a/%ff", "not UTF-8"),
        ("guildhall://tool/a/b%0a", "control character"),
        ("guildhall://tool/a/b?arguments={}", "it has a '?' or a '#'"),
        ("guildhall://member/a#run", "it has a '?' or a '#'"),
        ("guildhall://page/nowhere", "that page doesn't exist"),
    ] {
        let report = Link::parse(text).expect_err(text);
        assert_eq!(report.code, Code::LinkInvalid);
        assert!(
            report.message.contains(reason),
            "{text}: {}",
            report.message
        );
    }
    let long = format!("guildhall://member/{}", "a".repeat(LINK_MAX));
    let report = Link::parse(&long).expect_err("too long");
    assert!(report.message.contains("longer than"), "{}", report.message);
    assert!(report.message.len() < 300, "it is told in short");
}

#[test]
fn mangled_links_are_refused_or_mean_what_they_say() {
    guild_tests::mangled::each("links", |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        if let Ok(link) = Link::parse(text) {
            assert!(
                claims_to_be_a_link(text) && text.len() <= LINK_MAX,
                "{text:?}"
            );
            let written = link.to_string();
            assert_eq!(Link::parse(&written).as_ref(), Ok(&link), "{written}");
        }
    });
}

proptest! {
    #[test]
    fn every_name_survives_its_link(
        of in "[a-zA-Z0-9][a-zA-Z0-9._-]{0,40}",
        name in "\\PC{1,60}",
    ) {
        let link = Link::Tool { member: member(&of), tool: tool(&name) };
        prop_assert_eq!(Link::parse(&link.to_string()), Ok(link));
    }

    #[test]
    fn no_text_is_too_odd_to_be_answered(text in ".{0,200}") {
        let prefixed = format!("guildhall://{text}");
        for text in [text, prefixed] {
            if let Ok(link) = Link::parse(&text) {
                prop_assert_eq!(Link::parse(&link.to_string()), Ok(link));
            }
        }
    }
}
