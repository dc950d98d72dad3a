//! The languages that people are spoken to in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language that all text is there in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English, which stands for every language that is not here.
    #[default]
    En,
    /// German.
    De,
}

impl Language {
    /// Its tag in pages, such as `en`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// The language of a locale such as `de_DE.UTF-8`; `None` for one that is not here.
    pub(crate) fn of_locale(locale: &str) -> Option<Self> {
        let language = locale
            .split(['_', '-', '.', '@'])
            .next()
            .unwrap_or_default();
        match language.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" => Some(Self::En),
            "de" => Some(Self::De),
            _ => None,
        }
    }

    /// A number as people write it in this language: `2,000`, in German `2.000`.
    pub fn number(self, number: u64) -> String {
        let between = match self {
            Self::En => ',',
            Self::De => '.',
        };
        let digits = number.to_string();
        let mut written = String::with_capacity(digits.len() + digits.len() / 3);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                written.push(between);
            }
            written.push(digit);
        }
        written
    }
}

/// Which language a person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LanguageChoice {
    /// The system's.
    #[default]
    System,
    /// English.
    En,
    /// German.
    De,
}

impl LanguageChoice {
    /// The language that is spoken where the system has this locale.
    pub fn resolve(self, locale: Option<&str>) -> Language {
        match self {
            Self::System => locale.and_then(Language::of_locale).unwrap_or_default(),
            Self::En => Language::En,
            Self::De => Language::De,
        }
    }
}

/// The locale of messages: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says anything.
pub fn message_locale<T: AsRef<str>>(variables: [Option<T>; 3]) -> Option<T> {
    let mut said = variables.into_iter().flatten();
    said.find(|value| !value.as_ref().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_has_a_language() {
        for (locale, expect) in [
            ("de_DE.UTF-8", Some(Language::De)),
            ("de", Some(Language::De)),
            ("de-AT", Some(Language::De)),
            ("DE_ch@euro", Some(Language::De)),
            ("en_GB.UTF-8", Some(Language::En)),
            ("C.UTF-8", Some(Language::En)),
            ("POSIX", Some(Language::En)),
            ("fr_FR.UTF-8", None),
            ("deu_DE", None),
            ("", None),
        ] {
            assert_eq!(Language::of_locale(locale), expect, "{locale}");
        }
    }

    #[test]
    fn a_number_is_written_as_people_write_it() {
        for (number, english, german) in [
            (0, "0", "0"),
            (1, "1", "1"),
            (999, "999", "999"),
            (2_000, "2,000", "2.000"),
            (12_345, "12,345", "12.345"),
            (1_234_567, "1,234,567", "1.234.567"),
        ] {
            assert_eq!(Language::En.number(number), english);
            assert_eq!(Language::De.number(number), german);
        }
    }

    #[test]
    fn a_choice_comes_before_the_system_and_english_before_nothing() {
        let german = Some("de_DE.UTF-8");
        assert_eq!(LanguageChoice::System.resolve(german), Language::De);
        assert_eq!(LanguageChoice::En.resolve(german), Language::En);
        assert_eq!(LanguageChoice::De.resolve(None), Language::De);
        assert_eq!(LanguageChoice::System.resolve(Some("fr")), Language::En);
        assert_eq!(LanguageChoice::System.resolve(None), Language::En);
    }

    #[test]
    fn the_variable_that_says_most_decides() {
        assert_eq!(message_locale([None, Some("de"), Some("en")]), Some("de"));
        assert_eq!(message_locale([Some(""), None, Some("en")]), Some("en"));
        assert_eq!(message_locale([Some("fr"), Some("de"), None]), Some("fr"));
        assert_eq!(message_locale::<&str>([None; 3]), None);
    }
}
