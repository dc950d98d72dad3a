//! The file that a change edits.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_client_config::{ConfigFile, EntryAt, TextEditError};
use guild_model::endpoint::Endpoint;

/// Selects the entries to remove from a text.
type RemovalSelector =
    dyn Fn(&ConfigFile, &str) -> Result<Vec<EntryAt>, TextEditError> + Send + Sync;

/// A configuration file, and the servers to remove from it when it is connected to the gateway.
#[derive(Clone)]
pub struct ConfigFileTarget {
    pub(super) file: ConfigFile,
    /// The project's folder, for a project's file.
    pub(super) project: Option<PathBuf>,
    pub(super) leaving: Option<Arc<RemovalSelector>>,
}

impl fmt::Debug for ConfigFileTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            project,
            leaving,
        } = self;
        f.debug_struct("ConfigFileTarget")
            .field("file", file)
            .field("project", project)
            .field("hands_over", &leaving.is_some())
            .finish()
    }
}

/// A change that a person has previewed.
#[derive(Debug, Clone)]
pub struct ClientConfigChange {
    /// The file to change.
    pub subject: ConfigFileTarget,
    /// The endpoint that the app will use.
    pub endpoint: Endpoint,
    /// The hash from the preview.
    pub precondition: String,
}

impl ConfigFileTarget {
    /// Creates a target without entries to remove.
    pub fn new(file: ConfigFile) -> Self {
        Self {
            file,
            project: None,
            leaving: None,
        }
    }

    /// Returns the configuration file to change.
    pub fn file(&self) -> &ConfigFile {
        &self.file
    }

    /// Returns the location of the configuration file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Sets the project of the file.
    pub fn of_project(self, project: Option<PathBuf>) -> Self {
        Self { project, ..self }
    }

    /// Sets the entries to remove. `leaving` selects them in the current text.
    pub fn without(
        self,
        leaving: impl Fn(&ConfigFile, &str) -> Result<Vec<EntryAt>, TextEditError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            leaving: Some(Arc::new(leaving)),
            ..self
        }
    }

    /// Returns the entries of a text to remove.
    pub(super) fn gone(&self, text: &str) -> Result<Vec<EntryAt>, TextEditError> {
        match &self.leaving {
            None => Ok(Vec::new()),
            Some(leaving) => leaving(&self.file, text),
        }
    }
}
