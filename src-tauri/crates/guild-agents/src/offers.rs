//! Withholds prompts, resources, templates and skills from agents: entries that a review has not
//! accepted, entries that a policy denies, and entries that a profile excludes. If the policy is
//! `ask`, a person decides about each read.
//!
//! Each list is compared entry by entry in the form in which the server sends it, so that an agent
//! never gets an entry that differs from the compared one. A resource that is in no list and
//! matches no template can't be compared. Such a resource, for example one that a result links to,
//! is not withheld.

use std::collections::{BTreeMap, HashMap};

use crate::messages::WithheldError;
use guild_api::wire::{OfferList, ToolMark};
use guild_gateway::{GatewayError, GatewayRequestContext, ResponseChannels};
use guild_mcp_client::is_usable;
use guild_model::endpoint::Endpoint;
use guild_model::manifest::Policy;
use guild_model::policy::PolicyDecision;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::{offer_name, offer_spec, template_of};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::approvals::ApprovalRequest;
use super::backend::{AgentBackend, refusal};
use super::listing::not_listed;
use super::policies::{InProfile, MemberPolicies, asks};
use super::settings::GatewayConfig;
use super::skills::{self, SkillFile};
use super::templates::{self, UriTemplate};
use super::tool_calls::refused;
use super::traffic::name_of;
use super::withheld;
use guild_roster::RosterEntry;

/// The prompt or the resource that a request concerns.
#[derive(Debug, PartialEq, Eq)]
enum ResourceOrPrompt {
    Prompt(String),
    Resource(String),
    Template(String),
    Skill(String),
}

impl ResourceOrPrompt {
    fn of(method: &str, params: Option<&RawValue>) -> Option<Self> {
        let params: Value = serde_json::from_str(params?.get()).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let reference = &params["ref"];
        match method {
            "prompts/get" => text(&params["name"]).map(Self::Prompt),
            "resources/read" => text(&params["uri"]).map(Self::Resource),
            "skills/get" => text(&params["uri"]).map(Self::Skill),
            "completion/complete" => match text(&reference["uri"]) {
                Some(template) => Some(Self::Template(template)),
                None => text(&reference["name"]).map(Self::Prompt),
            },
            _ => None,
        }
    }

    /// Returns the names under which this prompt or resource may have been reviewed or may have a
    /// policy, the closest match first. `set` contains the names that have a policy. A template in
    /// `set` is considered even if the member does not list it.
    fn names<'a>(&self, offers: &[ToolSpec], set: impl Iterator<Item = &'a str>) -> Vec<ToolName> {
        let (list, key) = match self {
            Self::Prompt(name) => (OfferList::Prompts, name),
            Self::Resource(uri) => (OfferList::Resources, uri),
            Self::Template(template) => (OfferList::Templates, template),
            Self::Skill(uri) => (OfferList::Skills, uri),
        };
        let own = offer_name(list, key);
        let Self::Resource(uri) = self else {
            return own.into_iter().collect();
        };
        let read =
            |text: &str| UriTemplate::parse(text).unwrap_or_else(|| UriTemplate::unread(text));
        let offered = offers.iter().filter_map(|offer| {
            let text = offer.raw().get(OfferList::Templates.key())?.as_str()?;
            Some((offer.name().clone(), read(text)))
        });
        let set = set.filter_map(|name| {
            let text = template_of(name)?;
            Some((offer_name(OfferList::Templates, text)?, read(text)))
        });
        let templates: BTreeMap<ToolName, UriTemplate> = set.chain(offered).collect();
        let templates = templates.iter().map(|(name, template)| (template, name));
        let templates = templates::of_address(uri, templates).into_iter().cloned();
        own.into_iter().chain(templates).collect()
    }
}

/// Returns the reason why a review withholds a prompt or resource, or `not_listed` if the member's
/// lists are unknown. `None` if it is not withheld.
fn held(entry: &RosterEntry, wanted: &ResourceOrPrompt) -> Option<Report> {
    let Some(offers) = entry.offers.as_deref() else {
        return Some(not_listed(&entry.view.name));
    };
    if let ResourceOrPrompt::Resource(uri) = wanted {
        match skills::reviewed_file(&entry.held, offers, uri) {
            SkillFile::Held(skill) => {
                let mark = entry.held.get(skill.name()).copied();
                return mark.map(|mark| withheld_skill(entry, skill.name(), mark));
            }
            SkillFile::Unlisted => {
                let why = WithheldError::FileUnlisted(uri.clone());
                return Some(Report::from_error(Code::SkillMismatch, &why).of(&entry.view.name));
            }
            SkillFile::Other | SkillFile::Digests(_) | SkillFile::Generated => {}
        }
    }
    let names = wanted.names(offers, std::iter::empty());
    let known = names
        .iter()
        .find(|name| offers.iter().any(|offer| offer.name() == *name));
    let mark = match (known, wanted) {
        (Some(name), _) => entry.held.get(name).copied(),
        (None, ResourceOrPrompt::Prompt(_) | ResourceOrPrompt::Skill(_)) => Some(ToolMark::New),
        (None, ResourceOrPrompt::Resource(_) | ResourceOrPrompt::Template(_)) => None,
    };
    if let (ResourceOrPrompt::Skill(_), Some(name)) = (wanted, names.first()) {
        return mark.map(|mark| withheld_skill(entry, name, mark));
    }
    let trouble = match mark? {
        ToolMark::New => WithheldError::New,
        ToolMark::Changed => WithheldError::Changed,
    };
    Some(Report::from_error(Code::ToolHeld, &trouble).of(&entry.view.name))
}

fn withheld_skill(entry: &RosterEntry, name: &ToolName, mark: ToolMark) -> Report {
    let uri = name.as_str().strip_prefix(OfferList::Skills.prefix());
    let uri = uri.unwrap_or_default();
    let trouble = match mark {
        ToolMark::New => WithheldError::SkillNew(uri.to_owned()),
        ToolMark::Changed => WithheldError::SkillChanged(uri.to_owned()),
    };
    Report::from_error(Code::ToolHeld, &trouble).of(&entry.view.name)
}

/// The decision about a prompt, a resource or a skill.
struct ResourceDecision {
    ruling: PolicyDecision,
    /// The name whose policy decided.
    name: ToolName,
}

/// The endpoint, the member and the method of a request.
#[derive(Clone, Copy)]
pub(super) struct OfferRequest<'a> {
    pub(super) context: &'a GatewayRequestContext,
    pub(super) member: &'a MemberName,
    pub(super) method: &'static str,
}

impl AgentBackend {
    /// Rejects a request for a withheld prompt or resource. If a person has to approve the request,
    /// returns the name to show.
    pub(super) async fn check_offer(
        &self,
        request: OfferRequest<'_>,
        params: Option<&RawValue>,
    ) -> Result<Option<ToolName>, GatewayError> {
        let OfferRequest {
            context,
            member,
            method,
        } = request;
        let Some(wanted) = ResourceOrPrompt::of(method, params) else {
            return Ok(None);
        };
        if let ResourceOrPrompt::Resource(uri) | ResourceOrPrompt::Skill(uri) = &wanted
            && !skills::is_normal(uri)
        {
            let why = format!("{uri:?} is not the URI of a skill's file in its normal form.");
            return Err(GatewayError::new(GatewayError::INVALID_PARAMS, why));
        }
        let verdict = self.resource_decision(context, member, &wanted).await?;
        // Completion does not reveal the content of a prompt, so it needs no approval.
        let gives = matches!(method, "prompts/get" | "resources/read");
        let asks = verdict.filter(|verdict| gives && asks(verdict.ruling.policy));
        Ok(asks.map(|verdict| verdict.name))
    }

    /// Rejects a subscription to a withheld resource. Notifications of changes reveal nothing of
    /// the content, so no approval is needed.
    pub(super) async fn check_watch(
        &self,
        context: &GatewayRequestContext,
        member: &MemberName,
        uri: &str,
    ) -> Result<(), GatewayError> {
        let wanted = ResourceOrPrompt::Resource(uri.to_owned());
        self.resource_decision(context, member, &wanted)
            .await
            .map(drop)
    }

    async fn resource_decision(
        &self,
        context: &GatewayRequestContext,
        member: &MemberName,
        wanted: &ResourceOrPrompt,
    ) -> Result<Option<ResourceDecision>, GatewayError> {
        let snapshot = self.agents.roster.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return Ok(None);
        };
        if entry.view.trust.holds {
            let confirmed = self.confirmed(member).await;
            confirmed.map_err(|report| refusal(&report.of(member)))?;
        }
        let snapshot = self.agents.roster.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return Ok(None);
        };
        let names = self.names(&context.endpoint, entry, wanted);
        let verdict = self.verdict(&context.endpoint, entry, &names);
        let verdict = verdict.map_err(|report| refusal(&report))?;
        let withheld = entry
            .view
            .trust
            .holds
            .then(|| held(entry, wanted))
            .flatten();
        match withheld {
            Some(report) => Err(refusal(&report)),
            None => Ok(verdict),
        }
    }

    /// Asks a person to approve a request for a prompt or a resource. Returns the parameters if the
    /// person has changed them.
    pub(super) async fn offer_consent(
        &self,
        request: OfferRequest<'_>,
        name: ToolName,
        params: Option<&RawValue>,
        back: &ResponseChannels,
    ) -> Result<Option<Box<RawValue>>, GatewayError> {
        let OfferRequest {
            context,
            member,
            method,
        } = request;
        let params = params.map_or("{}", RawValue::get);
        let mut params: Map<String, Value> = serde_json::from_str(params).map_err(not_an_object)?;
        // A prompt request has a field for arguments. A resource request has only a URI.
        let is_prompt = method == "prompts/get";
        let shown = match is_prompt {
            true => params
                .get("arguments")
                .cloned()
                .unwrap_or_else(|| json!({})),
            false => json!({ "uri": params.get("uri") }),
        };
        let asked = ApprovalRequest {
            client: name_of(context).to_owned(),
            member: member.clone(),
            tool: name.clone(),
            arguments: shown.to_string(),
        };
        let consent = self.ask_person(asked, back).await;
        let consent = consent.map_err(|failed| refused(member, failed))?;
        if consent.always {
            let allowing = self
                .agents
                .allow_offer_always(&context.endpoint, member, name);
            if let Err(report) = allowing.await {
                tracing::warn!("{report}");
            }
        }
        let Some(arguments) = consent.arguments else {
            return Ok(None);
        };
        let mut changed: Map<String, Value> =
            serde_json::from_str(&arguments).map_err(not_an_object)?;
        match is_prompt {
            true => params.insert("arguments".into(), changed.into()),
            false => changed
                .remove("uri")
                .and_then(|uri| params.insert("uri".into(), uri)),
        };
        to_raw_value(&params).map(Some).map_err(not_an_object)
    }

    /// Whether some prompts or resources of a member may have to be withheld.
    pub(super) fn filters_offers(&self, endpoint: &Endpoint, member: &MemberName) -> bool {
        let snapshot = self.agents.roster.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return false;
        };
        let manifest = entry.manifest.as_deref();
        entry.view.trust.holds
            || matches!(endpoint, Endpoint::Profile { .. })
            || manifest.is_some_and(|manifest| !manifest.tools.is_empty())
            || self.agents.settings().policies.contains_key(member)
    }

    /// Returns the entries of a member's list that agents may see.
    pub(super) fn permitted_offers(
        &self,
        endpoint: &Endpoint,
        member: &MemberName,
        list: OfferList,
        mut entries: Vec<Value>,
    ) -> Vec<Value> {
        let snapshot = self.agents.roster.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return entries;
        };
        let holds = entry.view.trust.holds;
        let compared: HashMap<&ToolName, &ToolSpec> = entry
            .offers
            .iter()
            .flat_map(|offers| offers.iter())
            .map(|offer| (offer.name(), offer))
            .collect();
        // Files of withheld skills may be in the list of resources.
        let skills = match entry.offers.as_deref() {
            Some(offers) if holds && list == OfferList::Resources => {
                skills::listed_if_held(entry, offers)
            }
            _ => vec![],
        };
        let mut is_outdated = false;
        entries.retain(|raw| {
            if !is_usable(list, raw) {
                return false;
            }
            let Some(spec) = offer_spec(list, raw) else {
                return !holds;
            };
            let as_compared = compared
                .get(spec.name())
                .is_some_and(|known| known.digest() == spec.digest());
            is_outdated |= holds && !as_compared && list == OfferList::Skills;
            let uri = raw["uri"].as_str();
            let of_skill = uri.is_some_and(|uri| {
                matches!(
                    skills::reviewed_file(&entry.held, &skills, uri),
                    SkillFile::Held(_)
                )
            });
            let is_held =
                holds && (!as_compared || of_skill || entry.held.contains_key(spec.name()));
            let names = std::slice::from_ref(spec.name());
            !is_held && self.verdict(endpoint, entry, names).is_ok()
        });
        if is_outdated {
            self.list_again(member);
        }
        entries
    }

    /// Returns the names of a prompt or resource, including templates that a policy or a profile
    /// names.
    fn names(
        &self,
        endpoint: &Endpoint,
        entry: &RosterEntry,
        wanted: &ResourceOrPrompt,
    ) -> Vec<ToolName> {
        let offers = entry.offers.as_deref().map_or(&[][..], Vec::as_slice);
        let settings = self.agents.settings();
        let named = policies_at(&settings, endpoint, entry).named_offers();
        let set = || named.iter().map(ToolName::as_str);
        let mut names = wanted.names(offers, set());
        if let ResourceOrPrompt::Resource(uri) = wanted {
            names.extend(skills::names_of_file(offers, set(), uri));
        }
        names
    }

    /// Returns the strictest policy of the names. `None` without names.
    ///
    /// # Errors
    /// When a policy denies the prompt or resource, or the profile excludes it.
    fn verdict(
        &self,
        endpoint: &Endpoint,
        entry: &RosterEntry,
        names: &[ToolName],
    ) -> Result<Option<ResourceDecision>, Report> {
        let settings = self.agents.settings();
        let member = &entry.view.name;
        let policies = policies_at(&settings, endpoint, entry);
        if let Endpoint::Profile { profile } = endpoint
            && !policies.chooses_offer(names)
        {
            let trouble = WithheldError::NotChosen(profile.to_string());
            return Err(Report::from_error(Code::ToolDenied, &trouble).of(member));
        }
        let rulings = names.iter().map(|name| ResourceDecision {
            ruling: policies.of_offer(name),
            name: name.clone(),
        });
        // If several policies are equally strict, that of the closest name decides.
        let strictest =
            rulings.reduce(|one, other| match other.ruling.policy > one.ruling.policy {
                true => other,
                false => one,
            });
        let Some(strictest) = strictest else {
            return Ok(None);
        };
        match strictest.ruling.policy {
            Policy::Allow | Policy::Ask => Ok(Some(strictest)),
            Policy::Deny => Err(withheld::denied(strictest.ruling).of(member)),
        }
    }
}

/// Returns a member's policies for prompts and resources at an endpoint.
fn policies_at<'a>(
    settings: &'a GatewayConfig,
    endpoint: &Endpoint,
    entry: &'a RosterEntry,
) -> MemberPolicies<'a> {
    let member = &entry.view.name;
    let everywhere = MemberPolicies::new(settings, member, entry.manifest.as_deref());
    let Endpoint::Profile { profile: name } = endpoint else {
        return everywhere;
    };
    let profile = settings.profile(name);
    everywhere.in_profile(profile.and_then(|profile| InProfile::of(profile, member)))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn not_an_object(error: serde_json::Error) -> GatewayError {
    let message = format!("The parameters are not an object: {error}.");
    GatewayError::new(GatewayError::INVALID_PARAMS, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    fn wanted(method: &str, params: &Value) -> Option<ResourceOrPrompt> {
        ResourceOrPrompt::of(method, Some(&to_raw_value(params).expect("JSON")))
    }

    #[test]
    fn request_says_what_it_wants() {
        let prompt = Some(ResourceOrPrompt::Prompt("p".into()));
        assert_eq!(wanted("prompts/get", &json!({"name": "p"})), prompt);
        let of = json!({"ref": {"type": "ref/prompt", "name": "p"}});
        assert_eq!(wanted("completion/complete", &of), prompt);
        let of = json!({"ref": {"type": "ref/resource", "uri": "a://{b}"}});
        let template = Some(ResourceOrPrompt::Template("a://{b}".into()));
        assert_eq!(wanted("completion/complete", &of), template);
        let resource = Some(ResourceOrPrompt::Resource("a://b".into()));
        assert_eq!(wanted("resources/read", &json!({"uri": "a://b"})), resource);
        assert_eq!(wanted("resources/list", &json!({})), None);
        assert_eq!(wanted("prompts/get", &json!({"name": 7})), None);
    }

    /// Returns the names under which a URI may have been reviewed, given these templates.
    fn names(uri: &str, templates: &[&str]) -> Vec<String> {
        let offers = templates.iter().map(|template| {
            let entry = json!({"uriTemplate": template, "name": "t"});
            offer_spec(OfferList::Templates, &entry).expect("a template")
        });
        let offers: Vec<_> = offers.collect();
        let set = std::iter::empty();
        let names = ResourceOrPrompt::Resource(uri.into()).names(&offers, set);
        names.iter().map(|name| name.as_str().to_owned()).collect()
    }

    #[test]
    fn address_belongs_to_the_nearest_template() {
        let templates = ["a://{+x}", "a://b/{x}", "a://{x}", "c://{x}"];
        let matching = [
            "resource:a://b/1",
            "template:a://b/{x}",
            "template:a://{+x}",
        ];
        assert_eq!(names("a://b/1", &templates), matching);
        let query = ["a://note/{id}{?rev}", "a://note/{id}"];
        let matching = ["resource:a://note/7?rev=2", "template:a://note/{id}{?rev}"];
        assert_eq!(names("a://note/7?rev=2", &query), matching);
    }

    #[test]
    fn address_without_match_is_of_its_beginning() {
        let templates = ["a://{x}", "a://b/{x}", "{y}.txt"];
        let beginning = [
            "resource:a://b/1/2",
            "template:a://b/{x}",
            "template:a://{x}",
        ];
        assert_eq!(names("a://b/1/2", &templates), beginning);
    }

    #[test]
    fn template_with_a_policy_counts_unlisted() {
        let set = ["template:a://{x}", "echo", "resource:a://2"].into_iter();
        let names = ResourceOrPrompt::Resource("a://1".into()).names(&[], set);
        let names: Vec<_> = names.iter().map(ToolName::as_str).collect();
        assert_eq!(names, ["resource:a://1", "template:a://{x}"]);
    }

    #[test]
    fn unreadable_template_has_all_addresses_of_its_beginning() {
        let unread = ["resource:a://b/1", "template:a://b/{x"];
        assert_eq!(names("a://b/1", &["a://b/{x"]), unread);
    }
}
