//! Which servers of a program's file Guild Hall has: those may go from the file.

use std::sync::Arc;

use guild_core::client_config::{ConfigFile, ENTRY, EntryAt, Source, Surroundings, Untouchable};
use guild_core::manifest::Manifest;
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
    /// What the members run.
    pub(crate) manifests: Vec<Arc<Manifest>>,
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
        let run_by_one = found.servers.iter().filter(|server| {
            let run = server
                .run
                .as_ref()
                .ok()
                .filter(|_| server.name != ENTRY && !server.lacks_variables);
            run.is_some_and(|run| {
                self.manifests
                    .iter()
                    .any(|manifest| run.is_run_by(manifest))
            })
        });
        Ok(run_by_one.map(|server| file.entry_at(server)).collect())
    }
}
