use super::*;
use crate::note::FolderTrouble;

#[test]
fn a_code_is_written_the_same_way_everywhere() {
    for &code in Code::ALL {
        let written = serde_json::to_value(code).expect("a code is a string");
        assert_eq!(written, code.as_str());
    }
}

#[test]
fn each_code_has_a_sentence_and_a_hint_of_its_own_in_each_other_language() {
    let mut sentences = std::collections::BTreeMap::new();
    for &code in Code::ALL {
        assert_eq!(code.words(Language::En), None);
        let words = code.words(Language::De).expect("words");
        for text in [words.what, words.hint] {
            assert!(text.ends_with('.') && text.len() > 10, "{code}: {text}");
            assert!(!text.contains("Sie "), "{code}: {text}");
        }
        let other = sentences.insert(words.what, code);
        assert_eq!(other, None, "{code} says what another one says");
    }
}

#[test]
fn a_report_names_its_member_and_the_next_step() {
    let report = Report::new(
        Code::CallTimeout,
        "No answer in 30 s.",
        "Try a longer limit.",
    )
    .of(&MemberName::parse("forge").expect("valid"));
    assert_eq!(
        report.to_string(),
        "forge: No answer in 30 s. [call-timeout]\nhint: Try a longer limit."
    );
}

#[test]
fn a_report_that_is_told_has_its_words_in_each_language_and_another_its_codes() {
    let folder = std::path::PathBuf::from("/m");
    let report = Report::told(
        Code::FolderUnsafe,
        &FolderTrouble::Unsafe(folder, "no such file".to_owned()),
    );
    assert_eq!(report.message, "/m is no member's folder: no such file.");
    assert_eq!(
        report.words(Language::De).message,
        "/m ist kein Ordner eines Mitglieds: no such file."
    );
    let plain = Report::new(Code::FolderUnsafe, "It is odd.", "Look.");
    let meant = Code::FolderUnsafe.words(Language::De).expect("words");
    assert_eq!(
        plain.words(Language::De),
        Wording {
            message: format!("{} (It is odd.)", meant.what),
            hint: format!("{} (Look.)", meant.hint),
        }
    );
    let written = serde_json::to_value(&plain).expect("JSON");
    assert_eq!(written.get("german"), None, "nothing where there is none");
    let advising = plain.advising(&plain.what());
    assert_eq!(advising.message, plain.message);
    assert_eq!(advising.hint, "It is odd.");
    assert_eq!(
        advising.words(Language::De).hint,
        plain.words(Language::De).message
    );
}

#[test]
fn no_word_of_a_report_is_out_of_reach_of_who_hides_secrets() {
    let trouble = FolderTrouble::Unsafe("/m".into(), "hush".to_owned());
    let mut report = Report::told(Code::FolderUnsafe, &trouble);
    for text in report.texts_mut() {
        *text = text.replace("hush", "…");
    }
    let written = serde_json::to_string(&report).expect("JSON");
    assert!(!written.contains("hush"), "{written}");
}
