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
use crate::note::{FieldWrong, Wanted};

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
            mismatch(findings, node, "dev", Wanted::FlagOrBraces);
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
            let wrong = FieldWrong::ManyPatterns(patterns.len(), GLOBS_MAX);
            findings.error(*at, "dev.watch", wrong);
        }
        for (index, pattern) in patterns.iter().enumerate() {
            if let Shape::Text(text) = &pattern.shape
                && let Some(wrong) = check_glob(text)
            {
                let path = format!("dev.watch[{index}]");
                findings.error(pattern.at, &path, FieldWrong::BadPattern(wrong));
            }
        }
    }
    let build = dev.texts("build", true, findings);
    if let Some(node) = dev.get("build") {
        let said = match &node.shape {
            Shape::List(words) if words.len() > BUILD_WORDS_MAX => {
                Some(FieldWrong::BuildLong(words.len(), BUILD_WORDS_MAX))
            }
            Shape::List(words) if words.is_empty() => Some(FieldWrong::BuildEmpty),
            _ => None,
        };
        let nameless = build
            .first()
            .is_some_and(|program| program.trim().is_empty());
        let said = said.or_else(|| nameless.then_some(FieldWrong::BuildNameless));
        if let Some(wrong) = said {
            findings.error(node.at, "dev.build", wrong);
        }
        if build.iter().any(|word| super::variables::uses_port(word)) {
            findings.error(node.at, "dev.build", FieldWrong::BuildPort);
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
        mismatch(findings, node, "examples", Wanted::Objects);
        return Vec::new();
    };
    if items.len() > EXAMPLES_MAX {
        let wrong = FieldWrong::ManyExamples(items.len(), EXAMPLES_MAX);
        findings.error(node.at, "examples", wrong);
    }
    let mut names = HashSet::new();
    let mut examples = Vec::new();
    for (index, item) in items.iter().take(EXAMPLES_MAX).enumerate() {
        let path = format!("examples[{index}]");
        let Some(example) = example(item, &path, findings) else {
            continue;
        };
        if !names.insert(example.name.clone()) {
            findings.error(item.at, &path, FieldWrong::SameExample);
        }
        examples.push(example);
    }
    examples
}

fn example(item: &Node, path: &str, findings: &mut Findings) -> Option<Example> {
    let fields = Fields::of(item, path, findings)?;
    fields.warn_unknown(EXAMPLE_FIELDS, findings);
    for (key, wrong) in [
        ("name", FieldWrong::NoExampleName),
        ("tool", FieldWrong::NoExampleTool),
    ] {
        if !fields.has(key) {
            findings.error(fields.at, &fields.path(key), wrong);
        }
    }
    let name = fields.text("name", findings).map(str::to_owned);
    if let (Some(name), Some(node)) = (&name, fields.get("name")) {
        let length = name.chars().count();
        let wrong = match length {
            _ if name.trim().is_empty() => Some(FieldWrong::EmptyName),
            _ if length > EXAMPLE_NAME_MAX => Some(FieldWrong::LongName(length, EXAMPLE_NAME_MAX)),
            _ if name.contains(char::is_control) => Some(FieldWrong::ControlName),
            _ => None,
        };
        if let Some(wrong) = wrong {
            findings.error(node.at, &fields.path("name"), wrong);
        }
    }
    let tool = fields.text("tool", findings).and_then(|tool| {
        let at = fields.get("tool").map_or(fields.at, |node| node.at);
        let parsed = ToolName::parse(tool);
        parsed
            .map_err(|error| {
                findings.error(at, &fields.path("tool"), FieldWrong::NoTool(error.0));
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
        mismatch(findings, node, path, Wanted::Braces);
        return None;
    };
    let text = json_text(node);
    match parse_exact(&text) {
        Ok(_) => Some(text),
        Err(error) => {
            findings.error(node.at, path, FieldWrong::BadArguments(error.wrong));
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
        mismatch(findings, node, &fields.path("schema"), Wanted::Schema);
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
