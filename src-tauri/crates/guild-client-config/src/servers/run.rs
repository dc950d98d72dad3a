//! The launch of a server.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::text::{TextSegment, TextTemplate};
use guild_api::wire::{FoundLaunch, FoundValue};
use guild_model::id::FoundId;
use guild_model::manifest::quoted;

/// The launch of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchSpec {
    /// A process that is started by a command.
    Command {
        /// The program.
        command: TextTemplate,
        /// The program's arguments.
        args: Vec<TextTemplate>,
        /// The environment variables.
        env: BTreeMap<String, TextTemplate>,
        /// The working folder, if the entry has one.
        cwd: Option<TextTemplate>,
    },
    /// A remote server.
    Url {
        /// The server's address.
        url: TextTemplate,
        /// The headers of each request.
        headers: BTreeMap<String, TextTemplate>,
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

impl LaunchSpec {
    /// Returns all strings with their fields, in order.
    pub fn fields(&self) -> Vec<(LaunchSpecField<'_>, &TextTemplate)> {
        let mut fields = Vec::new();
        match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => {
                fields.push((LaunchSpecField::Command, command));
                fields.extend(args.iter().map(|arg| (LaunchSpecField::Arg, arg)));
                fields.extend(
                    env.iter()
                        .map(|(name, text)| (LaunchSpecField::Env(name), text)),
                );
                fields.extend(cwd.iter().map(|cwd| (LaunchSpecField::Cwd, cwd)));
            }
            Self::Url { url, headers } => {
                fields.push((LaunchSpecField::Url, url));
                let headers = headers.iter();
                fields.extend(headers.map(|(name, text)| (LaunchSpecField::Header(name), text)));
            }
        }
        fields
    }

    /// Returns all strings, in order.
    pub fn texts(&self) -> Vec<&TextTemplate> {
        self.fields().into_iter().map(|(_, text)| text).collect()
    }

    /// Returns the launch with each string converted, in order.
    pub(super) fn map(
        &self,
        mut convert: impl FnMut(LaunchSpecField<'_>, &TextTemplate) -> TextTemplate,
    ) -> Self {
        let mut mapped = self.clone();
        match &mut mapped {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => {
                *command = convert(LaunchSpecField::Command, command);
                for arg in args {
                    *arg = convert(LaunchSpecField::Arg, arg);
                }
                for (name, value) in env {
                    *value = convert(LaunchSpecField::Env(name), value);
                }
                if let Some(cwd) = cwd {
                    *cwd = convert(LaunchSpecField::Cwd, cwd);
                }
            }
            Self::Url { url, headers } => {
                *url = convert(LaunchSpecField::Url, url);
                for (name, value) in headers {
                    *value = convert(LaunchSpecField::Header(name), value);
                }
            }
        }
        mapped
    }

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
                args: args.iter().map(TextTemplate::shown).collect(),
                env: values(env),
                cwd: cwd.as_ref().map(TextTemplate::shown),
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

/// Returns values for display, with their secrets masked.
pub(super) fn values(values: &BTreeMap<String, TextTemplate>) -> Vec<FoundValue> {
    let value = |(name, value): (&String, &TextTemplate)| FoundValue {
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

    fn text(&mut self, text: &TextTemplate) {
        self.count(text.segments().len());
        for segment in text.segments() {
            let (kind, text) = match segment {
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

    fn values(&mut self, values: &BTreeMap<String, TextTemplate>) {
        self.count(values.len());
        for (name, value) in values {
            self.word(name);
            self.text(value);
        }
    }
}
