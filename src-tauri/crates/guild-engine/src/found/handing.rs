//! Which servers of a program's file Guild Hall has: those may go from the file.

use std::sync::Arc;

use guild_core::MemberName;
use guild_core::client_config::{
    ConfigFile, ENTRY, EntryAt, Server, Servers, Source, Surroundings, Untouchable,
};
use guild_core::manifest::Manifest;
use guild_core::wire::ProgramChoice;
use guild_process::environment::ShellVariables;

use super::look::env_file;

/// Members that may take the place of a file's servers.
#[derive(Debug)]
pub(crate) struct Members {
    /// The file.
    pub(crate) source: Source,
    /// The user's home.
    pub(crate) home: String,
    /// What references are resolved by.
    pub(crate) environment: Arc<ShellVariables>,
    /// What the members run, by their names.
    pub(crate) manifests: Vec<(MemberName, Arc<Manifest>)>,
}

impl Members {
    /// The entries of the file's text that one of the members runs. An entry that says the least
    /// thing else than a member's manifest is none of them.
    ///
    /// # Errors
    /// When the text is no file of its program.
    pub(crate) fn entries(
        &self,
        file: &ConfigFile,
        text: &str,
    ) -> Result<Vec<EntryAt>, Untouchable> {
        let env = |name: &str| self.environment.get(name);
        let surroundings = Surroundings {
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

    /// The member that may take a server's place.
    fn of(&self, server: &Server) -> Option<&(MemberName, Arc<Manifest>)> {
        let run = server.run.as_ref().ok()?;
        let may_go = server.name != ENTRY && !server.lacks_variables;
        let mut members = self.manifests.iter();
        members.find(|(_, manifest)| may_go && run.is_run_by(manifest))
    }

    /// The members that may take the place of servers, each with the tools that the program offers.
    pub(crate) fn choices(&self, servers: &Servers) -> Vec<ProgramChoice> {
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
