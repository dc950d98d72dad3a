//! What a manifest says to whoever writes the server: what is watched, and which calls are checks.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{Fields, mismatch};
use super::tree::{Findings, Node, Shape};
use crate::arguments::parse_exact;
use crate::dev::{GLOBS_MAX, check_glob};
use crate::id::ToolName;

/// The most examples of one member.
pub(crate) const EXAMPLES_MAX: usize = 100;
/// The longest name of an example, in characters.
pub(crate) const EXAMPLE_NAME_MAX: usize = 120;
/// The longest that is waited for a quiet moment after a change, in milliseconds.
pub(super) const DEBOUNCE_MS_MAX: u64 = 10_000;
/// The most words of the command that comes first.
pub(super) const BUILD_WORDS_MAX: usize = 100;

pub(super) const DEV_FIELDS: &[&str] = &["watch", "build", "build_timeout_ms", "debounce_ms"];
pub(super) const EXAMPLE_FIELDS: &[&str] = &["name", "tool", "arguments", "expect", "timeout_ms"];
pub(super) const EXPECT_FIELDS: &[&str] = &[
    "is_error",
    "text_contains",
    "text_equals",
    "structured",
    "schema",
];

/// What happens when a member's files change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dev {
    /// Which files count, as patterns from the member's folder; none for all that people write.
    pub watch: Vec<String>,
    /// What is run before each restart, with variables; nothing where it is empty.
    pub build: Vec<String>,
    /// How long that may take, in milliseconds. Default 120,000.
    pub build_timeout_ms: u64,
    /// How long the files have to be quiet before anything is done, in milliseconds. Default 200.
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

/// A call that serves as a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its name, unique in its member.
    pub name: String,
    /// The tool that is called.
    pub tool: ToolName,
    /// The arguments, as the text of a JSON object.
    pub arguments: String,
    /// What its result has to be.
    pub expect: Expect,
    /// The time limit of the call instead of the tool's, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// What a result has to be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Expect {
    /// Whether the tool has to say that it failed. Default false.
    pub is_error: bool,
    /// What its text has to have in it.
    pub text_contains: Option<String>,
    /// What its text has to be: all text blocks, one below the other.
    pub text_equals: Option<String>,
    /// What its structured content has to have in it: objects may have more, lists may not.
    pub structured: Option<Value>,
    /// The JSON Schema that its structured content has to fit.
    pub schema: Option<Value>,
}

impl Expect {
    /// What is expected, in words.
    pub fn in_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.is_error {
            words.push("the tool says that it failed".to_owned());
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

/// Reads `dev`: `true`, `false` or an object.
pub(super) fn dev(fields: &Fields<'_>, findings: &mut Findings) -> Option<Dev> {
    let node = fields.get("dev")?;
    match &node.shape {
        Shape::Bool(on) => return on.then(Dev::default),
        Shape::Object(_) => {}
        _ => {
            mismatch(findings, node, "dev", "true, false or an object in braces");
            return None;
        }
    }
    let dev = Fields::of(node, "dev", findings)?;
    dev.warn_unknown(DEV_FIELDS, findings);
    let watch = dev.texts("watch", false, findings);
    if let Some(Node {
        at,
        shape: Shape::List(patterns),
    }) = dev.get("watch")
    {
        if patterns.len() > GLOBS_MAX {
            let message = format!("has {} patterns; {GLOBS_MAX} are the most", patterns.len());
            findings.error(*at, "dev.watch", message, "");
        }
        for (index, pattern) in patterns.iter().enumerate() {
            if let Shape::Text(text) = &pattern.shape
                && let Some(wrong) = check_glob(text)
            {
                let path = format!("dev.watch[{index}]");
                let hint = "Patterns go from the member's folder, e.g. \"src/**/*.py\".";
                findings.error(pattern.at, &path, wrong, hint);
            }
        }
    }
    let build = dev.texts("build", true, findings);
    if let Some(node) = dev.get("build") {
        let said = match &node.shape {
            Shape::List(words) if words.len() > BUILD_WORDS_MAX => {
                let count = words.len();
                Some(format!("has {count} words; {BUILD_WORDS_MAX} are the most"))
            }
            Shape::List(words) if words.is_empty() => Some("has no program".to_owned()),
            _ => None,
        };
        let nameless = build
            .first()
            .is_some_and(|program| program.trim().is_empty());
        let said = said.or_else(|| nameless.then(|| "must begin with a program".to_owned()));
        if let Some(wrong) = said {
            let hint = "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"].";
            findings.error(node.at, "dev.build", wrong, hint);
        }
        if build.iter().any(|word| super::variables::uses_port(word)) {
            let message = "uses ${PORT}, which only the server is given".to_owned();
            findings.error(node.at, "dev.build", message, "Take ${PORT} out.");
        }
    }
    let default = Dev::default();
    let build_timeout_ms = dev.millis("build_timeout_ms", findings);
    let debounce_ms = dev.millis_up_to("debounce_ms", DEBOUNCE_MS_MAX, findings);
    Some(Dev {
        watch,
        build,
        build_timeout_ms: build_timeout_ms.unwrap_or(default.build_timeout_ms),
        debounce_ms: debounce_ms.unwrap_or(default.debounce_ms),
    })
}

/// Reads `examples`.
pub(super) fn examples(fields: &Fields<'_>, findings: &mut Findings) -> Vec<Example> {
    let Some(node) = fields.get("examples") else {
        return Vec::new();
    };
    let Shape::List(items) = &node.shape else {
        mismatch(findings, node, "examples", "a list of objects in brackets");
        return Vec::new();
    };
    if items.len() > EXAMPLES_MAX {
        let message = format!("has {} examples; {EXAMPLES_MAX} are the most", items.len());
        findings.error(node.at, "examples", message, "");
    }
    let mut names = HashSet::new();
    let mut examples = Vec::new();
    for (index, item) in items.iter().take(EXAMPLES_MAX).enumerate() {
        let path = format!("examples[{index}]");
        let Some(example) = example(item, &path, findings) else {
            continue;
        };
        if !names.insert(example.name.clone()) {
            let message = "has a name that another example has".to_owned();
            findings.error(item.at, &path, message, "Give each a name of its own.");
        }
        examples.push(example);
    }
    examples
}

fn example(item: &Node, path: &str, findings: &mut Findings) -> Option<Example> {
    let fields = Fields::of(item, path, findings)?;
    fields.warn_unknown(EXAMPLE_FIELDS, findings);
    for (key, what) in [
        ("name", "what it is called"),
        ("tool", "the tool that is called"),
    ] {
        if !fields.has(key) {
            let message = format!("is missing; it is {what}");
            findings.error(fields.at, &fields.path(key), message, "");
        }
    }
    let name = fields.text("name", findings).map(str::to_owned);
    if let (Some(name), Some(node)) = (&name, fields.get("name")) {
        let length = name.chars().count();
        let wrong = match length {
            _ if name.trim().is_empty() => Some("must not be empty".to_owned()),
            _ if length > EXAMPLE_NAME_MAX => Some(format!(
                "has {length} characters; {EXAMPLE_NAME_MAX} are the most"
            )),
            _ if name.contains(char::is_control) => Some("has a control character".to_owned()),
            _ => None,
        };
        if let Some(wrong) = wrong {
            findings.error(node.at, &fields.path("name"), wrong, "");
        }
    }
    let tool = fields.text("tool", findings).and_then(|tool| {
        let at = fields.get("tool").map_or(fields.at, |node| node.at);
        let parsed = ToolName::parse(tool);
        parsed
            .map_err(|error| {
                findings.error(
                    at,
                    &fields.path("tool"),
                    format!("names no tool: {error}"),
                    "",
                );
            })
            .ok()
    });
    let arguments = match fields.get("arguments") {
        None => Some("{}".to_owned()),
        Some(node) => arguments(node, &fields.path("arguments"), findings),
    };
    let expect = match fields.get("expect") {
        None => Some(Expect::default()),
        Some(node) => expect(node, &fields.path("expect"), findings),
    };
    let timeout_ms = fields.millis("timeout_ms", findings);
    Some(Example {
        name: name?,
        tool: tool?,
        arguments: arguments?,
        expect: expect?,
        timeout_ms,
    })
}

fn arguments(node: &Node, path: &str, findings: &mut Findings) -> Option<String> {
    let Shape::Object(_) = &node.shape else {
        mismatch(findings, node, path, "an object in braces");
        return None;
    };
    let text = json_text(node);
    match parse_exact(&text) {
        Ok(_) => Some(text),
        Err(error) => {
            let message = format!("can't be sent as they are: {}", error.message);
            findings.error(node.at, path, message, "");
            None
        }
    }
}

fn expect(node: &Node, path: &str, findings: &mut Findings) -> Option<Expect> {
    let fields = Fields::of(node, path, findings)?;
    fields.warn_unknown(EXPECT_FIELDS, findings);
    let value = |key: &str| {
        let node = fields.get(key)?;
        serde_json::from_str(&json_text(node)).ok()
    };
    if let Some(node) = fields.get("schema")
        && !matches!(&node.shape, Shape::Object(_) | Shape::Bool(_))
    {
        mismatch(findings, node, &fields.path("schema"), "a JSON Schema");
    }
    Some(Expect {
        is_error: fields.flag("is_error", findings).unwrap_or_default(),
        text_contains: fields.text("text_contains", findings).map(str::to_owned),
        text_equals: fields.text("text_equals", findings).map(str::to_owned),
        structured: value("structured"),
        schema: value("schema"),
    })
}

/// A value as JSON again, its digits as they were written.
fn json_text(node: &Node) -> String {
    let mut text = String::new();
    write_json(node, &mut text);
    text
}

fn write_json(node: &Node, into: &mut String) {
    match &node.shape {
        Shape::Null => into.push_str("null"),
        Shape::Bool(flag) => into.push_str(if *flag { "true" } else { "false" }),
        Shape::Number(digits) => into.push_str(digits),
        Shape::Text(text) => into.push_str(&Value::from(text.as_str()).to_string()),
        Shape::List(items) => {
            into.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    into.push(',');
                }
                write_json(item, into);
            }
            into.push(']');
        }
        Shape::Object(entries) => {
            into.push('{');
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    into.push(',');
                }
                into.push_str(&Value::from(entry.key.as_str()).to_string());
                into.push(':');
                write_json(&entry.value, into);
            }
            into.push('}');
        }
    }
}
