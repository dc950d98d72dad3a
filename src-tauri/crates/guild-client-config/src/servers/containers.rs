//! Converts commands that start a container (`docker run …`) to a member's `container` field. Guild
//! Hall then manages the container itself, because a container keeps running when the engine's
//! client is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use serde_json::{Map, Value, json};

use super::adoption::{PlaceholderResolver, all_fit, fits, written};
use super::run::LaunchSpec;
use super::secrets::mark_secrets_of_variable;
use super::text::{TextSegment, TextTemplate};
use guild_api::wire::{FoundContainer, FoundValue};
use guild_model::container::command::{ContainerCommand, field, parse_run};
use guild_model::container::word::Word;
use guild_model::container::{Container, sources};
use guild_model::manifest::{Manifest, Transport, parse};
use guild_model::messages::{Beyond, Private};

/// A command from a configuration file, converted to a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigContainer(pub ContainerCommand<TextTemplate>);

impl Word for TextTemplate {
    fn of(text: String) -> Self {
        Self::plain(text)
    }

    fn of_environment(name: &str) -> Self {
        Self::env("", name)
    }

    fn plain(&self) -> Option<&str> {
        match self.segments() {
            [] => Some(""),
            [TextSegment::Plain(text) | TextSegment::Given(text)] => Some(text),
            _ => None,
        }
    }

    fn beginning(&self) -> &str {
        match self.segments().first() {
            Some(TextSegment::Plain(text) | TextSegment::Given(text)) => text,
            _ => "",
        }
    }

    fn begins_open(&self) -> bool {
        match self.segments().first() {
            Some(TextSegment::Variable(name)) => name == "PLUGIN_DIR",
            Some(TextSegment::Env(_) | TextSegment::Input(_)) => true,
            Some(TextSegment::Plain(_) | TextSegment::Given(_) | TextSegment::Secret { .. })
            | None => false,
        }
    }

    fn behind(&self, bytes: usize) -> Self {
        let behind = |text: &str| text.get(bytes..).unwrap_or_default().to_owned();
        let part = |(index, segment): (usize, &TextSegment)| match segment {
            TextSegment::Plain(text) if index == 0 => TextSegment::Plain(behind(text)),
            TextSegment::Given(text) if index == 0 => TextSegment::Given(behind(text)),
            other => other.clone(),
        };
        self.segments().iter().enumerate().map(part).collect()
    }

    fn cut(&self, at: char, from: usize) -> Option<(Self, Self)> {
        if let [TextSegment::Given(text)] = self.segments() {
            // If a person entered the whole word, the word is split like a word in the file.
            let place = from + text.get(from..)?.find(at)?;
            let parts = [&text[..place], &text[place + at.len_utf8()..]];
            let [before, after] = parts.map(|part| [TextSegment::Given(part.to_owned())]);
            return Some((before.into_iter().collect(), after.into_iter().collect()));
        }
        let (mut before, mut after) = (Self::default(), Self::default());
        let mut found = false;
        for (index, segment) in self.segments().iter().enumerate() {
            let from = if index == 0 { from } else { 0 };
            let place = match segment {
                TextSegment::Plain(text) if !found => text
                    .get(from..)
                    .and_then(|rest| rest.find(at))
                    .map(|place| (text, from + place)),
                _ => None,
            };
            match place {
                Some((text, place)) => {
                    found = true;
                    before.push(TextSegment::Plain(text[..place].to_owned()));
                    after.push(TextSegment::Plain(text[place + at.len_utf8()..].to_owned()));
                }
                None if found => after.push(segment.clone()),
                None => before.push(segment.clone()),
            }
        }
        found.then_some((before, after))
    }

    fn shown(&self) -> String {
        self.shown()
    }
}

impl LaunchSpec {
    /// Returns the container that the command starts, even if a member can't run the container.
    /// `None` if the command starts no container.
    ///
    /// # Errors
    /// The options that `container` has no field for.
    pub fn read_contained(&self) -> Option<Result<ConfigContainer, Vec<Beyond>>> {
        let Self::Command {
            command,
            args,
            env,
            cwd,
        } = self
        else {
            return None;
        };
        let read = parse_run(command, args, env, cwd.as_ref().and_then(Word::plain))?;
        Some(read.map(|mut read| {
            for (name, value) in &mut read.container.env {
                *value = mark_secrets_of_variable(name, value);
            }
            ConfigContainer(read)
        }))
    }

    /// Returns the command with references to these environment variables, unless the command sets
    /// them already.
    #[must_use]
    pub fn with_environment<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Self {
        let mut with = self.clone();
        if let Self::Command { env, .. } = &mut with {
            for name in names {
                let value = || TextTemplate::env("", name);
                env.entry(name.clone()).or_insert_with(value);
            }
        }
        with
    }
}

impl ConfigContainer {
    /// Returns the transport of a member with this container.
    pub(super) fn transport(&self) -> &'static str {
        match self.0.container.port {
            Some(_) => "http",
            None => "stdio",
        }
    }

    /// Checks whether a member with this transport can run the container, for any values of the
    /// references. `home` is the user's home folder, which must not be mounted as a whole.
    /// `secrets` names the values that are stored as secrets: inputs by id, and environment
    /// variables as `env:NAME`.
    ///
    /// # Errors
    /// The reasons why the server must stay a command.
    pub fn fits_a_member(
        &self,
        transport: Transport,
        home: &str,
        secrets: &BTreeSet<String>,
    ) -> Result<(), Vec<Beyond>> {
        match (transport, self.0.container.port) {
            (Transport::Stdio, None) | (Transport::Http | Transport::Sse, Some(_)) => {}
            (Transport::Stdio, Some(port)) => {
                return Err(vec![Beyond::PortUnused(port)]);
            }
            (Transport::Http | Transport::Sse, None) => {
                return Err(vec![Beyond::NoPort]);
            }
        }
        let private = [(home.into(), Private::Home)];
        let private = if home.is_empty() { &[] } else { &private[..] };
        for mount in &self.0.container.mounts {
            let source = mount.source.literal();
            let why = source.and_then(|source| sources::danger(source.as_ref(), private));
            if let Some(why) = why {
                let source = mount.source.shown();
                return Err(vec![Beyond::Dangerous(source, why)]);
            }
        }
        let (env, container) = self.fields(&mut AnyValue { secrets });
        let manifest = json!({
            "name": "server", "transport": self.transport(), "env": env, "container": container,
        });
        let read = parse(manifest.to_string().as_bytes(), "");
        match read.manifest {
            Ok(_) => Ok(()),
            Err(report) => {
                // The prefix of the message is removed: it names a line of a manifest that the user
                // does not see.
                let whole = &*report.message;
                let message = whole.split_once(": ").map_or(whole, |(_, message)| message);
                let message = message.chars().take(300).collect();
                Err(vec![Beyond::NoManifest(message)])
            }
        }
    }

    /// Returns the fields `env` and `container` of a manifest.
    pub(super) fn fields(&self, resolver: &mut dyn PlaceholderResolver) -> (Value, Value) {
        let mut env = Map::new();
        for (name, value) in &self.0.container.env {
            let value = match self.0.passed.contains(name) {
                true => resolver.passed(name),
                false => Some(written(value, resolver)),
            };
            env.extend(value.map(|value| (name.clone(), Value::String(value))));
        }
        let Ok(container) = self
            .0
            .container
            .try_map(|text| Ok::<_, Infallible>(written(text, resolver)));
        (env.into(), field(&container))
    }

    /// Returns the container for display, with its secrets masked.
    pub fn shown(&self) -> FoundContainer {
        let Ok(shown) = self
            .0
            .container
            .try_map(|text| Ok::<_, Infallible>(text.shown()));
        FoundContainer::Container {
            parts: shown
                .parts()
                .into_iter()
                .map(|(name, value)| FoundValue {
                    name,
                    value,
                    secret: false,
                })
                .collect(),
            args: shown.args,
            env: super::run::values(&self.0.container.env),
            kept_outside: self.0.kept_outside.clone(),
        }
    }

    /// Checks whether a member's container equals this container. Secrets and values that a person
    /// entered may differ, and so may a mount's `dangerous` field.
    pub(super) fn is_run_by(&self, manifest: &Manifest, of_member: &Container) -> bool {
        let own = &self.0.container;
        let is_there = |(name, _): &(&String, &TextTemplate)| {
            of_member.env.contains_key(*name) || !self.0.passed.contains(*name)
        };
        let env: BTreeMap<String, TextTemplate> = own
            .env
            .iter()
            .filter(is_there)
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let number = |cpus: &Option<String>| cpus.as_ref().map(|text| text.parse::<f64>().ok());
        manifest.transport == Transport::Stdio
            && own.image == of_member.image
            && own.engine == of_member.engine
            && own.entrypoint == of_member.entrypoint
            && own.read_only == of_member.read_only
            && own.network == of_member.network
            && own.memory == of_member.memory
            && number(&own.cpus) == number(&of_member.cpus)
            && own.pids_limit == of_member.pids_limit
            && own.user == of_member.user
            && own.pull == of_member.pull
            && own.args.len() == of_member.args.len()
            && own.mounts.len() == of_member.mounts.len()
            && own
                .args
                .iter()
                .zip(&of_member.args)
                .all(|(arg, of_member)| fits(arg, of_member))
            && own.mounts.iter().zip(&of_member.mounts).all(|(own, of)| {
                own.target == of.target
                    && own.read_only == of.read_only
                    && fits(&own.source, &of.source)
            })
            && all_fit(&env, &of_member.env)
    }
}

/// Supplies a sample value for each reference, so that the manifest can be validated.
struct AnyValue<'a> {
    secrets: &'a BTreeSet<String>,
}

/// The reference that is used for every secret.
const KEPT: &str = "${secret:kept}";

impl PlaceholderResolver for AnyValue<'_> {
    fn input(&mut self, id: &str) -> String {
        match self.secrets.contains(id) {
            true => KEPT.to_owned(),
            // The input may be for a folder, which must be an absolute path.
            false => "/given".to_owned(),
        }
    }

    fn env(&mut self, name: &str) -> String {
        match self.secrets.contains(&format!("env:{name}")) {
            true => KEPT.to_owned(),
            false => format!("${{env:{name}}}"),
        }
    }

    fn secret(&mut self, _: &str, _: &str) -> String {
        KEPT.to_owned()
    }
}

#[cfg(test)]
mod tests;
