//! The command line in its user's language: by the locale, and before that by the settings.

use std::path::Path;

use tokio::process::Command;

use crate::guildhall::Desk;

fn choose(desk: &Desk, language: &str) {
    let folder = desk.house.data_dir();
    std::fs::create_dir_all(&folder).expect("the data folder");
    let text = format!(r#"{{"language": "{language}"}}"#);
    std::fs::write(Path::new(&folder).join("settings.json"), text).expect("written");
}

fn german(mut command: Command) -> Command {
    command.env("LC_ALL", "de_DE.UTF-8");
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_locale_decides_and_what_is_set_decides_before_it() {
    let desk = Desk::new("language").await;
    desk.house.member("pipe").write();

    let english = desk.run(&["list"]).await;
    assert!(english.stdout.starts_with("MEMBER"), "{english:#?}");
    assert!(english.stdout.contains("stopped"), "{english:#?}");

    let by_locale = desk.ended(german(desk.command(&["list"]))).await;
    assert_eq!(by_locale.code, Some(0), "{by_locale:#?}");
    assert!(by_locale.stdout.starts_with("MITGLIED"), "{by_locale:#?}");
    assert!(by_locale.stdout.contains("angehalten"), "{by_locale:#?}");

    choose(&desk, "de");
    let by_setting = desk.run(&["list"]).await;
    assert_eq!(by_setting.stdout, by_locale.stdout);

    choose(&desk, "en");
    let chosen = desk.ended(german(desk.command(&["list"]))).await;
    assert_eq!(chosen.stdout, english.stdout);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn help_and_mistakes_are_german_and_json_is_the_same_everywhere() {
    let desk = Desk::new("language-help").await;
    desk.house.member("pipe").write();

    let help = desk.ended(german(desk.bare(&["call", "--help"]))).await;
    assert_eq!(help.code, Some(0), "{help:#?}");
    assert!(help.stdout.contains("Aufruf: guildhall call"), "{help:#?}");
    assert!(help.stdout.contains("Das Werkzeug"), "{help:#?}");

    let mistake = desk.ended(german(desk.command(&["lits"]))).await;
    assert_eq!(mistake.code, Some(2), "{mistake:#?}");
    assert!(
        mistake.stderr.contains("Den Befehl »lits« gibt es nicht"),
        "{mistake:#?}"
    );

    let english = desk.run(&["--json", "list"]).await;
    let same = desk.ended(german(desk.command(&["--json", "list"]))).await;
    assert_eq!(same.json(0), english.json(0));

    // What went wrong is said as it stands in logs and in answers to agents, with its code.
    let unknown = desk
        .ended(german(desk.command(&["call", "nobody", "hit"])))
        .await;
    assert_eq!(unknown.code, Some(5), "{unknown:#?}");
    assert!(unknown.stderr.starts_with("Fehler: "), "{unknown:#?}");
    assert!(unknown.stderr.contains("member-unknown"), "{unknown:#?}");
}
