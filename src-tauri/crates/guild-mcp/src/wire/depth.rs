//! How deep JSON text is nested, told without reading it.

/// Whether JSON text is nested deeper than `max` levels.
pub(crate) fn is_nested_deeper(json: &str, max: usize) -> bool {
    // Mostly there are not even so many brackets, and they are counted much faster.
    let brackets = memchr::memchr2_iter(b'{', b'[', json.as_bytes()).nth(max);
    brackets.is_some() && nesting(json) > max
}

/// How deep JSON text is nested.
fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0usize, 0usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
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

/// The same JSON with `{}` for whatever is nested deeper than `max` levels.
pub(super) fn cut(json: &str, max: usize) -> String {
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
    fn what_is_too_deep_is_cut_and_the_rest_stays() {
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
    fn depth_is_counted_outside_of_texts() {
        assert_eq!(nesting(r#"{"a":["[[[\"[",{"b":1}]}"#), 3);
    }
}
