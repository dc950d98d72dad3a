//! Measures the nesting depth and the number of values of JSON text, without parsing it.

/// Whether JSON text is nested deeper than `max` levels.
pub(crate) fn is_nested_deeper(json: &str, max: usize) -> bool {
    // Fast path: most text has fewer brackets than this.
    let brackets = memchr::memchr2_iter(b'{', b'[', json.as_bytes()).nth(max);
    brackets.is_some() && nesting(json) > max
}

/// Whether JSON text may have more than `max` values. Each value follows a comma, or a bracket if
/// it is the first of its array or object.
pub(crate) fn may_have_more_values(json: &[u8], max: usize) -> bool {
    // Fast path: each value takes at least two bytes, one of them for a comma or bracket before it.
    json.len() / 2 > max && {
        let signs = memchr::memchr3_iter(b',', b'[', b'{', json).nth(max);
        signs.is_some() && values(json) > max
    }
}

/// Returns an upper bound of the number of values in JSON text.
fn values(json: &[u8]) -> usize {
    1 + outside_of_strings(json)
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'))
        .count()
}

fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in outside_of_strings(json.as_bytes()) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Returns the bytes of JSON text that are outside of strings.
fn outside_of_strings(json: &[u8]) -> impl Iterator<Item = u8> {
    let (mut in_text, mut escaped) = (false, false);
    json.iter().copied().filter(move |byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ => return !in_text,
        }
        false
    })
}

/// Returns the JSON text with `{}` in place of all values that are nested deeper than `max` levels.
pub(crate) fn cut(json: &str, max: usize) -> String {
    let mut kept = String::with_capacity(json.len());
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    for char in json.chars() {
        let closes = !in_text && matches!(char, '}' | ']');
        if !in_text && matches!(char, '{' | '[') {
            depth += 1;
            if depth == max + 1 {
                kept.push_str("{}");
            }
        }
        if depth <= max {
            kept.push(char);
        }
        if closes {
            depth = depth.saturating_sub(1);
        }
        match char {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::DEPTH_MAX;
    use super::*;

    #[test]
    fn too_deep_values_are_cut() {
        let deep = format!("{}\"]}}\"{}", "[".repeat(200), "]".repeat(200));
        let whole = format!(r#"{{"a":"[{{\\\"","deep":{deep},"z":1}}"#);
        let value: Value =
            serde_json::from_str(&cut(&whole, DEPTH_MAX)).expect("JSON that can be read");
        assert_eq!(value["a"], "[{\\\"");
        assert_eq!(value["z"], 1);
        assert_eq!(
            nesting(&cut(&whole, DEPTH_MAX)),
            DEPTH_MAX + 1,
            "an empty object in its place"
        );
    }

    #[test]
    fn values_are_counted_outside_of_texts() {
        let many = format!("[{}0]", "0,".repeat(1_000));
        assert!(may_have_more_values(many.as_bytes(), 1_000));
        assert!(!may_have_more_values(many.as_bytes(), 1_002));
        let text = format!("[\"{}\\\"\"]", ",".repeat(1_000));
        assert!(!may_have_more_values(text.as_bytes(), 100));
        assert_eq!(values(br#"{"a":[1,2],"b":{},"c":"[{,"}"#), 6 + 1);
    }

    #[test]
    fn depth_is_counted_outside_of_texts() {
        assert_eq!(nesting(r#"{"a":["[[[\"[",{"b":1}]}"#), 3);
    }
}
