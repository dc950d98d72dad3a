//! Reads a member's prompts and resources. If changes of the member are withheld until a review,
//! the prompts and resources are read together with the tools, and all are published together.
//! Otherwise the tools are published first: prompts and resources are then only read to show them
//! with their policies.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::OfferList;
use guild_mcp_client::{Offer, Session, ToolList};
use guild_model::tool::ToolSpec;
use guild_review::trust::offer_spec;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::super::ActorEvent;
use super::{MemberActor, MemberPhase};
use guild_secrets::Redactor;

/// The time in which changes of resources and prompts are combined into one event.
const OFFERS_GATHERED: Duration = Duration::from_millis(250);
/// Timeout for reading prompts and resources. If prompts and resources are compared with the
/// approved ones, the tools wait for them.
pub(super) const OFFERS_LIMIT: Duration = Duration::from_secs(5);
/// Maximum number of a member's prompts, resources and templates that are compared.
const OFFERS_COMPARED_MAX: usize = 10_000;

impl MemberActor {
    /// Reads prompts and resources after the tools, if they were not read with the tools.
    pub(super) fn begin_offers(&mut self) {
        if self.reviewing().holds() {
            return;
        }
        let (generation, events) = (self.generation, self.events.clone());
        let redactor = self.context.values.redactor().clone();
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        if up.offering.is_some() {
            up.offer_again = true;
            return;
        }
        let session = Arc::clone(&up.session);
        up.offering = Some(AbortOnDropHandle::new(tokio::spawn(async move {
            let offers = offers_of(&session, OFFERS_LIMIT, &redactor).await;
            let offered = ActorEvent::OffersRead { generation, offers };
            let _ = events.send(offered).await;
        })));
    }

    /// Stores prompts and resources that were read after the tools. `None` keeps the known prompts
    /// and resources.
    pub(super) fn offered(&mut self, offers: Option<Vec<ToolSpec>>) {
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        up.offering = None;
        let again = std::mem::take(&mut up.offer_again);
        if !self.reviewing().holds()
            && offers.is_some()
            && self.offers.as_deref() != offers.as_ref()
        {
            self.offers = offers.map(Arc::new);
            self.publish();
        }
        if again {
            self.begin_offers();
        }
        if self.has_current_list() {
            self.answer_starts();
        }
    }

    /// Whether prompts and resources are being read apart from the tools.
    pub(super) fn reads_offers(&self) -> bool {
        matches!(&self.phase, MemberPhase::Up(up) if up.offering.is_some())
    }

    /// Stores prompts and resources that were read with the tools.
    pub(super) fn offers_came(&mut self, offers: Option<Vec<ToolSpec>>) {
        if self.reviewing().holds() {
            self.offers = offers.map(Arc::new);
        }
    }

    /// Plans an event, because the server reported that resources or prompts changed.
    pub(super) fn offers_changed(&mut self, offer: Offer) {
        let compared = self.standing.changes.withholds();
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        match offer {
            Offer::Resources => up.offers.0 = true,
            Offer::Prompts => up.offers.1 = true,
        }
        up.publish_offers_at
            .get_or_insert(Instant::now() + OFFERS_GATHERED);
        if compared {
            // The new prompts and resources are compared with the approved ones.
            let at = Instant::now() + up.settles;
            up.relist_at.get_or_insert(at);
        }
    }

    /// Publishes one event for all changes of resources or prompts since the last event. Reads the
    /// lists again, unless they are read with the tools.
    pub(super) fn publish_offers(&mut self) {
        let MemberPhase::Up(up) = &mut self.phase else {
            return;
        };
        up.publish_offers_at = None;
        let (resources, prompts) = std::mem::take(&mut up.offers);
        self.context.roster.tell(HallEvent::OffersChanged {
            member: self.name.clone(),
            resources,
            prompts,
        });
        self.begin_offers();
    }

    /// Makes agents list resources and prompts again, because those that agents get have changed.
    pub(super) fn publish_offers_soon(&mut self) {
        if let MemberPhase::Up(up) = &mut self.phase {
            up.offers = (true, true);
            up.publish_offers_at
                .get_or_insert(Instant::now() + OFFERS_GATHERED);
        }
    }
}

/// Reads a server's prompts and resources, to compare them with the approved ones. `None` if they
/// can't be read.
pub(super) async fn offers_of(
    session: &Session,
    limit: Duration,
    redactor: &Redactor,
) -> Option<Vec<ToolSpec>> {
    let entries = match session.offer_entries(limit).await {
        Ok(entries) => entries,
        Err(error) => {
            tracing::debug!(%error, "its prompts and resources can't be compared");
            return None;
        }
    };
    let mut names = HashSet::new();
    // Skills come first, since a file is withheld only because of its skill.
    let (skills, others): (Vec<_>, Vec<_>) = entries
        .iter()
        .partition(|(list, _)| *list == OfferList::Skills);
    let specs = skills
        .into_iter()
        .chain(others)
        .filter_map(|(list, entry)| offer_spec(*list, entry))
        .filter(|spec| names.insert(spec.name().clone()))
        .take(OFFERS_COMPARED_MAX);
    let list = ToolList {
        tools: specs.collect(),
        problems: vec![],
        ttl_ms: None,
    };
    redactor.list(list).await.ok().map(|list| list.tools)
}
