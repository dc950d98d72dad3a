//! Skills (SEP-2640): directories of files that members serve as resources.
//!
//! At an endpoint with several members, the URIs of a skill and its files contain the name of the
//! member as first segment, so that skills of several members never replace each other, and
//! relative references in a skill lead to the same member.
//!
//! If changes of a member are withheld until a review, this module checks that each file of a skill
//! has the reviewed digest. The frontmatter in `SKILL.md` is not parsed: the client does that.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_api::wire::OfferList;
use guild_gateway::GatewayError;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::{offer_list, offer_name, offer_spec};
use guild_roster::{ReviewMarks, RosterEntry};
use guild_supervisor::member::MemberCommand;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::backend::{AgentBackend, refusal};
use super::forwarding::{ForwardingTarget, written};
use super::listing::{is_listing, not_listed};
use crate::messages::WithheldError;

/// The beginning of the segment with the member's name.
const MARK: &str = "member=";
/// The scheme that the extension recommends for skills.
const SCHEME: &str = "skill:";
/// The minimum time between two lists of a member that are requested because its skills differ.
const RELIST_PAUSE: Duration = Duration::from_secs(2);
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

/// Returns the skills among a member's offers. Empty if no skill is withheld.
pub(super) fn listed_if_held(entry: &RosterEntry, offers: &[ToolSpec]) -> Vec<ToolSpec> {
    let is_skill = |name: &ToolName| offer_list(name) == Some(OfferList::Skills);
    if !entry.held.keys().any(is_skill) {
        return vec![];
    }
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

/// Whether a URI of a skill or its file is written in the only way that this module compares. A
/// server may treat other ways, such as `/./` or `%61`, as equal.
pub(super) fn is_normal(uri: &str) -> bool {
    let has_scheme = uri
        .get(..SCHEME.len())
        .is_some_and(|it| it.eq_ignore_ascii_case(SCHEME));
    if !has_scheme {
        return true;
    }
    let is_dots = |segment: &str| matches!(segment, "." | "..");
    let is_unreserved = |code: &str| {
        u8::from_str_radix(code, 16)
            .is_ok_and(|it| it.is_ascii_alphanumeric() || b"-._~".contains(&it))
    };
    let mut escapes = uri
        .split('%')
        .skip(1)
        .map(|after| after.get(..2).unwrap_or_default());
    uri.starts_with(SCHEME)
        && !uri.contains(['\\', '?', '#'])
        && !uri.split('/').any(is_dots)
        && !escapes.any(is_unreserved)
}

/// The ruling of a review about a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SkillFile<'e> {
    /// The resource belongs to no skill.
    Other,
    /// The innermost skill around the file is withheld.
    Held(&'e ToolSpec),
    /// A file with one of these digests.
    Digests(Vec<String>),
    /// A file of a skill whose server generates the files. Only the skill's entry was reviewed.
    Generated,
    /// No reviewed skill contains the file.
    Unlisted,
}

/// Returns the ruling about a resource of a member whose changes are withheld. `offers` are the
/// member's offers, and `held` those that are withheld. An accepted skill allows the files in its
/// list. The innermost skill decides about other files, since accepting a skill does not accept the
/// skills inside of it.
pub(super) fn reviewed_file<'e>(
    held: &ReviewMarks,
    offers: &'e [ToolSpec],
    uri: &str,
) -> SkillFile<'e> {
    let skills = of_file(offers, uri);
    let is_held = |skill: &ToolSpec| held.contains_key(skill.name());
    let accepted = skills.iter().filter(|skill| !is_held(skill));
    let digests: Vec<String> = accepted.filter_map(|skill| digest_of(skill, uri)).collect();
    match skills.first() {
        _ if !digests.is_empty() => SkillFile::Digests(digests),
        Some(skill) if is_held(skill) => SkillFile::Held(skill),
        Some(skill) if skill.raw().get("resources").is_some_and(Value::is_array) => {
            SkillFile::Unlisted
        }
        Some(_) => SkillFile::Generated,
        // The server may have stopped to list the skill.
        None if uri.starts_with(SCHEME) && !is_accepted_resource(held, offers, uri) => {
            SkillFile::Unlisted
        }
        None => SkillFile::Other,
    }
}

fn digest_of(skill: &ToolSpec, uri: &str) -> Option<String> {
    let files = skill.raw().get("resources")?.as_array()?;
    let file = files.iter().find(|file| file["uri"] == uri)?;
    Some(file["digest"].as_str()?.to_owned())
}

fn is_accepted_resource(held: &ReviewMarks, offers: &[ToolSpec], uri: &str) -> bool {
    let name = offer_name(OfferList::Resources, uri);
    let listed = offers.iter().map(ToolSpec::name);
    let mut listed = listed.filter(|it| Some(*it) == name.as_ref());
    listed.any(|name| !held.contains_key(name))
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
        // The lists may have changed since the request was checked.
        let Some(offers) = entry.offers.as_deref() else {
            return Err(refusal(&not_listed(member)));
        };
        if method == "skills/get" {
            let read: Value = serde_json::from_str(answer.get()).unwrap_or_default();
            let spec = offer_spec(OfferList::Skills, &read["skill"]);
            let name = offer_name(OfferList::Skills, uri);
            let mut accepted = offers.iter();
            let accepted = accepted.find(|known| {
                Some(known.name()) == name.as_ref() && !entry.held.contains_key(known.name())
            });
            return match (accepted, spec) {
                (Some(known), Some(spec)) if known.digest() == spec.digest() => Ok(answer),
                _ => refused(Code::ToolHeld, WithheldError::SkillChanged(uri.to_owned())),
            };
        }
        let digests = match reviewed_file(&entry.held, offers, uri) {
            SkillFile::Other | SkillFile::Generated => return Ok(answer),
            SkillFile::Held(_) => {
                let why = WithheldError::SkillChanged(uri.to_owned());
                return refused(Code::ToolHeld, why);
            }
            SkillFile::Unlisted => {
                let why = WithheldError::FileUnlisted(uri.to_owned());
                return refused(Code::SkillMismatch, why);
            }
            SkillFile::Digests(digests) => digests,
        };
        let checked =
            tokio::task::spawn_blocking(move || has_digest(&answer, &digests).then_some(answer));
        match checked.await {
            Ok(Some(answer)) => Ok(answer),
            _ => {
                let why = WithheldError::FileDiffers(uri.to_owned());
                refused(Code::SkillMismatch, why)
            }
        }
    }

    /// Makes the member list everything again, because its skills differ from the known ones. The
    /// protocol has no notification about changed skills. Does nothing while the member is listing.
    /// Two lists begin at least [`RELIST_PAUSE`] apart.
    pub(super) fn list_again(&self, member: &MemberName) {
        let snapshot = self.agents.roster.snapshot();
        let entry = snapshot.members.get(member);
        if entry.is_none_or(is_listing) {
            return;
        }
        let Ok(handle) = self.agents.members.member(member) else {
            return;
        };
        let now = Instant::now();
        let mut relisted = self.agents.relisted.lock();
        relisted.retain(|_, last| *last + RELIST_PAUSE > now);
        let begin = match relisted.get(member) {
            // It is already waiting for its turn.
            Some(&last) if last > now => return,
            Some(&last) => last + RELIST_PAUSE,
            None => now,
        };
        relisted.insert(member.clone(), begin);
        drop(relisted);
        tokio::spawn(async move {
            tokio::time::sleep_until(begin.into()).await;
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
    use guild_api::wire::ToolMark;
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
    fn innermost_skill_decides_about_unlisted_files() {
        let skill = |uri: &str, files: Value| {
            let entry = json!({"uri": uri, "resources": files});
            offer_spec(OfferList::Skills, &entry).expect("a skill")
        };
        let file = |uri: &str, digest: &str| json!({"uri": uri, "digest": digest});
        let resource = json!({"uri": "skill://plain.md", "name": "plain"});
        let offers = [
            skill(
                "skill://a/SKILL.md",
                json!([file("skill://a/x.md", "1"), file("skill://a/in/y.md", "2")]),
            ),
            skill(
                "skill://a/in/SKILL.md",
                json!([file("skill://a/in/z.md", "3")]),
            ),
            skill("skill://daily/SKILL.md", json!("dynamic")),
            skill(
                "skill://daily/new/SKILL.md",
                json!([file("skill://daily/new/SKILL.md", "4")]),
            ),
            offer_spec(OfferList::Resources, &resource).expect("a resource"),
        ];
        let new = offers[3].name().clone();
        let held = ReviewMarks::from([(new, ToolMark::New)]);
        let digests = |digest: &str| SkillFile::Digests(vec![digest.to_owned()]);
        for (uri, expected) in [
            ("skill://a/x.md", digests("1")),
            ("skill://a/in/y.md", digests("2")),
            ("skill://a/in/z.md", digests("3")),
            ("skill://a/in/other.md", SkillFile::Unlisted),
            ("skill://a/other.md", SkillFile::Unlisted),
            ("skill://daily/today.md", SkillFile::Generated),
            ("skill://daily/new/SKILL.md", SkillFile::Held(&offers[3])),
            ("skill://gone/SKILL.md", SkillFile::Unlisted),
            ("skill://a", SkillFile::Unlisted),
            ("skill://plain.md", SkillFile::Other),
            ("file:///a/x.md", SkillFile::Other),
        ] {
            assert_eq!(reviewed_file(&held, &offers, uri), expected, "{uri}");
        }
    }

    #[test]
    fn uri_in_another_form_is_not_normal() {
        for normal in ["skill://a/b%20c/SKILL.md", "file:///a/../b", "SKILLS:x"] {
            assert!(is_normal(normal), "{normal}");
        }
        for other in [
            "SKILL://a/SKILL.md",
            "skill://a/./SKILL.md",
            "skill://a/../b/SKILL.md",
            "skill://a/%53KILL.md",
            "skill://a/SKILL.md?x",
            "skill://a/SKILL.md#x",
            "skill://a\\SKILL.md",
        ] {
            assert!(!is_normal(other), "{other}");
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
