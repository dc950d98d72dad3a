//! Converts the keys of a global shortcut to X11 key symbols.

/// A combination of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Keys {
    pub(super) ctrl: bool,
    pub(super) alt: bool,
    pub(super) shift: bool,
    pub(super) super_key: bool,
    /// The key's symbol (an X11 keysym).
    pub(super) symbol: u32,
}

/// The symbols of the keys that have a name instead of a character.
const NAMED: &[(&str, u32)] = &[
    ("Enter", 0xff0d),
    ("Esc", 0xff1b),
    ("Tab", 0xff09),
    ("Space", 0x0020),
    ("Backspace", 0xff08),
    ("Delete", 0xffff),
    ("Insert", 0xff63),
    ("Home", 0xff50),
    ("End", 0xff57),
    ("PageUp", 0xff55),
    ("PageDown", 0xff56),
    ("ArrowUp", 0xff52),
    ("ArrowDown", 0xff54),
    ("ArrowLeft", 0xff51),
    ("ArrowRight", 0xff53),
    ("Plus", 0x002b),
    ("Minus", 0x002d),
];
/// The symbol of F1, which the symbols of the other function keys follow.
const F1: u32 = 0xffbe;
const FUNCTION_KEYS: u32 = 12;

impl Keys {
    /// Parses the text of the setting, such as `Ctrl+Shift+K`. `None` if the text contains an
    /// unknown key.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut keys = Self::default();
        let mut words = text.split('+').rev();
        keys.symbol = symbol(words.next()?)?;
        for held in words {
            match held {
                "Ctrl" => keys.ctrl = true,
                "Alt" => keys.alt = true,
                "Shift" => keys.shift = true,
                "Super" => keys.super_key = true,
                _ => return None,
            }
        }
        Some(keys)
    }
}

fn symbol(key: &str) -> Option<u32> {
    let mut characters = key.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => {
            // The symbol of a letter's key is that of the lowercase letter.
            let small = character.to_lowercase().next()?;
            match u32::from(small) {
                latin @ (0x20..=0x7e | 0xa0..=0xff) => Some(latin),
                0..=0x9f => None,
                other => Some(0x0100_0000 | other),
            }
        }
        _ => {
            let named = NAMED.iter().find(|(name, _)| *name == key);
            let function = || {
                let number: u32 = key.strip_prefix('F')?.parse().ok()?;
                (1..=FUNCTION_KEYS)
                    .contains(&number)
                    .then(|| F1 + number - 1)
            };
            named.map(|(_, symbol)| *symbol).or_else(function)
        }
    }
}

#[cfg(test)]
mod tests {
    use guild_model::settings::press::check_global;

    use super::*;

    #[test]
    fn every_accepted_key_has_a_symbol() {
        for key in NAMED.iter().map(|(name, _)| (*name).to_owned()) {
            let text = check_global(&format!("ctrl+{key}")).expect("the settings take it");
            assert!(Keys::of(&text).is_some(), "{text}");
        }
        for number in 1..=FUNCTION_KEYS {
            let text = check_global(&format!("F{number}")).expect("the settings take it");
            let keys = Keys::of(&text).expect("a key");
            assert_eq!(keys.symbol, F1 + number - 1);
        }
        let keys = Keys::of("Ctrl+Alt+Shift+Super+K").expect("keys");
        assert!(keys.ctrl && keys.alt && keys.shift && keys.super_key);
        assert_eq!(keys.symbol, u32::from('k'));
        assert_eq!(Keys::of("Ctrl+Ö").expect("keys").symbol, 0xf6);
        assert_eq!(Keys::of("Ctrl+Ж").expect("keys").symbol, 0x0100_0436);
    }

    #[test]
    fn unknown_key_has_no_symbol() {
        for text in [
            "",
            "Ctrl+",
            "Hyper+K",
            "Ctrl+F13",
            "Ctrl+\u{7}",
            "Ctrl+Nothing",
        ] {
            assert_eq!(Keys::of(text), None, "{text:?}");
        }
    }
}
