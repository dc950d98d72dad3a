//! From a server that is listed to a member.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use guild_core::wire::{
    InstallRegistryServer, McpbAsks, RegistryServer, RegistryStanding, RegistryWay,
};
use guild_core::{Code, MemberName, Report};
use serde_json::{Map, Number, Value, json};

use super::telling::way_told;
use super::{ShowArgs, server};
use crate::asking::{agreed, off_the_runtime, unread};
use crate::reach::Reach;
use crate::{harmless, print_line, tell};

/// The largest file of answers that is read, in bytes.
const ANSWERS_BYTES_MAX: u64 = 1 << 20;

/// Which server is installed, and how.
#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    #[command(flatten)]
    server: ShowArgs,
    /// The way to run it, by its number in `show`; without it the first that can be installed.
    #[arg(long, value_name = "NUMBER")]
    way: Option<usize>,
    /// What the member is to be called.
    #[arg(long = "as", value_name = "MEMBER")]
    member: Option<String>,
    /// An answer to what is asked; several times the same key for several answers. Secrets are not
    /// given so: other programs see the words of a command.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = set)]
    set: Vec<(String, String)>,
    /// A file of JSON with the answers, an object; `-` is standard input. On a terminal, what is
    /// asked for and not given is asked.
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Don't ask. What the server runs is shown all the same.
    #[arg(long)]
    yes: bool,
}

fn set(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=VALUE")?;
    // A flag's key may begin so: `--set --level=3`.
    Ok((key.to_owned(), value.to_owned()))
}

/// Shows what the server would run, asks, and makes a member of it.
pub(super) async fn install(
    reach: &Reach,
    args: InstallArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let (source, server) = server(reach, &args.server).await?;
    let way = chosen(&server, args.way)?;
    tell(harmless(&format!("{} {}", server.server, server.version)));
    tell(harmless(&way_told(way)));
    if server.standing != RegistryStanding::Active {
        let (standing, message) = (server.standing.as_str(), &server.standing_message);
        tell(harmless(&format!("warning: it is {standing}. {message}")));
    }
    let Some(install) = &way.install else {
        let why = way.unusable.clone().unwrap_or_default();
        return Err(refused(
            &why,
            "Choose another way: `guildhall registry show`.",
        ));
    };
    let member = match &args.member {
        Some(name) => MemberName::parse(name)
            .map_err(|error| refused(&format!("{error}."), "Give another name."))?,
        None => server.suggested.clone(),
    };
    let inputs = args.inputs.clone();
    let given = off_the_runtime(move || read_answers(inputs.as_deref())).await?;
    let answers = answers(&install.asks, given, &args.set)?;
    let question = format!("Make this a member of the hall, called {member}?");
    if !args.yes && !agreed(&question, Code::AdoptionRefused).await? {
        tell("Nothing was installed.");
        return Ok(ExitCode::from(2));
    }
    let asks = install.asks.clone();
    let answers = match args.yes {
        true => answers,
        false => off_the_runtime(move || typed(&asks, answers)).await?,
    };
    let installed = reach
        .install_registry_server(InstallRegistryServer {
            source,
            server: server.server.clone(),
            version: server.version.clone(),
            way: install.id.clone(),
            member,
            answers: Value::Object(answers).to_string(),
        })
        .await?;
    if as_json {
        print_line(&json!(installed).to_string());
    } else {
        let (member, folder) = (&installed.member, &installed.folder);
        print_line(&harmless(&format!("{member} is a member now: {folder}")));
    }
    if !installed.secrets.is_empty() {
        let secrets = harmless(&installed.secrets.join(", "));
        tell(format_args!("Kept as secrets: {secrets}"));
    }
    if let Some(warning) = &installed.warning {
        tell(format_args!("warning: {warning}"));
    }
    tell(format_args!(
        "It runs when it was reviewed: guildhall review {} --accept",
        installed.member
    ));
    Ok(ExitCode::SUCCESS)
}

fn chosen(server: &RegistryServer, number: Option<usize>) -> Result<&RegistryWay, Report> {
    let ways = &server.ways;
    let chosen = match number {
        Some(number) => number.checked_sub(1).and_then(|at| ways.get(at)),
        None => {
            let mut usable = ways.iter().filter(|way| way.install.is_some());
            usable.next().or(ways.first())
        }
    };
    chosen.ok_or_else(|| {
        let message = format!("{} lists {} ways to run it.", server.server, ways.len());
        refused(&message, "`guildhall registry show` lists them.")
    })
}

/// The answers that were given, each in the form that the schema wants.
fn answers(
    asks: &McpbAsks,
    given: Map<String, Value>,
    set: &[(String, String)],
) -> Result<Map<String, Value>, Report> {
    let schema: Value = serde_json::from_str(&asks.schema).unwrap_or_default();
    let mut answers = Map::new();
    // What a form begins with.
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        answers.extend(
            property
                .get("default")
                .map(|default| (key.clone(), default.clone())),
        );
    }
    answers.extend(given);
    let mut several: Vec<&str> = Vec::new();
    for (key, value) in set {
        let property = &schema["properties"][key];
        if property.is_null() {
            return Err(refused(
                &format!("Nothing is asked for {key:?}."),
                "`guildhall registry show` lists what is asked.",
            ));
        }
        if asks.secrets.contains(key) {
            return Err(refused(
                &format!("{key} is a secret, and other programs see the words of a command."),
                "Give it in a file with --inputs, or type it when you are asked.",
            ));
        }
        if property["type"] != "array" {
            answers.insert(key.clone(), formed(property, value));
            continue;
        }
        let one = formed(&property["items"], value);
        match answers.get_mut(key).and_then(Value::as_array_mut) {
            Some(list) if several.contains(&key.as_str()) => list.push(one),
            _ => {
                several.push(key);
                answers.insert(key.clone(), Value::Array(vec![one]));
            }
        }
    }
    Ok(answers)
}

/// A text in the form that a property wants; the hall says so where it is none.
fn formed(property: &Value, text: &str) -> Value {
    let formed = match property["type"].as_str() {
        Some("number") => text.parse::<Number>().ok().map(Value::Number),
        Some("boolean") => text.parse::<bool>().ok().map(Value::Bool),
        _ => None,
    };
    formed.unwrap_or_else(|| Value::from(text))
}

/// Asks for what is required and has no answer. Blocking.
fn typed(asks: &McpbAsks, mut answers: Map<String, Value>) -> Result<Map<String, Value>, Report> {
    let schema: Value = serde_json::from_str(&asks.schema).unwrap_or_default();
    let required = schema["required"].as_array().into_iter().flatten();
    for key in required.filter_map(Value::as_str) {
        if answers.contains_key(key) {
            continue;
        }
        let property = &schema["properties"][key];
        let description = property["description"].as_str().unwrap_or_default();
        let prompt = harmless(&format!("{key} {}: ", description.replace('\n', " ")));
        let text = match asks.secrets.iter().any(|secret| secret == key) {
            true => rpassword::prompt_password(prompt).map_err(unread)?,
            false => {
                tell(prompt);
                let mut line = String::new();
                std::io::stdin().read_line(&mut line).map_err(unread)?;
                line.trim_end_matches(['\r', '\n']).to_owned()
            }
        };
        let value = match property["type"] == "array" {
            true => Value::Array(vec![formed(&property["items"], &text)]),
            false => formed(property, &text),
        };
        answers.insert(key.to_owned(), value);
    }
    Ok(answers)
}

fn read_answers(file: Option<&Path>) -> Result<Map<String, Value>, Report> {
    let Some(file) = file else {
        return Ok(Map::new());
    };
    let mut text = String::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin()
            .take(ANSWERS_BYTES_MAX)
            .read_to_string(&mut text),
        false => std::fs::File::open(file)
            .and_then(|file| file.take(ANSWERS_BYTES_MAX).read_to_string(&mut text)),
    };
    read.map_err(unread)?;
    // What is wrong with it is not repeated: there are secrets in it.
    serde_json::from_str(&text).map_err(|_| {
        refused(
            &format!("{} is no object in JSON.", file.display()),
            "Write it as {\"key\": \"value\"}.",
        )
    })
}

fn refused(message: &str, hint: &str) -> Report {
    Report::new(Code::AdoptionRefused, message, hint)
}
