//! `guildhall export-team`: a profile as files that run its members for a team.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use guild_core::agents::ProfileName;
use guild_core::note::CliTrouble;
use guild_core::wire::{ExportTeam, TeamExport, TeamTarget, WriteTeamExport};
use guild_core::{Code, Report};
use serde_json::json;

use crate::endpoint::wrong_usage;
use crate::reach::Reach;
use crate::{harmless, print_line, tell};

/// Which profile, for what.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct ExportTeamArgs {
    /// The profile.
    profile: String,
    /// As a compose file.
    #[arg(
        long,
        required_unless_present = "kubernetes",
        conflicts_with = "kubernetes"
    )]
    compose: bool,
    /// As manifests of a cluster.
    #[arg(long)]
    kubernetes: bool,
    /// The image that has guildhall, and the programs that the members are started by.
    #[arg(long)]
    image: String,
    /// The image of the gateway that the team has, which others reach.
    #[arg(long)]
    gateway_image: String,
    /// The port that it listens on [default: 8080].
    #[arg(long, value_name = "PORT")]
    gateway_port: Option<u16>,
    /// The address at which the app reaches the profile there [default: one of this machine].
    #[arg(long)]
    url: Option<String>,
    /// Write the files into this folder instead of printing the first.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints what is applied there, or writes all of it; says on stderr what is to be known.
pub(crate) async fn export_team(
    reach: &Reach,
    args: ExportTeamArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
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
    let exported = reach.export_team(request.clone()).await?;
    let written = match args.out {
        Some(out) => {
            let folder = std::path::absolute(&out).map_err(|error| {
                let trouble = CliTrouble::NoFolder(out.clone(), error.to_string());
                Report::told(Code::FileUnwritable, &trouble)
            })?;
            let request = WriteTeamExport {
                export: request,
                folder: folder.display().to_string(),
            };
            Some(reach.write_team_export(request).await?)
        }
        None => None,
    };
    if as_json {
        let paths = written.map(|written| written.paths);
        print_line(&json!({"export": exported, "written": paths}).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    match &written {
        Some(written) => {
            for path in &written.paths {
                print_line(&harmless(path));
            }
        }
        None => {
            if let Some(file) = exported.files.first() {
                print_line(harmless(&file.text).trim_end());
            }
        }
    }
    about(&exported, written.is_some());
    Ok(ExitCode::SUCCESS)
}

fn about(exported: &TeamExport, is_written: bool) {
    tell(format!("Runs there: {}.", exported.members.join(", ")));
    for left in &exported.left_out {
        let said = format!("{} does not: {}.", left.member, left.why);
        tell(harmless(&said));
    }
    tell("To be set there, and written nowhere:");
    for one in &exported.to_set {
        tell(harmless(&format!("  {}: {}", one.name, one.what)));
    }
    for note in &exported.notes {
        tell(harmless(note));
    }
    if !is_written && exported.files.len() > 1 {
        let others: Vec<&str> = exported.files[1..]
            .iter()
            .map(|file| file.path.as_str())
            .collect();
        tell(format!(
            "With --out DIR these are written too: {}.",
            others.join(", ")
        ));
    }
}
