//! A tool as its server describes it.
//!
//! The JSON from the server is stored completely and in its order, because converting it to types
//! and back loses fields of one fifth of real tools. Other code reads the fields from this JSON.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::id::ToolName;
use crate::messages::ToolProblem;
use guild_text::messages::JsonKind;

/// Maximum number of tools in one member's list.
pub const TOOLS_MAX: usize = 10_000;
/// Maximum number of reported problems of one list. The last one has the number of further
/// problems.
pub const PROBLEMS_MAX: usize = 1_000;
/// Maximum size of a single tool, in bytes of JSON.
pub const TOOL_BYTES_MAX: usize = 1 << 20;

/// The source of the information about a tool. Tools that are neither `live` nor `cached` can't be
/// called until their server has confirmed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// The running server listed the tool.
    Live,
    /// The cache file contains the tool.
    Cached,
    /// The tool was found in the server's output, not in a response to a request for its list.
    Parsed,
    /// The manifest's `auto_approve` names the tool.
    AutoApproved,
    /// A model predicted the tool.
    Predicted,
}

/// The server's hints about a tool's effects. Hints are never guarantees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolHints {
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may destroy something.
    pub destructive: Option<bool>,
    /// A second identical call changes nothing more.
    pub idempotent: Option<bool>,
    /// The tool reaches things outside the server.
    pub open_world: Option<bool>,
}

impl ToolHints {
    fn of(annotations: Option<&Value>) -> Self {
        let hint = |name| annotations?.get(name)?.as_bool();
        Self {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        }
    }
}

/// A tool: its name, and its server's unchanged JSON. Cheap to clone.
///
/// A cached tool is parsed only when more than its name is needed, so that a roster with thousands
/// of cached tools can be shown without parsing their schemas.
#[derive(Debug, Clone)]
pub struct ToolSpec(Arc<Spec>);

#[derive(Debug)]
struct Spec {
    name: ToolName,
    /// The JSON text of a cached tool, which is parsed on demand.
    text: Option<Box<RawValue>>,
    raw: OnceLock<Map<String, Value>>,
    digest: OnceLock<ToolDigest>,
    hints: OnceLock<ToolHints>,
}

/// A digest of a tool's content. It does not depend on the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ToolDigest([u8; 32]);

impl ToolDigest {
    /// Computes the digest of one tool's JSON.
    fn of(raw: &Map<String, Value>) -> Self {
        let mut hash = Sha256::new();
        digest_object(raw, &mut hash);
        Self(hash.finalize().into())
    }

    /// Combines the digests of a list in their order. Returns 64 hexadecimal digits.
    pub fn of_list(digests: impl IntoIterator<Item = Self>) -> String {
        let mut hash = Sha256::new();
        for Self(digest) in digests {
            hash.update(digest);
        }
        let hex = hash.finalize().into_iter();
        hex.map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Hashes the kind and the length of a value before the value, so that two different values never
/// result in the same input.
fn digest_value(value: &Value, hash: &mut Sha256) {
    let mut text = |kind: u8, text: &str| {
        hash.update([kind]);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    match value {
        Value::Null => text(b'n', ""),
        Value::Bool(flag) => text(b'b', if *flag { "1" } else { "0" }),
        Value::Number(number) => text(b'd', &number.to_string()),
        Value::String(words) => text(b's', words),
        Value::Array(items) => {
            hash.update([b'a']);
            hash.update((items.len() as u64).to_le_bytes());
            items.iter().for_each(|item| digest_value(item, hash));
        }
        Value::Object(fields) => digest_object(fields, hash),
    }
}

fn digest_object(fields: &Map<String, Value>, hash: &mut Sha256) {
    let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
    fields.sort_by_key(|(key, _)| *key);
    hash.update([b'o']);
    hash.update((fields.len() as u64).to_le_bytes());
    for (key, value) in fields {
        hash.update((key.len() as u64).to_le_bytes());
        hash.update(key.as_bytes());
        digest_value(value, hash);
    }
}

/// Two tools are equal if their servers' JSON is equal.
impl PartialEq for ToolSpec {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.raw() == other.raw()
    }
}

impl Eq for ToolSpec {}

impl ToolSpec {
    /// Whether the server runs calls of the tool only as tasks (2025-11-25).
    pub fn requires_task(&self) -> bool {
        let execution = self.raw().get("execution");
        execution.is_some_and(|execution| execution["taskSupport"] == "required")
    }

    /// Parses one entry of a server's list.
    ///
    /// # Errors
    /// If the entry is not an object, has no name, has an invalid name or schema, or is too large.
    pub fn from_raw(raw: Value) -> Result<Self, ToolProblem> {
        check_size(raw.to_string().len())?;
        let Value::Object(raw) = raw else {
            return Err(ToolProblem::NoObject(JsonKind::of(&raw)));
        };
        let name = match raw.get("name") {
            Some(Value::String(name)) => {
                ToolName::parse(name).map_err(|error| ToolProblem::BadName(error.0))?
            }
            Some(other) => return Err(ToolProblem::OddName(JsonKind::of(other))),
            None => return Err(ToolProblem::NoName),
        };
        match raw.get("inputSchema") {
            Some(Value::Object(_)) => {}
            Some(other) => return Err(ToolProblem::OddSchema(JsonKind::of(other))),
            None => return Err(ToolProblem::NoSchema),
        }
        if let Some(other) = raw
            .get("description")
            .filter(|d| !d.is_string() && !d.is_null())
        {
            return Err(ToolProblem::OddDescription(JsonKind::of(other)));
        }
        Ok(Self(Arc::new(Spec {
            name,
            text: None,
            raw: OnceLock::from(raw),
            digest: OnceLock::new(),
            hints: OnceLock::new(),
        })))
    }

    /// Parses one entry of a cached list. Makes the same checks as [`from_raw`](Self::from_raw),
    /// but does not parse the whole entry.
    ///
    /// # Errors
    /// The errors of [`ToolSpec::from_raw`].
    pub fn from_text(text: &RawValue) -> Result<Self, ToolProblem> {
        check_size(text.get().len())?;
        let begins = |value: Option<&RawValue>, with: &[char]| {
            value.is_some_and(|value| value.get().starts_with(with))
        };
        if let Ok(head) = serde_json::from_str::<ToolEntryFields<'_>>(text.get())
            && begins(head.input_schema, &['{'])
            && (head.description.is_none() || begins(head.description, &['"', 'n']))
            && let Ok(name) = ToolName::parse(&head.name)
        {
            return Ok(Self(Arc::new(Spec {
                name,
                text: Some(text.to_owned()),
                raw: OnceLock::new(),
                digest: OnceLock::new(),
                hints: OnceLock::new(),
            })));
        }
        // The entry is invalid, and parsing it completely returns the error.
        let raw = serde_json::from_str(text.get())
            .map_err(|error| ToolProblem::Unread(error.to_string()))?;
        Self::from_raw(raw)
    }

    /// Returns the tool's name.
    pub fn name(&self) -> &ToolName {
        &self.0.name
    }

    /// Returns the whole description. Empty if there is none.
    pub fn description(&self) -> &str {
        self.raw()
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns the description. If the tool was not parsed yet, only its description and
    /// annotations are parsed. Used for long lists without schemas.
    pub fn description_alone(&self) -> Cow<'_, str> {
        match self.words_alone() {
            Some(words) => {
                self.0.hints.get_or_init(|| words.hints());
                Cow::Owned(words.description.unwrap_or_default())
            }
            None => Cow::Borrowed(self.description()),
        }
    }

    /// Parses only the description and the annotations of a tool that was not parsed yet. `None`
    /// for a parsed tool.
    fn words_alone(&self) -> Option<WordsAlone> {
        let text = self.0.text.as_deref()?;
        match self.0.raw.get() {
            Some(_) => None,
            None => serde_json::from_str(text.get()).ok(),
        }
    }

    /// Returns the title for people, from `title` or `annotations.title`.
    pub fn title(&self) -> Option<&str> {
        self.raw()
            .get("title")
            .or_else(|| self.raw().get("annotations")?.get("title"))
            .and_then(Value::as_str)
            .filter(|title| !title.is_empty())
    }

    /// Returns the schema of the arguments, as the server sent it.
    pub fn input_schema(&self) -> &Value {
        self.raw().get("inputSchema").unwrap_or(&Value::Null)
    }

    /// Returns the schema of `structuredContent`, if the server gave one.
    pub fn output_schema(&self) -> Option<&Value> {
        self.raw()
            .get("outputSchema")
            .filter(|schema| schema.is_object())
    }

    /// Returns the URI of the resource that shows the tool's results (MCP Apps), also from the
    /// older, flat field.
    pub fn app_uri(&self) -> Option<&str> {
        let meta = self.raw().get("_meta")?;
        let nested = meta.get("ui").and_then(|ui| ui.get("resourceUri"));
        nested.or_else(|| meta.get("ui/resourceUri"))?.as_str()
    }

    /// Whether apps of the tool's server may call the tool (MCP Apps, `visibility`).
    pub fn is_open_to_apps(&self) -> bool {
        self.visibility()
            .is_none_or(|callers| callers.iter().any(|caller| caller == "app"))
    }

    /// Whether only apps may call the tool. Without a valid `visibility`, models may call it too.
    pub fn is_for_apps_only(&self) -> bool {
        self.visibility()
            .is_some_and(|callers| callers.iter().all(|caller| caller != "model"))
    }

    /// Returns the callers that the tool's server allows: `model` and `app`.
    fn visibility(&self) -> Option<&Vec<Value>> {
        let ui = self.raw().get("_meta")?.get("ui")?;
        ui.get("visibility")?.as_array()
    }

    /// Returns the hints in the server's annotations. If the tool was not parsed yet, only its
    /// description and annotations are parsed.
    pub fn hints(&self) -> ToolHints {
        *self.0.hints.get_or_init(|| match self.words_alone() {
            Some(words) => words.hints(),
            None => ToolHints::of(self.raw().get("annotations")),
        })
    }

    /// Returns a digest for comparisons, which is computed once. If the tool was not parsed before,
    /// its parsed JSON is dropped after that.
    pub fn digest(&self) -> ToolDigest {
        *self.0.digest.get_or_init(|| match self.0.raw.get() {
            Some(raw) => ToolDigest::of(raw),
            None => ToolDigest::of(&self.read()),
        })
    }

    /// Returns the server's whole JSON, in its order.
    pub fn raw(&self) -> &Map<String, Value> {
        self.0.raw.get_or_init(|| self.read())
    }

    fn read(&self) -> Map<String, Value> {
        let text = self.0.text.as_deref().map(RawValue::get);
        let read = text.and_then(|text| serde_json::from_str(text).ok());
        // If the text is nested too deep to be parsed, only the name of the tool is known.
        read.unwrap_or_else(|| {
            let name = Value::from(self.name().as_str());
            let schema = Value::Object(Map::new());
            Map::from_iter([("name".into(), name), ("inputSchema".into(), schema)])
        })
    }
}

/// The parts of an entry that lists show. The rest is not parsed.
#[derive(Deserialize)]
struct WordsAlone {
    description: Option<String>,
    annotations: Option<Value>,
}

impl WordsAlone {
    fn hints(&self) -> ToolHints {
        ToolHints::of(self.annotations.as_ref())
    }
}

/// The fields of an entry that are checked. The rest is not parsed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolEntryFields<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    input_schema: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
}

fn check_size(size: usize) -> Result<(), ToolProblem> {
    if size > TOOL_BYTES_MAX {
        return Err(ToolProblem::TooLarge(size, TOOL_BYTES_MAX));
    }
    Ok(())
}

/// An entry of a list that was left out, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListProblem {
    /// The entry's position in the list, from 0.
    pub index: usize,
    /// The entry's name, truncated to 80 characters. `None` if it has none.
    pub name: Option<String>,
    /// The reason.
    pub reason: String,
}

impl ListProblem {
    /// Creates the problem of an entry that was left out.
    pub fn new(index: usize, name: Option<String>, why: &impl ToString) -> Self {
        Self {
            index,
            name,
            reason: why.to_string(),
        }
    }
}

/// Splits a list into tools and problems, so that one invalid entry does not make the others
/// unusable.
///
/// The second entry with the same name is a problem. Entries past [`TOOLS_MAX`], or larger than
/// [`TOOL_BYTES_MAX`], are problems too.
pub fn salvage(raw: Vec<Value>) -> (Vec<ToolSpec>, Vec<ListProblem>) {
    sort_out(raw, |entry| {
        let name = name_in(&entry);
        ToolSpec::from_raw(entry).map_err(|wrong| (name, wrong))
    })
}

/// Like [`salvage`], for a cached list. Of each entry, only the required fields are parsed.
pub fn salvage_texts(texts: Vec<&RawValue>) -> (Vec<ToolSpec>, Vec<ListProblem>) {
    sort_out(texts, |text| {
        ToolSpec::from_text(text).map_err(|wrong| {
            let read = serde_json::from_str(text.get()).ok();
            (read.as_ref().and_then(name_in), wrong)
        })
    })
}

/// Returns an entry's name for a problem.
fn name_in(entry: &Value) -> Option<String> {
    entry.get("name").and_then(Value::as_str).map(shortened)
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}

/// Parses each entry. For an invalid entry, records the reason and the entry's name, if it has one.
fn sort_out<E>(
    entries: Vec<E>,
    read: impl Fn(E) -> Result<ToolSpec, (Option<String>, ToolProblem)>,
) -> (Vec<ToolSpec>, Vec<ListProblem>) {
    let total = entries.len();
    let mut tools: Vec<ToolSpec> = Vec::with_capacity(total.min(TOOLS_MAX));
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    let mut left_out = 0;
    for (index, entry) in entries.into_iter().enumerate() {
        let refused = match read(entry) {
            Ok(tool) if tools.len() >= TOOLS_MAX => {
                let name = Some(shortened(tool.name().as_str()));
                let wrong = ToolProblem::PastLast(total, TOOLS_MAX);
                problems.push(ListProblem::new(index, name, &wrong));
                break;
            }
            Ok(tool) if seen.insert(tool.name().clone()) => {
                tools.push(tool);
                continue;
            }
            Ok(tool) => (Some(shortened(tool.name().as_str())), ToolProblem::Twice),
            Err(refused) => refused,
        };
        if problems.len() < PROBLEMS_MAX {
            let (name, wrong) = refused;
            problems.push(ListProblem::new(index, name, &wrong));
        } else {
            left_out += 1;
        }
    }
    if let (Some(last), 1..) = (problems.last_mut(), left_out) {
        let wrong = ToolProblem::AndMore(last.reason.clone(), left_out);
        *last = ListProblem::new(last.index, last.name.take(), &wrong);
    }
    (tools, problems)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_malformed_tool_does_not_hide_the_rest() {
        let (tools, problems) = salvage(vec![
            json!({"name": "good", "inputSchema": {"type": "object"}, "x-vendor": 1}),
            json!({"name": "no schema"}),
            json!("text"),
            json!({"name": "good", "inputSchema": {}}),
            json!({"name": "x".repeat(10_240), "inputSchema": {}}),
            json!({"name": "last", "inputSchema": {}}),
        ]);
        let names: Vec<_> = tools.iter().map(|tool| tool.name().as_str()).collect();
        assert_eq!(names, ["good", "last"]);
        assert_eq!(tools[0].raw()["x-vendor"], 1, "vendor fields are kept");
        let places: Vec<_> = problems.iter().map(|problem| problem.index).collect();
        assert_eq!(places, [1, 2, 3, 4]);
        assert!(
            problems[3]
                .name
                .as_ref()
                .is_some_and(|name| name.len() == 80)
        );
    }

    #[test]
    fn a_list_of_nothing_but_problems_is_told_in_part() {
        let mut raw = vec![Value::Null; PROBLEMS_MAX + 500];
        raw.push(json!({"name": "good", "inputSchema": {}}));
        let (tools, problems) = salvage(raw);
        assert_eq!(tools.len(), 1, "what is good is found behind them");
        assert_eq!(problems.len(), PROBLEMS_MAX);
        let last = problems.last().map(|problem| problem.reason.as_str());
        assert!(last.is_some_and(|reason| reason.ends_with("; further unusable entries: 500")));
    }

    #[test]
    fn a_cached_list_is_read_as_a_server_s_is() {
        let entries = [
            r#"{"name":"good","inputSchema":{"z":1,"a":2},"x-vendor":1}"#,
            r#"{"name":"described","description":"d","inputSchema":{}}"#,
            r#"{"name":"null described","description":null,"inputSchema":{}}"#,
            r#"{"name":"no schema"}"#,
            r#"{"name":"bad schema","inputSchema":7}"#,
            r#"{"name":"bad words","description":7,"inputSchema":{}}"#,
            r#"{"name":"es\u0063aped","inputSchema":{}}"#,
            r#"{"name":7,"inputSchema":{}}"#,
            r#"{"name":"good","inputSchema":{}}"#,
            r#""text""#,
        ];
        let values = entries.map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        let texts = entries.map(|text| serde_json::from_str::<&RawValue>(text).expect("JSON"));
        let (tools, problems) = salvage(values.to_vec());
        assert_eq!((tools.len(), problems.len()), (4, 6));
        let (cached, _) = salvage_texts(texts.to_vec());
        for (tool, cached) in tools.iter().zip(&cached) {
            // The description is the same before and after the rest of the tool was parsed.
            assert_eq!(cached.description_alone(), tool.description());
            assert_eq!(cached.description(), tool.description());
            assert_eq!(cached.description_alone(), tool.description_alone());
        }
        assert_eq!(salvage_texts(texts.to_vec()), (tools, problems));
    }

    #[test]
    fn a_digest_heeds_all_that_is_said_and_no_order() {
        let digest = |text: &str| {
            let read = ToolSpec::from_text(serde_json::from_str(text).expect("JSON"));
            let live = ToolSpec::from_raw(serde_json::from_str(text).expect("JSON"));
            let (read, live) = (read.expect("a tool"), live.expect("a tool"));
            assert_eq!(read.digest(), live.digest());
            live.digest()
        };
        let one = digest(r#"{"name":"t","inputSchema":{"a":[1,2],"b":{}},"_meta":{"x":1}}"#);
        let same = digest(r#"{"_meta":{"x":1},"inputSchema":{"b":{},"a":[1,2]},"name":"t"}"#);
        assert_eq!(one, same);
        for other in [
            r#"{"name":"t","inputSchema":{"a":[2,1],"b":{}},"_meta":{"x":1}}"#,
            r#"{"name":"t","inputSchema":{"a":[1,2],"b":[]},"_meta":{"x":1}}"#,
            r#"{"name":"t","inputSchema":{"a":[1,2],"b":{}},"_meta":{"x":"1"}}"#,
            r#"{"name":"t","inputSchema":{"a":[1,2],"b":{}},"_meta":{"x":1},"title":""}"#,
        ] {
            assert_ne!(one, digest(other), "{other}");
        }
    }

    #[test]
    fn the_order_of_fields_is_kept() {
        let text = r#"{"name":"t","inputSchema":{"properties":{"z":{},"a":{},"m":{}}}}"#;
        let tool = ToolSpec::from_raw(serde_json::from_str(text).expect("JSON")).expect("a tool");
        assert_eq!(serde_json::to_string(tool.raw()).expect("JSON"), text);
    }
}
