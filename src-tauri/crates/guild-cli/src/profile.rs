//! `guildhall profile`: limits the results of a profile, and exports files that run the profile's
//! members for a team.

use std::num::ParseIntError;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use guild_api::wire::{
    ExportTeam, GatewayState, SaveProfile, TeamExport, TeamTarget, WriteTeamExport,
};
use guild_engine::messages::CliError;
use guild_model::profile::{Profile, ProfileName};
use guild_model::{Code, Report};
use guild_text::number::grouped;
use serde_json::json;

use crate::endpoint::{profile_name, wrong_usage};
use crate::engine_client::EngineClient;
use crate::terminal::{is_json, print};
use crate::{eprint_line, help};

#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    action: ProfileAction,
}

#[derive(Debug, Subcommand)]
enum ProfileAction {
    /// Print files that run a profile's members behind a shared gateway. With --out, write all
    /// files to a folder, including a member that connects Guild Hall to that gateway
    #[command(after_help = help::PROFILE_EXPORT)]
    Export(ExportArgs),
    /// Print or set the size limit of the results that agents get from a profile in one answer
    #[command(after_help = help::PROFILE_RESULTS)]
    Results {
        /// The profile
        profile: String,
        /// The limit in estimated tokens, `off` for no limit, or `default` for the limit in the
        /// setting gateway.resultTokens
        #[arg(value_name = "TOKENS|off|default", value_parser = result_tokens)]
        limit: Option<ResultTokens>,
    },
}

/// The maximum size of a profile's results, in tokens; 0 for no limit. `None` uses the gateway's
/// setting.
#[derive(Debug, Clone, Copy)]
struct ResultTokens(Option<u32>);

fn result_tokens(text: &str) -> Result<ResultTokens, ParseIntError> {
    Ok(ResultTokens(match text {
        "default" => None,
        "off" => Some(0),
        tokens => Some(tokens.parse()?),
    }))
}

impl ProfileArgs {
    /// Whether the action changes the profile.
    pub(crate) fn changes(&self) -> bool {
        let ProfileAction::Results { limit, .. } = &self.action else {
            return false;
        };
        limit.is_some()
    }
}

#[derive(Debug, Args)]
struct ExportArgs {
    /// The profile
    profile: String,
    /// The format, which decides which program runs the members
    #[arg(long, value_enum)]
    format: TeamFormat,
    /// The container image that contains guildhall and the programs that start the members
    #[arg(long, required_if_eq_any([("format", "compose"), ("format", "kubernetes")]))]
    image: Option<String>,
    /// The image of the gateway to which the team's users connect
    #[arg(long, required_if_eq_any([("format", "compose"), ("format", "kubernetes")]))]
    gateway_image: Option<String>,
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

/// The formats of an export.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum TeamFormat {
    /// A compose file, in which Guild Hall runs the members
    Compose,
    /// Kubernetes manifests, in which Guild Hall runs the members
    Kubernetes,
    /// The configuration file of agentgateway, which starts the members itself
    Agentgateway,
    /// Resources for agentgateway in Kubernetes, which connects to the members
    AgentgatewayKubernetes,
    /// Resources for ToolHive's operator in Kubernetes
    Toolhive,
}

impl From<TeamFormat> for TeamTarget {
    fn from(format: TeamFormat) -> Self {
        match format {
            TeamFormat::Compose => Self::Compose,
            TeamFormat::Kubernetes => Self::Kubernetes,
            TeamFormat::Agentgateway => Self::Agentgateway,
            TeamFormat::AgentgatewayKubernetes => Self::AgentgatewayKubernetes,
            TeamFormat::Toolhive => Self::Toolhive,
        }
    }
}

pub(crate) async fn profile(engine: &EngineClient, args: ProfileArgs) -> Result<ExitCode, Report> {
    match args.action {
        ProfileAction::Export(args) => export(engine, args).await,
        ProfileAction::Results { profile, limit } => {
            results(engine, &profile_name(&profile), limit).await
        }
    }
}

/// Sets the maximum size of a profile's results, if `limit` is given, and prints it.
async fn results(
    engine: &EngineClient,
    name: &ProfileName,
    limit: Option<ResultTokens>,
) -> Result<ExitCode, Report> {
    let mut gateway = engine.read_gateway().await?;
    let unknown = || {
        let trouble = CliError::NoProfile(format!("{:?}", name.as_str()));
        Report::from_error(Code::ProfileUnknown, &trouble)
    };
    let of = |gateway: &GatewayState| {
        let mut profiles = gateway.profiles.iter();
        profiles
            .find(|one| one.name == *name)
            .cloned()
            .ok_or_else(unknown)
    };
    if let Some(ResultTokens(result_tokens)) = limit {
        let profile = Profile {
            result_tokens,
            ..of(&gateway)?
        };
        let instead_of = None;
        let request = SaveProfile {
            profile,
            instead_of,
        };
        gateway = engine.save_profile(request).await?;
    }
    let tokens = of(&gateway)?.result_tokens;
    print(&json!({ "resultTokens": tokens }), || match tokens {
        None => "default (gateway.resultTokens)".into(),
        Some(0) => "off".into(),
        Some(tokens) => format!("{} tokens", grouped(tokens)),
    });
    Ok(ExitCode::SUCCESS)
}

/// Prints the files of a profile, or writes them.
async fn export(engine: &EngineClient, args: ExportArgs) -> Result<ExitCode, Report> {
    let Ok(profile) = ProfileName::parse(&args.profile) else {
        wrong_usage("a profile's name has letters, digits, '.', '_' and '-'");
    };
    let request = ExportTeam {
        profile,
        target: args.format.into(),
        image: args.image,
        gateway_image: args.gateway_image,
        gateway_port: args.gateway_port,
        url: args.url,
    };
    let exported = engine.export_team(request.clone()).await?;
    let written = match args.out {
        Some(out) => {
            let folder = std::path::absolute(&out).map_err(|error| {
                let trouble = CliError::NoFolder(out.clone(), error.to_string());
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
    eprint_line(format!(
        "Members on the server: {}.",
        exported.members.join(", ")
    ));
    for left in &exported.left_out {
        eprint_line(format!(
            "{} can't run on the server: {}.",
            left.member, left.why
        ));
    }
    eprint_line("Set these values on the server; the files don't contain them:");
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
