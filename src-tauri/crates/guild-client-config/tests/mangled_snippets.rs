//! Pasted and dropped text: any input gives servers or one error.

use std::path::Path;

use guild_client_config::snippet::{of_file, of_words, pasted};
use guild_client_config::{ClientConfigFolders, ReferenceContext, System};
use proptest::prelude::*;

fn env(name: &str) -> Option<String> {
    (name == "HOME").then(|| "/home/me".to_owned())
}

fn env_file(_: &Path) -> Result<String, String> {
    Ok("TOKEN=t\n".to_owned())
}

const SURROUNDINGS: ReferenceContext<'static> = ReferenceContext {
    home: "/home/me",
    env: &env,
    env_file: &env_file,
};

fn folders() -> ClientConfigFolders {
    ClientConfigFolders {
        system: System::Linux,
        home: "/home/me".into(),
        config: "/home/me/.config".into(),
        claude: None,
        codex: None,
    }
}

/// Fragments of pages, which the test joins in any order.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "`",
    "```json\n",
    "```\n",
    "\n",
    " ",
    "\t",
    "\\",
    "$",
    "${",
    "}",
    "<",
    ">",
    "|",
    "&&",
    ";",
    "=",
    "#",
    "//",
    "/*",
    "*/",
    "&a",
    "*a",
    "- ",
    "---\n",
    "<<: ",
    "~",
    "mcpServers",
    "servers",
    "mcp_servers",
    "context_servers",
    "extensions",
    "inputs",
    "command",
    "args",
    "env",
    "url",
    "npx",
    "-y",
    "docker run -i",
    "claude mcp add",
    "--",
    "-e",
    "K=V",
    "code --add-mcp",
    "https://a.test/b",
    "\u{201c}",
    "\u{feff}",
    "\u{e9}",
    "cd /x",
    "[mcp_servers.a]\n",
];

fn read_all(text: &str) {
    let read = pasted(text, &SURROUNDINGS);
    let paths = [
        "x.json",
        "x.toml",
        "x.yaml",
        "/home/me/.continue/config.yaml",
        ".mcp.json",
        "x",
    ];
    let of_files = paths.map(|path| of_file(path.as_ref(), text, Some(&folders()), &SURROUNDINGS));
    for snippet in of_files.into_iter().chain([read]) {
        match snippet {
            Ok(snippet) => {
                assert!(!snippet.parts.is_empty());
                for (_, servers) in &snippet.parts {
                    assert!(!servers.servers.is_empty());
                    assert!(servers.servers.iter().all(|server| server.line >= 1));
                }
            }
            Err(wrong) => {
                assert!(!wrong.message.to_string().is_empty());
                assert!(!wrong.hint.to_string().is_empty());
                let lines = text.matches(['\n', '\r']).count() + 2;
                assert!(
                    wrong.line.is_none_or(|line| (1..=lines).contains(&line)),
                    "{wrong}"
                );
            }
        }
    }
}

#[test]
fn any_text_that_is_pasted_gives_servers_or_one_error() {
    guild_tests::mangled::each("snippets", |bytes| {
        read_all(&String::from_utf8_lossy(bytes))
    });
}

proptest! {
    #[test]
    fn pieces_of_pages_give_servers_or_one_error(
        segments in prop::collection::vec(prop::sample::select(PIECES), 0..40),
    ) {
        read_all(&segments.concat());
    }

    #[test]
    fn noise_gives_servers_or_one_error(text in ".{0,200}") {
        read_all(&text);
    }

    #[test]
    fn any_words_are_a_server_or_an_error(words in prop::collection::vec(".{0,20}", 0..8)) {
        if let Err(wrong) = of_words(&words, &SURROUNDINGS) {
            prop_assert!(!wrong.hint.to_string().is_empty());
        }
    }
}
