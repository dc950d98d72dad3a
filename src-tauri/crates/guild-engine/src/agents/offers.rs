//! Prompts, resources and templates that agents do not get: those that were not accepted as they are,
//! where a member's changes are held back, and those whose policy forbids them.
//!
//! A list is compared entry by entry as its server sends it, so that an agent gets nothing that differs
//! from the list that was compared with what was accepted. A resource that is in no list of its server
//! and fits no template, such as one that a result links to, can't be compared and passes.

use std::collections::{BTreeMap, HashMap};

use guild_core::manifest::Policy;
use guild_core::note::WithheldTrouble;
use guild_core::tool::ToolSpec;
use guild_core::trust::{offer_name, offer_spec, template_of};
use guild_core::wire::{OfferList, ToolMark};
use guild_core::{Code, MemberName, Report, ToolName};
use guild_mcp::gateway::Refusal;
use serde_json::Value;
use serde_json::value::RawValue;

use super::directory::{Door, refusal};
use super::listing::unsaid;
use super::policies::OfMember;
use super::templates::{self, Template};
use crate::index::Entry;

/// What a request asks a member for.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Prompt(String),
    Resource(String),
    Template(String),
}

impl Wanted {
    fn of(method: &str, params: Option<&RawValue>) -> Option<Self> {
        let params: Value = serde_json::from_str(params?.get()).ok()?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let reference = &params["ref"];
        match method {
            "prompts/get" => text(&params["name"]).map(Self::Prompt),
            "resources/read" => text(&params["uri"]).map(Self::Resource),
            "completion/complete" => match text(&reference["uri"]) {
                Some(template) => Some(Self::Template(template)),
                None => text(&reference["name"]).map(Self::Prompt),
            },
            _ => None,
        }
    }

    /// The names under which it may have been reviewed or have a policy, the nearest first. `set` are
    /// the names that have one: templates among them count though the member's list is not known.
    fn names<'a>(&self, offers: &[ToolSpec], set: impl Iterator<Item = &'a str>) -> Vec<ToolName> {
        let (list, key) = match self {
            Self::Prompt(name) => (OfferList::Prompts, name),
            Self::Resource(uri) => (OfferList::Resources, uri),
            Self::Template(template) => (OfferList::Templates, template),
        };
        let own = offer_name(list, key);
        let Self::Resource(uri) = self else {
            return own.into_iter().collect();
        };
        let read = |text: &str| Template::parse(text).unwrap_or_else(|| Template::unread(text));
        let offered = offers.iter().filter_map(|offer| {
            let text = offer.raw().get(OfferList::Templates.key())?.as_str()?;
            Some((offer.name().clone(), read(text)))
        });
        let set = set.filter_map(|name| {
            let text = template_of(name)?;
            Some((offer_name(OfferList::Templates, text)?, read(text)))
        });
        let templates: BTreeMap<ToolName, Template> = set.chain(offered).collect();
        let templates = templates.iter().map(|(name, template)| (template, name));
        let templates = templates::of_address(uri, templates).into_iter().cloned();
        own.into_iter().chain(templates).collect()
    }
}

/// Why something that has been compared is withheld, if it is.
fn held(entry: &Entry, wanted: &Wanted) -> Option<Report> {
    let Some(offers) = entry.offers.as_deref() else {
        return Some(unsaid(&entry.view.name));
    };
    let names = wanted.names(offers, std::iter::empty());
    let known = names
        .iter()
        .find(|name| offers.iter().any(|offer| offer.name() == *name));
    let mark = match (known, wanted) {
        (Some(name), _) => entry.held.get(name).copied(),
        (None, Wanted::Prompt(_)) => Some(ToolMark::New),
        (None, Wanted::Resource(_) | Wanted::Template(_)) => None,
    };
    let trouble = match mark? {
        ToolMark::New => WithheldTrouble::New,
        ToolMark::Changed => WithheldTrouble::Changed,
    };
    Some(Report::told(Code::ToolHeld, &trouble).of(&entry.view.name))
}

impl Door {
    /// Refuses a request for a prompt or a resource that agents do not get.
    pub(super) async fn offer_permitted(
        &self,
        member: &MemberName,
        method: &str,
        params: Option<&RawValue>,
    ) -> Result<(), Refusal> {
        match Wanted::of(method, params) {
            Some(wanted) => self.permitted(member, &wanted).await,
            None => Ok(()),
        }
    }

    /// Refuses to watch a resource that agents do not get.
    pub(super) async fn watch_permitted(
        &self,
        member: &MemberName,
        uri: &str,
    ) -> Result<(), Refusal> {
        self.permitted(member, &Wanted::Resource(uri.to_owned()))
            .await
    }

    async fn permitted(&self, member: &MemberName, wanted: &Wanted) -> Result<(), Refusal> {
        let snapshot = self.agents.index.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return Ok(());
        };
        if entry.view.trust.holds {
            let confirmed = self.confirmed(member).await;
            confirmed.map_err(|report| refusal(&report.of(member)))?;
        }
        let snapshot = self.agents.index.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return Ok(());
        };
        let offers = entry.offers.as_deref().map_or(&[][..], Vec::as_slice);
        let settings = self.agents.settings();
        let policies = OfMember::new(&settings, member, entry.manifest.as_deref());
        let forbidden = wanted.names(offers, policies.names());
        let forbidden = forbidden
            .iter()
            .find_map(|name| self.forbidden(entry, name));
        let report = match forbidden {
            Some(report) => Some(report),
            None if entry.view.trust.holds => held(entry, wanted),
            None => None,
        };
        report.map_or(Ok(()), |report| Err(refusal(&report)))
    }

    /// Whether anything of what a member offers may be kept from agents.
    pub(super) fn filters_offers(&self, member: &MemberName) -> bool {
        let snapshot = self.agents.index.snapshot();
        let Some(entry) = snapshot.members.get(member) else {
            return false;
        };
        let manifest = entry.manifest.as_deref();
        entry.view.trust.holds
            || manifest.is_some_and(|manifest| !manifest.tools.is_empty())
            || self.agents.settings().policies.contains_key(member)
    }

    /// The entries of a member's list that agents get.
    pub(super) fn permitted_offers(
        &self,
        member: &MemberName,
        list: OfferList,
        mut entries: Vec<Value>,
    ) -> Vec<Value> {
        let snapshot = self.agents.index.snapshot();
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
        entries.retain(|raw| {
            let Some(spec) = offer_spec(list, raw) else {
                return !holds;
            };
            let as_compared = compared
                .get(spec.name())
                .is_some_and(|known| known.digest() == spec.digest());
            let is_held = holds && (!as_compared || entry.held.contains_key(spec.name()));
            !is_held && self.forbidden(entry, spec.name()).is_none()
        });
        entries
    }

    /// Why its policy keeps something from agents: nobody can be asked about a prompt or a resource.
    fn forbidden(&self, entry: &Entry, name: &ToolName) -> Option<Report> {
        let settings = self.agents.settings();
        let member = &entry.view.name;
        let policies = OfMember::new(&settings, member, entry.manifest.as_deref());
        let ruling = policies.of_offer(name);
        let trouble = match ruling.policy {
            Policy::Allow => return None,
            Policy::Ask => WithheldTrouble::NotAsked(ruling.reason),
            Policy::Deny => WithheldTrouble::Denied(ruling.reason),
        };
        Some(Report::told(Code::ToolDenied, &trouble).of(member))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    fn wanted(method: &str, params: &Value) -> Option<Wanted> {
        Wanted::of(method, Some(&to_raw_value(params).expect("JSON")))
    }

    #[test]
    fn request_says_what_it_wants() {
        let prompt = Some(Wanted::Prompt("p".into()));
        assert_eq!(wanted("prompts/get", &json!({"name": "p"})), prompt);
        let of = json!({"ref": {"type": "ref/prompt", "name": "p"}});
        assert_eq!(wanted("completion/complete", &of), prompt);
        let of = json!({"ref": {"type": "ref/resource", "uri": "a://{b}"}});
        let template = Some(Wanted::Template("a://{b}".into()));
        assert_eq!(wanted("completion/complete", &of), template);
        let resource = Some(Wanted::Resource("a://b".into()));
        assert_eq!(wanted("resources/read", &json!({"uri": "a://b"})), resource);
        assert_eq!(wanted("resources/list", &json!({})), None);
        assert_eq!(wanted("prompts/get", &json!({"name": 7})), None);
    }

    /// The names under which an address may have been reviewed, where these templates are offered.
    fn names(uri: &str, templates: &[&str]) -> Vec<String> {
        let offers = templates.iter().map(|template| {
            let entry = json!({"uriTemplate": template, "name": "t"});
            offer_spec(OfferList::Templates, &entry).expect("a template")
        });
        let offers: Vec<_> = offers.collect();
        let set = std::iter::empty();
        let names = Wanted::Resource(uri.into()).names(&offers, set);
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
        let names = Wanted::Resource("a://1".into()).names(&[], set);
        let names: Vec<_> = names.iter().map(ToolName::as_str).collect();
        assert_eq!(names, ["resource:a://1", "template:a://{x}"]);
    }

    #[test]
    fn unreadable_template_has_all_addresses_of_its_beginning() {
        let unread = ["resource:a://b/1", "template:a://b/{x"];
        assert_eq!(names("a://b/1", &["a://b/{x"]), unread);
    }
}
