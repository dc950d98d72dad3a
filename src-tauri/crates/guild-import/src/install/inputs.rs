//! The inputs of an installation, and the answers.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Number, Value, json};

use crate::messages::AskNote;
use guild_api::wire::McpbAsks;
use guild_model::arguments::parse_exact;
use guild_schema::messages::ValueProblem;
use guild_schema::validate::{ArgumentError, CheckedArguments, Validator};

/// Maximum size of an answer, in bytes.
pub(crate) const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// Maximum number of answers to an input that accepts several answers.
const SEVERAL_MAX: usize = 100;

/// The type of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// A string.
    Text,
    /// A number with limits.
    Number {
        /// The minimum.
        min: Option<Number>,
        /// The maximum.
        max: Option<Number>,
    },
    /// A boolean.
    Flag,
    /// The path of a folder.
    Folder,
    /// The path of a file.
    File,
}

/// A question before an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallInput {
    /// The key of the input in the launch template.
    pub key: String,
    /// The display name. May be empty.
    pub title: String,
    /// The description. May be empty.
    pub description: String,
    /// An example answer. May be empty.
    pub example: String,
    /// The type of the answer.
    pub kind: InputKind,
    /// The allowed values. Empty if any value is allowed.
    pub choices: Vec<String>,
    /// The default answer, as a JSON value.
    pub default: Option<Value>,
    /// Whether an answer is required.
    pub required: bool,
    /// Whether the answer is stored as a secret.
    pub secret: bool,
    /// Whether the input accepts several answers.
    pub several: bool,
    /// The name of the secret that is already stored as the answer to this input.
    pub kept: Option<String>,
}

impl InstallInput {
    /// Creates an optional input that accepts any text.
    pub fn text(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            title: String::new(),
            description: String::new(),
            example: String::new(),
            kind: InputKind::Text,
            choices: Vec::new(),
            default: None,
            required: false,
            secret: false,
            several: false,
            kept: None,
        }
    }

    fn must_be_given(&self) -> bool {
        self.required && self.kept.is_none()
    }

    fn schema(&self) -> Value {
        let mut schema = Map::new();
        let mut put = |keyword: &str, value: Value| {
            schema.insert(keyword.to_owned(), value);
        };
        let mut text = |format: Option<&str>| {
            put("type", json!("string"));
            if let Some(format) = format {
                put("format", json!(format));
            }
            // An empty text does not count as an answer.
            if self.choices.is_empty() && (self.must_be_given() || self.several) {
                put("minLength", json!(1));
            }
        };
        match &self.kind {
            InputKind::Text => text(None),
            InputKind::Folder => text(Some("directory-path")),
            InputKind::File => text(Some("file-path")),
            InputKind::Flag => put("type", json!("boolean")),
            InputKind::Number { min, max } => {
                put("type", json!("number"));
                for (keyword, limit) in [("minimum", min), ("maximum", max)] {
                    if let Some(limit) = limit {
                        put(keyword, Value::Number(limit.clone()));
                    }
                }
            }
        }
        if !self.choices.is_empty() {
            put("enum", json!(self.choices));
        }
        if self.secret {
            put("writeOnly", json!(true));
        }
        if self.several {
            let items = Value::Object(std::mem::take(&mut schema));
            schema.insert("type".into(), json!("array"));
            schema.insert("items".into(), items);
            schema.insert("maxItems".into(), json!(SEVERAL_MAX));
            if self.must_be_given() {
                schema.insert("minItems".into(), json!(1));
            }
        }
        let kept = self.kept.as_ref().map(|_| AskNote::Kept.to_string());
        let about = [Some(self.about()), kept];
        let about: Vec<String> = about
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .collect();
        for (keyword, text) in [("title", &self.title), ("description", &about.join(" "))] {
            if !text.is_empty() {
                schema.insert(keyword.into(), json!(text));
            }
        }
        if let Some(default) = &self.default {
            schema.insert("default".into(), default.clone());
        }
        Value::Object(schema)
    }

    /// Returns the description with the example below it.
    fn about(&self) -> String {
        if self.example.is_empty() {
            return self.description.clone();
        }
        let example = AskNote::Example(self.example.clone()).to_string();
        let about = format!("{}\n{example}", self.description);
        about.trim().to_owned()
    }

    /// Converts texts to a JSON value. `None` if they don't match the type.
    fn value_of(&self, texts: &[String]) -> Option<Value> {
        let one = |text: &String| match self.kind {
            InputKind::Text | InputKind::Folder | InputKind::File => Some(json!(text)),
            InputKind::Flag => text.parse().ok().map(Value::Bool),
            InputKind::Number { .. } => text.parse().ok().map(Value::Number),
        };
        match self.several {
            true => texts
                .iter()
                .map(one)
                .collect::<Option<_>>()
                .map(Value::Array),
            false => texts.first().and_then(one),
        }
    }
}

/// An answer to an input.
#[derive(Clone, PartialEq, Eq)]
pub enum InstallInputValue {
    /// The given texts: at least one, and several only if the input accepts several.
    Plain(Vec<String>),
    /// A secret that will be stored.
    Secret(String),
    /// A stored secret, by its name.
    Kept(String),
}

/// Does not print secrets.
impl fmt::Debug for InstallInputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(texts) => write!(f, "{texts:?}"),
            Self::Secret(_) => f.write_str("<secret>"),
            Self::Kept(name) => write!(f, "${{secret:{name}}}"),
        }
    }
}

/// The answers by input key.
pub type InstallAnswers = BTreeMap<String, InstallInputValue>;

/// All inputs, in display order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstallInputs(Vec<InstallInput>);

impl InstallInputs {
    /// Returns the questions for a form.
    pub fn asks(&self) -> McpbAsks {
        let secret = self.iter().filter(|input| input.secret);
        McpbAsks {
            schema: self.schema().to_string(),
            secrets: secret.map(|input| input.key.clone()).collect(),
        }
    }

    /// Creates the list. If inputs have the same key, the first one is used.
    pub fn new(inputs: impl IntoIterator<Item = InstallInput>) -> Self {
        let mut unique: Vec<InstallInput> = Vec::new();
        for input in inputs {
            if unique.iter().all(|one| one.key != input.key) {
                unique.push(input);
            }
        }
        Self(unique)
    }

    /// Iterates over the inputs.
    pub fn iter(&self) -> impl Iterator<Item = &InstallInput> {
        self.0.iter()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the input with this key.
    pub fn get(&self, key: &str) -> Option<&InstallInput> {
        self.0.iter().find(|input| input.key == key)
    }

    /// Returns the inputs with earlier answers as defaults. Stored secrets don't have to be entered
    /// again.
    #[must_use]
    pub fn answered(mut self, before: &InstallAnswers) -> Self {
        for input in &mut self.0 {
            match before.get(&input.key) {
                Some(InstallInputValue::Kept(name)) if input.secret => {
                    input.kept = Some(name.clone());
                    input.default = None;
                }
                Some(InstallInputValue::Plain(texts)) if !input.secret => {
                    input.default = input.value_of(texts).or(input.default.take());
                }
                _ => {}
            }
        }
        self
    }

    /// Returns the inputs as a JSON Schema (2020-12) of one object. `writeOnly` marks secrets.
    pub fn schema(&self) -> Value {
        let property = |input: &InstallInput| (input.key.clone(), input.schema());
        let properties: Map<String, Value> = self.0.iter().map(property).collect();
        let required = self.0.iter().filter(|input| input.must_be_given());
        let required: Vec<&str> = required.map(|input| input.key.as_str()).collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false
        })
    }

    /// Validates answers against the schema.
    pub fn check(&self, answers: &Map<String, Value>) -> CheckedArguments {
        let mut checked = Validator::build(&self.schema()).check(&json!(answers));
        for input in &self.0 {
            let texts = answers.get(&input.key).map(texts_of).unwrap_or_default();
            let is_long = texts.iter().any(|text| text.len() > ANSWER_BYTES_MAX);
            let has_nul = texts.iter().any(|text| text.contains('\0'));
            let wrong = match (is_long, has_nul) {
                (true, _) => ValueProblem::TooLong(ANSWER_BYTES_MAX),
                (_, true) => ValueProblem::Nul,
                (false, false) => continue,
            };
            let key = input.key.replace('~', "~0").replace('/', "~1");
            checked.errors.push(ArgumentError {
                pointer: format!("/{key}"),
                message: wrong.to_string(),
                keyword: String::new(),
            });
        }
        checked
    }

    /// Parses the answers in a JSON object. If a value is missing or empty, the answer is the
    /// input's stored secret, if there is one. The input's default is not used.
    ///
    /// # Errors
    /// All errors, each with the path of the invalid value. The list is never empty.
    pub fn read(&self, answers: &str) -> Result<InstallAnswers, Vec<ArgumentError>> {
        let answers =
            parse_exact(answers).map_err(|error| vec![ArgumentError::whole(error, "")])?;
        let CheckedArguments { errors, .. } = self.check(&answers);
        if !errors.is_empty() {
            return Err(errors);
        }
        let given = self.0.iter().filter_map(|input| {
            let mut texts = answers.get(&input.key).map(texts_of).unwrap_or_default();
            texts.retain(|text| !text.is_empty());
            let answer = match (texts.is_empty(), input.secret) {
                (true, _) => InstallInputValue::Kept(input.kept.clone()?),
                (false, true) => InstallInputValue::Secret(texts.concat()),
                (false, false) => InstallInputValue::Plain(texts),
            };
            Some((input.key.clone(), answer))
        });
        Ok(given.collect())
    }
}

/// Returns a value as words of a command.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Bool(flag) => vec![flag.to_string()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Null | Value::Object(_) => Vec::new(),
    }
}
