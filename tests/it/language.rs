//! The command line in its user's language: by the locale, and before that by the settings.

mod commands;

use std::path::Path;

use guild_core::ToolName;
use guild_core::language::Language;
use guild_core::wire::{CallEnd, CheckArguments, HistoryFilter, OfEntry, SearchHistory};
use rustix::process::Signal;
use serde_json::json;
use tokio::process::Command;

use crate::guildhall::{Desk, Ended};
use crate::house::name;

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
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_examples_went_and_what_is_watched_is_told_in_german() {
    let desk = Desk::new("language-examples").await;
    let examples = json!([
        {"name": "says", "tool": "echo", "expect": {"text_equals": "2"}},
        {"name": "fails", "tool": "echo", "expect": {"is_error": true}},
    ]);
    let forge = desk.house.member("forge");
    forge
        .manifest(json!({"dev": true, "examples": examples}))
        .write();
    let by_locale = desk.ended(german(desk.command(&["check"]))).await;
    assert_eq!(by_locale.code, Some(1), "{by_locale:#?}");
    for line in [
        "  FEHLER   says (echo, ",
        "    der Text\n      erwartet  2\n",
        "    ob es fehlschlug\n      erwartet  das Werkzeug meldet, dass es gescheitert ist\n",
        "\n0 bestanden, 2 fehlgeschlagen\n",
    ] {
        assert!(by_locale.stdout.contains(line), "{line}: {by_locale:#?}");
    }

    // What people read stands on stderr.
    let mut running = desk.started(german(desk.command(&["dev", "forge", "--json"])));
    running.line().await.expect("a round");
    running.signal(Signal::INT);
    let ended = running.ended(&desk).await;
    assert_eq!(ended.code, Some(0), "{ended:#?}");
    // How far the hall has looked at that moment is not known.
    let watched = ["seine Dateien", "alle Dateien, die Menschen schreiben"].map(|files| {
        format!("forge: beobachtet werden {files}; 2 Beispiele. Strg-C beendet es.\n")
    });
    let greeted = watched.iter().any(|line| ended.stderr.contains(line));
    assert!(greeted, "{ended:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_went_wrong_is_said_in_german_and_json_stays() {
    let desk = Desk::new("language-report").await;
    let words = ["call", "nobody", "hit"];
    let english = desk.run(&words).await;
    assert_eq!(english.code, Some(5), "{english:#?}");
    let said = english.stderr.strip_prefix("error: ").expect("a report");
    let said = said.strip_prefix("nobody: ").expect("its member");
    let (message, hint) = said
        .trim_end()
        .split_once(" [member-unknown]\nhint: ")
        .expect("its code");

    let by_locale = desk.ended(german(desk.command(&words))).await;
    assert_eq!(by_locale.code, Some(5), "{by_locale:#?}");
    let folder = hint.strip_prefix("Members are looked for in ");
    let folder = folder.and_then(|hint| hint.strip_suffix('.'));
    let expected = format!(
        "Fehler: nobody: Ein Mitglied \"nobody\" gibt es nicht. [member-unknown]\n\
         Rat: Mitglieder werden in {} gesucht.\n",
        folder.expect("its hint")
    );
    assert_eq!(by_locale.stderr, expected);

    choose(&desk, "de");
    assert_eq!(desk.run(&words).await.stderr, expected, "by the setting");

    let words = ["--json", "call", "nobody", "hit"];
    let json = desk.run(&words).await.json(5);
    assert_eq!(json["error"]["message"], message, "as it is for programs");
    choose(&desk, "en");
    assert_eq!(desk.run(&words).await.json(5), json);
}

/// What `guildhall` says on stderr to somebody who reads German, and which code it ends with.
async fn told(desk: &Desk, words: &[&str]) -> (Option<i32>, String) {
    let mut command = german(desk.command(words));
    command
        .env("PATH", "/nowhere-at-all")
        .env("GUILD_HALL_LOGIN_SHELL", "off");
    let ended = desk.ended(command).await;
    (ended.code, ended.stderr)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_a_manifest_is_german_with_its_place() {
    let desk = Desk::new("language-manifest").await;
    let folder = Path::new(&desk.house.members_dir()).join("torn");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("plugin.json");
    std::fs::write(&file, "{\n  \"name\": 7,\n}").expect("written");
    let (_, stderr) = told(&desk, &["call", "torn", "hit"]).await;
    let place = file.display();
    assert_eq!(
        stderr,
        format!(
            "Fortschritt: 0 torn wird gestartet\nFehler: torn: {place}:3:1: erwartet: ein Schlüssel in doppelten Anführungszeichen; \
             gefunden: '}}' [manifest-not-json]\nRat: Ein Manifest ist ein JSON-Objekt, ohne \
             Kommentare und ohne Kommas am Ende.\n"
        )
    );
    let text = r#"{"name": "torn", "transport": "htp", "timeouts": {"call_ms": 0}}"#;
    std::fs::write(&file, text).expect("written");
    let (_, stderr) = told(&desk, &["call", "torn", "hit"]).await;
    for line in [
        "`transport` muss eines sein von \"http\", \"stdio\"; gefunden: \"htp\"\n",
        "`command` fehlt; es ist das Programm, das den Server ausführt\n",
        "`timeouts.call_ms` muss sein: eine ganze Zahl von Millisekunden von 1 bis 86400000; \
         gefunden: die Zahl 0 [manifest-field]\n",
    ] {
        assert!(stderr.contains(line), "{line} in {stderr}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_a_member_does_not_start_is_german() {
    let desk = Desk::new("language-start").await;
    let lost = desk.house.member("lost").stdio();
    lost.manifest(json!({"command": "no-such-command-anywhere"}))
        .write();
    let wanting = desk.house.member("wanting").stdio();
    wanting
        .manifest(json!({"env": {"KEY": "${env:NO_SUCH_VARIABLE}"}}))
        .write();
    let (_, stderr) = told(&desk, &["call", "lost", "hit"]).await;
    assert_eq!(
        stderr,
        "Fortschritt: 0 lost wird gestartet\nFehler: lost: Der Befehl `no-such-command-anywhere` wurde nicht gefunden. Gesucht in: \
         /nowhere-at-all. [command-not-found]\nRat: Das Programm installieren oder seinen ganzen \
         Pfad als `command` ins Manifest schreiben.\n"
    );
    let (_, stderr) = told(&desk, &["call", "wanting", "hit"]).await;
    assert!(
        stderr.starts_with(
            "Fortschritt: 0 wanting wird gestartet\nFehler: wanting: ${env:NO_SUCH_VARIABLE} hat keinen Wert: In der Umgebung gibt es kein \
             NO_SUCH_VARIABLE. [variable-missing]\nRat: "
        ),
        "{stderr}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn why_a_call_is_not_made_is_german() {
    let desk = Desk::new("language-call").await;
    desk.house.member("pipe").stdio().write();
    let torn = desk.run(&["call", "pipe", "echo", "--args", "[1]"]).await;
    assert!(torn.stderr.contains("[arguments-not-json]"), "{torn:#?}");
    let by_locale = desk
        .ended(german(
            desk.command(&["call", "pipe", "echo", "--args", "[1]"]),
        ))
        .await;
    assert_eq!(by_locale.code, torn.code);
    assert!(
        by_locale.stderr.contains(
            "Die Argumente lassen sich nicht senden: Zeile 1, Spalte 1: erwartet: ein Objekt in \
             geschweiften Klammern; gefunden: eine Liste. [arguments-not-json]\nRat: Argumente sind \
             ein JSON-Objekt, z. B. {\"path\": \"notes.txt\"}.\n"
        ),
        "{by_locale:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_wrong_with_settings_and_secrets_is_german() {
    let desk = Desk::new("language-settings").await;
    let (_, stderr) = told(&desk, &["settings", "set", "language", "klingon"]).await;
    assert!(
        stderr.contains(
            "`language` muss eines sein von \"system\", \"en\", \"de\"; gefunden: \"klingon\". \
             [setting-refused]\nRat: "
        ),
        "{stderr}"
    );
    let (_, stderr) = told(&desk, &["settings", "get", "languag"]).await;
    assert!(
        stderr.contains(
            "Eine Einstellung \"languag\" gibt es nicht. [setting-unknown]\nRat: War `language` \
             gemeint?\n"
        ),
        "{stderr}"
    );
    let (_, stderr) = told(&desk, &["secret", "set", "a b"]).await;
    assert!(
        stderr.contains("\"a b\" kann nicht der Name eines Geheimnisses sein. [secret-refused]"),
        "{stderr}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_are_refused_in_german_and_kept_and_told_to_programs_in_english() {
    let desk = Desk::new("language-arguments").await;
    let heat = json!([{"name": "heat", "inputSchema": {
        "properties": {"to": {"type": "integer", "maximum": 3}, "odd": {"type": "strin"}},
        "required": ["what"],
    }}]);
    desk.house
        .member("forge")
        .args(["--tools-json", "tools.json"])
        .file("tools.json", heat.to_string())
        .write();
    let words = ["call", "forge", "heat", "--args", r#"{"to": 5}"#];
    let english = ["at \"/to\": must be at most 3", "at \"/what\": is required"];
    let refused = desk.run(&words).await;
    for line in english {
        assert!(refused.stderr.contains(line), "{line}: {refused:#?}");
    }

    let by_locale = desk.ended(german(desk.command(&words))).await;
    assert_eq!(by_locale.code, refused.code);
    for line in [
        "bei \"/to\": darf höchstens 3 sein\n",
        "bei \"/what\": fehlt\n",
    ] {
        assert!(by_locale.stderr.contains(line), "{line}: {by_locale:#?}");
    }
    choose(&desk, "de");
    assert_eq!(desk.run(&words).await.stderr, by_locale.stderr);

    // What is kept is English, whoever asked.
    let open = desk.house.open().await;
    let search = SearchHistory {
        filter: HistoryFilter::default(),
        before: None,
        limit: 1,
    };
    let page = open.hall.history().search(search).await;
    let of = OfEntry {
        id: page.entries[0].id,
    };
    let kept = open.hall.history().entry(of).await.expect("it is kept");
    let CallEnd::Failed { arguments, .. } = kept.end else {
        panic!("it was refused: {kept:?}");
    };
    let messages: Vec<_> = arguments.iter().map(|one| one.message.as_str()).collect();
    assert!(messages.contains(&"is required"), "{messages:?}");

    // The form's check is told as whoever asks speaks.
    let check = CheckArguments {
        member: name("forge"),
        tool: ToolName::parse("heat").expect("a name"),
        arguments: r#"{"to": 1e999}"#.into(),
    };
    let told = |language| {
        let (hall, check) = (open.hall.speaking(language), check.clone());
        async move { hall.check_arguments(&check).await.expect("checked") }
    };
    let [english, german] = [told(Language::En).await, told(Language::De).await];
    assert!(
        english.errors[0]
            .message
            .starts_with("The arguments can't be sent: line 1, column "),
        "{english:?}"
    );
    assert!(
        german.errors[0]
            .message
            .starts_with("Die Argumente lassen sich so nicht senden: Zeile 1, Spalte "),
        "{german:?}"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remarks_on_a_schema_are_german_and_json_is_the_same_everywhere() {
    let desk = Desk::new("language-schema").await;
    let schema = json!({"properties": {"far": {"$ref": "https://example.com/far.json"}}});
    let heat = json!([{"name": "heat", "inputSchema": schema}]);
    desk.house
        .member("forge")
        .args(["--tools-json", "tools.json"])
        .file("tools.json", heat.to_string())
        .write();
    let words = ["describe", "forge", "heat", "--wait"];
    let note = "/properties/far/$ref: refers to \"https://example.com/far.json\", which is not \
                fetched; anything is accepted here";
    let english = desk.run(&words).await;
    assert!(english.stdout.contains(note), "{english:#?}");
    let by_locale = desk.ended(german(desk.command(&words))).await;
    assert!(
        by_locale.stdout.contains(
            "/properties/far/$ref: der Verweis auf \"https://example.com/far.json\" wird nicht \
             verfolgt; hier wird alles angenommen"
        ),
        "{by_locale:#?}"
    );
    let words = ["--json", "describe", "forge", "heat"];
    let json = desk.ended(german(desk.command(&words))).await.json(0);
    assert_eq!(json["notes"], json!([note]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_is_german_and_json_is_the_same_everywhere() {
    let desk = Desk::new("language-review").await;
    let tools = |most: u32| {
        let schema = json!({"properties": {"to": {"maximum": most}}});
        let heat = json!({
            "name": "heat", "description": "Heats. <important>", "inputSchema": schema,
        });
        json!([heat]).to_string()
    };
    let forge = desk.house.member("forge");
    let forge = forge.args(["--tools-json", "tools.json"]);
    let forge = forge.file("tools.json", tools(5));
    forge.write();
    let listed = ["describe", "forge", "heat", "--wait"];
    desk.run(&listed).await;
    let held = desk
        .run(&["review", "forge", "--hold", "on", "--yes"])
        .await;
    assert_eq!(held.code, Some(0), "{held:#?}");
    std::fs::write(forge.path().join("tools.json"), tools(3)).expect("written");
    desk.run(&listed).await;

    let review = ["review", "forge"];
    let english = desk.run(&review).await;
    for line in [
        "  command    ",
        "  ! /description: a tag that is meant for a model: ",
        "    breaks: /properties/to `maximum` is 3, was 5\n",
    ] {
        assert!(english.stdout.contains(line), "{line}: {english:#?}");
    }
    let by_locale = desk.ended(german(desk.command(&review))).await;
    for line in [
        "  Befehl     ",
        "  ! /description: ein Tag, das sich an ein Modell richtet: ",
        "    nicht verträglich: /properties/to `maximum` ist 3, war 5\n",
    ] {
        assert!(by_locale.stdout.contains(line), "{line}: {by_locale:#?}");
    }
    let json = desk.ended(german(desk.command(&["--json", "review", "forge"])));
    let change = &json.await.json(0)["tools"][0]["parts"][0]["schema"][0];
    assert_eq!(change["what"], "`maximum` is 3, was 5");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_answer_may_look_like_is_said_in_german_and_in_english_for_programs() {
    let desk = Desk::new("language-asked").await;
    let list = desk.house.data_dir().with_file_name("servers.json");
    let folder = json!({
        "name": "NOTES_FOLDER", "description": "Where they are.", "placeholder": "/home/me/notes",
    });
    let package = json!({
        "registryType": "npm", "identifier": "@example/notes", "version": "1.0.0",
        "transport": {"type": "stdio"}, "environmentVariables": [folder],
    });
    let server = json!({
        "name": "com.example/notes", "version": "1.0.0", "description": "Keeps notes.",
        "packages": [package],
    });
    std::fs::write(&list, json!([server]).to_string()).expect("written");
    let source = list.display().to_string();
    let added = desk.run(&["registry", "sources", "add", &source]).await;
    assert_eq!(added.code, Some(0), "{added:#?}");

    let show = ["registry", "show", "com.example/notes"];
    let english = desk.run(&show).await;
    let line = "NOTES_FOLDER: Where they are. For example: /home/me/notes\n";
    assert!(english.stdout.contains(line), "{english:#?}");
    let by_locale = desk.ended(german(desk.command(&show))).await;
    let line = "NOTES_FOLDER: Where they are. Zum Beispiel: /home/me/notes\n";
    assert!(by_locale.stdout.contains(line), "{by_locale:#?}");
    let show = ["--json", "registry", "show", "com.example/notes"];
    let json = desk.ended(german(desk.command(&show))).await;
    assert!(
        json.stdout.contains("For example: /home/me/notes"),
        "{json:#?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_noted_of_a_found_server_is_german_and_json_is_the_same_everywhere() {
    let desk = Desk::new("language-found").await;
    let home = tempfile::tempdir().expect("a home");
    let folder = home.path().join(".gemini");
    std::fs::create_dir_all(&folder).expect("a folder");
    let servers = json!({"mcpServers": {"odd": {"command": "odd-server", "trust": true}}});
    std::fs::write(folder.join("settings.json"), servers.to_string()).expect("written");
    let at_home = |words: &[&str]| {
        let mut command = desk.command(words);
        command.env("HOME", home.path());
        command
    };
    let note = "Gemini CLI calls its tools without a question; of a member's tools, their policies decide.";

    let english = desk.ended(at_home(&["found"])).await;
    assert!(
        english.stdout.contains(&format!("note: {note}\n")),
        "{english:#?}"
    );
    let by_locale = desk.ended(german(at_home(&["found"]))).await;
    assert!(
        by_locale.stdout.contains(
            "Hinweis: Gemini CLI ruft die Werkzeuge ohne Rückfrage auf; bei einem Mitglied entscheiden deren \
             Regeln.\n"
        ),
        "{by_locale:#?}"
    );
    let json = desk.ended(german(at_home(&["--json", "found"]))).await;
    assert_eq!(json.json(0)["servers"][0]["notes"], json!([note]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_explained_in_german_and_for_programs_as_ever() {
    let desk = Desk::new("language-explain").await;
    let words = ["explain", "call-timeout"];
    let english = desk.run(&words).await;
    assert!(
        english.stdout.starts_with("call-timeout\n\nCause. "),
        "{english:#?}"
    );

    let by_locale = desk.ended(german(desk.command(&words))).await;
    assert_eq!(by_locale.code, Some(0), "{by_locale:#?}");
    let german_text = &by_locale.stdout;
    assert!(
        german_text.starts_with("call-timeout\n\nUrsache. ") && german_text.contains("\nAbhilfe. "),
        "{by_locale:#?}"
    );
    let chapters = desk.ended(german(desk.command(&["explain"]))).await;
    assert!(chapters.stdout.contains("Aufrufe\n"), "{chapters:#?}");

    let as_json = desk.run(&["--json", "explain", "call-timeout"]).await;
    choose(&desk, "de");
    assert_eq!(
        &desk.run(&words).await.stdout,
        german_text,
        "by the setting"
    );
    let same = desk.run(&["--json", "explain", "call-timeout"]).await;
    assert_eq!(same.json(0), as_json.json(0));
}

/// What the doctor says of a member whose command is nowhere.
fn of_the_lost(told: &Ended) -> Vec<&str> {
    let lines = told.stdout.lines();
    let from = lines.skip_while(|line| !line.contains(" lost: "));
    let own = from.enumerate().take_while(|(place, line)| {
        let goes_on = line.starts_with("      ") || line.starts_with("    →");
        *place == 0 || goes_on
    });
    own.map(|(_, line)| line.trim()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_doctor_finds_is_told_in_german_with_its_headings_and_for_programs_as_ever() {
    let desk = Desk::new("language-doctor").await;
    let lost = desk.house.member("lost").stdio();
    lost.manifest(json!({"command": "no-such-command-anywhere"}))
        .write();
    let doctor = |words: &[&str]| {
        let mut command = desk.command(words);
        command
            .env("PATH", "/nowhere-at-all")
            .env("GUILD_HALL_LOGIN_SHELL", "off");
        command
    };
    let by_locale = desk.ended(german(doctor(&["doctor"]))).await;
    assert_eq!(by_locale.code, Some(6), "{by_locale:#?}");
    for heading in ["Login-Shell\n", "Programme\n", "Befehle der Mitglieder\n"] {
        assert!(by_locale.stdout.contains(heading), "{by_locale:#?}");
    }
    let expected = [
        "✕ lost: Problem: Der Befehl `no-such-command-anywhere` wurde nicht gefunden.",
        "gesucht in /nowhere-at-all",
        "→ Das Programm installieren oder seinen ganzen Pfad als `command` ins Manifest schreiben.",
    ];
    assert_eq!(of_the_lost(&by_locale), expected);
    for english in [
        "was not found",
        "looked in",
        "Install ",
        " free",
        "It was not asked",
    ] {
        assert!(!by_locale.stdout.contains(english), "{by_locale:#?}");
    }

    choose(&desk, "de");
    let by_setting = desk.ended(doctor(&["doctor"])).await;
    assert_eq!(of_the_lost(&by_setting), expected, "{by_setting:#?}");

    let as_json = desk.ended(doctor(&["--json", "doctor"])).await.json(6);
    let findings = as_json["findings"].as_array().expect("findings");
    let lost = findings.iter().find(|one| one["subject"] == "lost");
    let lost = lost.expect("the member's finding");
    assert_eq!(lost["kind"], "command-missing");
    assert_eq!(
        lost["found"],
        "The command `no-such-command-anywhere` was not found."
    );
}
