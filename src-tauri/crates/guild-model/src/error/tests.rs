use super::*;
use crate::messages::SettingsError;

#[test]
fn a_code_is_written_the_same_way_everywhere() {
    for &code in Code::ALL {
        let written = serde_json::to_value(code).expect("a code is a string");
        assert_eq!(written, code.as_str());
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
fn report_has_the_message_of_its_error() {
    let folder = std::path::PathBuf::from("/m");
    let report = Report::from_error(
        Code::FolderUnsafe,
        &SettingsError::Unreadable(folder, "no such file".to_owned()),
    );
    assert_eq!(report.message, "/m can't be read: no such file.");
    let plain = Report::new(Code::FolderUnsafe, "It is odd.", "Look.");
    let advising = plain.advising(&plain.message.clone());
    assert_eq!(advising.message, plain.message);
    assert_eq!(advising.hint, "It is odd.");
}

#[test]
fn no_word_of_a_report_is_out_of_reach_of_who_hides_secrets() {
    let trouble = SettingsError::Unreadable("/m".into(), "hush".to_owned());
    let mut report = Report::from_error(Code::FolderUnsafe, &trouble);
    for text in report.texts_mut() {
        *text = text.replace("hush", "…");
    }
    let written = serde_json::to_string(&report).expect("JSON");
    assert!(!written.contains("hush"), "{written}");
}
