//! Exports a profile as files that run it on a team's server.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use guild_agents::messages::{TeamError, TeamUnfit};
use guild_agents::team::{Team, export, is_mounted};
use guild_api::wire::{ExportTeam, TeamExport, TeamFile, WriteTeamExport, WrittenTeamExport};
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report, ToolName};

use super::GuildHall;
use guild_agents::unknown_profile;
use guild_files::files::let_all_read;

impl GuildHall {
    /// Returns files that run the members of a profile on a server. Writes nothing.
    ///
    /// # Errors
    /// `profile-unknown`. `profile-refused` if no member of the profile can run on a server.
    pub async fn export_team(&self, request: ExportTeam) -> Result<TeamExport, Report> {
        let agents = self.agents().await;
        let settings = agents.settings();
        let profile = settings
            .profile(&request.profile)
            .ok_or_else(|| unknown_profile(&request.profile))?;
        let snapshot = self.snapshot();
        let (mut manifests, mut held) = (BTreeMap::new(), BTreeMap::new());
        for mounted in &profile.members {
            let Some(entry) = snapshot.members.get(&mounted.member) else {
                continue;
            };
            let refused = entry.view.error.as_ref().map(|error| error.code);
            let wants_person =
                refused == Some(Code::SignInNeeded) || self.is_signed_in_to(&mounted.member).await;
            let manifest = match (&entry.manifest, &entry.view.error) {
                (Some(_), _) if entry.view.status == guild_model::status::Status::Unreviewed => {
                    Err(TeamUnfit::Unreviewed)
                }
                (Some(_), _) if wants_person => Err(TeamUnfit::SignIn),
                (Some(manifest), _) => Ok(manifest.as_ref()),
                (None, Some(report)) => Err(TeamUnfit::BadManifest(report.message.clone())),
                (None, None) => Err(TeamUnfit::NoManifest),
            };
            manifests.insert(mounted.member.as_str(), manifest);
            let tools: Vec<&str> = entry.held.keys().map(ToolName::as_str).collect();
            held.insert(mounted.member.as_str(), tools);
        }
        let members: Vec<_> = profile
            .members
            .iter()
            .map(|mounted| &mounted.member)
            .collect();
        let policies: BTreeMap<_, _> = settings
            .policies
            .iter()
            .filter(|(member, _)| members.contains(member))
            .collect();
        let access = agents.team_access(profile);
        let team = Team {
            profile,
            manifests,
            settings: serde_json::json!({
                "enabled": true, "listing": settings.listing(), "policies": policies,
                "rules": settings.rules,
            }),
            held,
            access: access
                .iter()
                .map(|(member, access)| (member.as_str(), access))
                .collect(),
        };
        export(&team, &request)
    }

    /// Whether tokens are stored for a member, or its server requires a sign-in. Such tokens are
    /// not available in a container.
    async fn is_signed_in_to(&self, member: &MemberName) -> bool {
        let state = self.sign_in_state(member).await;
        state.is_ok_and(|view| view.possible && (view.needed || view.grant.is_some()))
    }

    /// Writes the exported files into a folder. If one of them exists, none is written.
    ///
    /// # Errors
    /// The errors of [`Self::export_team`], and `file-unwritable`.
    pub async fn write_team_export(
        &self,
        request: WriteTeamExport,
    ) -> Result<WrittenTeamExport, Report> {
        let folder = request.folder;
        if !Path::new(&folder).is_absolute() {
            let trouble = TeamError::NotAbsolute(format!("{folder:?}"));
            return Err(Report::from_error(Code::FileUnwritable, &trouble));
        }
        let files = self.export_team(request.export).await?.files;
        let writing = tokio::task::spawn_blocking(move || written(Path::new(&folder), &files));
        writing
            .await
            .unwrap_or_else(|error| Err(unwritten(TeamError::NotWritten(error.to_string()))))
    }
}

fn written(folder: &Path, files: &[TeamFile]) -> Result<WrittenTeamExport, Report> {
    let places: Vec<_> = files.iter().map(|file| folder.join(&file.path)).collect();
    for place in &places {
        if std::fs::symlink_metadata(place).is_ok() {
            let trouble = TeamError::Exists(place.clone());
            return Err(Report::from_error(Code::FileUnwritable, &trouble));
        }
    }
    let mut made = Vec::new();
    for (file, place) in files.iter().zip(&places) {
        let mut write = || -> std::io::Result<()> {
            let within = place.parent().into_iter().flat_map(Path::ancestors);
            let within = within.take_while(|within| *within != folder);
            let new: Vec<&Path> = within.filter(|within| !within.exists()).collect();
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let mut created = File::create_new(place)?;
            made.push(place);
            created.write_all(file.text.as_bytes())?;
            if is_mounted(&file.path) {
                new.into_iter().try_for_each(let_all_read)?;
                let_all_read(place)?;
            }
            Ok(())
        };
        if let Err(error) = write() {
            // Removes the files that were written, so that a second attempt does not fail because
            // of them.
            for begun in made {
                let _ = std::fs::remove_file(begun);
            }
            let trouble = TeamError::Unwritable(place.clone(), io_message(&error));
            return Err(unwritten(trouble));
        }
    }
    Ok(WrittenTeamExport {
        paths: places
            .iter()
            .map(|place| place.display().to_string())
            .collect(),
    })
}

fn unwritten(trouble: TeamError) -> Report {
    Report::from_error(Code::FileUnwritable, &trouble)
}
