//! A plan whose command runs a container (`docker run …`), as the container that a member has: what
//! it comes to is known before anything is given, or depends on what is.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inputs::{Answer, Given, Input, InputKind, Inputs};
use super::plan::Plan;
use crate::client_config::{Contained, Run, Text};
use crate::manifest::Transport;
use crate::note::{Beyond, told};
use crate::wire::FoundContainer;

/// What a plan is as a container, before anything is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prospect {
    /// It becomes this one.
    Container(Box<Contained>),
    /// It becomes one where the answers allow it: what is open still.
    Open(Vec<Beyond>),
    /// It stays a command: why.
    Command(Vec<Beyond>),
}

impl Prospect {
    /// What a plan comes to whose member is spoken to so; `None` where it runs no container. `home`
    /// is the user's, which no container is given as a whole.
    pub fn of(plan: &Plan, inputs: &Inputs, transport: Transport, home: &str) -> Option<Self> {
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

    /// The container of what was planned, with all answers in their places.
    ///
    /// # Errors
    /// Why it stays a command.
    pub fn filled(
        &self,
        run: &Run<Text>,
        transport: Transport,
        home: &str,
    ) -> Result<Contained, Vec<Beyond>> {
        match self {
            Self::Command(reasons) => Err(reasons.clone()),
            Self::Container(_) | Self::Open(_) => {
                fitting(run, transport, home, &BTreeSet::new()).unwrap_or(Err(Vec::new()))
            }
        }
    }

    /// The same for people, secrets masked.
    pub fn shown(&self) -> FoundContainer {
        match self {
            Self::Container(contained) => contained.shown(),
            Self::Open(reasons) => FoundContainer::Open {
                reasons: told(reasons),
            },
            Self::Command(reasons) => FoundContainer::Command {
                reasons: told(reasons),
            },
        }
    }
}

fn fitting(
    run: &Run<Text>,
    transport: Transport,
    home: &str,
    secrets: &BTreeSet<String>,
) -> Option<Result<Contained, Vec<Beyond>>> {
    let read = run.read_contained()?;
    Some(read.and_then(|contained| {
        contained.fits_a_member(transport, home, secrets)?;
        Ok(contained)
    }))
}

/// An answer to each input that could be given.
fn samples(inputs: &Inputs) -> Given {
    inputs
        .iter()
        .map(|input| (input.key.clone(), sample(input)))
        .collect()
}

fn sample(input: &Input) -> Answer {
    if input.secret {
        return Answer::Secret("given".to_owned());
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
    Answer::Plain(vec![usual])
}

#[cfg(test)]
mod tests;
