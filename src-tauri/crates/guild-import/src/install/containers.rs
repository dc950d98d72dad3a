//! Converts a launch template whose command runs a container (`docker run …`) to a member's
//! container. Whether this is possible may depend on the answers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inputs::{InputKind, InstallAnswers, InstallInput, InstallInputValue, InstallInputs};
use super::plan::LaunchTemplate;
use guild_api::wire::FoundContainer;
use guild_client_config::{ConfigContainer, LaunchSpec};
use guild_model::manifest::Transport;
use guild_model::messages::Beyond;
use guild_text::messages::to_strings;

/// The form in which a launch template will run, as known before the questions are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContainerCandidate {
    /// The member becomes this container.
    Container(Box<ConfigContainer>),
    /// The member becomes a container if the answers meet these conditions.
    Open(Vec<Beyond>),
    /// The member stays a command, for these reasons.
    Command(Vec<Beyond>),
}

impl ContainerCandidate {
    /// Returns the container of a launch template for a member with this transport. `None` if its
    /// command runs no container. `home` is the user's home folder, which must not be mounted as a
    /// whole.
    pub fn of(
        plan: &LaunchTemplate,
        inputs: &InstallInputs,
        transport: Transport,
        home: &str,
    ) -> Option<Self> {
        let secrets: BTreeSet<String> = inputs
            .iter()
            .filter(|input| input.secret)
            .map(|input| input.key.clone())
            .collect();
        let read = fitting(&plan.open(), transport, home, &secrets)?;
        Some(match read {
            Ok(contained) => Self::Container(Box::new(contained)),
            Err(reasons) => {
                let samples = plan.filled(&samples(inputs)).ok();
                let sample = samples.and_then(|run| fitting(&run, transport, home, &secrets));
                match sample {
                    Some(Ok(_)) => Self::Open(reasons),
                    _ => Self::Command(reasons),
                }
            }
        })
    }

    /// Returns the container with all answers filled in.
    ///
    /// # Errors
    /// The reasons why the member stays a command.
    pub fn filled(
        &self,
        run: &LaunchSpec,
        transport: Transport,
        home: &str,
    ) -> Result<ConfigContainer, Vec<Beyond>> {
        match self {
            Self::Command(reasons) => Err(reasons.clone()),
            Self::Container(_) | Self::Open(_) => {
                fitting(run, transport, home, &BTreeSet::new()).unwrap_or(Err(Vec::new()))
            }
        }
    }

    /// Returns the container for display, with its secrets masked.
    pub fn shown(&self) -> FoundContainer {
        match self {
            Self::Container(contained) => contained.shown(),
            Self::Open(reasons) => FoundContainer::Open {
                reasons: to_strings(reasons),
            },
            Self::Command(reasons) => FoundContainer::Command {
                reasons: to_strings(reasons),
            },
        }
    }
}

fn fitting(
    run: &LaunchSpec,
    transport: Transport,
    home: &str,
    secrets: &BTreeSet<String>,
) -> Option<Result<ConfigContainer, Vec<Beyond>>> {
    let read = run.read_contained()?;
    Some(read.and_then(|contained| {
        contained.fits_a_member(transport, home, secrets)?;
        Ok(contained)
    }))
}

/// Returns sample answers to all inputs.
fn samples(inputs: &InstallInputs) -> InstallAnswers {
    inputs
        .iter()
        .map(|input| (input.key.clone(), sample(input)))
        .collect()
}

fn sample(input: &InstallInput) -> InstallInputValue {
    if input.secret {
        return InstallInputValue::Secret("given".to_owned());
    }
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let usual = match &input.default {
        Some(Value::Array(items)) => items.first().map(text),
        other => other.as_ref().map(text),
    };
    let usual = usual.or_else(|| input.choices.first().cloned());
    let usual = usual.unwrap_or_else(|| match input.kind {
        InputKind::Number { .. } => "1".to_owned(),
        InputKind::Flag => "true".to_owned(),
        InputKind::Text | InputKind::Folder | InputKind::File => "/given".to_owned(),
    });
    InstallInputValue::Plain(vec![usual])
}
