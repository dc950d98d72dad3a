//! `guildhall add FILE.mcpb`: what is in a bundle, and a member made of it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use guild_core::note::CliTrouble;
use guild_core::wire::{
    FoundLaunch, InstallMcpb, InstalledMcpb, McpbAsks, McpbChange, McpbInstalled, McpbLook, OfMcpb,
};
use guild_core::{CallId, Code, MemberName, Report};
use serde_json::{Value, json};

use super::AddArgs;
use crate::answers::{answers, asked, read_answers, typed};
use crate::asking::{agreed, off_the_runtime};
use crate::found::container_told;
use crate::reach::Reach;
use crate::terminal::indented;
use crate::words;
use crate::{harmless, print_line, tell};

/// How many tools of a bundle are listed.
const TOOLS_SHOWN: usize = 50;

/// Whether a file is a bundle by its name.
pub(super) fn is_bundle(file: &Path) -> bool {
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "mcpb" || ending == "dxt")
}

/// Shows what is in the bundle and what it would run, asks, and makes a member of it.
pub(super) async fn add_bundle(
    reach: &Reach,
    file: PathBuf,
    args: AddArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let whole = std::path::absolute(&file).unwrap_or(file);
    let path = whole.display().to_string();
    let look = reach.look_into_mcpb(OfMcpb { path }).await?;
    if args.look {
        print_line(&match as_json {
            true => json!(look).to_string(),
            false => harmless(&told(&look)),
        });
        return Ok(ExitCode::SUCCESS);
    }
    tell(harmless(&told(&look)));
    let (member, before) = member_of(&look, args.name.as_deref())?;
    let asks = before.map_or(&look.asks, |before| &before.asks);
    let inputs = args.inputs;
    let given = off_the_runtime(move || read_answers(inputs.as_deref())).await?;
    let answers = answers(asks, given, &args.set)?;
    let question = match before {
        Some(before) => {
            let (new, old) = (&look.about.version, &before.version);
            format!("Put {new} in the place of {old} in the member {member}?")
        }
        None => words::servers::make_member(member.as_str()),
    };
    if !args.yes && !agreed(&question, Code::AdoptionRefused).await? {
        tell(words::servers::NOTHING_INSTALLED);
        return Ok(ExitCode::from(2));
    }
    let answers = match args.yes {
        true => answers,
        false => {
            let asks: McpbAsks = asks.clone();
            off_the_runtime(move || typed(&asks, answers)).await?
        }
    };
    let call = CallId::parse(&format!("install-{}", std::process::id()))
        .map_err(|error| Report::told(Code::AdoptionRefused, &CliTrouble::Name(error.0)))?;
    let installed = reach
        .install_mcpb(InstallMcpb {
            call,
            path: look.path.clone(),
            digest: look.digest.clone(),
            update: before.is_some(),
            member,
            answers: Value::Object(answers).to_string(),
        })
        .await?;
    say(&installed, as_json);
    Ok(ExitCode::SUCCESS)
}

/// What the member is called, and the one that it is put in the place of.
fn member_of<'l>(
    look: &'l McpbLook,
    name: Option<&str>,
) -> Result<(MemberName, Option<&'l McpbInstalled>), Report> {
    let Some(name) = name else {
        return Ok(match look.installed.as_slice() {
            [] => (look.suggested.clone(), None),
            [one] => (one.member.clone(), Some(one)),
            several => {
                let names: Vec<&str> = several.iter().map(|one| one.member.as_str()).collect();
                let trouble = CliTrouble::SeveralMembers(names.join(", "));
                return Err(Report::told(Code::AdoptionRefused, &trouble));
            }
        });
    };
    let member = MemberName::parse(name)
        .map_err(|error| Report::told(Code::AdoptionRefused, &CliTrouble::OtherName(error.0)))?;
    let before = look.installed.iter().find(|one| one.member == member);
    Ok((member, before))
}

fn say(installed: &InstalledMcpb, as_json: bool) {
    let InstalledMcpb {
        member,
        folder,
        replaced,
        secrets,
        warning,
        stays_command,
    } = installed;
    if as_json {
        print_line(&json!(installed).to_string());
    } else {
        print_line(&harmless(&match replaced {
            Some(version) => format!("{member} has it in the place of {version}: {folder}"),
            None => words::servers::is_member(member.as_str(), folder),
        }));
    }
    if !stays_command.is_empty() {
        let reasons = stays_command.join("; ");
        tell(harmless(&words::servers::stays_command(&reasons)));
    }
    if !secrets.is_empty() {
        let secrets = harmless(&secrets.join(", "));
        tell(words::servers::kept_secrets(&secrets));
    }
    if let Some(warning) = warning {
        tell(format_args!("warning: {warning}"));
    }
    tell(words::servers::runs_when_reviewed(member.as_str()));
}

/// Everything about a bundle, several lines.
fn told(look: &McpbLook) -> String {
    let about = &look.about;
    let mut lines = vec![format!("{} {}", about.title, about.version)];
    let mut add = |text: String| lines.push(format!("    {}", indented(&text, 6)));
    for words in [&about.description, &about.author, &about.license] {
        if !words.is_empty() {
            add(words.replace('\n', " "));
        }
    }
    for link in about.links.iter().chain(&about.privacy_policies) {
        add(link.clone());
    }
    add(words::registry::size(
        look.files,
        look.bytes.div_ceil(1024),
        look.unpacked.div_ceil(1024),
        look.digest.as_str(),
    ));
    add(format!("runs: {}", look.command_line));
    if let FoundLaunch::Command { env, cwd, .. } = &look.launch {
        for value in env {
            add(words::servers::with(&format!(
                "{}={}",
                value.name, value.value
            )));
        }
        if let Some(cwd) = cwd {
            add(words::servers::in_folder(cwd));
        }
    }
    let container = look.container.iter().flat_map(container_told);
    container.for_each(&mut add);
    let runtimes = about.runtimes.join(", ");
    add(match runtimes.as_str() {
        "" => words::registry::by(&about.runs_on),
        runtimes => words::registry::by(&format!("{} ({runtimes})", about.runs_on)),
    });
    for line in asked(&look.asks) {
        add(line);
    }
    for tool in about.tools.iter().take(TOOLS_SHOWN) {
        let description = tool.description.replace('\n', " ");
        add(format!("tool {}: {description}", tool.name));
    }
    if about.tools.len() > TOOLS_SHOWN {
        let more = about.tools.len() - TOOLS_SHOWN;
        add(words::servers::more_tools(more));
    }
    if about.more_tools {
        add("There may be more tools when it runs.".to_owned());
    }
    for prompt in about.prompts.iter().take(TOOLS_SHOWN) {
        add(format!("prompt {}", prompt.name));
    }
    if look.signed {
        add("It has a signature, which is not checked.".to_owned());
    }
    for one in &look.installed {
        let version = &one.version;
        let change = match one.change {
            McpbChange::Same => "it is the same file".to_owned(),
            McpbChange::Newer => format!("this one is newer than its {version}"),
            McpbChange::Older => format!("this one is older than its {version}"),
            McpbChange::Other => format!("it is another file than its {version}"),
        };
        add(format!(
            "the member {} was made of it: {change}",
            one.member
        ));
    }
    for warning in look.unfit.iter() {
        add(format!("warning: {warning}"));
    }
    for one in &look.suspicions {
        let of = one
            .tool
            .as_deref()
            .map_or(String::new(), words::registry::of_tool);
        let suspicion = &one.suspicion;
        add(format!(
            "warning: {}{of}: {}: {}",
            suspicion.place, suspicion.what, suspicion.quote
        ));
    }
    for note in &look.notes {
        add(format!("note: {note}"));
    }
    lines.join("\n")
}
