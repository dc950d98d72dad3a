//! The schema of `settings.json`, and checks of individual values against it.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::{Number, Value, json};

use super::actions::ACTIONS;
use super::{KEYS, Settings, press};
use crate::error::{Code, Report};
use crate::manifest::nearest;
use crate::messages::SettingsError;
use crate::updates;

/// Maximum length of a value in an error, in characters.
const SHOWN_MAX: usize = 200;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Settings>();
    RecursiveTransform(plain).transform(&mut schema);
    schema.to_value()
});

/// All settings except the keys of actions.
static FIELDS: LazyLock<Vec<SettingsField>> = LazyLock::new(|| {
    let mut fields = Vec::new();
    for (key, schema) in properties(&SCHEMA) {
        if is_section(schema) {
            let inner = properties(schema).map(|(name, schema)| (format!("{key}.{name}"), schema));
            fields.extend(inner.map(|(key, schema)| SettingsField::new(key, schema)));
        } else if key != KEYS {
            fields.push(SettingsField::new(key.clone(), schema));
        }
    }
    fields
});

static KEYS_OF_ACTION: LazyLock<SettingsField> = LazyLock::new(|| {
    SettingsField::new(
        KEYS.into(),
        &SCHEMA["properties"][KEYS]["additionalProperties"],
    )
});

/// One setting.
#[derive(Debug)]
pub struct SettingsField {
    /// The names on the path to the setting in the file, separated by dots.
    pub key: String,
    schema: Value,
    validator: Option<Validator>,
}

/// Returns the schema of the file.
pub fn json_schema() -> &'static Value {
    &SCHEMA
}

/// Returns all settings except the keys of actions, in their order.
pub fn fields() -> &'static [SettingsField] {
    &FIELDS
}

/// Returns the setting with this key: a field, or the keys of an action.
pub fn find(key: &str) -> Option<&'static SettingsField> {
    match action_of(key) {
        Some(_) => Some(&KEYS_OF_ACTION),
        None => FIELDS.iter().find(|field| field.key == key),
    }
}

/// Returns the action of a name such as `keys.palette`, or `None` if it does not exist.
fn action_of(key: &str) -> Option<&str> {
    let action = key.strip_prefix(KEYS)?.strip_prefix('.')?;
    ACTIONS.contains(&action).then_some(action)
}

/// Returns the value of a setting from the JSON of all settings. `null` if it is missing.
pub fn value_at(settings: &Value, key: &str) -> Value {
    let mut names = key.splitn(2, '.');
    let value = names.try_fold(settings, |value, name| value.get(name));
    value.cloned().unwrap_or_default()
}

/// Returns the error for an unknown setting.
pub fn unknown(key: &str) -> Report {
    let key: String = key.chars().take(100).collect();
    let trouble = SettingsError::NoSetting(format!("{key:?}"), near(&key));
    Report::from_error(Code::SettingUnknown, &trouble)
}

/// Returns a hint: the setting with the most similar key, or the command that lists all settings.
pub(super) fn near(key: &str) -> String {
    let actions = ACTIONS.iter().map(|action| format!("{KEYS}.{action}"));
    let keys = FIELDS.iter().map(|field| field.key.clone()).chain(actions);
    let keys: Vec<String> = keys.collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    match nearest(key, &keys) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => "`guildhall settings` lists all settings.".into(),
    }
}

pub(super) fn as_value(settings: &Settings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

/// Whether a schema describes an object with settings.
pub(super) fn is_section(schema: &Value) -> bool {
    schema.get("properties").is_some()
}

/// Returns the names and schemas of an object's properties.
fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

impl SettingsField {
    fn new(key: String, schema: &Value) -> Self {
        Self {
            key,
            schema: schema.clone(),
            validator: jsonschema::validator_for(schema).ok(),
        }
    }

    /// Returns the setting's title for people.
    pub fn title(&self) -> &str {
        self.schema["title"].as_str().unwrap_or_default()
    }

    /// Returns the setting's description, one or a few sentences.
    pub fn doc(&self) -> &str {
        self.schema["description"].as_str().unwrap_or_default()
    }

    /// Returns the setting's default.
    pub fn default(&self) -> &Value {
        &self.schema["default"]
    }

    /// Whether the setting's values are strings.
    pub fn is_text(&self) -> bool {
        let is_text = |kind: &Value| kind == "string";
        match &self.schema["type"] {
            Value::Array(kinds) => kinds.iter().any(is_text),
            kind => is_text(kind),
        }
    }

    /// Returns a short description of the allowed values. Empty if any string is allowed.
    pub fn range(&self) -> String {
        let Self { schema, .. } = self;
        match (&schema["enum"], &schema["minimum"], &schema["maximum"]) {
            (Value::Array(choices), ..) => {
                let choices: Vec<_> = choices.iter().filter_map(Value::as_str).collect();
                choices.join(", ")
            }
            (_, Value::Number(least), Value::Number(most)) => {
                let between = [&schema["not"]["minimum"], &schema["not"]["maximum"]];
                match between.map(Value::as_i64) {
                    [Some(from), Some(to)] => {
                        format!("{least} to {}, {} to {most}", from - 1, to + 1)
                    }
                    _ => format!("{least} to {most}"),
                }
            }
            _ if schema["type"] == "boolean" => "true, false".into(),
            _ => String::new(),
        }
    }

    /// Returns the value in its stored form.
    ///
    /// # Errors
    /// The reason why it is invalid, as a sentence without its final period.
    pub fn check(&self, value: &Value) -> Result<Value, String> {
        let value = whole(value);
        let error = self
            .validator
            .as_ref()
            .and_then(|it| it.validate(&value).err());
        if let Some(error) = error {
            let text = match self.range() {
                range if range.is_empty() => error.to_string(),
                range if self.schema["type"] == "integer" => {
                    let range = range.replace(", ", " or ");
                    format!("{value} is not a whole number from {range}")
                }
                range => format!("{value} is none of {range}"),
            };
            return Err(text.chars().take(SHOWN_MAX).collect());
        }
        let (Some(format), Some(text)) = (self.schema["format"].as_str(), value.as_str()) else {
            return Ok(value);
        };
        match format {
            "keys" if text.is_empty() => Ok(value),
            "keys" => press::check(text).map(Value::from),
            "shortcut" => press::check_global(text).map(Value::from),
            "update-address" if !is_safe_address(text) => {
                Err("the address must begin with https://, or be on this machine".into())
            }
            "registry" if !is_safe_address(text) && !Path::new(text).is_absolute() => Err(
                "use the full path of a file, an https:// address, or an address on this machine"
                    .into(),
            ),
            "update-key" if !updates::is_public_key(text) => {
                Err("it is not a public key as `tauri signer generate` writes it".into())
            }
            _ => Ok(value),
        }
    }
}

/// Returns a whole number without its fraction: `5e3` and `5000.0` become 5000.
fn whole(value: &Value) -> Value {
    let exact = |number: &Number| {
        let float = number.as_f64().filter(|_| number.as_u64().is_none())?;
        // Every whole number below 2^53 is exact as an f64.
        let is_exact = float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&float);
        is_exact.then(|| json!(float as u64))
    };
    value
        .as_number()
        .and_then(exact)
        .unwrap_or_else(|| value.clone())
}

/// Whether an address uses HTTPS or leads to this machine.
fn is_safe_address(text: &str) -> bool {
    let near = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let rest = near.iter().find_map(|near| text.strip_prefix(near));
    let has_host = |rest: &str| !rest.is_empty() && !rest.starts_with('/');
    rest.is_some_and(ends_the_host) || text.strip_prefix("https://").is_some_and(has_host)
}

/// Whether the text after the host is only a port and a path. With an `@` in it, the supposed host
/// would be a user name, and the real host would come after the `@`.
fn ends_the_host(rest: &str) -> bool {
    let rest = match rest.strip_prefix(':') {
        Some(port) => port.trim_start_matches(|char: char| char.is_ascii_digit()),
        None => rest,
    };
    rest.is_empty() || rest.starts_with('/')
}

/// Writes each description on one line. Converts a `oneOf` of described constants to an `enum`,
/// because errors and editors show an `enum` better.
fn plain(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    let Some(Value::Array(choices)) = schema.remove("oneOf") else {
        return;
    };
    let all = |key: &str| choices.iter().map(|choice| choice[key].clone()).collect();
    let (words, texts): (Value, Value) = (all("const"), all("description"));
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), words);
    schema.insert("enumDescriptions".into(), texts);
}
