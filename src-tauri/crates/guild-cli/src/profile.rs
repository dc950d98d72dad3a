//! `guildhall profile`: files that run the members of a profile for a team.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{ExportTeam, TeamExport, TeamTarget, WriteTeamExport};
use guild_engine::messages::CliTrouble;
use guild_model::profile::ProfileName;
use guild_model::{Code, Report};
use serde_json::json;

use crate::endpoint::wrong_usage;
use crate::engine_client::EngineClient;
use crate::terminal::{is_json, print};
use crate::{eprint_line, help};

/// The arguments of `profile`.
#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    action: ProfileAction,
}

#[derive(Debug, Subcommand)]
enum ProfileAction {
    /// Print a compose file or Kubernetes manifests that run a profile's members behind a shared
    /// gateway. With --out, write all files to a folder, including a member that connects Guild
    /// Hall to that gateway
    #[command(after_help = help::PROFILE_EXPORT)]
    Export(ExportArgs),
}

/// The arguments of `profile export`.
#[derive(Debug, Args)]
struct ExportArgs {
    /// The profile
    profile: String,
    /// Export a compose file
    #[arg(
        long,
        required_unless_present = "kubernetes",
        conflicts_with = "kubernetes"
    )]
    compose: bool,
    /// Export Kubernetes manifests
    #[arg(long)]
    kubernetes: bool,
    /// The container image that contains guildhall and the programs that start the members
    #[arg(long)]
    image: String,
    /// The image of the gateway to which the team's users connect
    #[arg(long)]
    gateway_image: String,
    /// The port of the team's gateway [default: 8080]
    #[arg(long, value_name = "PORT")]
    gateway_port: Option<u16>,
    /// The address at which the app reaches the team's gateway [default: an address of this
    /// machine]
    #[arg(long)]
    url: Option<String>,
    /// Write all files into this folder instead of printing the first file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the files of a profile, or writes them.
pub(crate) async fn profile(engine: &EngineClient, args: ProfileArgs) -> Result<ExitCode, Report> {
    let ProfileAction::Export(args) = args.action;
    let Ok(profile) = ProfileName::parse(&args.profile) else {
        wrong_usage("a profile's name has letters, digits, '.', '_' and '-'");
    };
    let request = ExportTeam {
        profile,
        target: match args.kubernetes {
            true => TeamTarget::Kubernetes,
            false => TeamTarget::Compose,
        },
        image: args.image,
        gateway_image: args.gateway_image,
        gateway_port: args.gateway_port,
        url: args.url,
    };
    let exported = engine.export_team(request.clone()).await?;
    let written = match args.out {
        Some(out) => {
            let folder = std::path::absolute(&out).map_err(|error| {
                let trouble = CliTrouble::NoFolder(out.clone(), error.to_string());
                Report::from_error(Code::FileUnwritable, &trouble)
            })?;
            let request = WriteTeamExport {
                export: request,
                folder: folder.display().to_string(),
            };
            Some(engine.write_team_export(request).await?)
        }
        None => None,
    };
    let paths = written.map(|written| written.paths);
    let shown = json!({"export": exported, "written": paths});
    print(&shown, || match &paths {
        Some(paths) => paths.join("\n"),
        None => {
            let file = exported.files.first();
            file.map_or_else(String::new, |file| file.text.clone())
        }
    });
    if !is_json() {
        about(&exported, paths.is_some());
    }
    Ok(ExitCode::SUCCESS)
}

fn about(exported: &TeamExport, is_written: bool) {
    eprint_line(format!("Runs there: {}.", exported.members.join(", ")));
    for left in &exported.left_out {
        eprint_line(format!("{} doesn't run there: {}.", left.member, left.why));
    }
    eprint_line("Set these values there; the files don't contain them:");
    for one in &exported.to_set {
        eprint_line(format!("  {}: {}", one.name, one.what));
    }
    for note in &exported.notes {
        eprint_line(note);
    }
    if !is_written && exported.files.len() > 1 {
        let others: Vec<&str> = exported.files[1..]
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        eprint_line(format!("--out DIR also writes: {}.", others.join(", ")));
    }
}
