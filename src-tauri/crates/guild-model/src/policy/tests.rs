//! Tests every combination of inputs of a policy, since there are few.

use super::*;

const WORDS: [Option<Policy>; 4] = [
    None,
    Some(Policy::Allow),
    Some(Policy::Ask),
    Some(Policy::Deny),
];
const SAID: [Option<bool>; 3] = [None, Some(false), Some(true)];

fn all_hints() -> impl Iterator<Item = ToolHints> {
    SAID.into_iter().flat_map(|read_only| {
        SAID.into_iter().flat_map(move |destructive| {
            SAID.into_iter().map(move |open_world| ToolHints {
                read_only,
                destructive,
                open_world,
                idempotent: None,
            })
        })
    })
}

fn all_rules() -> impl Iterator<Item = PolicyRules> {
    let places = u32::try_from(ToolClass::ALL.len()).expect("few");
    (0..WORDS.len().pow(places)).map(|mut number| {
        let mut rules = PolicyRules::default();
        for class in ToolClass::ALL {
            rules.set(class, WORDS[number % WORDS.len()]);
            number /= WORDS.len();
        }
        rules
    })
}

/// Computes the order of precedence independently: the first stated policy applies.
fn expected(
    by_hand: Option<Policy>,
    rule: Option<(Policy, ToolClass)>,
    manifest: Option<Policy>,
) -> Policy {
    let of_manifest = manifest.filter(|policy| *policy == Policy::Deny);
    [by_hand, of_manifest, rule.map(|rule| rule.0), manifest]
        .into_iter()
        .flatten()
        .next()
        .unwrap_or(Policy::Allow)
}

#[test]
fn one_word_holds_for_every_tool_and_no_rule_widens_a_deny() {
    for rules in all_rules() {
        for hints in all_hints() {
            let rule = rules.of(hints);
            for by_hand in WORDS {
                for manifest in WORDS {
                    let ruling = PolicyDecision::everywhere(by_hand, rule, manifest);
                    assert_eq!(ruling.policy, expected(by_hand, rule, manifest));
                    let without = PolicyDecision::everywhere(by_hand, None, manifest);
                    if without.policy == Policy::Deny {
                        assert_eq!(ruling.policy, Policy::Deny, "{rules:?} {hints:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_reason_is_what_said_the_policy() {
    for rules in all_rules() {
        for hints in all_hints() {
            for by_hand in WORDS {
                for manifest in WORDS {
                    let ruling = PolicyDecision::everywhere(by_hand, rules.of(hints), manifest);
                    let said = match ruling.reason {
                        PolicyReason::Default => Some(Policy::Allow),
                        PolicyReason::Manifest => manifest,
                        PolicyReason::Rule { class } => rules.get(class),
                        PolicyReason::Hand => by_hand,
                        PolicyReason::ProfileRule { .. } | PolicyReason::ProfileHand => None,
                    };
                    assert_eq!(said, Some(ruling.policy), "{ruling:?}");
                }
            }
        }
    }
}

#[test]
fn profile_is_never_looser_tool_before_rules() {
    for everywhere in WORDS.into_iter().flatten() {
        let everywhere = PolicyDecision::new(everywhere, PolicyReason::Hand);
        for by_hand in WORDS {
            for rules in all_rules() {
                for hints in all_hints() {
                    let own = PolicyDecision::of_profile(by_hand, rules.of(hints));
                    let ruling = everywhere.within(own);
                    assert!(ruling.policy >= everywhere.policy);
                    let says = by_hand.or_else(|| rules.of(hints).map(|rule| rule.0));
                    let strictest = says.unwrap_or(Policy::Allow).max(everywhere.policy);
                    assert_eq!(ruling.policy, strictest);
                }
            }
        }
    }
}

#[test]
fn stricter_of_two_rules_wins() {
    let rules = PolicyRules {
        read_only: Some(Policy::Allow),
        open_world: Some(Policy::Ask),
        ..PolicyRules::default()
    };
    let hints = |open_world| ToolHints {
        read_only: Some(true),
        open_world,
        ..ToolHints::default()
    };
    let of = |open_world| rules.of(hints(open_world));
    assert_eq!(of(Some(true)), Some((Policy::Ask, ToolClass::OpenWorld)));
    assert_eq!(of(None), Some((Policy::Allow, ToolClass::ReadOnly)));
    assert_eq!(of(Some(false)), Some((Policy::Allow, ToolClass::ReadOnly)));
    assert_eq!(rules.of(ToolHints::default()), None);
}

#[test]
fn contradictory_hints_count_as_the_worse() {
    let class = |read_only, destructive| {
        ToolClass::of(ToolHints {
            read_only,
            destructive,
            ..ToolHints::default()
        })
    };
    assert_eq!(class(Some(true), Some(true)), ToolClass::Destructive);
    assert_eq!(class(Some(false), None), ToolClass::Destructive);
    assert_eq!(class(None, Some(true)), ToolClass::Destructive);
    assert_eq!(class(Some(true), Some(false)), ToolClass::ReadOnly);
    assert_eq!(class(Some(true), None), ToolClass::ReadOnly);
    assert_eq!(class(Some(false), Some(false)), ToolClass::Changing);
    assert_eq!(class(None, Some(false)), ToolClass::Changing);
    assert_eq!(class(None, None), ToolClass::Unsaid);
}

#[test]
fn a_kind_that_does_not_exist_is_no_rule() {
    let read = |text: &str| serde_json::from_str::<PolicyRules>(text);
    let wrong = read(r#"{"destructve": "deny"}"#).expect_err("misspelt");
    assert!(wrong.to_string().contains("destructve"), "{wrong}");
    assert!(read(r#"{"destructive": "never"}"#).is_err());
    let rules = read(r#"{"destructive": "deny"}"#).expect("rules");
    assert_eq!(rules.get(ToolClass::Destructive), Some(Policy::Deny));
    for class in ToolClass::ALL {
        assert_eq!(ToolClass::parse(class.as_str()), Some(class));
    }
}
