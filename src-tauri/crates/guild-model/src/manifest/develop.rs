//! Fields for server authors: the watched files, and the calls that serve as checks.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::forms::{
    AnyObject, AnySchema, Anything, Build, Debounce, ExampleName, GlobText, Millis, ToolText,
    some_value, some_whole, whole,
};
use crate::globs::GLOBS_MAX;
use crate::id::ToolName;

/// The actions after a change in a member's files.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct Dev {
    /// The files to watch, as patterns relative to the member's folder: `*`, `?`, `**`, `{a,b}`,
    /// and `!` to exclude files. Default: all files except hidden and generated ones.
    #[schemars(
        with = "Vec<GlobText>",
        extend("maxItems" = GLOBS_MAX, "examples" = [["src/**/*.py", "!src/**/test_*"]])
    )]
    pub watch: Vec<String>,
    /// A program and its arguments, run in the member's folder before each restart, with variables
    /// as in `command`. If it fails, the running server is not restarted.
    #[schemars(with = "Option<Build>", extend("default" = null, "examples" = [["npm", "run", "build"]]))]
    pub build: Vec<String>,
    /// The time limit of `build`, in milliseconds.
    #[serde(deserialize_with = "whole")]
    #[schemars(with = "Millis", extend("default" = 120_000))]
    pub build_timeout_ms: u64,
    /// How long the files must stay unchanged before the server is built or restarted, in
    /// milliseconds.
    #[serde(deserialize_with = "whole")]
    #[schemars(with = "Debounce", extend("default" = 200))]
    pub debounce_ms: u64,
}

impl Default for Dev {
    fn default() -> Self {
        Self {
            watch: vec![],
            build: vec![],
            build_timeout_ms: 120_000,
            debounce_ms: 200,
        }
    }
}

/// Reads `dev`: `true`, `false` or an object.
pub(super) fn dev_or_flag<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Dev>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum DevOrFlag {
        Flag(bool),
        Dev(Dev),
    }
    Ok(match DevOrFlag::deserialize(reader)? {
        DevOrFlag::Flag(on) => on.then(Dev::default),
        DevOrFlag::Dev(dev) => Some(dev),
    })
}

/// A call that serves as a check.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Example {
    /// The example's name, unique in the member.
    #[schemars(with = "ExampleName", extend("examples" = ["finds a note"]))]
    pub name: String,
    /// The tool that is called.
    #[schemars(with = "ToolText")]
    pub tool: ToolName,
    /// The arguments.
    // A JSON object, kept as source text.
    #[serde(default = "no_arguments")]
    #[schemars(with = "AnyObject", extend("default" = {}))]
    pub arguments: String,
    /// The conditions that the result has to meet.
    #[serde(default)]
    #[schemars(extend("default" = {}))]
    pub expect: Expect,
    /// The time limit of the call in milliseconds. Replaces the limit of the tool.
    #[serde(default, deserialize_with = "some_whole")]
    #[schemars(with = "Option<Millis>")]
    pub timeout_ms: Option<u64>,
}

fn no_arguments() -> String {
    "{}".to_owned()
}

/// The conditions that a result has to meet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(inline)]
pub struct Expect {
    /// Whether the tool has to report an error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    pub is_error: bool,
    /// Text that the result's text has to contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_contains: Option<String>,
    /// The exact text of the result: all text blocks, each on a new line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_equals: Option<String>,
    /// Values that the structured content has to contain. Objects may have additional fields, lists
    /// no additional items.
    #[serde(
        deserialize_with = "some_value",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<Anything>")]
    pub structured: Option<Value>,
    /// The JSON Schema that the structured content has to match.
    #[serde(
        deserialize_with = "some_value",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<AnySchema>")]
    pub schema: Option<Value>,
}

impl Expect {
    /// Returns the expectations in words.
    pub fn in_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.is_error {
            words.push("the tool reports an error".to_owned());
        }
        let cut = |text: &str| text.chars().take(200).collect::<String>();
        if let Some(text) = &self.text_equals {
            words.push(format!("its text is {:?}", cut(text)));
        }
        if let Some(text) = &self.text_contains {
            words.push(format!("its text has {:?}", cut(text)));
        }
        if let Some(value) = &self.structured {
            words.push(format!(
                "its structured content has {}",
                cut(&value.to_string())
            ));
        }
        if self.schema.is_some() {
            words.push("its structured content fits a schema".to_owned());
        }
        if words.is_empty() {
            words.push("it works".to_owned());
        }
        words
    }
}
