//! Converts commands that start a container (`docker run …`) to a member's `container` field. Guild
//! Hall then manages the container itself, because a container keeps running when the engine's
//! client is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use serde_json::{Map, Value, json};

use super::adoption::{PlaceholderResolver, all_fit, fits, written};
use super::run::LaunchSpec;
use super::secrets::set_variable_apart;
use super::text::{ConfigTextTemplate, TextSegment};
use guild_api::wire::{FoundContainer, FoundValue};
use guild_model::container::command::{Ran, field, ran};
use guild_model::container::word::Word;
use guild_model::container::{Container, sources};
use guild_model::manifest::{Manifest, Transport, parse};
use guild_model::messages::{Beyond, Private};

/// A command from a configuration file, converted to a container.
pub type ConfigContainer = Ran<ConfigTextTemplate>;

impl Word for ConfigTextTemplate {
    fn of(text: String) -> Self {
        Self::plain(text)
    }

    fn of_environment(name: &str) -> Self {
        Self::env("", name)
    }

    fn plain(&self) -> Option<&str> {
        match self.pieces() {
            [] => Some(""),
            [TextSegment::Plain(text) | TextSegment::Given(text)] => Some(text),
            _ => None,
        }
    }

    fn beginning(&self) -> &str {
        match self.pieces().first() {
            Some(TextSegment::Plain(text) | TextSegment::Given(text)) => text,
            _ => "",
        }
    }

    fn begins_open(&self) -> bool {
        match self.pieces().first() {
            Some(TextSegment::Variable(name)) => name == "PLUGIN_DIR",
            Some(TextSegment::Env(_) | TextSegment::Input(_)) => true,
            Some(TextSegment::Plain(_) | TextSegment::Given(_) | TextSegment::Secret { .. })
            | None => false,
        }
    }

    fn behind(&self, bytes: usize) -> Self {
        let mut behind = Self::default();
        for (index, piece) in self.pieces().iter().enumerate() {
            behind.push(match piece {
                TextSegment::Plain(text) if index == 0 => {
                    TextSegment::Plain(text.get(bytes..).unwrap_or_default().to_owned())
                }
                TextSegment::Given(text) if index == 0 => {
                    TextSegment::Given(text.get(bytes..).unwrap_or_default().to_owned())
                }
                other => other.clone(),
            });
        }
        behind
    }

    fn cut(&self, at: char, from: usize) -> Option<(Self, Self)> {
        if let [TextSegment::Given(text)] = self.pieces() {
            // A person entered the whole word, so it is split like a word in the file.
            let place = from + text.get(from..)?.find(at)?;
            let mut parts = (Self::default(), Self::default());
            parts.0.push(TextSegment::Given(text[..place].to_owned()));
            parts
                .1
                .push(TextSegment::Given(text[place + at.len_utf8()..].to_owned()));
            return Some(parts);
        }
        let (mut before, mut after) = (Self::default(), Self::default());
        let mut found = false;
        for (index, piece) in self.pieces().iter().enumerate() {
            let from = if index == 0 { from } else { 0 };
            let place = match piece {
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
                None if found => after.push(piece.clone()),
                None => before.push(piece.clone()),
            }
        }
        found.then_some((before, after))
    }

    fn shown(&self) -> String {
        self.shown()
    }
}

impl LaunchSpec<ConfigTextTemplate> {
    /// Returns the container that the command starts, even if a member can't run it. `None` for
    /// other commands.
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
        let read = ran(command, args, env, cwd.as_ref().and_then(Word::plain))?;
        Some(read.map(|mut read| {
            for (name, value) in &mut read.container.env {
                *value = set_variable_apart(name, value);
            }
            read
        }))
    }

    /// Returns the command with references to these environment variables, unless the command sets
    /// them already.
    #[must_use]
    pub fn with_environment<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> Self {
        let mut with = self.clone();
        if let Self::Command { env, .. } = &mut with {
            for name in names {
                let value = || ConfigTextTemplate::env("", name);
                env.entry(name.clone()).or_insert_with(value);
            }
        }
        with
    }
}

/// A server's container, for use in a member.
pub trait MemberContainer {
    /// Returns the transport of a member with this container.
    fn transport(&self) -> &'static str;

    /// Checks whether a member with this transport can run the container, whatever the values of
    /// its references are. `home` is the user's home folder, which may not be mounted as a whole.
    /// `secrets` names the inputs that are stored as secrets. An environment variable is named
    /// `env:NAME`.
    ///
    /// # Errors
    /// The reasons why the server must stay a command.
    fn fits_a_member(
        &self,
        transport: Transport,
        home: &str,
        secrets: &BTreeSet<String>,
    ) -> Result<(), Vec<Beyond>>;

    /// Returns the fields `env` and `container` of a manifest.
    fn fields(&self, wanting: &mut dyn PlaceholderResolver) -> (Value, Value);

    /// Returns the container for display, with its secrets masked.
    fn shown(&self) -> FoundContainer;

    /// Checks whether a member's container equals this one. Secrets and values that a person
    /// entered may differ, and so may a mount's `dangerous` field.
    fn is_run_by(&self, manifest: &Manifest, of_member: &Container) -> bool;
}

impl MemberContainer for ConfigContainer {
    fn transport(&self) -> &'static str {
        match self.container.port {
            Some(_) => "http",
            None => "stdio",
        }
    }

    fn fits_a_member(
        &self,
        transport: Transport,
        home: &str,
        secrets: &BTreeSet<String>,
    ) -> Result<(), Vec<Beyond>> {
        match (transport, self.container.port) {
            (Transport::Stdio, None) | (Transport::Http, Some(_)) => {}
            (Transport::Stdio, Some(port)) => {
                return Err(vec![Beyond::PortUnused(port)]);
            }
            (Transport::Http, None) => {
                return Err(vec![Beyond::NoPort]);
            }
        }
        let private = [(home.into(), Private::Home)];
        let private = if home.is_empty() { &[] } else { &private[..] };
        for mount in &self.container.mounts {
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
                // The message's prefix names a line of a manifest that the user does not see.
                let whole = &*report.message;
                let message = whole.split_once(": ").map_or(whole, |(_, message)| message);
                let message = message.chars().take(300).collect();
                Err(vec![Beyond::NoManifest(message)])
            }
        }
    }

    fn fields(&self, wanting: &mut dyn PlaceholderResolver) -> (Value, Value) {
        let mut env = Map::new();
        for (name, value) in &self.container.env {
            let value = match self.passed.contains(name) {
                true => wanting.passed(name),
                false => Some(written(value, wanting)),
            };
            env.extend(value.map(|value| (name.clone(), Value::String(value))));
        }
        let container = self
            .container
            .try_map(|text| Ok::<_, Infallible>(written(text, wanting)));
        let container = match container {
            Ok(container) => field(&container),
            Err(never) => match never {},
        };
        (env.into(), container)
    }

    fn shown(&self) -> FoundContainer {
        let shown = self
            .container
            .try_map(|text| Ok::<_, Infallible>(text.shown()));
        let shown = match shown {
            Ok(shown) => shown,
            Err(never) => match never {},
        };
        let value = |(name, value): (&String, &ConfigTextTemplate)| FoundValue {
            name: name.clone(),
            value: value.shown(),
            secret: value.has_secret(),
        };
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
            env: self.container.env.iter().map(value).collect(),
            kept_outside: self.kept_outside.clone(),
        }
    }

    fn is_run_by(&self, manifest: &Manifest, of_member: &Container) -> bool {
        let own = &self.container;
        let is_there = |(name, _): &(&String, &ConfigTextTemplate)| {
            of_member.env.contains_key(*name) || !self.passed.contains(*name)
        };
        let env: BTreeMap<String, ConfigTextTemplate> = own
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
