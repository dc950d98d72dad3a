//! Reads a server's resources, templates, prompts and skills.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{ListName, OfferEntryProblem};
use guild_api::wire::{
    CompletedThing, Completions, OfferList, OfferProblem, PromptArgument, PromptView,
    ResourceTemplateView, ResourceView, SkillFile, SkillView,
};
use guild_model::tool::PROBLEMS_MAX;
use guild_text::messages::JsonKind;
use rmcp::model::{
    ArgumentInfo, ClientRequest, CompleteRequest, CompleteRequestParams, CompletionContext,
    Reference, Skill, SkillResources,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout, timeout_at};

use super::request::raw;
use super::{CallOptions, Session};
use crate::error::McpError;
use crate::pending_requests::PendingRequest;
use crate::text;

/// Limit of the entries in one list.
const OFFERS_MAX: usize = 10_000;
/// Limit of an identifier (a URI, a template or a name), in bytes.
const KEY_MAX: usize = 8 << 10;
/// Limit of a name or title for display, in bytes.
const NAME_MAX: usize = 1 << 10;
/// Limit of a description for display, in bytes.
const DESCRIPTION_MAX: usize = 16 << 10;
/// Limit of the arguments of one prompt, and of the variables of one template.
const ARGUMENTS_MAX: usize = 200;
/// Limits of one skill, which the specification requires clients to support: its files, and their
/// bytes.
const SKILL_FILES_MAX: usize = 512;
const SKILL_BYTES_MAX: u64 = 16 << 20;
/// Limit of the values in one completion.
const COMPLETIONS_MAX: usize = 100;
/// Limit of one value of a completion, in bytes.
const COMPLETION_MAX: usize = 4 << 10;

/// A server's resources, templates, prompts and skills.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Offers {
    /// The resources in the server's order.
    pub resources: Vec<ResourceView>,
    /// The templates in the server's order.
    pub templates: Vec<ResourceTemplateView>,
    /// The prompts in the server's order.
    pub prompts: Vec<PromptView>,
    /// The skills in the server's order.
    pub skills: Vec<SkillView>,
    /// The entries that were left out, with the reasons.
    pub problems: Vec<OfferProblem>,
}

impl Session {
    /// Reads the lists of resources, templates, prompts and skills, each within the time limit. A
    /// list whose capability the server did not declare is skipped. If a list can't be read, that is
    /// added to the problems.
    ///
    /// # Errors
    /// When the connection has ended.
    pub async fn offers(&self, limit: Duration) -> Result<Offers, McpError> {
        let mut offers = Offers::default();
        let problems = &mut offers.problems;
        if self.declares("resources") {
            let list = OfferList::Resources;
            let raw = self.offered(list, limit, problems).await?;
            offers.resources = taken(list, raw, problems, resource);
            let list = OfferList::Templates;
            let raw = self.offered(list, limit, problems).await?;
            offers.templates = taken(list, raw, problems, template);
        }
        if self.declares("prompts") {
            let list = OfferList::Prompts;
            let raw = self.offered(list, limit, problems).await?;
            offers.prompts = taken(list, raw, problems, prompt);
        }
        if self.has_skills() {
            let list = OfferList::Skills;
            let raw = self.offered(list, limit, problems).await?;
            let mut uris = HashSet::new();
            offers.skills = taken(list, raw, problems, |entry| {
                let skill = skill_view(entry)?;
                match uris.insert(skill.uri.clone()) {
                    true => Ok(skill),
                    false => Err(OfferEntryProblem::SkillTwice),
                }
            });
        }
        Ok(offers)
    }

    /// Reads the lists as raw JSON within one time limit, so that they can be compared with the
    /// lists that a person has approved. A list of skills that can't be read is empty.
    ///
    /// # Errors
    /// When another list can't be read.
    pub async fn offer_entries(
        &self,
        limit: Duration,
    ) -> Result<Vec<(OfferList, Value)>, McpError> {
        let deadline = Instant::now() + limit;
        let mut entries = Vec::new();
        for list in OfferList::ALL {
            let kind = ListName::from(list);
            if self.declares(kind.capability()) {
                let late = McpError::ListTimeout { list: kind, limit };
                let reading = self.read_list(kind, OFFERS_MAX);
                let pages = match timeout_at(deadline, reading).await.unwrap_or(Err(late)) {
                    Err(error) if list == OfferList::Skills => {
                        tracing::debug!(%error, "the skills can't be compared");
                        continue;
                    }
                    pages => pages?,
                };
                let of_list = pages.entries.into_iter().take(OFFERS_MAX);
                let of_list = of_list.filter(|entry| is_usable(list, entry));
                entries.extend(of_list.map(|entry| (list, entry)));
            }
        }
        Ok(entries)
    }

    /// Reads a resource and returns the server's result unchanged.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn read_resource(
        &self,
        uri: &str,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let params = raw(&json!({"uri": uri}))?;
        self.ask_text("resources/read", Some(&params), options)
            .await
    }

    /// Gets a prompt with arguments and returns the server's result unchanged.
    ///
    /// # Errors
    /// When the server returns no valid result.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: BTreeMap<String, String>,
        options: CallOptions,
    ) -> Result<Box<RawValue>, McpError> {
        let mut params = Map::new();
        params.insert("name".into(), name.into());
        if !arguments.is_empty() {
            params.insert("arguments".into(), json!(arguments));
        }
        let params = raw(&params)?;
        self.ask_text("prompts/get", Some(&params), options).await
    }

    /// Returns completions of an argument. The result is empty if the server has none, fails or is
    /// slow.
    pub async fn complete(
        &self,
        of: CompletedThing,
        argument: String,
        value: String,
        known: BTreeMap<String, String>,
        limit: Duration,
    ) -> Completions {
        if !self.declares("completions") {
            return Completions::default();
        }
        let reference = match of {
            CompletedThing::Prompt { name } => Reference::for_prompt(name),
            CompletedThing::Template { uri_template } => Reference::for_resource(uri_template),
        };
        let argument = ArgumentInfo::new(argument, value);
        let mut params = CompleteRequestParams::new(reference, argument);
        if !known.is_empty() {
            let known: HashMap<_, _> = known.into_iter().collect();
            params = params.with_context(CompletionContext::with_arguments(known));
        }
        let request = ClientRequest::CompleteRequest(CompleteRequest::new(params));
        let asked = self.request(request, Arc::new(PendingRequest::default()));
        match timeout(limit, asked).await {
            Ok(Ok(result)) => completions(&result.value),
            _ => Completions::default(),
        }
    }

    async fn offered(
        &self,
        list: OfferList,
        limit: Duration,
        problems: &mut Vec<OfferProblem>,
    ) -> Result<Vec<Value>, McpError> {
        match self.read_list_within(limit, list.into(), OFFERS_MAX).await {
            Ok(pages) => Ok(pages.entries),
            Err(error @ (McpError::Closed { .. } | McpError::Connect { .. })) => Err(error),
            Err(error) => {
                let why = error.report().message;
                problems.push(OfferProblem::new(list, None, None, &why));
                Ok(vec![])
            }
        }
    }
}

/// Converts the entries of a list. An entry that can't be used is added to `problems`.
fn taken<T>(
    list: OfferList,
    raw: Vec<Value>,
    problems: &mut Vec<OfferProblem>,
    mut read: impl FnMut(&Map<String, Value>) -> Result<T, OfferEntryProblem>,
) -> Vec<T> {
    let total = raw.len();
    let mut kept = Vec::with_capacity(total.min(OFFERS_MAX));
    for (index, entry) in raw.into_iter().enumerate() {
        let mut report = |index, name: Option<&str>, wrong: OfferEntryProblem| {
            if problems.len() < PROBLEMS_MAX {
                let name = name.map(|name| text::cut_chars(name, 80));
                problems.push(OfferProblem::new(list, index, name, &wrong));
            }
        };
        if index == OFFERS_MAX {
            report(None, None, OfferEntryProblem::PastLast(total, OFFERS_MAX));
            break;
        }
        let Value::Object(entry) = entry else {
            let wrong = OfferEntryProblem::NoObject(JsonKind::of(&entry));
            report(Some(index), None, wrong);
            continue;
        };
        match read(&entry) {
            Ok(offer) => kept.push(offer),
            Err(wrong) => {
                let name = ["name", "uri", "uriTemplate"];
                let name = name.iter().find_map(|field| entry.get(*field)?.as_str());
                report(Some(index), name, wrong);
            }
        }
    }
    kept
}

/// Returns an identifier from a field. An identifier is never truncated, because that would change
/// its meaning.
fn key(entry: &Map<String, Value>, field: &'static str) -> Result<String, OfferEntryProblem> {
    match entry.get(field) {
        Some(Value::String(text)) if text.is_empty() => Err(OfferEntryProblem::Empty(field)),
        Some(Value::String(text)) if text.len() > KEY_MAX => {
            Err(OfferEntryProblem::TooLong(field, KEY_MAX))
        }
        Some(Value::String(text)) => Ok(text.clone()),
        Some(other) => Err(OfferEntryProblem::NoText(field, JsonKind::of(other))),
        None => Err(OfferEntryProblem::Missing(field)),
    }
}

/// Returns a string for display from a field, cut to `max` bytes. A value of another type counts as
/// missing.
fn shown(entry: &Map<String, Value>, field: &str, max: usize) -> Option<String> {
    let text = entry.get(field)?.as_str()?;
    (!text.is_empty()).then(|| text::cut_bytes(text, max))
}

fn resource(entry: &Map<String, Value>) -> Result<ResourceView, OfferEntryProblem> {
    let uri = key(entry, "uri")?;
    Ok(ResourceView {
        name: shown(entry, "name", NAME_MAX).unwrap_or_else(|| text::cut_bytes(&uri, NAME_MAX)),
        title: shown(entry, "title", NAME_MAX),
        description: shown(entry, "description", DESCRIPTION_MAX),
        mime_type: shown(entry, "mimeType", NAME_MAX),
        size: entry.get("size").and_then(Value::as_u64),
        uri,
    })
}

fn template(entry: &Map<String, Value>) -> Result<ResourceTemplateView, OfferEntryProblem> {
    let uri_template = key(entry, "uriTemplate")?;
    Ok(ResourceTemplateView {
        variables: variables(&uri_template),
        name: shown(entry, "name", NAME_MAX)
            .unwrap_or_else(|| text::cut_bytes(&uri_template, NAME_MAX)),
        title: shown(entry, "title", NAME_MAX),
        description: shown(entry, "description", DESCRIPTION_MAX),
        mime_type: shown(entry, "mimeType", NAME_MAX),
        uri_template,
    })
}

fn prompt(entry: &Map<String, Value>) -> Result<PromptView, OfferEntryProblem> {
    let arguments = match entry.get("arguments") {
        None | Some(Value::Null) => vec![],
        Some(Value::Array(arguments)) => arguments
            .iter()
            .take(ARGUMENTS_MAX)
            .map(|argument| match argument {
                Value::Object(argument) => prompt_argument(argument),
                other => Err(OfferEntryProblem::ArgumentNoObject(JsonKind::of(other))),
            })
            .collect::<Result<_, _>>()
            .map_err(|wrong: OfferEntryProblem| OfferEntryProblem::Argument(wrong.to_string()))?,
        Some(other) => return Err(OfferEntryProblem::NoArguments(JsonKind::of(other))),
    };
    Ok(PromptView {
        name: key(entry, "name")?,
        title: shown(entry, "title", NAME_MAX),
        description: shown(entry, "description", DESCRIPTION_MAX),
        arguments,
    })
}

fn prompt_argument(argument: &Map<String, Value>) -> Result<PromptArgument, OfferEntryProblem> {
    Ok(PromptArgument {
        name: key(argument, "name")?,
        title: shown(argument, "title", NAME_MAX),
        description: shown(argument, "description", DESCRIPTION_MAX),
        required: argument.get("required") == Some(&Value::Bool(true)),
    })
}

/// Whether agents may get an entry of a list. An invalid skill is left out, because clients must not
/// load it. The other lists are passed on unchanged.
pub fn is_usable(list: OfferList, entry: &Value) -> bool {
    list != OfferList::Skills || entry.as_object().is_some_and(|it| skill_view(it).is_ok())
}

/// Reads an entry of a list of skills.
///
/// # Errors
/// When the entry breaks a rule of the specification (SEP-2640), or the skill is too large.
fn skill_view(entry: &Map<String, Value>) -> Result<SkillView, OfferEntryProblem> {
    let no_skill = |error: &dyn std::fmt::Display| {
        OfferEntryProblem::NoSkill(text::cut_chars(&error.to_string(), 300))
    };
    let uri = key(entry, "uri")?;
    let skill: Skill =
        serde_json::from_value(Value::Object(entry.clone())).map_err(|error| no_skill(&error))?;
    skill.validate().map_err(|error| no_skill(&error))?;
    let files = match skill.resources {
        SkillResources::Files(files) => files,
        _ => vec![],
    };
    if files.len() > SKILL_FILES_MAX {
        return Err(OfferEntryProblem::ManyFiles(files.len(), SKILL_FILES_MAX));
    }
    let size = files
        .iter()
        .fold(0u64, |sum, file| sum.saturating_add(file.size));
    if size > SKILL_BYTES_MAX {
        return Err(OfferEntryProblem::LargeFiles(size, SKILL_BYTES_MAX));
    }
    let files = files.into_iter().map(|file| SkillFile {
        uri: file.uri,
        size: file.size,
        digest: file.digest,
    });
    let files: Vec<_> = files.collect();
    Ok(SkillView {
        uri,
        name: text::cut_bytes(&skill.frontmatter.name, NAME_MAX),
        description: Some(text::cut_bytes(
            &skill.frontmatter.description,
            DESCRIPTION_MAX,
        )),
        // A valid list of files has at least `SKILL.md`.
        files: (!files.is_empty()).then_some(files),
    })
}

/// Returns the names of the variables in a URI template (RFC 6570), without duplicates.
fn variables(template: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in template.split('{').skip(1) {
        let Some((expression, _)) = part.split_once('}') else {
            continue;
        };
        let list = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        for variable in list.split(',') {
            let name = variable.split([':', '*']).next().unwrap_or_default().trim();
            let new = !name.is_empty() && !names.iter().any(|known| known == name);
            if new && names.len() < ARGUMENTS_MAX {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn completions(result: &Value) -> Completions {
    let completion = &result["completion"];
    let values: Vec<String> = completion["values"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .filter(|value| value.len() <= COMPLETION_MAX)
        .map(str::to_owned)
        .collect();
    let more = completion["hasMore"] == true || values.len() > COMPLETIONS_MAX;
    Completions {
        has_more: more,
        values: values.into_iter().take(COMPLETIONS_MAX).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_template_are_found_once_each() {
        let found = |template: &str| variables(template).join(" ");
        assert_eq!(found("file:///{path}"), "path");
        assert_eq!(found("x://{+a,b:3}/{?c*,a}{&d}"), "a b c d");
        assert_eq!(found("x://{}/{ /no end"), "");
        assert_eq!(found("x://plain"), "");
    }

    #[test]
    fn entries_that_can_not_be_used_are_told_and_the_rest_is_kept() {
        let mut problems = Vec::new();
        let raw = vec![
            json!({"uri": "a://1", "name": 7, "description": ["odd"], "size": -1}),
            json!({"name": "no address"}),
            json!("text"),
            json!({"uri": "x".repeat(KEY_MAX + 1)}),
            json!({"uri": "a://2", "name": "two", "size": 12, "mimeType": "text/plain"}),
        ];
        let kept = taken(OfferList::Resources, raw, &mut problems, resource);
        let uris: Vec<_> = kept.iter().map(|offer| offer.uri.as_str()).collect();
        assert_eq!(uris, ["a://1", "a://2"]);
        assert_eq!((kept[0].name.as_str(), kept[0].size), ("a://1", None));
        assert_eq!((kept[1].name.as_str(), kept[1].size), ("two", Some(12)));
        let places: Vec<_> = problems.iter().map(|problem| problem.index).collect();
        assert_eq!(places, [Some(1), Some(2), Some(3)]);
        assert_eq!(problems[0].name.as_deref(), Some("no address"));
        assert_eq!(problems[0].reason, "it has no uri");
    }

    #[test]
    fn malformed_prompt_has_a_reason() {
        for (raw, expected) in [
            (json!({"name": 7}), "its name is a number, not a string"),
            (json!({"name": ""}), "its name is empty"),
            (
                json!({"name": "p", "arguments": {}}),
                "its arguments are an object, not a list",
            ),
            (
                json!({"name": "p", "arguments": ["text"]}),
                "one of its arguments can't be used: it is a string, not an object",
            ),
            (
                json!({"name": "p", "arguments": [{}]}),
                "one of its arguments can't be used: it has no name",
            ),
        ] {
            let mut problems = Vec::new();
            let kept = taken(OfferList::Prompts, vec![raw], &mut problems, prompt);
            assert_eq!((kept.len(), problems.len()), (0, 1));
            assert_eq!(problems[0].reason, expected);
        }
    }

    #[test]
    fn skill_is_valid_or_has_a_reason() {
        const URI: &str = "skill://acme/refunds/SKILL.md";
        let file = |path: &str, size: u64| {
            let uri = format!("skill://acme/refunds/{path}");
            json!({"uri": uri, "digest": format!("sha256:{}", "a".repeat(64)), "size": size})
        };
        let skill = |resources: Value| {
            let frontmatter = json!({"name": "refunds", "description": "Pays back.", "x": [1]});
            let entry = json!({"uri": URI, "frontmatter": frontmatter, "resources": resources});
            skill_view(entry.as_object().expect("an object"))
        };
        let dynamic = skill(json!("dynamic")).expect("valid");
        assert_eq!((dynamic.name.as_str(), dynamic.files), ("refunds", None));
        let files = skill(json!([file("SKILL.md", 3), file("a/b.md", 4)]))
            .expect("valid")
            .files;
        let sizes: Vec<_> = files.iter().flatten().map(|file| file.size).collect();
        assert_eq!(sizes, [3, 4]);
        let many: Vec<_> = (0..512).map(|n| file(&n.to_string(), 1)).collect();
        for (resources, expected) in [
            (json!("other"), "found \"other\""),
            (Value::Null, "is not a valid skill"),
            (json!([]), "does not list its own SKILL.md"),
            (
                json!([file("SKILL.md", 3), file("../other.md", 4)]),
                "within the directory",
            ),
            (
                json!([file("SKILL.md", 1), file("large", 16 << 20)]),
                "16,777,217 bytes",
            ),
            (
                json!([&[file("SKILL.md", 3)][..], &many].concat()),
                "it has 513 files",
            ),
        ] {
            let why = skill(resources).expect_err(expected).to_string();
            assert!(why.contains(expected), "{why}");
        }
    }

    #[test]
    fn a_list_past_the_limit_is_cut_and_that_is_told() {
        let mut problems = Vec::new();
        let raw = (0..=OFFERS_MAX).map(|n| json!({"name": format!("p{n}")}));
        let kept = taken(OfferList::Prompts, raw.collect(), &mut problems, prompt);
        assert_eq!(kept.len(), OFFERS_MAX);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].reason.contains("10,001"), "{problems:?}");
    }

    #[test]
    fn completions_are_bounded_and_misshapen_ones_are_none() {
        let values: Vec<_> = (0..150).map(|n| n.to_string()).collect();
        let many = completions(&json!({"completion": {"values": values}}));
        assert_eq!((many.values.len(), many.has_more), (100, true));
        for odd in [
            json!({}),
            json!({"completion": 7}),
            json!({"completion": {"values": {}}}),
        ] {
            assert_eq!(completions(&odd), Completions::default());
        }
        let mixed =
            completions(&json!({"completion": {"values": ["a", 7, "b"], "hasMore": false}}));
        assert_eq!(
            (mixed.values.join(""), mixed.has_more),
            ("ab".into(), false)
        );
    }
}
