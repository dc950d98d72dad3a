//! The text form of keys: `Ctrl+Shift+R`, `F6`, `/`.

/// Modifier keys, in the order of their text form.
const HELD: [&str; 4] = ["Ctrl", "Alt", "Shift", "Super"];
/// Keys with a name instead of a character.
const NAMED: &[&str] = &[
    "Enter",
    "Esc",
    "Tab",
    "Space",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Plus",
    "Minus",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
];

/// Returns an action's keys in their canonical text form.
///
/// # Errors
/// The reason, as a sentence without its final period.
pub(super) fn check(text: &str) -> Result<String, String> {
    let (held, key) = parts(text)?;
    if held.contains(&"Super") {
        return Err("Super belongs to the system".into());
    }
    // The web view and dialogs use these keys themselves.
    if matches!(key.as_str(), "Esc" | "Tab") {
        return Err(format!("{key} is reserved for the window and its dialogs"));
    }
    if !is_strong(&held) && !is_function(&key) {
        // For these characters, the window reports the name of the key instead of the character.
        if NAMED.contains(&key.as_str()) || matches!(key.as_str(), "-" | "_" | "=") {
            return Err(format!("{key} is used for typing: add Ctrl or Alt"));
        }
        if !held.is_empty() {
            return Err(format!(
                "Shift alone can't be combined with {key}: write the typed character instead"
            ));
        }
    }
    Ok(written(&held, &key))
}

/// Returns the canonical text form of keys that work while another program has the keyboard focus.
///
/// # Errors
/// The reason, as a sentence without its final period.
pub fn check_global(text: &str) -> Result<String, String> {
    let (held, key) = parts(text)?;
    if !is_strong(&held) && !is_function(&key) {
        return Err("add Ctrl, Alt or Super: the keys work in every program".into());
    }
    Ok(written(&held, &key))
}

/// Whether a modifier other than Shift is pressed.
fn is_strong(held: &[&str]) -> bool {
    held.iter().any(|one| *one != "Shift")
}

fn is_function(key: &str) -> bool {
    key.len() > 1 && key.starts_with('F')
}

fn written(held: &[&str], key: &str) -> String {
    let held = HELD.iter().filter(|one| held.contains(one));
    held.copied().chain([key]).collect::<Vec<_>>().join("+")
}

fn parts(text: &str) -> Result<(Vec<&'static str>, String), String> {
    let wrong = || {
        let cut: String = text.chars().take(40).collect();
        format!("{cut:?} does not name keys, such as \"Ctrl+Shift+K\" or \"F6\"")
    };
    let mut words: Vec<&str> = text.split('+').map(str::trim).collect();
    let key = words.pop().ok_or_else(wrong)?;
    let mut held = Vec::new();
    for word in words {
        let known = HELD.iter().find(|one| one.eq_ignore_ascii_case(word));
        let known = *known.ok_or_else(wrong)?;
        if held.contains(&known) {
            return Err(format!("{known} is written twice"));
        }
        held.push(known);
    }
    let mut characters = key.chars();
    let key = match (characters.next(), characters.next()) {
        (Some(one), None) if !one.is_control() && !one.is_whitespace() => {
            // Without a modifier, the text form is the typed character. With a modifier, it is the
            // key in uppercase.
            match held.is_empty() {
                true => one.to_string(),
                false => one.to_uppercase().collect(),
            }
        }
        _ => {
            let named = NAMED.iter().find(|name| name.eq_ignore_ascii_case(key));
            (*named.ok_or_else(wrong)?).to_owned()
        }
    };
    Ok((held, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_way_of_writing() {
        for (text, expect) in [
            ("Ctrl+Shift+R", "Ctrl+Shift+R"),
            ("shift + ctrl + r", "Ctrl+Shift+R"),
            ("F6", "F6"),
            ("alt+1", "Alt+1"),
            ("/", "/"),
            ("r", "r"),
            ("Ctrl+plus", "Ctrl+Plus"),
            ("ctrl+.", "Ctrl+."),
            ("shift+f6", "Shift+F6"),
            ("alt+enter", "Alt+Enter"),
            ("ctrl+shift+space", "Ctrl+Shift+Space"),
            ("A", "A"),
            ("é", "é"),
        ] {
            assert_eq!(check(text).as_deref(), Ok(expect), "{text}");
        }
    }

    #[test]
    fn unknown_or_reserved_key_is_refused() {
        for text in [
            "",
            "Ctrl+",
            "Ctrl",
            "Hyper+K",
            "Ctrl+KK",
            "Ctrl+Ctrl+K",
            "Esc",
            "Tab",
            "Super+K",
            "Ctrl+\u{7}",
            "+",
            "Space",
            "Enter",
            "Backspace",
            "Shift+Enter",
            "Shift+Delete",
            "ArrowUp",
            "Plus",
            "minus",
            "-",
            "=",
            "Shift+A",
            "Shift+/",
        ] {
            assert!(check(text).is_err(), "{text:?}");
        }
        assert_eq!(check_global("super+k").as_deref(), Ok("Super+K"));
        assert_eq!(check_global("Shift+F9").as_deref(), Ok("Shift+F9"));
        for text in ["k", "F", "Shift+K", "Enter", ""] {
            assert!(check_global(text).is_err(), "{text:?}");
        }
    }
}
