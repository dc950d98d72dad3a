//! Suites: files with checks of several members, as created from recorded calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::error::{Code, Report};
use crate::id::{MemberName, ToolName};
use crate::manifest::{Example, Expect};
use crate::messages::SuiteError;

/// Maximum size of a suite, in bytes.
pub const SUITE_BYTES_MAX: usize = 16 << 20;
/// Maximum number of checks in a suite.
const CHECKS_MAX: usize = 1_000;
/// Maximum length of a check's name, in characters.
const NAME_MAX: usize = 120;
/// Maximum length of the name of an asked value, in characters.
const VALUE_NAME_MAX: usize = 1_000;
/// The version of the format.
const VERSION: u64 = 1;

/// A suite of checks, which run in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The version of the format: 1.
    suite: u64,
    /// The checks, in the order in which they run.
    pub checks: Vec<SuiteCheck>,
}

/// A call of a member's tool, with the expected result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCheck {
    /// The member that is called.
    pub member: MemberName,
    /// The check's name, unique in the member.
    pub name: String,
    /// The tool that is called.
    pub tool: ToolName,
    /// The arguments: an object.
    pub arguments: Box<RawValue>,
    /// The arguments whose values a run has to ask for, as JSON Pointers, each with the name of its
    /// value. Checks with the same name get the same value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ask: BTreeMap<String, String>,
    /// The expectation, as in a manifest.
    #[serde(default, deserialize_with = "expect")]
    pub expect: Expect,
    /// The time limit of the call, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

/// Reads an expectation. A manifest reports an unknown field as a warning, but a suite has no
/// warnings, and a check that compares less than it seems to would pass.
fn expect<'de, D: Deserializer<'de>>(reader: D) -> Result<Expect, D::Error> {
    const FIELDS: [&str; 5] = [
        "is_error",
        "schema",
        "structured",
        "text_contains",
        "text_equals",
    ];
    let fields = Map::deserialize(reader)?;
    match fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        Some(name) => Err(D::Error::custom(format!("expect has no field {name:?}"))),
        None => Expect::deserialize(Value::Object(fields)).map_err(D::Error::custom),
    }
}

impl Suite {
    /// Creates a suite of these checks.
    pub fn new(checks: Vec<SuiteCheck>) -> Self {
        Self {
            suite: VERSION,
            checks,
        }
    }

    /// Parses and checks a suite.
    ///
    /// # Errors
    /// `suite-refused`.
    pub fn parse(bytes: &[u8]) -> Result<Self, Report> {
        Self::read(bytes).map_err(|error| Report::from_error(Code::SuiteRefused, &error))
    }

    fn read(bytes: &[u8]) -> Result<Self, SuiteError> {
        #[derive(Deserialize)]
        struct Head {
            suite: u64,
        }
        if bytes.len() > SUITE_BYTES_MAX {
            return Err(SuiteError::TooLarge(SUITE_BYTES_MAX >> 20));
        }
        // Another version may have other fields, so its number is read first.
        if let Ok(Head { suite }) = serde_json::from_slice(bytes)
            && suite != VERSION
        {
            return Err(SuiteError::Version(suite));
        }
        let suite: Self = serde_json::from_slice(bytes).map_err(|error| {
            let what = error.to_string();
            let end = what.rfind(" at line ").unwrap_or(what.len());
            SuiteError::NotJson(error.line(), error.column(), what[..end].to_owned())
        })?;
        match suite.checks.len() {
            0 => return Err(SuiteError::NoChecks),
            count if count > CHECKS_MAX => return Err(SuiteError::TooMany(CHECKS_MAX)),
            _ => {}
        }
        let mut names = HashMap::new();
        for (number, check) in (1..).zip(&suite.checks) {
            check
                .verify()
                .map_err(|wrong| SuiteError::Check(number, wrong))?;
            if let Some(other) = names.insert((&check.member, &check.name), number) {
                return Err(SuiteError::Twice(number, other));
            }
        }
        Ok(suite)
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// `suite-refused` if the suite is too large.
    pub fn text(&self) -> Result<String, Report> {
        let text = serde_json::to_string_pretty(self)
            .ok()
            .filter(|text| text.len() < SUITE_BYTES_MAX);
        let text = text.ok_or(SuiteError::TooLarge(SUITE_BYTES_MAX >> 20));
        text.map(|text| text + "\n")
            .map_err(|error| Report::from_error(Code::SuiteRefused, &error))
    }

    /// Returns the names of the values that a run has to ask for, each with the arguments that get
    /// the value: `MEMBER/TOOL POINTER`.
    pub fn asks(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for check in &self.checks {
            for (place, name) in &check.ask {
                let argument = format!("{}/{} {place}", check.member, check.tool);
                names.entry(name.clone()).or_default().insert(argument);
            }
        }
        names
    }

    /// Returns the checks as examples with the given values.
    ///
    /// # Errors
    /// `suite-refused` if a value is missing, or if the suite doesn't ask for it.
    pub fn examples(
        &self,
        values: &BTreeMap<String, Value>,
    ) -> Result<Vec<(MemberName, Example)>, Report> {
        let asks = self.asks();
        let listed = |names: Vec<&String>| {
            let names: Vec<_> = names.into_iter().map(|name| format!("{name:?}")).collect();
            names.join(", ")
        };
        let missing: Vec<_> = asks
            .keys()
            .filter(|name| !values.contains_key(*name))
            .collect();
        let unknown = values.keys().find(|name| !asks.contains_key(*name));
        let error = match (missing.as_slice(), unknown) {
            ([], None) => None,
            ([], Some(name)) => Some(SuiteError::UnknownValue(
                format!("{name:?}"),
                listed(asks.keys().collect()),
            )),
            _ => Some(SuiteError::NoValues(listed(missing))),
        };
        match error {
            Some(error) => Err(Report::from_error(Code::SuiteRefused, &error)),
            None => Ok(self
                .checks
                .iter()
                .map(|check| check.filled(values))
                .collect()),
        }
    }
}

impl SuiteCheck {
    /// Returns what is wrong with the check.
    fn verify(&self) -> Result<(), String> {
        let arguments: Value = serde_json::from_str(self.arguments.get())
            .map_err(|error| format!("the arguments are not JSON: {error}"))?;
        if !arguments.is_object() {
            return Err("the arguments are not an object".to_owned());
        }
        let length = self.name.chars().count();
        if length > NAME_MAX || self.name.trim().is_empty() || self.name.contains(char::is_control)
        {
            return Err(format!(
                "its name must have 1 to {NAME_MAX} characters and no control character"
            ));
        }
        let long = |name: &&String| name.is_empty() || name.chars().count() > VALUE_NAME_MAX;
        if self.ask.values().any(|name| long(&name)) {
            return Err(format!(
                "the name of an asked value must have 1 to {VALUE_NAME_MAX} characters"
            ));
        }
        match self.ask.keys().find(|at| arguments.pointer(at).is_none()) {
            Some(at) => Err(format!("its arguments have no value at {at:?}")),
            None => Ok(()),
        }
    }

    /// Returns the check as an example, with its arguments unchanged.
    pub fn example(&self) -> Example {
        Example {
            name: self.name.clone(),
            tool: self.tool.clone(),
            arguments: self.arguments.get().to_owned(),
            expect: self.expect.clone(),
            timeout_ms: self.timeout_ms,
        }
    }

    fn filled(&self, values: &BTreeMap<String, Value>) -> (MemberName, Example) {
        let mut example = self.example();
        if !self.ask.is_empty() {
            let mut parsed: Value = serde_json::from_str(&example.arguments).unwrap_or_default();
            for (place, name) in &self.ask {
                if let (Some(target), Some(value)) = (parsed.pointer_mut(place), values.get(name)) {
                    *target = value.clone();
                }
            }
            example.arguments = parsed.to_string();
        }
        (self.member.clone(), example)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn suite(checks: &Value) -> Result<Suite, Report> {
        Suite::parse(json!({"suite": 1, "checks": checks}).to_string().as_bytes())
    }

    #[track_caller]
    fn refused(suite: Result<Suite, Report>, words: &str) {
        let report = suite.expect_err("refused");
        assert_eq!(report.code, Code::SuiteRefused);
        assert!(report.message.contains(words), "{report}");
    }

    #[test]
    fn suite_is_the_same_after_writing_and_reading() {
        let check = json!({"member": "forge", "name": "heat", "tool": "heat", "arguments":
            {"big": 1}, "ask": {"/big": "key"}, "expect": {"structured": null, "is_error": true}});
        let text = json!({"suite": 1, "checks": [check]}).to_string();
        // A number that no float can hold.
        let text = text.replace("\"big\":1", "\"big\":12345678901234567890123");
        let first = Suite::parse(text.as_bytes())
            .expect("a suite")
            .text()
            .expect("a text");
        assert!(first.contains("12345678901234567890123"), "{first}");
        assert!(first.contains("\"structured\": null"), "{first}");
        let second = Suite::parse(first.as_bytes()).expect("a suite").text();
        assert_eq!(second.expect("a text"), first);
    }

    #[test]
    fn asked_value_replaces_the_masked_one() {
        let check = |name: &str, value: &str| {
            json!({"member": "forge", "name": name, "tool": "heat",
            "arguments": {"a/b": ["•••", 1]}, "ask": {"/a~1b/0": value}})
        };
        let checks = json!([check("1", "key"), check("2", "key"), check("3", "pin")]);
        let read = || suite(&checks).expect("a suite");
        let argument = || BTreeSet::from(["forge/heat /a~1b/0".to_owned()]);
        let asks = ["key", "pin"].map(|name| (name.to_owned(), argument()));
        assert_eq!(read().asks(), BTreeMap::from(asks));
        let mut values = BTreeMap::from([("key".to_owned(), json!("hot"))]);
        let missing = read().examples(&values).expect_err("refused");
        assert!(missing.message.contains("\"pin\""), "{missing}");
        values.insert("pin".to_owned(), json!(7));
        let examples = read().examples(&values).expect("examples");
        let arguments: Vec<_> = examples
            .iter()
            .map(|(_, example)| &example.arguments)
            .collect();
        let hot = r#"{"a/b":["hot",1]}"#;
        assert_eq!(arguments, [hot, hot, r#"{"a/b":[7,1]}"#]);
        values.insert("token".to_owned(), json!(""));
        let unknown = read().examples(&values).expect_err("refused");
        assert!(unknown.message.contains("\"token\""), "{unknown}");
    }

    #[test]
    fn invalid_suite_names_the_place() {
        let check = |change: (&str, Value)| {
            let mut check =
                json!({"member": "forge", "name": "a", "tool": "heat", "arguments": {}});
            check[change.0] = change.1;
            check
        };
        refused(Suite::parse(b"{\"suite\": 1,\n \"checks\": 1}"), "line 2");
        refused(Suite::parse(b"{\"suite\": 2, \"tests\": []}"), "version 2");
        refused(suite(&json!([])), "no checks");
        let valid = check(("name", "b".into()));
        refused(
            suite(&json!([valid, check(("arguments", 1.into()))])),
            "Check 2",
        );
        refused(suite(&json!([check(("name", " ".into()))])), "1 to 120");
        let ask = |place: &str, name: &str| suite(&json!([check(("ask", json!({place: name})))]));
        refused(ask("/x", "key"), "\"/x\"");
        refused(ask("", ""), "1 to 1000 characters");
        refused(suite(&json!([check(("expects", json!({})))])), "expects");
        refused(suite(&json!([valid, valid])), "Check 2");
        let many: Vec<_> = (0..=CHECKS_MAX)
            .map(|n| check(("name", n.to_string().into())))
            .collect();
        refused(suite(&many.into()), "1,000");
        refused(Suite::parse(&vec![b' '; SUITE_BYTES_MAX + 1]), "16 MiB");
    }

    #[test]
    fn unknown_expectation_is_refused() {
        let check = json!({"member": "forge", "name": "a", "tool": "heat", "arguments": {},
            "expect": {"text_contain": "x"}});
        refused(suite(&json!([check])), "text_contain");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_a_suite_or_an_error(bytes: Vec<u8>) {
            if let Err(report) = Suite::parse(&bytes) {
                proptest::prop_assert_eq!(report.code, Code::SuiteRefused);
            }
        }
    }
}
