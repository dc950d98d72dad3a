//! `guildhall add FILE.mcpb`: shows the contents of a bundle, and installs it as a member.

use std::path::Path;
use std::process::ExitCode;

use guild_api::wire::{BundleFileRef, InstallMcpb, McpbChange, McpbInstalled, McpbLook};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report};
use guild_text::number::grouped;
use serde_json::Value;

use super::discovered::{container_lines, launch_lines};
use super::{BroughtArgs, added, member_question, print_installed};
use crate::answers::{answers, question_lines, typed};
use crate::engine_client::EngineClient;
use crate::eprint_line;
use crate::terminal::{absolute, confirm, counted, indented, print, read_answers};

/// Maximum number of a bundle's tools that are listed.
const TOOLS_SHOWN: usize = 50;

/// Whether a file has the name of a bundle.
pub(super) fn is_bundle(file: &Path) -> bool {
    let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "mcpb" || ending == "dxt")
}

/// Shows the contents and the command of a bundle, asks the user, and installs the bundle as a
/// member.
pub(super) async fn add_bundle(
    engine: &EngineClient,
    file: &Path,
    args: BroughtArgs,
) -> Result<ExitCode, Report> {
    let path = absolute(file);
    let look = engine.look_into_mcpb(BundleFileRef { path }).await?;
    if args.look {
        print(&look, || bundle_text(&look));
        return Ok(ExitCode::SUCCESS);
    }
    eprint_line(bundle_text(&look));
    let (member, before) = member_of(&look, args.name.as_deref())?;
    let asks = before.map_or(&look.asks, |before| &before.asks);
    let given = read_answers(args.how.inputs, Code::AdoptionRefused, CliError::NoAnswers).await?;
    let mut answers = answers(asks, given, &args.set)?;
    let question = match before {
        Some(before) => {
            let (new, old) = (&look.about.version, &before.version);
            format!("Replace version {old} of the member {member} with {new}?")
        }
        None => member_question(&member),
    };
    if !args.how.yes {
        if !confirm(&question, Code::AdoptionRefused).await? {
            eprint_line("Nothing was added.");
            return Ok(ExitCode::from(2));
        }
        answers = typed(asks, answers).await?;
    }
    let installed = engine
        .install_mcpb(InstallMcpb {
            call: CallId::numbered("install", std::process::id().into()),
            path: look.path.clone(),
            digest: look.digest.clone(),
            update: before.is_some(),
            member,
            answers: Value::Object(answers).to_string(),
        })
        .await?;
    print(&installed, || match &installed.replaced {
        Some(version) => format!(
            "Replaced version {version} of the member {}: {}",
            installed.member, installed.folder
        ),
        None => added(&installed.member, &installed.folder),
    });
    print_installed(
        &installed.member,
        &installed.stays_command,
        &installed.secrets,
        installed.warning.as_ref(),
    );
    Ok(ExitCode::SUCCESS)
}

/// Returns the name for the member, and the installed member that the bundle replaces, if any.
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
                let trouble = CliError::SeveralMembers(names.join(", "));
                return Err(Report::from_error(Code::AdoptionRefused, &trouble));
            }
        });
    };
    let member = MemberName::parse(name).map_err(|error| {
        Report::from_error(Code::AdoptionRefused, &CliError::OtherName(error.0))
    })?;
    let before = look.installed.iter().find(|one| one.member == member);
    Ok((member, before))
}

/// Formats everything about a bundle as several lines.
fn bundle_text(look: &McpbLook) -> String {
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
    add(format!(
        "{}, {} KiB; unpacked {} KiB; sha256 {}",
        counted(look.files, "file", "files"),
        grouped(look.bytes.div_ceil(1024)),
        grouped(look.unpacked.div_ceil(1024)),
        look.digest.as_str()
    ));
    add(format!("runs: {}", look.command_line));
    launch_lines(&look.launch).into_iter().for_each(&mut add);
    let container = look.container.iter().flat_map(container_lines);
    container.for_each(&mut add);
    let runtimes = about.runtimes.join(", ");
    add(match runtimes.as_str() {
        "" => format!("by {}", about.runs_on),
        runtimes => format!("by {} ({runtimes})", about.runs_on),
    });
    for line in question_lines(&look.asks) {
        add(line);
    }
    for tool in about.tools.iter().take(TOOLS_SHOWN) {
        let description = tool.description.replace('\n', " ");
        add(format!("tool {}: {description}", tool.name));
    }
    if about.tools.len() > TOOLS_SHOWN {
        let more = about.tools.len() - TOOLS_SHOWN;
        add(format!("and {}", counted(more, "more tool", "more tools")));
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
            McpbChange::Newer => format!("this bundle is newer than its {version}"),
            McpbChange::Older => format!("this bundle is older than its {version}"),
            McpbChange::Other => format!("this bundle differs from its {version}"),
        };
        add(format!(
            "the member {} was installed from it: {change}",
            one.member
        ));
    }
    for warning in look.unfit.iter() {
        add(format!("warning: {warning}"));
    }
    for one in &look.suspicions {
        let of = one.tool.as_deref();
        let of = of.map_or(String::new(), |tool| format!(" of the tool {tool}"));
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
