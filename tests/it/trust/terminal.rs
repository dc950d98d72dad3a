//! A terminal shows characters that hide something or change the direction of others, whatever prints
//! them; JSON keeps the value.

use super::*;

/// A character that turns the order of those behind it round, and one that begins a terminal's command.
const HIDDEN: [char; 2] = ['\u{202E}', '\u{1B}'];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminal_shows_what_texts_hide() {
    let desk = Desk::new("hidden characters").await;
    let house = &desk.house;
    let text = "Reads a\u{202E}gnp.exe \u{1B}[2Jfile";
    let tools = Tools::of(house, "forge", &json!([described("echo", text)]));
    let forge = house.member("forge").args(tools.args());
    forge.args(["--stderr-line", text]).write();
    let waited = desk.run(&["tools", "--wait"]).await;
    assert_eq!(waited.code, Some(0), "{waited:#?}");
    let shell = ["add", "--look", "--", "npx", text];
    for words in [
        &["tools"][..],
        &["catalog"],
        &["describe", "forge", "echo"],
        &["logs", "forge"],
        &shell,
    ] {
        let ended = desk.run(words).await;
        assert_eq!(ended.code, Some(0), "{words:?}: {ended:#?}");
        assert!(ended.stdout.contains("⟨U+202E⟩"), "{words:?}: {ended:#?}");
        for printed in [&ended.stdout, &ended.stderr] {
            assert!(!printed.contains(HIDDEN), "{words:?}: {printed:?}");
        }
    }
    for words in [
        &["--json", "tools"][..],
        &["--json", "describe", "forge", "echo"],
    ] {
        let ended = desk.run(words).await;
        assert!(!ended.stdout.contains(HIDDEN), "{words:?}: {ended:#?}");
        let value = ended.json(0).to_string();
        assert!(
            value.contains("Reads a\u{202E}gnp.exe"),
            "{words:?}: {value}"
        );
    }
}
