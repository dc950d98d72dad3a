//! Reads commands that start a server, or that add a server to a program (`claude mcp add`, `code
//! --add-mcp`). No command is run.

use serde_json::{Map, Value, json};

use super::super::entry::ConfigEntry;
use super::super::normalize::runners::{installs, starts_like_a_command};
use super::super::normalize::{NormalizedServer, has_word, name, notes_of, shell, single};
use super::blocks;
use crate::messages::FoundNote;
use guild_text::messages::{MisreadAdvice, MisreadProblem};
use guild_text::tree::{self, TreeParseError};

/// Options of `… mcp add` that are followed by a value and don't affect the launch.
const OF_ADDING: &str = "\
    -s --scope --callback-port --client-id --description --include-tools --exclude-tools";
/// Options of `… mcp add` that are not followed by a value.
const ALONE: &str = "\
    --client-secret --trust --no-trust --force -f --";

/// Reads the servers in a text of commands. Adds a note for each command that starts no server.
pub(super) fn of_lines(
    text: &str,
    home: &str,
    left_out: &mut Vec<FoundNote>,
) -> Result<Vec<NormalizedServer>, TreeParseError> {
    let plain = blocks::with_plain_quotes(text);
    let text = plain.as_deref().unwrap_or(text);
    let commands = shell::commands(text, home)?;
    let alone = commands.len() == 1;
    let mut found = Vec::new();
    let mut wrong = None;
    let mut folder: Option<String> = None;
    for shell::ShellCommand { line, words } in commands {
        if let [cd, to] = words.as_slice()
            && cd == "cd"
        {
            folder = Some(to.clone());
            continue;
        }
        // A line that does not begin like a known command may be prose.
        let is_command = starts_like_a_command(&words.join(" ")) || (alone && may_be_one(&words));
        let read = match is_command {
            true => of_words(&words, line, home),
            false => {
                let message = MisreadProblem::Neither;
                Err(TreeParseError::at_line(
                    line,
                    message,
                    MisreadAdvice::BringCommand,
                ))
            }
        };
        match read {
            Ok(mut one) => {
                if let (Some(folder), Ok(Value::Object(fields))) = (&folder, &mut one.entry.value) {
                    fields.entry("cwd").or_insert_with(|| json!(folder));
                }
                found.push(one);
            }
            Err(why) => {
                left_out.push(FoundNote::LeftOut(why.to_string()));
                wrong = wrong.or(Some(why));
            }
        }
    }
    match (found.is_empty(), wrong) {
        (true, Some(wrong)) => {
            left_out.clear();
            Err(wrong)
        }
        (true, None) => {
            let message = MisreadProblem::NoCommand;
            Err(TreeParseError::whole(message, MisreadAdvice::BringCommand))
        }
        (false, _) => Ok(found),
    }
}

/// Checks whether words may be a command of an unknown program.
fn may_be_one(words: &[String]) -> bool {
    let of_a_program = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let is_option = |word: &String| word.starts_with('-');
    match words {
        [one] => one.chars().all(of_a_program) && one.contains(['-', '_']),
        [program, args @ ..] => {
            program.chars().all(of_a_program)
                && (program.contains('-') || args.iter().any(is_option))
        }
        [] => false,
    }
}

/// Reads the server that a command starts or adds.
pub(super) fn of_words(
    words: &[String],
    line: usize,
    home: &str,
) -> Result<NormalizedServer, TreeParseError> {
    let words = match words.first().map(String::as_str) {
        // A page may show the shell's prompt before the command.
        Some("$" | "%" | "❯") => &words[1..],
        _ => words,
    };
    let mut env = Map::new();
    let mut rest = words;
    while let [first, after @ ..] = rest {
        if let Some((key, value)) = variable(first) {
            env.insert(key.to_owned(), value.into());
        } else if !(first == "env" && after.iter().any(|word| variable(word).is_none())) {
            break;
        }
        rest = after;
    }
    let [program, args @ ..] = rest else {
        let message = MisreadProblem::NoProgram;
        return Err(TreeParseError::at_line(
            line,
            message,
            MisreadAdvice::BringCommand,
        ));
    };
    if let Some(installer) = installs(rest) {
        let message = MisreadProblem::Prepares(installer);
        return Err(TreeParseError::at_line(
            line,
            message,
            MisreadAdvice::RunFirst,
        ));
    }
    if args.is_empty() && blocks::is_address(program) {
        let mut found = of_address(program);
        found.entry.line = line;
        return Ok(found);
    }
    if let Some(at) = args.iter().position(|arg| arg == "--add-mcp") {
        return of_json(args.get(at + 1), None, line);
    }
    if let Some(json) = args.iter().find_map(|arg| arg.strip_prefix("--add-mcp=")) {
        return of_json(Some(&json.to_owned()), None, line);
    }
    if let ["mcp", "add-json", ..] = texts(args).as_slice() {
        let plain = positional(&args[2..]);
        let name = plain.first().map(|name| (*name).clone());
        return of_json(plain.get(1).copied(), name, line);
    }
    if let ["mcp", "add", ..] = texts(args).as_slice() {
        return added(&args[2..], line, home);
    }
    let mut fields = Map::new();
    fields.insert("command".into(), program.as_str().into());
    fields.insert("args".into(), json!(args));
    if !env.is_empty() {
        fields.insert("env".into(), env.into());
    }
    Ok(NormalizedServer {
        entry: ConfigEntry {
            name: name::of_command(program, args),
            line,
            earlier: None,
            value: Ok(fields.into()),
        },
        notes: notes_of(program, args),
    })
}

fn texts(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// Splits `NAME=value`. `None` for other words.
fn variable(word: &str) -> Option<(&str, &str)> {
    let (key, value) = word.split_once('=')?;
    let of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (begins && key.chars().all(of_a_name)).then_some((key, value))
}

/// Returns the remote server at an address.
pub(super) fn of_address(text: &str) -> NormalizedServer {
    let before = text.len() - text.trim_start().len();
    let url = text.trim().trim_start_matches('<').trim_end_matches('>');
    NormalizedServer {
        entry: ConfigEntry {
            name: name::of_address(url),
            line: text[..before].matches('\n').count() + 1,
            earlier: None,
            value: Ok(json!({ "url": url })),
        },
        notes: Vec::new(),
    }
}

/// Reads a server's entry from one word of JSON.
fn of_json(
    word: Option<&String>,
    named: Option<String>,
    line: usize,
) -> Result<NormalizedServer, TreeParseError> {
    let Some(word) = word else {
        let message = MisreadProblem::NoJson;
        return Err(TreeParseError::at_line(
            line,
            message,
            MisreadAdvice::CopyCommand,
        ));
    };
    let node = tree::json::read(word).map_err(|wrong| {
        let message = MisreadProblem::InJson(wrong.to_string());
        TreeParseError::at_line(line, message, wrong.hint)
    })?;
    let mut found = single(&node).ok_or_else(|| {
        let message = MisreadProblem::JsonNeither;
        TreeParseError::at_line(line, message, MisreadAdvice::BringCommand)
    })?;
    found.entry.line = line;
    if let Some(named) = named {
        found.entry.name = named;
    }
    Ok(found)
}

/// Returns the arguments of `… mcp add` that are neither options nor their values.
fn positional(args: &[String]) -> Vec<&String> {
    let mut plain = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if has_word(OF_ADDING, arg) || matches!(arg.as_str(), "-t" | "--transport") {
            args.next();
        } else if !arg.starts_with("--") && !has_word(ALONE, arg) {
            plain.push(arg);
        }
    }
    plain
}

/// The parsed words of `claude mcp add` and similar commands.
#[derive(Default)]
struct Adding {
    env: Map<String, Value>,
    headers: Map<String, Value>,
    transport: Option<String>,
    url: Option<String>,
    token: Option<String>,
    plain: Vec<String>,
}

fn added(args: &[String], line: usize, home: &str) -> Result<NormalizedServer, TreeParseError> {
    let mut adding = Adding::default();
    let mut rest = args;
    while let [word, after @ ..] = rest {
        // Options after the server's command belong to the server.
        let own = match word.as_str() {
            "--" => Some(after),
            _ if adding.has_command() => Some(rest),
            _ => None,
        };
        if let Some(own) = own {
            adding.plain.extend(own.iter().cloned());
            break;
        }
        rest = match adding.option(word, after) {
            Some(rest) => rest,
            None => {
                adding.plain.push(word.clone());
                after
            }
        };
    }
    adding.found(line, home)
}

impl Adding {
    /// Reads an option and returns the words after its value. `None` for other words.
    fn option<'a>(&mut self, word: &str, after: &'a [String]) -> Option<&'a [String]> {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        let next = || after.first().map(String::as_str);
        let value = inline.or_else(next).unwrap_or_default();
        let rest = match inline {
            Some(_) => after,
            None => after.get(1..).unwrap_or_default(),
        };
        match option {
            "-e" | "--env" => {
                let mut taken = vec![value];
                let mut rest = rest;
                // Claude Code accepts several values for this option.
                while let [next, after @ ..] = rest
                    && variable(next).is_some()
                {
                    taken.push(next);
                    rest = after;
                }
                for (key, value) in taken.into_iter().filter_map(variable) {
                    self.env.insert(key.to_owned(), value.into());
                }
                return Some(rest);
            }
            "-H" | "--header" => {
                if let Some((key, value)) = value.split_once(':') {
                    self.headers
                        .insert(key.trim().to_owned(), value.trim().into());
                }
            }
            "-t" | "--transport" | "--type" => self.transport = Some(value.to_owned()),
            "--url" => self.url = Some(value.to_owned()),
            "--bearer-token-env-var" => self.token = Some(value.to_owned()),
            option if has_word(OF_ADDING, option) || option == "--timeout" => {}
            option if has_word(ALONE, option) => return Some(after),
            _ => return None,
        }
        Some(rest)
    }

    /// Checks whether the words so far end with the program of a server's command. An address, or a
    /// word with the whole command, does not count.
    fn has_command(&self) -> bool {
        let is_whole = |word: &String| word.contains(' ');
        self.plain.len() == 2 && !self.is_remote() && !self.plain.get(1).is_some_and(is_whole)
    }

    /// Checks whether the words so far add a remote server.
    fn is_remote(&self) -> bool {
        let by_transport = matches!(self.transport.as_deref(), Some("http" | "sse"));
        by_transport
            || self
                .plain
                .get(1)
                .is_some_and(|word| blocks::is_address(word))
    }

    fn found(self, line: usize, home: &str) -> Result<NormalizedServer, TreeParseError> {
        let missing = |message: MisreadProblem| {
            TreeParseError::at_line(line, message, MisreadAdvice::CopyCommand)
        };
        let (named, command) = match self.plain.as_slice() {
            [] => return Err(missing(MisreadProblem::AddsNoName)),
            [named, command @ ..] => (named.clone(), command),
        };
        let first = command.first().filter(|_| self.is_remote());
        let url = self.url.as_ref().or(first).cloned();
        let mut fields = Map::new();
        let mut notes = Vec::new();
        if let Some(url) = url {
            let mut headers = self.headers;
            if let Some(variable) = self.token {
                let bearer = format!("Bearer ${{{variable}}}");
                headers.insert("Authorization".to_owned(), bearer.into());
            }
            if let Some(transport) = self.transport {
                fields.insert("type".into(), transport.into());
            }
            fields.insert("url".into(), url.into());
            fields.insert("headers".into(), headers.into());
        } else {
            let [program, args @ ..] = command else {
                return Err(missing(MisreadProblem::AddsNothing));
            };
            // Some commands contain the server's whole command as one word.
            let whole = (args.is_empty() && program.contains(' '))
                .then(|| shell::commands(program, home).ok())
                .flatten()
                .and_then(|commands| commands.into_iter().next());
            let (program, args) = match &whole {
                Some(shell::ShellCommand { words, .. }) => (&words[0], &words[1..]),
                None => (program, args),
            };
            notes = notes_of(program, args);
            fields.insert("command".into(), program.as_str().into());
            fields.insert("args".into(), json!(args));
            fields.insert("env".into(), self.env.into());
        }
        Ok(NormalizedServer {
            entry: ConfigEntry {
                name: named,
                line,
                earlier: None,
                value: Ok(fields.into()),
            },
            notes,
        })
    }
}
