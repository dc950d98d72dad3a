//! Skills (SEP-2640): directories of files that members serve as resources.
//!
//! At an endpoint with several members, the URIs of a skill and its files contain the name of the
//! member as first segment, so that skills of several members never replace each other, and
//! relative references in a skill lead to the same member.
//!
//! If changes of a member are withheld until a review, this module checks that each file of a skill
//! has the reviewed digest. The frontmatter in `SKILL.md` is not parsed: the client does that.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_api::wire::OfferList;
use guild_gateway::GatewayError;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::{offer_list, offer_name, offer_spec};
use guild_roster::RosterEntry;
use guild_supervisor::member::MemberCommand;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::backend::{AgentBackend, refusal};
use super::forwarding::{ForwardingTarget, written};
use super::listing::is_listing;
use crate::messages::WithheldError;

/// The beginning of the segment with the member's name.
const MARK: &str = "member=";
/// The file at the root of each skill.
const ENTRY: &str = "SKILL.md";

/// Returns a URI with the name of its member as first segment.
pub(super) fn distinct(uri: &str, member: &MemberName) -> String {
    let (scheme, path) = uri.split_at(path_start(uri));
    format!("{scheme}{MARK}{member}/{path}")
}

/// Splits a URI that [`distinct`] returned into the original URI and the member. Returns `None` for
/// other URIs.
pub(super) fn own(uri: &str) -> Option<(String, MemberName)> {
    let (scheme, path) = uri.split_at(path_start(uri));
    let (member, path) = path.strip_prefix(MARK)?.split_once('/')?;
    Some((format!("{scheme}{path}"), MemberName::parse(member).ok()?))
}

fn path_start(uri: &str) -> usize {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return 0;
    };
    let slashes = if rest.starts_with("//") { 2 } else { 0 };
    scheme.len() + 1 + slashes
}

/// Makes the URIs in a skill's entry distinct.
pub(super) fn rename(skill: &mut Value, member: &MemberName) {
    let rename = |entry: &mut Value| {
        if let Some(Value::String(uri)) = entry.get_mut("uri") {
            *uri = distinct(uri, member);
        }
    };
    rename(skill);
    if let Some(Value::Array(files)) = skill.get_mut("resources") {
        files.iter_mut().for_each(rename);
    }
}

/// Returns the URI of a skill from its spec. `None` for specs of other offers.
fn uri_of(spec: &ToolSpec) -> Option<&str> {
    if offer_list(spec.name()) != Some(OfferList::Skills) {
        return None;
    }
    spec.raw().get(OfferList::Skills.key())?.as_str()
}

/// Whether a file is in the directory of a skill. `skill` is the URI of the skill's `SKILL.md`.
fn contains(skill: &str, uri: &str) -> bool {
    let root = skill.strip_suffix(ENTRY);
    root.is_some_and(|root| root.ends_with('/') && uri.starts_with(root))
}

/// Returns the skills among a member's offers.
pub(super) fn listed(offers: &[ToolSpec]) -> Vec<ToolSpec> {
    let skills = offers.iter().filter(|spec| uri_of(spec).is_some());
    skills.cloned().collect()
}

/// Returns the skills whose directory contains a file, the innermost first. Skills can be nested.
pub(super) fn of_file<'o>(offers: &'o [ToolSpec], uri: &str) -> Vec<&'o ToolSpec> {
    let skills = offers.iter().filter_map(|spec| Some((uri_of(spec)?, spec)));
    let mut skills: Vec<_> = skills.filter(|(skill, _)| contains(skill, uri)).collect();
    skills.sort_by_key(|(skill, _)| std::cmp::Reverse(skill.len()));
    skills.into_iter().map(|(_, spec)| spec).collect()
}

/// Returns the review names of the skills whose directory contains a file. `named` contains the
/// names that have a policy, even if the member does not list these skills.
pub(super) fn names_of_file<'n>(
    offers: &[ToolSpec],
    named: impl Iterator<Item = &'n str>,
    uri: &str,
) -> Vec<ToolName> {
    let listed = of_file(offers, uri).into_iter().map(ToolSpec::name);
    let mut names: Vec<ToolName> = listed.cloned().collect();
    for name in named {
        let skill = name.strip_prefix(OfferList::Skills.prefix());
        if let Some(skill) = skill.filter(|skill| contains(skill, uri))
            && let Some(name) = offer_name(OfferList::Skills, skill)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// Returns the skill that withholds a file: all skills that contain the file are withheld, and this
/// is the innermost one.
pub(super) fn withholds<'e>(
    entry: &RosterEntry,
    offers: &'e [ToolSpec],
    uri: &str,
) -> Option<&'e ToolSpec> {
    let skills = of_file(offers, uri);
    let all = skills
        .iter()
        .all(|skill| entry.held.contains_key(skill.name()));
    skills.into_iter().next().filter(|_| all)
}

/// The reviewed content of a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReviewedContent {
    /// The resource belongs to no skill, or its skill has no digests.
    Any,
    /// A file with one of these digests.
    Digests(Vec<String>),
    /// A file that the skill's reviewed list does not contain.
    Unlisted,
}

/// Returns the reviewed content of a resource of a member whose changes are withheld.
pub(super) fn reviewed_content(entry: &RosterEntry, uri: &str) -> ReviewedContent {
    let offers = entry.offers.as_deref().map_or(&[][..], Vec::as_slice);
    let mut skills = of_file(offers, uri);
    skills.retain(|skill| !entry.held.contains_key(skill.name()));
    if skills.is_empty() {
        return ReviewedContent::Any;
    }
    let mut digests = Vec::new();
    let mut is_dynamic = false;
    for skill in skills {
        let files = skill.raw().get("resources");
        match files.and_then(Value::as_array) {
            Some(files) => {
                let file = files.iter().find(|file| file["uri"] == uri);
                digests.extend(file.and_then(|file| Some(file["digest"].as_str()?.to_owned())));
            }
            None => is_dynamic = true,
        }
    }
    match (digests.is_empty(), is_dynamic) {
        (false, _) => ReviewedContent::Digests(digests),
        (true, true) => ReviewedContent::Any,
        (true, false) => ReviewedContent::Unlisted,
    }
}

/// Whether the result of reading a resource is one file with one of the digests. CPU-bound.
fn has_digest(result: &RawValue, digests: &[String]) -> bool {
    let Ok(result) = serde_json::from_str::<Value>(result.get()) else {
        return false;
    };
    let Some([content]) = result["contents"].as_array().map(Vec::as_slice) else {
        return false;
    };
    let bytes = match (content["text"].as_str(), content["blob"].as_str()) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(blob)) => match STANDARD.decode(blob) {
            Ok(bytes) => bytes,
            Err(_) => return false,
        },
        _ => return false,
    };
    let digest = Sha256::digest(&bytes);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digests
        .iter()
        .any(|known| known.strip_prefix("sha256:") == Some(&digest))
}

/// Returns the error for the URI of an unknown skill.
pub(super) fn unknown(uri: &str) -> GatewayError {
    GatewayError {
        code: GatewayError::INVALID_PARAMS,
        message: format!("No running member has the skill {uri:?}."),
        data: Some(serde_json::json!({ "uri": uri }).to_string()),
    }
}

impl AgentBackend {
    /// Returns the owner of a URI that has no member's name: the only member with a skill at this
    /// URI or, if `is_file`, with a skill that contains this file.
    pub(super) fn owner_of_skill(
        &self,
        uri: &str,
        is_file: bool,
        members: &[MemberName],
    ) -> Option<ForwardingTarget> {
        let snapshot = self.agents.roster.snapshot();
        let has = |member: &&MemberName| {
            let offers = snapshot.members.get(*member);
            let offers = offers.and_then(|entry| entry.offers.as_deref());
            let skills = of_file(offers.map_or(&[][..], Vec::as_slice), uri);
            skills
                .iter()
                .any(|skill| is_file || uri_of(skill) == Some(uri))
        };
        let mut owners = members.iter().filter(has);
        let owner = owners.next().filter(|_| owners.next().is_none())?;
        Some(ForwardingTarget::new(owner.clone(), uri.to_owned()))
    }

    /// Checks an answer to `resources/read` or `skills/get` against the reviewed skills, if changes
    /// of the member are withheld until a review.
    ///
    /// # Errors
    /// `skill-mismatch`: the answer is not what was reviewed. `tool-held`: the skill changed.
    pub(super) async fn check_skill(
        &self,
        member: &MemberName,
        method: &str,
        uri: &str,
        answer: Box<RawValue>,
    ) -> Result<Box<RawValue>, GatewayError> {
        let snapshot = self.agents.roster.snapshot();
        let entry = snapshot.members.get(member);
        let Some(entry) = entry.filter(|entry| entry.view.trust.holds) else {
            return Ok(answer);
        };
        let refused = |code, why: WithheldError| {
            self.list_again(member);
            Err(refusal(&Report::from_error(code, &why).of(member)))
        };
        if method == "skills/get" {
            let read: Value = serde_json::from_str(answer.get()).unwrap_or_default();
            let spec = offer_spec(OfferList::Skills, &read["skill"]);
            let name = offer_name(OfferList::Skills, uri);
            let mut known = entry.offers.iter().flat_map(|offers| offers.iter());
            let known = known.find(|known| Some(known.name()) == name.as_ref());
            return match (known, spec) {
                (Some(known), Some(spec)) if known.digest() == spec.digest() => Ok(answer),
                _ => refused(Code::ToolHeld, WithheldError::SkillChanged(uri.to_owned())),
            };
        }
        match reviewed_content(entry, uri) {
            ReviewedContent::Any => Ok(answer),
            ReviewedContent::Unlisted => refused(
                Code::SkillMismatch,
                WithheldError::FileUnlisted(uri.to_owned()),
            ),
            ReviewedContent::Digests(digests) => {
                let checked = tokio::task::spawn_blocking(move || {
                    has_digest(&answer, &digests).then_some(answer)
                });
                match checked.await {
                    Ok(Some(answer)) => Ok(answer),
                    _ => refused(
                        Code::SkillMismatch,
                        WithheldError::FileDiffers(uri.to_owned()),
                    ),
                }
            }
        }
    }

    /// Makes the member list everything again, because its skills differ from the known ones. The
    /// protocol has no notification about changed skills. Does nothing while the member is listing.
    pub(super) fn list_again(&self, member: &MemberName) {
        let snapshot = self.agents.roster.snapshot();
        let entry = snapshot.members.get(member);
        if entry.is_none_or(is_listing) {
            return;
        }
        let Ok(handle) = self.agents.members.member(member) else {
            return;
        };
        tokio::spawn(async move {
            let listed = handle.ask(|reply| MemberCommand::Refresh { reply }).await;
            if let Err(report) = listed {
                tracing::debug!("{report}");
            }
        });
    }
}

/// Makes the URIs in the result of `skills/get` or `resources/read` distinct. The contents of files
/// stay unchanged.
pub(super) fn renamed(
    answer: &RawValue,
    member: &MemberName,
) -> Result<Box<RawValue>, GatewayError> {
    let Ok(mut read) = serde_json::from_str::<Value>(answer.get()) else {
        return Ok(answer.to_owned());
    };
    if let Some(skill) = read.get_mut("skill") {
        rename(skill, member);
    }
    if let Some(Value::Array(contents)) = read.get_mut("contents") {
        contents.iter_mut().for_each(|it| rename(it, member));
    }
    written(&read)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    #[test]
    fn distinct_uri_keeps_relative_references() {
        let member = MemberName::parse("forge.2").expect("a name");
        for (uri, expected) in [
            (
                "skill://refunds/SKILL.md",
                "skill://member=forge.2/refunds/SKILL.md",
            ),
            ("skill:///x/a%20b", "skill://member=forge.2//x/a%20b"),
            ("custom:x/SKILL.md", "custom:member=forge.2/x/SKILL.md"),
            ("no-scheme", "member=forge.2/no-scheme"),
        ] {
            let address = distinct(uri, &member);
            assert_eq!(address, expected);
            assert_eq!(own(&address), Some((uri.to_owned(), member.clone())));
        }
        for other in [
            "skill://refunds/SKILL.md",
            "skill://member=a",
            "skill://member=/x",
        ] {
            assert_eq!(own(other), None);
        }
    }

    #[test]
    fn mangled_skill_addresses_round_trip() {
        let member = MemberName::parse("forge").expect("a name");
        guild_tests::mangled::each("resource-addresses", |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let address = distinct(&text, &member);
            assert_eq!(own(&address), Some((text.into_owned(), member.clone())));
        });
    }

    #[test]
    fn renamed_skill_keeps_unknown_fields() {
        let member = MemberName::parse("forge").expect("a name");
        let file = |uri: &str| json!({"uri": uri, "digest": "sha256:0", "size": 1, "x": null});
        let entry = |root: &str| {
            let uri = format!("{root}/a/SKILL.md");
            json!({
                "uri": uri,
                "frontmatter": {"name": "a", "uri": "skill://a", "x": {"z": 1, "b": 1.0}},
                "resources": [file(&uri), file(&format!("{root}/a/b.md"))],
                "_meta": {"y": []},
            })
        };
        let mut skill = entry("skill:/");
        rename(&mut skill, &member);
        assert_eq!(skill, entry("skill://member=forge"));
        let mut dynamic = json!({"uri": "x:a", "resources": "dynamic"});
        rename(&mut dynamic, &member);
        assert_eq!(dynamic["resources"], "dynamic");
    }

    #[test]
    fn content_has_the_reviewed_digest() {
        let digest = "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
        let digests = [format!("sha256:{}", "0".repeat(64)), digest.to_owned()];
        let check = |contents: Value| {
            let result = to_raw_value(&json!({"contents": contents})).expect("JSON");
            has_digest(&result, &digests)
        };
        assert!(check(json!([{"uri": "x", "text": "foo"}])));
        assert!(check(json!([{"uri": "x", "blob": "Zm9v"}])));
        for other in [
            json!([{"text": "foo "}]),
            json!([{"blob": "no base64"}]),
            json!([{"text": "foo", "blob": "Zm9v"}]),
            json!([{"text": "foo"}, {"text": "more"}]),
            json!([]),
        ] {
            assert!(!check(other.clone()), "{other}");
        }
    }

    #[test]
    fn file_belongs_to_the_skills_around_it() {
        let skill = |uri: &str| {
            let entry = json!({"uri": uri, "resources": "dynamic"});
            offer_spec(OfferList::Skills, &entry).expect("a skill")
        };
        let offers = [skill("skill://a/SKILL.md"), skill("skill://a/b/SKILL.md")];
        let found = |uri: &str| {
            let named = [
                "skill:skill://c/SKILL.md",
                "skill:skill://a/SKILL.md",
                "prompt:x",
            ];
            let names = names_of_file(&offers, named.into_iter(), uri);
            names
                .iter()
                .map(|name| name.as_str().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let [outer, inner] = ["skill:skill://a/SKILL.md", "skill:skill://a/b/SKILL.md"];
        assert_eq!(found("skill://a/x.md"), outer);
        assert_eq!(found("skill://a/b/SKILL.md"), format!("{inner} {outer}"));
        assert_eq!(found("skill://c/y"), "skill:skill://c/SKILL.md");
        assert_eq!(found("skill://ab/SKILL.md"), "");
    }
}
