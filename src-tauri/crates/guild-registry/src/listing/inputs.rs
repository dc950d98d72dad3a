//! Collects the inputs of an entry: the values of arguments, variables and headers. A value is
//! fixed, entered by a person, or a template that combines both.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::fields::RegistryFields;
use crate::messages::ListingProblem;
use guild_client_config::{TextSegment, TextTemplate};
use guild_import::install::{Argument, InputKind, InstallInput};
use guild_text::secret_detection::is_secret;

/// Maximum number of arguments, variables or headers in one list.
const ASKED_MAX: usize = 200;
/// Maximum number of choices of one input.
const CHOICES_MAX: usize = 500;
/// Maximum length of a string of the launch, in bytes.
const TEXT_MAX: usize = 16 * 1024;

const VARIABLES: &[&str] = &["variables"];
const REQUIRED: &[&str] = &["isRequired", "is_required"];
const SECRET: &[&str] = &["isSecret", "is_secret"];
const REPEATED: &[&str] = &["isRepeated", "is_repeated"];
const HINT: &[&str] = &["valueHint", "value_hint"];

/// Collects the inputs of one install option.
#[derive(Debug, Default)]
pub(super) struct InputCollector {
    inputs: Vec<InstallInput>,
    /// The name of the input that sets the member's port, and whether a value already uses the
    /// port.
    port: Option<(String, bool)>,
    /// The fixed port inside the container, if it is used instead of the member's port.
    inside: Option<u16>,
}

/// An argument, a variable, a header or an address whose value is read. `name` becomes the name of
/// its input.
struct InputSlot<'v> {
    fields: RegistryFields<'v>,
    name: String,
    several: bool,
}

impl InputCollector {
    /// Returns a collector that fills in the member's port for each input with this name.
    pub(super) fn with_port(port: Option<String>) -> Self {
        Self {
            port: port.map(|name| (name, false)),
            ..Self::default()
        }
    }

    /// Uses this port for all values that are read from now on. A port inside a container can't
    /// conflict with ports outside it.
    pub(super) fn is_inside(&mut self, port: u16) {
        self.inside = Some(port);
    }

    /// Returns the inputs in the order in which they were added.
    pub(super) fn into_inputs(self) -> Vec<InstallInput> {
        self.inputs
    }

    pub(super) fn has_port(&self) -> bool {
        self.port.as_ref().is_some_and(|(_, used)| *used)
    }

    /// Reads the arguments under one of these names.
    ///
    /// # Errors
    /// The first invalid argument.
    pub(super) fn arguments(
        &mut self,
        of: RegistryFields<'_>,
        names: &[&str],
    ) -> Result<Vec<Argument>, ListingProblem> {
        let mut arguments = Vec::new();
        for value in of.list(names, ASKED_MAX)? {
            let fields = RegistryFields::of(value).ok_or(ListingProblem::NoArgument)?;
            arguments.push(self.argument(fields)?);
        }
        Ok(arguments)
    }

    fn argument(&mut self, fields: RegistryFields<'_>) -> Result<Argument, ListingProblem> {
        let several = fields.is_set(REPEATED);
        let name = fields.text(&["name"]).unwrap_or_default();
        let kind = fields.text(&["type"]).unwrap_or_default();
        if kind == "named" || (kind != "positional" && !name.is_empty()) {
            return self.named(fields, name, several);
        }
        let name = fields.text(HINT).unwrap_or_else(|| "argument".to_owned());
        let slot = InputSlot {
            fields,
            name,
            several,
        };
        Ok(Argument {
            words: vec![self.value(&slot)?],
            repeats: several,
        })
    }

    /// Reads a named argument: a flag and its value, which are two words of the command line, or
    /// one word if the name ends in `=`. If the entry has only the name, the flag has no value. If
    /// the value is a boolean, the user chooses whether the flag is passed.
    fn named(
        &mut self,
        fields: RegistryFields<'_>,
        name: String,
        several: bool,
    ) -> Result<Argument, ListingProblem> {
        if name.is_empty() {
            return Err(ListingProblem::UnnamedArgument);
        }
        let says_nothing = ["value", "default", "format", "choices", "placeholder"]
            .iter()
            .all(|key| fields.get(&[key]).is_none())
            && fields.get(HINT).is_none()
            && fields.words(&["description"]).is_empty();
        if says_nothing {
            return Ok(Argument::word(plain(&name)?));
        }
        let is_flag = fields.text(&["format"]).as_deref() == Some("boolean");
        if is_flag && fields.get(&["value"]).is_none() && !self.is_port(&name) {
            let key = self.input(InstallInput {
                description: fields.words(&["description"]),
                choices: vec![name.clone()],
                default: (fields.text(&["default"]).as_deref() == Some("true"))
                    .then(|| Value::from(name.clone())),
                ..InstallInput::text(name)
            });
            return Ok(Argument::word(TextTemplate::input(key)));
        }
        let slot = InputSlot {
            fields,
            name: name.clone(),
            several,
        };
        let value = self.value(&slot)?;
        let words = match name.strip_suffix('=') {
            Some(_) => {
                let flag = plain(&name)?;
                let parts = flag.segments().iter().chain(value.segments());
                vec![parts.cloned().collect()]
            }
            None => vec![plain(&name)?, value],
        };
        Ok(Argument {
            words,
            repeats: several,
        })
    }

    /// Reads the variables or headers under one of these names.
    ///
    /// # Errors
    /// The first invalid variable or header.
    pub(super) fn values(
        &mut self,
        of: RegistryFields<'_>,
        names: &[&str],
    ) -> Result<BTreeMap<String, TextTemplate>, ListingProblem> {
        let mut values = BTreeMap::new();
        for value in of.list(names, ASKED_MAX)? {
            let fields = RegistryFields::of(value).ok_or(ListingProblem::NoVariable)?;
            let name = fields.text(&["name"]).unwrap_or_default();
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(ListingProblem::UnnamedVariable);
            }
            let slot = InputSlot {
                fields,
                name: name.clone(),
                several: false,
            };
            let template = self.value(&slot)?;
            values.insert(name, template);
        }
        Ok(values)
    }

    /// Builds the address of a transport from its template.
    pub(super) fn address(
        &mut self,
        transport: RegistryFields<'_>,
        url: &str,
    ) -> Result<TextTemplate, ListingProblem> {
        let slot = InputSlot {
            fields: transport,
            name: "url".to_owned(),
            several: false,
        };
        self.put_together(&slot, url, true)
    }

    /// Reads a value, which is fixed, a template or an input.
    fn value(&mut self, slot: &InputSlot<'_>) -> Result<TextTemplate, ListingProblem> {
        let fixed = slot.fields.text(&["value"]);
        if self.is_port(&slot.name) && fixed.as_ref().is_none_or(|fixed| !fixed.contains('{')) {
            return Ok([self.port()].into_iter().collect());
        }
        match fixed {
            Some(fixed) => self.put_together(slot, &fixed, slot.fields.is_set(REQUIRED)),
            None => {
                let required = slot.fields.is_set(REQUIRED);
                let input = read_input(slot.fields, slot.name.clone(), required, slot.several)?;
                Ok(TextTemplate::input(self.input(input)))
            }
        }
    }

    /// Builds a template from a text. `{name}` refers to an entry of `variables` in the same
    /// object. Unknown names stay literal.
    fn put_together(
        &mut self,
        slot: &InputSlot<'_>,
        text: &str,
        required: bool,
    ) -> Result<TextTemplate, ListingProblem> {
        bounded(text)?;
        let variables = slot.fields.object(VARIABLES);
        let mut keys: BTreeMap<String, TextSegment> = BTreeMap::new();
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            plain.push_str(before);
            let Some((name, end)) = after.split_once('}') else {
                plain.push('{');
                rest = after;
                continue;
            };
            let variable = variables.and_then(|variables| variables.object(&[name]));
            let part = match (keys.get(name), variable) {
                (Some(part), _) => Some(part.clone()),
                (None, _) if self.is_port(name) => Some(self.port()),
                (None, Some(fields)) => Some(self.variable(slot, name, fields, required)?),
                (None, None) => None,
            };
            match part {
                Some(part) => {
                    keys.insert(name.to_owned(), part.clone());
                    parts.push(TextSegment::Plain(std::mem::take(&mut plain)));
                    parts.push(part);
                }
                None => {
                    plain.push('{');
                    rest = after;
                    continue;
                }
            }
            rest = end;
        }
        plain.push_str(rest);
        parts.push(TextSegment::Plain(plain));
        Ok(parts.into_iter().collect())
    }

    fn variable(
        &mut self,
        slot: &InputSlot<'_>,
        name: &str,
        fields: RegistryFields<'_>,
        required: bool,
    ) -> Result<TextSegment, ListingProblem> {
        if let Some(fixed) = fields.text(&["value"]) {
            bounded(&fixed)?;
            return Ok(TextSegment::Plain(fixed));
        }
        let required = required || fields.is_set(REQUIRED);
        let mut input = read_input(fields, name.to_owned(), required, slot.several)?;
        input.secret |= slot.fields.is_set(SECRET);
        Ok(TextSegment::Input(self.input(input)))
    }

    fn is_port(&self, name: &str) -> bool {
        self.port.as_ref().is_some_and(|(port, _)| port == name)
    }

    fn port(&mut self) -> TextSegment {
        if let Some((_, used)) = &mut self.port {
            *used = true;
        }
        match self.inside {
            Some(port) => TextSegment::Plain(port.to_string()),
            None => TextSegment::Variable("PORT".to_owned()),
        }
    }

    /// Adds an input and returns its unique key.
    fn input(&mut self, mut input: InstallInput) -> String {
        let is_free = |key: &str| self.inputs.iter().all(|input| input.key != key);
        let plain = input.key.clone();
        let mut turn = 2;
        while !is_free(&input.key) {
            input.key = format!("{plain}-{turn}");
            turn += 1;
        }
        let key = input.key.clone();
        self.inputs.push(input);
        key
    }
}

/// Converts an entry's description of an input.
fn read_input(
    fields: RegistryFields<'_>,
    name: String,
    required: bool,
    several: bool,
) -> Result<InstallInput, ListingProblem> {
    let choices = fields.list(&["choices"], CHOICES_MAX)?;
    let choices = choices
        .iter()
        .map(Value::as_str)
        .collect::<Option<Vec<_>>>();
    let choices = choices.ok_or_else(|| ListingProblem::OddChoices(name.clone()))?;
    let choices: Vec<String> = choices.into_iter().map(str::to_owned).collect();
    let default = fields.text(&["default"]);
    for text in choices.iter().chain(&default) {
        bounded(text)?;
    }
    let secret = fields.is_set(SECRET) || is_secret(&name);
    let kind = match fields.text(&["format"]).as_deref() {
        // The value of a secret, or of an input with choices, is always a text.
        _ if secret || !choices.is_empty() => InputKind::Text,
        Some("number") => InputKind::Number {
            min: None,
            max: None,
        },
        Some("boolean") => InputKind::Flag,
        Some("filepath") => InputKind::File,
        _ => InputKind::Text,
    };
    let default = default.and_then(|text| match kind {
        InputKind::Number { .. } => text.parse::<Number>().ok().map(Value::Number),
        InputKind::Flag => text.parse::<bool>().ok().map(Value::Bool),
        _ if text.is_empty() => None,
        _ if !choices.is_empty() && !choices.contains(&text) => None,
        _ => Some(Value::String(text)),
    });
    Ok(InstallInput {
        description: fields.words(&["description"]),
        example: fields.words(&["placeholder"]),
        kind,
        choices,
        // The registry's default is public and can't be a secret, so the user must enter the value.
        default: match (secret, several) {
            (true, _) => None,
            (false, true) => default.map(|one| Value::Array(vec![one])),
            (false, false) => default,
        },
        required,
        secret,
        several: several && !secret,
        ..InstallInput::text(name)
    })
}

fn plain(text: &str) -> Result<TextTemplate, ListingProblem> {
    bounded(text)?;
    Ok(TextTemplate::plain(text))
}

fn bounded(text: &str) -> Result<(), ListingProblem> {
    match () {
        () if text.len() > TEXT_MAX => Err(ListingProblem::LongText(TEXT_MAX)),
        () if text.contains('\0') => Err(ListingProblem::NulInText),
        () => Ok(()),
    }
}
