//! The launch of a server.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::text::{ConfigTextTemplate, TextSegment};
use guild_api::wire::{FoundLaunch, FoundValue};
use guild_model::id::FoundId;
use guild_model::manifest::quoted;

/// The launch of a server. `T` is the type of its strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchSpec<T> {
    /// A process that is started by a command.
    Command {
        /// The program.
        command: T,
        /// The program's arguments.
        args: Vec<T>,
        /// The environment variables.
        env: BTreeMap<String, T>,
        /// The working folder, if the entry has one.
        cwd: Option<T>,
    },
    /// A remote server.
    Url {
        /// The server's address.
        url: T,
        /// The headers of each request.
        headers: BTreeMap<String, T>,
    },
}

/// The field of a launch that contains a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaunchSpecField<'a> {
    /// The program.
    Command,
    /// An argument.
    Arg,
    /// The value of the environment variable with this name.
    Env(&'a str),
    /// The working folder.
    Cwd,
    /// The address.
    Url,
    /// The value of the header with this name.
    Header(&'a str),
}

impl<T> LaunchSpec<T> {
    /// Converts all strings, in order.
    ///
    /// # Errors
    /// The first error that `make` returns.
    pub fn try_map<U, E>(
        &self,
        mut make: impl FnMut(LaunchSpecField<'_>, &T) -> Result<U, E>,
    ) -> Result<LaunchSpec<U>, E> {
        Ok(match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => LaunchSpec::Command {
                command: make(LaunchSpecField::Command, command)?,
                args: args
                    .iter()
                    .map(|arg| make(LaunchSpecField::Arg, arg))
                    .collect::<Result<_, E>>()?,
                env: env
                    .iter()
                    .map(|(name, value)| {
                        Ok((name.clone(), make(LaunchSpecField::Env(name), value)?))
                    })
                    .collect::<Result<_, E>>()?,
                cwd: cwd
                    .as_ref()
                    .map(|cwd| make(LaunchSpecField::Cwd, cwd))
                    .transpose()?,
            },
            Self::Url { url, headers } => LaunchSpec::Url {
                url: make(LaunchSpecField::Url, url)?,
                headers: headers
                    .iter()
                    .map(|(name, value)| {
                        Ok((name.clone(), make(LaunchSpecField::Header(name), value)?))
                    })
                    .collect::<Result<_, E>>()?,
            },
        })
    }

    /// Returns all strings, in order.
    pub fn texts(&self) -> Vec<&T> {
        match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => [command]
                .into_iter()
                .chain(args)
                .chain(env.values())
                .chain(cwd)
                .collect(),
            Self::Url { url, headers } => [url].into_iter().chain(headers.values()).collect(),
        }
    }
}

impl LaunchSpec<ConfigTextTemplate> {
    /// Returns a hash of the whole launch, including secrets.
    pub fn id(&self) -> FoundId {
        let mut parts = LaunchHasher::default();
        match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => {
                parts.word("command");
                parts.text(command);
                parts.count(args.len());
                args.iter().for_each(|arg| parts.text(arg));
                parts.values(env);
                parts.count(usize::from(cwd.is_some()));
                cwd.iter().for_each(|cwd| parts.text(cwd));
            }
            Self::Url { url, headers } => {
                parts.word("url");
                parts.text(url);
                parts.values(headers);
            }
        }
        FoundId::of_hash(&parts.0.finalize())
    }

    /// Returns the launch for display, with its secrets masked.
    pub fn shown(&self) -> FoundLaunch {
        match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => FoundLaunch::Command {
                command: command.shown(),
                args: args.iter().map(ConfigTextTemplate::shown).collect(),
                env: values(env),
                cwd: cwd.as_ref().map(ConfigTextTemplate::shown),
            },
            Self::Url { url, headers } => FoundLaunch::Url {
                url: url.shown(),
                headers: values(headers),
            },
        }
    }

    /// Returns the launch as one line, quoted for a POSIX shell, with its secrets masked.
    pub fn command_line(&self) -> String {
        match self {
            Self::Url { url, .. } => url.shown(),
            Self::Command { command, args, .. } => {
                let words = [command].into_iter().chain(args);
                let words = words.map(|word| quoted(&word.shown()));
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

fn values(values: &BTreeMap<String, ConfigTextTemplate>) -> Vec<FoundValue> {
    let value = |(name, value): (&String, &ConfigTextTemplate)| FoundValue {
        name: name.clone(),
        value: value.shown(),
        secret: value.has_secret(),
    };
    values.iter().map(value).collect()
}

/// Hashes strings. Each is preceded by its length, so that different lists never have the same
/// input.
#[derive(Default)]
struct LaunchHasher(Sha256);

impl LaunchHasher {
    fn word(&mut self, word: &str) {
        self.count(word.len());
        self.0.update(word.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn text(&mut self, text: &ConfigTextTemplate) {
        self.count(text.pieces().len());
        for piece in text.pieces() {
            let (kind, text) = match piece {
                TextSegment::Plain(text) => ("plain", text),
                TextSegment::Given(text) => ("given", text),
                TextSegment::Env(name) => ("env", name),
                TextSegment::Input(id) => ("input", id),
                TextSegment::Variable(name) => ("variable", name),
                TextSegment::Secret { value, .. } => ("secret", value),
            };
            self.word(kind);
            self.word(text);
        }
    }

    fn values(&mut self, values: &BTreeMap<String, ConfigTextTemplate>) {
        self.count(values.len());
        for (name, value) in values {
            self.word(name);
            self.text(value);
        }
    }
}
