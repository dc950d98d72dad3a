//! What a change is made to.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_core::agents::Endpoint;
use guild_core::client_config::{ConfigFile, EntryAt, Untouchable};

/// Which entries of a text go.
type Leaving = dyn Fn(&ConfigFile, &str) -> Result<Vec<EntryAt>, Untouchable> + Send + Sync;

/// A file, and which of its servers go when it is connected.
#[derive(Clone)]
pub struct Subject {
    pub(super) file: ConfigFile,
    /// The project's folder, where the file is one's.
    pub(super) project: Option<PathBuf>,
    pub(super) leaving: Option<Arc<Leaving>>,
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            project,
            leaving,
        } = self;
        f.debug_struct("Subject")
            .field("file", file)
            .field("project", project)
            .field("hands_over", &leaving.is_some())
            .finish()
    }
}

/// A change that a person has seen.
#[derive(Debug, Clone)]
pub struct Change {
    /// What is changed.
    pub subject: Subject,
    /// What its program is to use.
    pub endpoint: Endpoint,
    /// Stands for what was seen.
    pub precondition: String,
}

impl Subject {
    /// A file of which nothing goes.
    pub(crate) fn new(file: ConfigFile) -> Self {
        Self {
            file,
            project: None,
            leaving: None,
        }
    }

    /// The file.
    pub(crate) fn file(&self) -> &ConfigFile {
        &self.file
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.file.path
    }

    /// The same file, of a project.
    pub(crate) fn of_project(self, project: Option<PathBuf>) -> Self {
        Self { project, ..self }
    }

    /// The same file without the entries that `leaving` says of the text that is changed.
    pub fn without(
        self,
        leaving: impl Fn(&ConfigFile, &str) -> Result<Vec<EntryAt>, Untouchable> + Send + Sync + 'static,
    ) -> Self {
        Self {
            leaving: Some(Arc::new(leaving)),
            ..self
        }
    }

    /// The entries of a text that go.
    pub(super) fn gone(&self, text: &str) -> Result<Vec<EntryAt>, Untouchable> {
        match &self.leaving {
            None => Ok(Vec::new()),
            Some(leaving) => leaving(&self.file, text),
        }
    }
}
