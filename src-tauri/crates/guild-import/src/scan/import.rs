//! Converts a scanned server to a new member.

use std::collections::{BTreeMap, BTreeSet};

use guild_api::wire::{AdoptServer, FOUND_INPUT_MAX, FoundInput};
use guild_client_config::{NewMember, PlaceholderResolver};
use guild_files::messages::InstallError;
use guild_files::messages::ValueFault;
use guild_model::Report;
use guild_model::manifest::Origin;

use super::display::ImportRequirements;
use super::files::ScanResult;
use super::merge::MergedServer;
use crate::newcomer::{NewSecrets, Newcomer, refused};

/// Returns the member for a server, without creating it.
///
/// # Errors
/// `adoption-refused` if a value is missing, or can't be written in a manifest.
/// `found-server-unusable`.
pub fn adoption(
    server: &MergedServer,
    scan: &ScanResult,
    wanted: &AdoptServer,
    kept_secrets: BTreeSet<String>,
    at: String,
) -> Result<Newcomer, Report> {
    let run = server.run.as_ref().map_err(Report::clone)?;
    let has_value = |name: &str| scan.environment.get(name).is_some();
    let ImportRequirements { inputs, contained } = ImportRequirements::of(run, server, scan);
    let contained = contained.and_then(Result::ok);
    let given = given(&inputs, wanted)?;
    // If the member keeps a container command that forwards variables by name, the command needs
    // these variables in its environment.
    let of_passed = contained.iter().flat_map(|contained| &contained.0.passed);
    let of_passed = of_passed.filter(|name| given.contains_key(&format!("env:{name}")));
    let run = match wanted.keep_command {
        true => run.with_environment(of_passed),
        false => run.clone(),
    };
    let filling = Filling {
        inputs: &inputs,
        given,
        has_value: &has_value,
        secrets: NewSecrets::of(&wanted.name, kept_secrets),
    };
    let place = server.places.first();
    // Pasted text has no file.
    let path = place.map(|place| &place.path);
    let path = path.filter(|path| !path.is_empty());
    let member = NewMember {
        name: &wanted.name,
        version: "",
        description: &server.configured.description,
        run: &run,
        contained: contained.as_ref().filter(|_| !wanted.keep_command),
        auto_approve: &server.configured.auto_approve,
        denied: &server.configured.denied,
        start_ms: server.configured.start_ms,
        call_ms: server.configured.call_ms,
        origin: Origin {
            from: place.map_or_else(String::new, |place| place.program.clone()),
            path: path.cloned(),
            at: Some(at),
            ..Origin::default()
        },
    };
    Newcomer::of(&member, filling)
}

/// Returns the values of all answered inputs.
fn given(inputs: &[FoundInput], wanted: &AdoptServer) -> Result<BTreeMap<String, String>, Report> {
    let mut given = BTreeMap::new();
    for input in inputs {
        let value = wanted.inputs.iter().find(|given| given.id == input.id);
        let value = value.map(|given| given.value.clone());
        // An empty field counts as missing.
        let value = value
            .filter(|value| !value.is_empty())
            .or(input.default.clone());
        let wrong = match &value {
            None if input.required => Some(ValueFault::Missing),
            Some(value) if value.len() > FOUND_INPUT_MAX => Some(ValueFault::TooLong),
            Some(value) if value.contains('\0') => Some(ValueFault::Nul),
            Some(value) if !input.choices.is_empty() && !input.choices.contains(value) => {
                Some(ValueFault::NoChoice)
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            let what = match input.description.as_str() {
                "" => String::new(),
                description => format!(" ({description})"),
            };
            let unfit = InstallError::ValueUnfit(format!("{:?}", input.id), what, wrong);
            return Err(refused(&wanted.name, &unfit));
        }
        given.extend(value.map(|value| (input.id.clone(), value)));
    }
    Ok(given)
}

/// Resolves placeholders with the given values, and with references to secrets.
struct Filling<'a> {
    inputs: &'a [FoundInput],
    given: BTreeMap<String, String>,
    /// Returns true if the environment has a variable.
    has_value: &'a dyn Fn(&str) -> bool,
    secrets: NewSecrets,
}

impl Filling<'_> {
    fn value(&mut self, id: &str) -> Option<String> {
        let value = self.given.get(id)?.clone();
        let secret = self
            .inputs
            .iter()
            .any(|input| input.id == id && input.secret);
        Some(match secret {
            true => self
                .secrets
                .reference(id.strip_prefix("env:").unwrap_or(id), &value),
            false => value.replace("${", "$${"),
        })
    }
}

impl PlaceholderResolver for Filling<'_> {
    fn input(&mut self, id: &str) -> String {
        self.value(id).unwrap_or_default()
    }

    fn env(&mut self, name: &str) -> String {
        let value = self.value(&format!("env:{name}"));
        value.unwrap_or_else(|| format!("${{env:{name}}}"))
    }

    fn secret(&mut self, name: &str, value: &str) -> String {
        self.secrets.reference(name, value)
    }

    fn passed(&mut self, name: &str) -> Option<String> {
        let value = self.value(&format!("env:{name}"));
        value.or_else(|| (self.has_value)(name).then(|| format!("${{env:{name}}}")))
    }
}

impl From<Filling<'_>> for NewSecrets {
    fn from(filling: Filling<'_>) -> Self {
        filling.secrets
    }
}
