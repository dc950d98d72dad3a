//! The launch of an installation, with placeholders for answers.

use std::collections::{BTreeMap, BTreeSet};

use super::inputs::{InstallAnswers, InstallInputValue, InstallInputs};
use guild_client_config::{LaunchSpec, TextSegment, TextTemplate};
use guild_model::messages::RunProblem;

/// The separator between several answers that replace one placeholder.
const BETWEEN: &str = ",";

/// Replaces the inputs of a template with answers. `None` if one of the inputs has no answer.
fn filled(
    template: &TextTemplate,
    given: &InstallAnswers,
    turn: Option<usize>,
) -> Option<TextTemplate> {
    let answer = |id: &String| {
        Some(match given.get(id)? {
            InstallInputValue::Plain(texts) => TextSegment::Given(match turn {
                Some(turn) => texts.get(turn).or(texts.last())?.clone(),
                None => texts.join(BETWEEN),
            }),
            InstallInputValue::Kept(name) => TextSegment::Variable(format!("secret:{name}")),
            InstallInputValue::Secret(value) => TextSegment::Secret {
                name: id.clone(),
                value: value.clone(),
            },
        })
    };
    let parts = template.segments().iter().map(|part| match part {
        TextSegment::Input(id) => answer(id),
        other => Some(other.clone()),
    });
    parts.collect()
}

/// Words of a command that belong together, such as an option and its value. If a placeholder in
/// one of the words has no answer, all words are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// The words.
    pub words: Vec<TextTemplate>,
    /// Whether an input with several answers repeats all words, once per answer. Otherwise, such an
    /// input repeats only a word that consists of nothing but the input's placeholder.
    pub repeats: bool,
}

impl Argument {
    /// Creates an argument of one word.
    pub fn word(word: TextTemplate) -> Self {
        Self {
            words: vec![word],
            repeats: false,
        }
    }

    fn filled(&self, given: &InstallAnswers) -> Vec<TextTemplate> {
        let count = |template: &TextTemplate| {
            let counts = template.inputs().map(|key| match given.get(key) {
                None => 0,
                Some(InstallInputValue::Plain(texts)) => texts.len(),
                Some(InstallInputValue::Secret(_) | InstallInputValue::Kept(_)) => 1,
            });
            let (least, most) = counts.fold((1, 1), |(least, most), count: usize| {
                (count.min(least), count.max(most))
            });
            if least == 0 { 0 } else { most }
        };
        if self.words.iter().any(|word| count(word) == 0) {
            return Vec::new();
        }
        let turns = match self.repeats {
            true => self.words.iter().map(count).max().unwrap_or(1),
            false => 1,
        };
        let mut words = Vec::new();
        for turn in 0..turns {
            for word in &self.words {
                match (self.repeats, word.segments()) {
                    (true, _) => words.extend(filled(word, given, Some(turn))),
                    (false, [TextSegment::Input(_)]) => {
                        let each = (0..count(word)).map(|at| filled(word, given, Some(at)));
                        words.extend(each.flatten());
                    }
                    (false, _) => words.extend(filled(word, given, None)),
                }
            }
        }
        words
    }
}

/// The launch of a server, with placeholders for answers. A variable or a header is dropped if one
/// of its placeholders has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchTemplate {
    /// A process.
    Command {
        /// The program.
        command: TextTemplate,
        /// The arguments of the program.
        args: Vec<Argument>,
        /// The environment variables of the program.
        env: BTreeMap<String, TextTemplate>,
        /// The working folder. `None` means the member's folder.
        cwd: Option<TextTemplate>,
    },
    /// A remote server.
    Url {
        /// The address of the server.
        url: TextTemplate,
        /// The headers of each request.
        headers: BTreeMap<String, TextTemplate>,
    },
}

impl LaunchTemplate {
    /// Returns the launch with all answers filled in.
    ///
    /// # Errors
    /// If an answer is missing for the command, the folder or the address, or if a manifest can't
    /// express the launch.
    pub fn filled(&self, given: &InstallAnswers) -> Result<LaunchSpec, RunProblem> {
        let whole = |template: &TextTemplate| {
            filled(template, given, None).ok_or_else(|| {
                let missing = template.inputs().find(|key| !given.contains_key(*key));
                RunProblem::NoAnswer(format!("{:?}", missing.unwrap_or_default()))
            })
        };
        let present = |values: &BTreeMap<String, TextTemplate>| {
            let value = |(name, value): (&String, &TextTemplate)| {
                Some((name.clone(), filled(value, given, None)?))
            };
            values.iter().filter_map(value).collect()
        };
        let run = match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => LaunchSpec::Command {
                command: whole(command)?,
                args: args.iter().flat_map(|arg| arg.filled(given)).collect(),
                env: present(env),
                cwd: cwd.as_ref().map(whole).transpose()?,
            },
            Self::Url { url, headers } => LaunchSpec::Url {
                url: whole(url)?,
                headers: present(headers),
            },
        };
        run.fits_a_manifest()?;
        Ok(run)
    }

    /// Returns the launch before any answers, with each placeholder as a reference to its input.
    pub fn open(&self) -> LaunchSpec {
        match self.clone() {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => LaunchSpec::Command {
                command,
                args: args.into_iter().flat_map(|arg| arg.words).collect(),
                env,
                cwd,
            },
            Self::Url { url, headers } => LaunchSpec::Url { url, headers },
        }
    }

    /// Returns the keys of placeholders without an input, which would never get an answer.
    pub fn unknown_keys(&self, inputs: &InstallInputs) -> Vec<String> {
        let run = self.open();
        let keys = run.texts().into_iter().flat_map(TextTemplate::inputs);
        let unknown = keys.filter(|key| inputs.get(key).is_none());
        let unknown: BTreeSet<String> = unknown.map(str::to_owned).collect();
        unknown.into_iter().collect()
    }
}
