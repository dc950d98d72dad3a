use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// Characters of the longest line.
const LINE_MAX: usize = 400;

fn result(texts: &[&str]) -> ResultDocument {
    let content: Vec<Value> = texts
        .iter()
        .map(|text| json!({"type": "text", "text": text}))
        .collect();
    ResultDocument::read(&json!({ "content": content }).to_string())
}

#[test]
fn json_outline_has_names_types_and_lengths() {
    let json = json!({
        "items": [{"id": 1, "tags": ["a", "b"], "a/b": null}, {"id": 2}],
        "total": 2, "ok": true, "name": "größer",
    });
    assert_eq!(
        outline(&result(&[&json.to_string()])),
        [
            "(whole): object with 4 keys",
            "/items: array of 2",
            "/total: number",
            "/ok: boolean",
            "/name: string, 6 characters",
            "/items/0: object with 3 keys",
            "/items/0/id: number",
            "/items/0/tags: array of 2",
            "/items/0/a~1b: null",
            "/items/0/tags/0: string, 1 character",
        ]
    );
}

#[test]
fn text_outline_lists_headings_or_paragraphs() {
    assert_eq!(
        outline(&result(&["# One\nübung\n## Two\nlast"])),
        [
            "text, 4 lines, 23 characters",
            "offset 0, line 0: # One",
            "offset 12, line 2: ## Two",
        ]
    );
    assert_eq!(
        outline(&result(&["First words\nmore\n\n\nSecond"])),
        [
            "text, 5 lines, 25 characters",
            "offset 0, line 0: First words",
            "offset 19, line 4: Second",
        ]
    );
}

#[test]
fn block_outline_has_types_sizes_and_offsets() {
    let result = json!({"content": [
        {"type": "text", "text": "größer"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "a:b", "text": "[1]"}},
    ]});
    assert_eq!(
        outline(&ResultDocument::read(&result.to_string())),
        [
            "3 blocks:",
            "0: text, 6 characters at offset 0: größer",
            "1: image, 53 bytes",
            "2: resource, JSON, 3 characters at offset 7: [1]",
        ]
    );
    let many = vec!["x"; 1_000];
    let lines = outline(&self::result(&many));
    assert_eq!(lines.len(), LINES_MAX);
    assert_eq!(lines[LINES_MAX - 1], "… and 942 more");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,500}".prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 120, 30, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..40).prop_map(Value::from),
            prop::collection::hash_map(".{0,300}", inner, 0..40)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn outline_of_any_json_is_bounded(json in any_json(), others in 0_usize..3) {
        let text = json.to_string();
        let texts = vec![text.as_str(); others + 1];
        let structured = json!({"content": [], "structuredContent": json}).to_string();
        for document in [result(&texts), ResultDocument::read(&structured)] {
            let lines = outline(&document);
            prop_assert!((1..=LINES_MAX).contains(&lines.len()));
            for line in lines {
                prop_assert!(line.chars().count() <= LINE_MAX, "{}", line);
                prop_assert!(!line.contains('\n'));
            }
        }
    }
}
