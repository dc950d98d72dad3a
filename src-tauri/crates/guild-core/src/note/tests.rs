use super::*;

/// Words that no German sentence has outside of what is quoted from code.
const ENGLISH: &[&str] = &[
    "a", "and", "are", "at", "be", "by", "does", "for", "has", "have", "is", "it", "its", "no",
    "not", "of", "on", "or", "that", "the", "their", "there", "they", "this", "to", "what",
    "which", "with", "you", "your",
];

/// The words of a sentence, without those between backticks.
fn words(text: &str) -> Vec<String> {
    let outside: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let apart = |c: char| !c.is_alphanumeric() && c != '-' && c != '\'';
    outside
        .split(apart)
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect()
}

fn check<T: Told + std::fmt::Debug>(notes: Vec<T>) {
    for note in notes {
        let (english, german) = (note.told(Language::En), note.told(Language::De));
        for text in [&english, &german] {
            assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
            assert_eq!(text.matches('`').count() % 2, 0, "{text}");
        }
        assert_eq!(
            english.ends_with('.'),
            german.ends_with('.'),
            "{english} / {german}"
        );
        // A name, or another's words, may be all of it.
        if words(&english).len() > 1 {
            assert_ne!(english, german, "{note:?}");
        }
        let left: Vec<String> = words(&german)
            .into_iter()
            .filter(|word| ENGLISH.contains(&word.as_str()))
            .collect();
        assert!(left.is_empty(), "{german}: {left:?}");
    }
}

#[test]
fn no_note_is_english_in_german() {
    check(Beyond::all());
    check(Danger::all());
    check(Private::all());
    check(FoundNote::all());
    check(InputNote::all());
    check(Whose::all());
    check(CopyNote::all());
    check(ListingNote::all());
    check(ListingWrong::all());
    check(Uninstallable::all());
    check(BundleNote::all());
    check(BundleWrong::all());
    check(JsonKind::all());
    check(Then::all());
    check(TeamNote::all());
    check(TeamProgram::all());
    check(TeamUnfit::all());
    check(TeamNeed::all());
    check(AskNote::all());
    check(ExampleNote::all());
    check(ValueWrong::all());
    check(SchemaNote::all());
    check(SchemaPlace::all());
    check(Cut::all());
    check(SchemaChangeNote::all());
    check(SuspicionNote::all());
    check(BreakageNote::all());
    check(PolicyPlace::all());
    check(MountUse::all());
}

#[test]
fn a_note_is_told_with_its_values_in_each_language() {
    let note = FoundNote::SomeTools(Whose::ItsFirst, "includeTools");
    assert_eq!(
        note.told(Language::De),
        "Das eigene Programm bietet nur einige der Werkzeuge an (`includeTools`); ein Mitglied bietet alle an."
    );
    assert_eq!(
        note.to_string(),
        "Its program offers only some of its tools (`includeTools`); a member offers all."
    );
    let within = Danger::Within(Private::Home, "/home/ada".to_owned());
    let beyond = Beyond::Dangerous("/home".to_owned(), within);
    assert_eq!(
        beyond.told(Language::De),
        "/home bekommt kein Container: das Home-Verzeichnis, /home/ada, liegt darin"
    );
}
