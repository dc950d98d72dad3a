//! Resources and prompts of a member: listed, read, tried.

use std::time::Duration;

use guild_core::wire::{
    Answered, CompleteArgument, Completions, GetPrompt, MemberOffers, ReadResource,
};
use guild_core::{CallId, MemberName, Report};
use guild_mcp::{Label, Session};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::Hall;
use super::calls::{Errand, millis};
use super::ending::{ended, given_up};
use crate::calls::{LIMIT_MAX, call_limit, interrupted};
use crate::clock::now_ms;
use crate::member::Command;

/// How long a completion may take: it is asked for while somebody types.
const COMPLETION_LIMIT: Duration = Duration::from_secs(3);

impl Hall {
    /// A member's resources, templates and prompts, read from its server; starts it if need be.
    ///
    /// # Errors
    /// Why the member is not up, or why its connection broke.
    pub async fn member_offers(&self, member: &MemberName) -> Result<MemberOffers, Report> {
        let handle = self.member(member)?;
        let loan = handle.ask(|reply| Command::Lend { reply }).await?;
        let timeouts = self.manifest(member).map(|manifest| manifest.timeouts);
        let limit = timeouts.unwrap_or_default().or(&self.limits()).discovery_ms;
        let reading = loan.session.offers(Duration::from_millis(limit));
        let offers = tokio::select! {
            // A list that is there counts, whatever became of its server since.
            biased;
            offers = reading => offers,
            () = loan.gone.cancelled() => {
                let failed = interrupted(&self.snapshot(), &handle);
                return Err(failed.into_report().of(member));
            }
        };
        let offers = offers.map_err(|error| error.report().of(member))?;
        Ok(MemberOffers {
            member: member.clone(),
            resources: offers.resources,
            templates: offers.templates,
            prompts: offers.prompts,
            problems: offers.problems,
        })
    }

    /// Reads a resource; starts the member if it is down.
    pub async fn read_resource(&self, request: ReadResource) -> Answered {
        let ReadResource {
            call,
            member,
            uri,
            timeout_ms,
        } = request;
        let ask = async |session: &Session, options| session.read_resource(&uri, options).await;
        self.answered(call, member, timeout_ms, ask).await
    }

    /// Gets a prompt filled in; starts the member if it is down.
    pub async fn get_prompt(&self, request: GetPrompt) -> Answered {
        let GetPrompt {
            call,
            member,
            prompt,
            arguments,
            timeout_ms,
        } = request;
        let ask = async |session: &Session, options| {
            session.get_prompt(&prompt, arguments, options).await
        };
        self.answered(call, member, timeout_ms, ask).await
    }

    /// Values that an argument may have; none where the member is down, knows none or fails.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn complete_argument(
        &self,
        request: CompleteArgument,
    ) -> Result<Completions, Report> {
        let handle = self.member(&request.member)?;
        if !self.is_ready(&request.member) {
            return Ok(Completions::default());
        }
        let Ok(loan) = handle.ask(|reply| Command::Lend { reply }).await else {
            return Ok(Completions::default());
        };
        let CompleteArgument {
            of,
            argument,
            value,
            known,
            ..
        } = request;
        let asked = loan
            .session
            .complete(of, argument, value, known, COMPLETION_LIMIT);
        Ok(asked.await)
    }

    async fn answered<A>(
        &self,
        call: CallId,
        member: MemberName,
        timeout_ms: Option<u64>,
        ask: A,
    ) -> Answered
    where
        A: AsyncFnOnce(
            &Session,
            guild_mcp::CallOptions,
        ) -> Result<Box<RawValue>, guild_mcp::McpError>,
    {
        let started_at_ms = now_ms();
        let started = Instant::now();
        let sent = guild_mcp::SentRequest::default();
        let work = async {
            let registered = self.register(&call)?;
            let errand = async {
                let handle = self.member(&member)?;
                let loan = self.borrow(&handle, &call).await?;
                let limit = timeout_ms
                    .map_or_else(
                        || call_limit(self.manifest(&member).as_deref(), &self.limits()),
                        Duration::from_millis,
                    )
                    .min(LIMIT_MAX);
                let errand = Errand {
                    label: Label {
                        call: call.clone(),
                        tool: None,
                    },
                    limit,
                    cancel: registered.token.clone(),
                    sent: sent.clone(),
                };
                self.ask_session(&handle, &loan, errand, ask).await
            };
            tokio::select! {
                ended = errand => ended,
                failed = given_up(&registered.token) => Err(failed),
            }
        };
        let end = match work.await {
            Ok(result) => ended(result, None).await.end,
            Err(failed) => self.or_closing(failed).into_end(&member),
        };
        Answered {
            duration_ms: millis(started.elapsed()),
            request: sent.text(),
            call,
            member,
            started_at_ms,
            end,
        }
    }
}
