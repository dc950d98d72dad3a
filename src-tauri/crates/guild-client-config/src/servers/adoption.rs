//! Converts a server's launch to a member's manifest, and compares manifests with servers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::containers::ConfigContainer;
use super::entry::place_of;
use super::run::{LaunchSpec, LaunchSpecField};
use super::secrets::mark_secrets;
use super::text::{TextSegment, TextTemplate};
use guild_model::id::MemberName;
use guild_model::manifest::{Launch, Manifest, Origin, Transport, check_url};
use guild_model::messages::RunProblem;

/// Maximum length of a string in a manifest, in bytes.
const TEXT_MAX: usize = 32 * 1024;

/// Supplies the manifest text for values that must not be in the manifest, such as secrets, or that
/// are not known yet, such as inputs.
pub trait PlaceholderResolver {
    /// Returns the manifest text for an input.
    fn input(&mut self, id: &str) -> String;
    /// Returns the manifest text for an environment variable. By default, this is a reference to
    /// the variable.
    fn env(&mut self, name: &str) -> String {
        format!("${{env:{name}}}")
    }
    /// Returns the manifest text for a secret.
    fn secret(&mut self, name: &str, value: &str) -> String;
    /// Returns the manifest text for a variable that a container engine forwards from its own
    /// environment. `None` if the variable is not set.
    fn passed(&mut self, name: &str) -> Option<String> {
        Some(self.env(name))
    }
}

/// The data of a member to create.
#[derive(Debug)]
pub struct NewMember<'a> {
    /// The member's name.
    pub name: &'a MemberName,
    /// The member's version, possibly empty.
    pub version: &'a str,
    /// The member's description.
    pub description: &'a str,
    /// The launch that the member runs.
    pub run: &'a LaunchSpec,
    /// The container that the command starts. If set, the member runs the container instead of the
    /// command.
    pub contained: Option<&'a ConfigContainer>,
    /// Names of tools that the program calls without asking.
    pub auto_approve: &'a [String],
    /// Names of tools that must not be called.
    pub denied: &'a [String],
    /// Time limit for the start, in milliseconds.
    pub start_ms: Option<u64>,
    /// Time limit for a call, in milliseconds.
    pub call_ms: Option<u64>,
    /// The member's source.
    pub origin: Origin,
}

impl<'a> NewMember<'a> {
    /// Returns a member with this name and launch, without the other fields.
    pub fn new(name: &'a MemberName, run: &'a LaunchSpec, origin: Origin) -> Self {
        Self {
            name,
            version: "",
            description: "",
            run,
            contained: None,
            auto_approve: &[],
            denied: &[],
            start_ms: None,
            call_ms: None,
            origin,
        }
    }

    /// Returns the manifest's text.
    pub fn manifest(&self, resolver: &mut dyn PlaceholderResolver) -> String {
        let mut manifest = Map::new();
        let mut put = |key: &str, value: Value| manifest.insert(key.to_owned(), value);
        put("name", json!(self.name));
        for (key, text) in [("version", self.version), ("description", self.description)] {
            if !text.is_empty() {
                put(key, json!(text));
            }
        }
        let texts = |values: &BTreeMap<String, TextTemplate>,
                     resolver: &mut dyn PlaceholderResolver| {
            let text = |(name, value): (&String, &TextTemplate)| {
                (name.clone(), written(value, resolver).into())
            };
            Value::Object(values.iter().map(text).collect())
        };
        match (self.run, self.contained) {
            (_, Some(contained)) => {
                put("transport", json!(contained.transport()));
                let (env, container) = contained.fields(resolver);
                if env != json!({}) {
                    put("env", env);
                }
                put("container", container);
            }
            (
                LaunchSpec::Command {
                    command,
                    args,
                    env,
                    cwd,
                },
                None,
            ) => {
                // A server that gets a port uses HTTP.
                let has_port = self.run.texts().into_iter().any(uses_port);
                put("transport", json!(if has_port { "http" } else { "stdio" }));
                put("command", written(command, resolver).into());
                let args: Vec<String> = args.iter().map(|arg| written(arg, resolver)).collect();
                put("args", json!(args));
                if !env.is_empty() {
                    put("env", texts(env, resolver));
                }
                if let Some(cwd) = cwd {
                    put("cwd", written(cwd, resolver).into());
                }
            }
            (LaunchSpec::Url { url, headers }, None) => {
                put("transport", json!("http"));
                put("url", written(url, resolver).into());
                if !headers.is_empty() {
                    put("headers", texts(headers, resolver));
                }
            }
        }
        let limits = [("start_ms", self.start_ms), ("call_ms", self.call_ms)];
        let limits: Map<String, Value> = limits
            .into_iter()
            .filter_map(|(key, limit)| Some((key.to_owned(), limit?.into())))
            .collect();
        if !limits.is_empty() {
            put("timeouts", limits.into());
        }
        if !self.denied.is_empty() {
            let deny = |tool: &String| (tool.clone(), json!({"policy": "deny"}));
            put(
                "tools",
                Value::Object(self.denied.iter().map(deny).collect()),
            );
        }
        if !self.auto_approve.is_empty() {
            put("auto_approve", json!(self.auto_approve));
        }
        let origin = serde_json::to_value(&self.origin);
        if let Ok(Value::Object(mut origin)) = origin {
            origin.retain(|_, value| !value.is_null());
            put("origin", origin.into());
        }
        format!("{:#}\n", Value::Object(manifest))
    }
}

fn uses_port(text: &TextTemplate) -> bool {
    let is_port =
        |segment: &TextSegment| matches!(segment, TextSegment::Variable(name) if name == "PORT");
    text.segments().iter().any(is_port)
}

pub(super) fn written(text: &TextTemplate, resolver: &mut dyn PlaceholderResolver) -> String {
    let (mut written, mut itself) = (String::new(), String::new());
    for segment in text.segments() {
        let reference = match segment {
            // `${` that only forms from two adjacent segments is plain text too, so segments are
            // escaped together.
            TextSegment::Plain(text) | TextSegment::Given(text) => {
                itself.push_str(text);
                continue;
            }
            TextSegment::Env(name) => resolver.env(name),
            TextSegment::Input(id) => resolver.input(id),
            TextSegment::Variable(name) => format!("${{{name}}}"),
            TextSegment::Secret { name, value } => resolver.secret(name, value),
        };
        written.push_str(&escaped(&std::mem::take(&mut itself)));
        written.push_str(&reference);
    }
    written + &escaped(&itself)
}

/// Escapes a string for a manifest: `${` becomes `$${`.
pub(super) fn escaped(text: &str) -> String {
    text.replace("${", "$${")
}

fn is_header_name(name: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(token)
}

impl LaunchSpec {
    /// Returns the launch of a member, with its secrets as separate segments, for comparison with
    /// the launch of a server.
    pub fn of_member(manifest: &Manifest) -> Self {
        mark_secrets(&Self::of_launch(&manifest.launch)).0
    }

    /// Returns the launch as the manifest declares it. Secrets in it are not detected.
    pub(super) fn of_launch(launch: &Launch) -> Self {
        let text = |text: &String| TextTemplate::plain(text.clone());
        let texts = |values: &BTreeMap<String, String>| {
            let pair = |(name, value): (&String, &String)| (name.clone(), text(value));
            values.iter().map(pair).collect()
        };
        match launch {
            Launch::Command {
                command,
                args,
                env,
                cwd,
            } => Self::Command {
                command: text(command),
                args: args.iter().map(text).collect(),
                env: texts(env),
                cwd: cwd.as_ref().map(text),
            },
            Launch::Container(container) => {
                let engine = container.engine.engines()[0].program();
                Self::Command {
                    command: TextTemplate::plain(engine.to_owned()),
                    args: container.display_args().iter().map(text).collect(),
                    env: texts(&container.env),
                    cwd: None,
                }
            }
            Launch::Url { url, headers } => Self::Url {
                url: text(url),
                headers: texts(headers),
            },
        }
    }

    /// Checks whether a manifest can express this launch.
    ///
    /// # Errors
    /// The reason why it can't.
    pub fn fits_a_manifest(&self) -> Result<(), RunProblem> {
        for (field, text) in self.fields() {
            let written = text.written();
            let here = || place_of(field);
            if written.len() > TEXT_MAX {
                return Err(RunProblem::TooLong(here(), TEXT_MAX));
            }
            if written.contains('\0') {
                return Err(RunProblem::Nul(here()));
            }
            if text.has_dollar_before_reference() {
                return Err(RunProblem::Dollar(here()));
            }
            match field {
                LaunchSpecField::Env(name) if name.is_empty() || name.contains(['=', '\0']) => {
                    return Err(RunProblem::OddVariable(here()));
                }
                LaunchSpecField::Header(name) if !is_header_name(name) => {
                    return Err(RunProblem::OddHeader(here()));
                }
                LaunchSpecField::Header(_) if written.contains(['\r', '\n']) => {
                    return Err(RunProblem::LineEnd(here()));
                }
                // An address is checked with its secrets, because the user name in it may be a
                // secret.
                LaunchSpecField::Url => {
                    check_url(&written).map_err(|wrong| RunProblem::Url(here(), wrong))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks whether a member has the same launch. The member's manifest must be equal to the
    /// manifest that an import of this launch creates, except for secrets and for values that a
    /// person entered.
    pub fn is_run_by(&self, manifest: &Manifest) -> bool {
        match (self, &manifest.launch) {
            (
                Self::Command {
                    command,
                    args,
                    env,
                    cwd,
                },
                Launch::Command {
                    command: member_command,
                    args: member_args,
                    env: member_env,
                    cwd: member_cwd,
                },
            ) => {
                manifest.transport == Transport::Stdio
                    && fits(command, member_command)
                    && args.len() == member_args.len()
                    && args
                        .iter()
                        .zip(member_args)
                        .all(|(arg, of_member)| fits(arg, of_member))
                    && all_fit(env, member_env)
                    && match (cwd, member_cwd) {
                        (None, None) => true,
                        (Some(cwd), Some(of_member)) => fits(cwd, of_member),
                        _ => false,
                    }
            }
            (
                Self::Url { url, headers },
                Launch::Url {
                    url: member_url,
                    headers: member_headers,
                },
            ) => fits(url, member_url) && all_fit(headers, member_headers),
            (Self::Command { .. }, Launch::Container(of_member)) => {
                let contained = self.read_contained().and_then(Result::ok);
                contained.is_some_and(|contained| contained.is_run_by(manifest, of_member))
            }
            _ => false,
        }
    }
}

pub(super) fn all_fit(
    values: &BTreeMap<String, TextTemplate>,
    of_member: &BTreeMap<String, String>,
) -> bool {
    values.len() == of_member.len()
        && values
            .iter()
            .zip(of_member)
            .all(|((name, value), (member_name, of_member))| {
                name == member_name && fits(value, of_member)
            })
}

/// Checks whether a manifest's string matches a template: it has the same references, or values
/// that may replace them.
pub(super) fn fits(text: &TextTemplate, of_member: &str) -> bool {
    let mut rest = of_member;
    // A value that a person entered can have any content and length.
    let mut open = false;
    for (index, segment) in text.segments().iter().enumerate() {
        let after = match segment {
            TextSegment::Plain(plain) | TextSegment::Given(plain) if open => {
                let plain = escaped(plain);
                if index + 1 == text.segments().len() {
                    return rest.ends_with(&plain);
                }
                open = false;
                rest.find(&plain).map(|at| &rest[at + plain.len()..])
            }
            _ if open => Some(rest),
            TextSegment::Plain(plain) | TextSegment::Given(plain) => {
                rest.strip_prefix(&escaped(plain))
            }
            TextSegment::Variable(name) => rest.strip_prefix(&format!("${{{name}}}")),
            TextSegment::Secret { value, .. } => match secret_at(rest) {
                Some((_, after)) => Some(after),
                None => rest.strip_prefix(&escaped(value)),
            },
            TextSegment::Env(name) => match (
                rest.strip_prefix(&format!("${{env:{name}}}")),
                secret_at(rest),
            ) {
                (Some(after), _) => Some(after),
                (None, Some((secret, after))) => is_named_for(secret, name).then_some(after),
                (None, None) => {
                    open = true;
                    Some(rest)
                }
            },
            TextSegment::Input(_) => match secret_at(rest) {
                Some((_, after)) => Some(after),
                None => {
                    open = true;
                    Some(rest)
                }
            },
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    open || rest.is_empty()
}

/// Splits a leading secret reference into the secret's name and the rest.
fn secret_at(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("${secret:")?.split_once('}')
}

/// Checks whether a secret was stored for a variable: as `member/NAME` or `member/NAME-2`.
fn is_named_for(secret: &str, name: &str) -> bool {
    let own = secret.rsplit('/').next().unwrap_or_default();
    own.strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}
