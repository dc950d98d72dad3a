//! The launch of an installation, with placeholders for answers.

use std::collections::BTreeMap;

use super::inputs::{InstallAnswers, InstallInputValue, InstallInputs};
use guild_client_config::{ConfigTextTemplate, LaunchSpec, TextSegment};
use guild_model::messages::RunWrong;

/// Separator of several answers in one placeholder.
const BETWEEN: &str = ",";

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallTemplateSegment {
    /// Literal text.
    Plain(String),
    /// A manifest variable, by the name in its braces, such as `PLUGIN_DIR`.
    Variable(&'static str),
    /// The placeholder of an answer, by the input's key.
    Given(String),
}

/// A text with placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextTemplate(Vec<InstallTemplateSegment>);

impl TextTemplate {
    /// Creates a template from parts.
    pub fn new(parts: impl IntoIterator<Item = InstallTemplateSegment>) -> Self {
        let is_there = |part: &InstallTemplateSegment| !matches!(part, InstallTemplateSegment::Plain(text) if text.is_empty());
        Self(parts.into_iter().filter(is_there).collect())
    }

    /// Creates a template without placeholders.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new([InstallTemplateSegment::Plain(text.into())])
    }

    /// Creates a template that is a single placeholder.
    pub fn given(key: impl Into<String>) -> Self {
        Self::new([InstallTemplateSegment::Given(key.into())])
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[InstallTemplateSegment] {
        &self.0
    }

    /// Returns the keys of the placeholders.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            InstallTemplateSegment::Given(key) => Some(key.as_str()),
            InstallTemplateSegment::Plain(_) | InstallTemplateSegment::Variable(_) => None,
        })
    }

    /// Replaces the placeholders with answers. `None` if one has no answer.
    fn filled(&self, given: &InstallAnswers, turn: Option<usize>) -> Option<ConfigTextTemplate> {
        let mut text = ConfigTextTemplate::default();
        for part in &self.0 {
            text.push(match part {
                InstallTemplateSegment::Plain(plain) => TextSegment::Plain(plain.clone()),
                InstallTemplateSegment::Variable(name) => TextSegment::Variable((*name).to_owned()),
                InstallTemplateSegment::Given(key) => match given.get(key)? {
                    InstallInputValue::Plain(texts) => TextSegment::Given(match turn {
                        Some(turn) => texts.get(turn).or(texts.last())?.clone(),
                        None => texts.join(BETWEEN),
                    }),
                    InstallInputValue::Kept(name) => {
                        TextSegment::Variable(format!("secret:{name}"))
                    }
                    InstallInputValue::Secret(value) => TextSegment::Secret {
                        name: key.clone(),
                        value: value.clone(),
                    },
                },
            });
        }
        Some(text)
    }

    /// Returns the text with the names of its inputs, for display.
    fn open(&self) -> ConfigTextTemplate {
        let mut text = ConfigTextTemplate::default();
        for part in &self.0 {
            text.push(match part {
                InstallTemplateSegment::Plain(plain) => TextSegment::Plain(plain.clone()),
                InstallTemplateSegment::Variable(name) => TextSegment::Variable((*name).to_owned()),
                InstallTemplateSegment::Given(key) => TextSegment::Input(key.clone()),
            });
        }
        text
    }
}

/// Words of a command that belong together. If a placeholder in one of them has no answer, all
/// words are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Argument {
    /// The words.
    pub words: Vec<TextTemplate>,
    /// Whether several answers repeat all words. Otherwise they repeat only a word that is a single
    /// placeholder.
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

    fn filled(&self, given: &InstallAnswers) -> Vec<ConfigTextTemplate> {
        let count = |template: &TextTemplate| {
            let counts = template.keys().map(|key| match given.get(key) {
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
        let mut filled = Vec::new();
        for turn in 0..turns {
            for word in &self.words {
                match (self.repeats, word.parts()) {
                    (true, _) => filled.extend(word.filled(given, Some(turn))),
                    (false, [InstallTemplateSegment::Given(_)]) => {
                        let each = (0..count(word)).map(|at| word.filled(given, Some(at)));
                        filled.extend(each.flatten());
                    }
                    (false, _) => filled.extend(word.filled(given, None)),
                }
            }
        }
        filled
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
    /// An answer is missing for the command, the folder or the address, or a manifest can't express
    /// the launch.
    pub fn filled(
        &self,
        given: &InstallAnswers,
    ) -> Result<LaunchSpec<ConfigTextTemplate>, RunWrong> {
        let whole = |template: &TextTemplate| {
            template.filled(given, None).ok_or_else(|| {
                let missing = template.keys().find(|key| !given.contains_key(*key));
                RunWrong::NoAnswer(format!("{:?}", missing.unwrap_or_default()))
            })
        };
        let present = |values: &BTreeMap<String, TextTemplate>| {
            let value = |(name, value): (&String, &TextTemplate)| {
                Some((name.clone(), value.filled(given, None)?))
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
    pub fn open(&self) -> LaunchSpec<ConfigTextTemplate> {
        let all = |values: &BTreeMap<String, TextTemplate>| {
            let value = |(name, value): (&String, &TextTemplate)| (name.clone(), value.open());
            values.iter().map(value).collect()
        };
        match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => {
                let words = args.iter().flat_map(|arg| &arg.words);
                LaunchSpec::Command {
                    command: command.open(),
                    args: words.map(TextTemplate::open).collect(),
                    env: all(env),
                    cwd: cwd.as_ref().map(TextTemplate::open),
                }
            }
            Self::Url { url, headers } => LaunchSpec::Url {
                url: url.open(),
                headers: all(headers),
            },
        }
    }

    /// Returns the keys of placeholders without an input, which would never get an answer.
    pub fn unknown_keys<'a>(&'a self, inputs: &'a InstallInputs) -> Vec<&'a str> {
        let templates: Vec<&TextTemplate> = match self {
            Self::Command {
                command,
                args,
                env,
                cwd,
            } => [command]
                .into_iter()
                .chain(args.iter().flat_map(|arg| &arg.words))
                .chain(env.values())
                .chain(cwd)
                .collect(),
            Self::Url { url, headers } => [url].into_iter().chain(headers.values()).collect(),
        };
        let keys = templates.into_iter().flat_map(TextTemplate::keys);
        let mut unknown: Vec<&str> = keys.filter(|key| inputs.get(key).is_none()).collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }
}
