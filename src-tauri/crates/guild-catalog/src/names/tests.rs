use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use guild_model::id::MEMBER_NAME_MAX;

/// A member's tools with their expected names, as literals.
type Listed<'a> = (&'a str, bool, &'a [(&'a str, Option<&'a str>)]);
/// Like `Listed`, with parsed names.
type Owned<'a> = (MemberName, bool, Vec<(ToolName, Option<&'a str>)>);

fn said(trouble: &NamingError) -> String {
    trouble.to_string()
}

fn named(mounts: &[Listed<'_>], reserved: &[&str]) -> Vec<Vec<Result<String, NamingError>>> {
    let owned: Vec<Owned<'_>> = mounts
        .iter()
        .map(|(member, without_prefix, tools)| {
            let tools = tools
                .iter()
                .map(|(tool, rename)| (ToolName::parse(tool).expect("a tool's name"), *rename));
            let member = MemberName::parse(member).expect("a member's name");
            (member, *without_prefix, tools.collect())
        })
        .collect();
    let mounts: Vec<MemberNaming<'_>> = owned
        .iter()
        .map(|(member, without_prefix, tools)| MemberNaming {
            member,
            without_prefix: *without_prefix,
            tools: tools
                .iter()
                .map(|(tool, rename)| ToName {
                    tool,
                    rename: *rename,
                })
                .collect(),
        })
        .collect();
    put_together(&mounts, reserved)
}

#[test]
fn a_name_is_made_of_the_member_and_the_tool() {
    let names = named(
        &[
            (
                "git",
                false,
                &[("git_status", None), ("log", Some("history"))],
            ),
            ("time", true, &[("get_current_time", None)]),
        ],
        &["tools_search"],
    );
    let names: Vec<_> = names.into_iter().flatten().map(Result::unwrap).collect();
    assert_eq!(
        names,
        ["git__git_status", "git__history", "get_current_time"]
    );
}

#[test]
fn foreign_characters_are_replaced_one_by_one() {
    let names = named(&[("my.srv", false, &[("admin.tools/list é", None)])], &[]);
    assert_eq!(names[0][0], Ok("my_srv__admin_tools_list__".into()));
}

#[test]
fn two_owners_of_a_name_both_lose_it_and_both_are_named() {
    let names = named(
        &[
            ("a", false, &[("b__c", None), ("other", None)]),
            ("a__b", false, &[("c", None)]),
        ],
        &[],
    );
    assert_eq!(
        names[0][1],
        Ok("a__other".into()),
        "the rest keeps its names"
    );
    for refused in [&names[0][0], &names[1][0]] {
        let refused = said(refused.as_ref().expect_err("a name with two owners"));
        assert!(refused.contains("a/b__c and a__b/c"), "{refused}");
    }
    let renamed = [("a.b", Some("x y")), ("a b", Some("x y"))];
    let alike = named(&[("m", false, &renamed)], &[]);
    assert!(alike[0].iter().all(Result::is_err), "{alike:?}");
}

#[test]
fn look_alikes_of_a_member_get_distinct_names() {
    let one = |tools: &[(&str, Option<&str>)]| -> Vec<String> {
        let names = named(&[("evil", false, tools)], &[]);
        let names = names.into_iter().flatten();
        names.map(|name| name.expect("a name")).collect()
    };
    let names = one(&[("查询", None), ("更新", None), ("a b", None), ("a_b", None)]);
    assert_eq!(names[3], "evil__a_b", "nothing of it was replaced");
    assert_eq!(names[2], "evil__a_b_3ea454");
    for name in &names[..2] {
        assert!(name.starts_with("evil_____") && name.len() == 15, "{name}");
    }
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), 4, "{names:?}");
    let other_order = one(&[("a_b", None), ("更新", None), ("a b", None), ("查询", None)]);
    assert_eq!(other_order[2], names[2], "whatever their order");
    assert_eq!(other_order[3], names[0]);
    let long = ["x ".repeat(40), "x_".repeat(40)];
    let names = one(&[(&long[0], None), (&long[1], None)]);
    assert!(names[0] != names[1] && names.iter().all(|name| name.len() <= AGENT_NAME_MAX));
}

#[test]
fn a_name_from_before_names_were_shortened_is_told() {
    let member = MemberName::parse("m").expect("a name");
    let former = |tool: &str| {
        let tool = ToolName::parse(tool).expect("a name");
        let tool = ToName {
            tool: &tool,
            rename: None,
        };
        former_name(&member, false, &tool)
    };
    assert_eq!(former(&"x".repeat(44)), None);
    let longer = "x".repeat(50);
    assert_eq!(former(&longer), Some(format!("m__{longer}")));
    let cut = former(&"x".repeat(80)).expect("another name");
    assert!(
        cut.len() == CLIENT_NAME_MAX && cut.starts_with("m__xxx"),
        "{cut}"
    );
}

#[test]
fn many_owners_are_counted() {
    let tools = ["a b", "a.b", "a/b", "a:b", "a,b", "a;b"].map(|tool| (tool, Some("a b")));
    let names = named(&[("m", false, &tools)], &[]);
    let refused = said(names[0][0].as_ref().expect_err("a name with six owners"));
    assert!(
        refused.contains("m/a b, m/a.b, m/a/b, m/a:b and 2 more"),
        "{refused}"
    );
}

#[test]
fn the_menu_s_names_are_given_to_nobody() {
    let names = named(&[("m", true, &[("tools_search", None)])], &["tools_search"]);
    assert!(names[0][0].is_err());
    let names = named(
        &[("m", false, &[("tools_search", None)])],
        &["tools_search"],
    );
    assert_eq!(names[0][0], Ok("m__tools_search".into()));
}

#[test]
fn each_name_of_a_member_may_be_one_of_its() {
    let member = |text: &str| MemberName::parse(text).expect("a name");
    let long = "x".repeat(80);
    for owner in ["m", "my.srv", "a__b", &"y".repeat(MEMBER_NAME_MAX)] {
        let named = named(&[(owner, false, &[("a.tool", None), (&long, None)])], &[]);
        for name in named[0].iter().map(|name| name.as_ref().expect("a name")) {
            assert!(may_be_of(name, &member(owner), false), "{owner}: {name}");
            assert!(!may_be_of(name, &member("other"), false), "{name}");
            assert!(may_be_of(name, &member("other"), true), "{name}");
        }
    }
    assert!(may_be_of("a__b__c", &member("a"), false));
    assert!(!may_be_of("a_tool", &member("a"), false));
}

#[test]
fn a_change_to_nothing_gives_no_name() {
    let names = named(&[("m", false, &[("a", Some(" ")), ("b", Some(""))])], &[]);
    for refused in &names[0] {
        let refused = said(refused.as_ref().expect_err("no name"));
        assert!(refused.contains("to an empty name"), "{refused}");
    }
}

#[test]
fn a_long_name_keeps_its_beginning_and_ends_in_its_hash() {
    let (one, two) = (
        format!("{}1", "x".repeat(80)),
        format!("{}2", "x".repeat(80)),
    );
    let names = named(&[("member", false, &[(&one, None), (&two, None)])], &[]);
    let one = names[0][0].as_ref().expect("a name");
    assert_eq!(one.len(), AGENT_NAME_MAX);
    assert!(one.starts_with("member__xxx"), "{one}");
    assert_ne!(Ok(one), names[0][1].as_ref());
    // The suffix is the same on every machine and in every version, since configurations contain
    // it.
    assert_eq!(one.rsplit('_').next(), Some(HASH_OF_ONE));
    let fits = "x".repeat(AGENT_NAME_MAX);
    assert_eq!(named(&[("m", true, &[(&fits, None)])], &[])[0][0], Ok(fits));
}

const HASH_OF_ONE: &str = "828f705a";

type Drawn = (String, bool, Vec<(String, Option<String>)>);

fn any_mount() -> impl Strategy<Value = Drawn> {
    let tool = prop_oneof!["[ab_.]{1,3}", "[a-z._é-]{1,100}"];
    let rename = proptest::option::weighted(0.2, "[a-b _]{0,4}");
    ("[ab][ab_.]{0,2}", any::<bool>(), vec((tool, rename), 0..6))
}

fn names_of(drawn: &[Drawn]) -> Vec<Vec<Result<String, NamingError>>> {
    let tools: Vec<Vec<(&str, Option<&str>)>> = drawn
        .iter()
        .map(|(_, _, tools)| {
            let tools = tools.iter();
            tools
                .map(|(tool, rename)| (tool.as_str(), rename.as_deref()))
                .collect()
        })
        .collect();
    let listed: Vec<Listed<'_>> = drawn
        .iter()
        .zip(&tools)
        .map(|((member, without_prefix, _), tools)| {
            (member.as_str(), *without_prefix, tools.as_slice())
        })
        .collect();
    named(&listed, &["a", "b_a"])
}

proptest! {
    #[test]
    fn names_are_unique_and_as_clients_take_them(drawn in vec(any_mount(), 0..6)) {
        let names = names_of(&drawn);
        let mut seen = HashSet::new();
        for name in names.iter().flatten().flatten() {
            prop_assert!(!name.is_empty() && name.len() <= AGENT_NAME_MAX);
            prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)));
            prop_assert!(!["a", "b_a"].contains(&name.as_str()));
            prop_assert!(seen.insert(name.clone()), "{name} was given twice");
        }
    }

    #[test]
    fn later_members_never_rename_tools(
        drawn in vec(any_mount(), 1..4),
        later in vec(any_mount(), 0..4),
    ) {
        let before = names_of(&drawn);
        let after = names_of(&[drawn, later].concat());
        for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
            match (before, after) {
                (Ok(before), Ok(after)) => prop_assert_eq!(before, after),
                (Err(_), Ok(name)) => prop_assert!(false, "{name} was withheld before"),
                (_, Err(_)) => {}
            }
        }
    }
}
