//! Finds the servers in an app's file that members can replace, so that they can be removed from
//! the file.

use std::sync::Arc;

use guild_api::wire::ProgramChoice;
use guild_client_config::{
    ConfigFile, ConfiguredServer, EntryAt, ParsedServers, ReferenceContext, ServerFile,
    TextEditError,
};
use guild_model::MemberName;
use guild_model::endpoint::ENTRY;
use guild_model::manifest::Manifest;
use guild_process::environment::ShellVariables;

use super::files::env_file;

/// Members that can replace the servers in a file.
#[derive(Debug)]
pub struct ReplacementMembers {
    /// The file, with its format and owner.
    pub source: ServerFile,
    /// The user's home folder, for resolving references.
    pub home: String,
    /// The environment for resolving references.
    pub environment: Arc<ShellVariables>,
    /// The candidates. A server is replaced by the first member that has the same launch command.
    pub manifests: Vec<(MemberName, Arc<Manifest>)>,
}

impl ReplacementMembers {
    /// Returns the entries of the file's text that a member can replace.
    ///
    /// # Errors
    /// If the text is not valid for the app.
    pub fn entries(&self, file: &ConfigFile, text: &str) -> Result<Vec<EntryAt>, TextEditError> {
        let env = |name: &str| self.environment.get(name);
        let surroundings = ReferenceContext {
            home: &self.home,
            env: &env,
            env_file: &env_file,
        };
        let found = self.source.servers(text, &surroundings)?;
        let run_by_one = found
            .servers
            .iter()
            .filter(|server| self.of(server).is_some());
        Ok(run_by_one.map(|server| file.entry_at(server)).collect())
    }

    /// Returns the member that can replace a server.
    fn of(&self, server: &ConfiguredServer) -> Option<&(MemberName, Arc<Manifest>)> {
        let run = server.run.as_ref().ok()?;
        let may_go = server.name != ENTRY && !server.lacks_variables;
        let mut members = self.manifests.iter();
        members.find(|(_, manifest)| may_go && run.is_run_by(manifest))
    }

    /// Returns the members that can replace servers, each with the tools that the app allows.
    pub fn choices(&self, servers: &ParsedServers) -> Vec<ProgramChoice> {
        let mut choices: Vec<ProgramChoice> = Vec::new();
        for server in &servers.servers {
            let Some((member, manifest)) = self.of(server) else {
                continue;
            };
            let tools = server.tool_choice(manifest);
            match choices.iter_mut().find(|known| known.member == *member) {
                Some(known) => known.tools = known.tools.clone().or(tools),
                None => choices.push(ProgramChoice {
                    server: server.name.clone(),
                    member: member.clone(),
                    tools,
                }),
            }
        }
        choices
    }
}
