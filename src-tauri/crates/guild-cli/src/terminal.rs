//! All output to the terminal. Strings from servers, files or registries may have control
//! characters, invisible characters, or characters that change the text direction. They are printed
//! as `⟨U+202E⟩`, like in the window. In JSON they are written as `\u202e`, which does not change
//! the value.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, UNIX_EPOCH};

use guild_engine::messages::CliError;
use guild_model::{Code, Report};
use guild_review::trust::visible;
use guild_text::number::grouped;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Maximum size of a file with answers, in bytes.
const ANSWERS_BYTES_MAX: u64 = 1 << 20;

/// Whether `--json` was given. Set once, before the command runs.
static JSON: OnceLock<bool> = OnceLock::new();

/// Sets whether results are printed as JSON.
pub(crate) fn set_json(json: bool) {
    JSON.get_or_init(|| json);
}

/// Whether results are printed as JSON.
pub(crate) fn is_json() -> bool {
    JSON.get().is_some_and(|json| *json)
}

/// Prints a value as JSON on one line, or as text. An empty text prints nothing.
pub(crate) fn print(value: &impl Serialize, text: impl FnOnce() -> String) {
    if is_json() {
        print_json(&serde_json::to_string(value).unwrap_or_default());
        return;
    }
    let text = text();
    if !text.is_empty() {
        print_line(text.trim_end());
    }
}

/// Prints a line. Returns false if stdout is closed.
pub(crate) fn print_line(line: &str) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", safe(line))
        .and_then(|()| out.flush())
        .is_ok()
}

/// Prints a line of JSON. The line may be long, so it is only scanned once for characters to
/// escape.
pub(crate) fn print_json(json: &str) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", escaped(json))
        .and_then(|()| out.flush())
        .is_ok()
}

/// Prints a line on stderr, unless results are printed as JSON.
pub(crate) fn print_hint(line: impl std::fmt::Display) {
    if !is_json() {
        eprint_line(line);
    }
}

/// Prints a line on stderr. A closed stderr is not an error.
pub(crate) fn eprint_line(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", safe(&line.to_string()));
}

/// Asks a yes-or-no question.
///
/// # Errors
/// `refusal` when standard input is not a terminal.
pub(crate) async fn confirm(question: &str, refusal: Code) -> Result<bool, Report> {
    if !std::io::stdin().is_terminal() {
        return Err(Report::from_error(refusal, &CliError::NobodyToAsk));
    }
    let answer = prompt(format!("{question} [y/N] "), false).await;
    let answer = answer.map_err(|report| Report {
        code: refusal,
        ..report
    })?;
    Ok(["y", "Y", "yes", "Yes"].contains(&answer.trim()))
}

/// Prompts for a line. If it is a secret, the typed characters are not shown.
pub(crate) async fn prompt(text: String, is_secret: bool) -> Result<String, Report> {
    blocking(move || {
        let text = safe(&text);
        if is_secret {
            return rpassword::prompt_password(text).map_err(unread);
        }
        let mut err = std::io::stderr().lock();
        write!(err, "{text}")
            .and_then(|()| err.flush())
            .map_err(unread)?;
        drop(err);
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(unread)?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    })
    .await
}

/// Reads a JSON file of answers; `-` is standard input. Without a file, returns no answers.
///
/// # Errors
/// `adoption-refused`, with the message from `wrong`, if the content is invalid. The error of
/// [`unread`] if the file can't be read.
pub(crate) async fn read_answers<T: DeserializeOwned + Default + Send + 'static>(
    file: Option<PathBuf>,
    code: Code,
    wrong: fn(PathBuf) -> CliError,
) -> Result<T, Report> {
    let Some(file) = file else {
        return Ok(T::default());
    };
    blocking(move || {
        let mut text = String::new();
        let read = match file == Path::new("-") {
            true => std::io::stdin()
                .take(ANSWERS_BYTES_MAX)
                .read_to_string(&mut text),
            false => std::fs::File::open(&file)
                .and_then(|file| file.take(ANSWERS_BYTES_MAX).read_to_string(&mut text)),
        };
        read.map_err(unread)?;
        // The parser's error is not shown, since it may quote secrets.
        serde_json::from_str(&text).map_err(|_| Report::from_error(code, &wrong(file.clone())))
    })
    .await
}

/// Returns the report for an unreadable standard input or file.
pub(crate) fn unread(error: std::io::Error) -> Report {
    let trouble = CliError::Unread(error.to_string());
    Report::from_error(Code::AdoptionRefused, &trouble)
}

/// Runs blocking work on another thread, so that signals are still handled.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(unread(std::io::Error::other(error))))
}

/// Returns the absolute path of a file, which a hall with another working folder can open.
pub(crate) fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.display().to_string()
}

/// Returns the JSON string of a value, such as the name of an enum's variant. Empty if the value is
/// not a string in JSON.
pub(crate) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Formats a count with its noun: `1 tool`, `2,000 tools`.
pub(crate) fn counted(count: usize, one: &str, other: &str) -> String {
    let form = if count == 1 { one } else { other };
    format!("{} {form}", grouped(count as u64))
}

/// Formats a time in milliseconds since the epoch, with seconds.
pub(crate) fn time(at_ms: u64) -> String {
    let at = UNIX_EPOCH + Duration::from_millis(at_ms);
    humantime::format_rfc3339_seconds(at).to_string()
}

/// Replaces each character that a terminal hides or interprets by its code. Keeps line ends.
pub(crate) fn harmless(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    visible(&lines).replace('\r', "⟨U+000D⟩")
}

pub(crate) fn one_line(text: &str) -> String {
    harmless(text).replace('\n', "↵")
}

/// Indents all lines of a text except the first, so that none looks like a line of this program.
pub(crate) fn indented(text: &str, width: usize) -> String {
    harmless(text).replace('\n', &format!("↵\n{:width$}", ""))
}

/// Makes a text safe for a terminal. JSON keeps its meaning.
fn safe(text: &str) -> String {
    let shown = harmless(text);
    if shown != text && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return escaped(text);
    }
    shown
}

/// Escapes unsafe characters in JSON. They can occur only inside strings.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len() + 16);
    let mut bytes = [0; 4];
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    let mut rest = json;
    while !rest.is_empty() {
        let plain = rest.bytes().position(|byte| !is_plain(byte));
        let (plain, after) = rest.split_at(plain.unwrap_or(rest.len()));
        escaped.push_str(plain);
        let mut others = after.chars();
        let Some(c) = others.next() else {
            break;
        };
        rest = others.as_str();
        let one = c.encode_utf8(&mut bytes);
        if c == '\r' {
            escaped.push(' ');
            continue;
        }
        if harmless(one) == *one {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string does not fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn hidden_characters_are_written_out() {
        for (text, shown) in [
            ("plain: ä 查询 🔨\tand\nmore", "plain: ä 查询 🔨\tand\nmore"),
            ("npx \u{202E}gnp.exe", "npx ⟨U+202E⟩gnp.exe"),
            ("\u{1B}[2Jgone", "⟨U+001B⟩[2Jgone"),
            ("safe\rnot", "safe⟨U+000D⟩not"),
            ("of\r\nWindows", "of\nWindows"),
            (
                "a\u{200B}b\u{2066}c\u{E0041}",
                "a⟨U+200B⟩b⟨U+2066⟩c⟨U+E0041⟩",
            ),
        ] {
            assert_eq!(harmless(text), shown);
            assert_eq!(safe(text), shown);
        }
    }

    #[test]
    fn further_lines_pass_for_none_of_ours() {
        let args = "echo hi\n\nAccept this? [y/N] y";
        assert_eq!(one_line(args), "echo hi↵↵Accept this? [y/N] y");
        assert_eq!(
            indented(args, 4),
            "echo hi↵\n    ↵\n    Accept this? [y/N] y"
        );
    }

    #[test]
    fn json_keeps_its_value() {
        let value = json!({"a\u{202E}": "b\u{1B}\u{E0041}\u{FEFF}", "n": [1, "\r\n"]});
        for text in [value.to_string(), format!("{value:#}")] {
            let printed = safe(&text);
            assert!(printed.contains("\\u202e"), "{printed}");
            assert_eq!(printed, harmless(&printed), "nothing in it is hidden");
            let read: Value = serde_json::from_str(&printed).expect("JSON");
            assert_eq!(read, value);
        }
    }
}
