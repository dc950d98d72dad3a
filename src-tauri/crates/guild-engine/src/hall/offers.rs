//! Lists the resources and prompts of a member, and reads them for a person who tries them.

use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{
    Answered, CompleteArgument, Completions, GetPrompt, MemberOffers, ReadResource,
};
use guild_mcp_client::{CallOptions, Label, McpError, SentRequest, Session};
use guild_model::{CallId, MemberName, Report};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::GuildHall;
use super::calls::{LocalCaller, Registered, millis};
use super::calls::{ended, given_up};
use guild_files::clock::now_ms;
use guild_supervisor::calls::{CallFailure, LIMIT_MAX, Requester as _, call_limit};
use guild_supervisor::member::MemberCommand;

/// Timeout of a completion, which is requested while a user types.
const COMPLETION_LIMIT: Duration = Duration::from_secs(3);

impl GuildHall {
    /// Reads a member's resources, templates, prompts and skills from its server. Starts the member if
    /// needed.
    ///
    /// # Errors
    /// The reason why the member is not ready, or why its connection broke.
    pub async fn member_offers(&self, member: &MemberName) -> Result<MemberOffers, Report> {
        let handle = self.member(member)?;
        let loan = handle.ask(|reply| MemberCommand::Lease { reply }).await?;
        let timeouts = self.manifest(member).map(|manifest| manifest.timeouts);
        let limit = timeouts.unwrap_or_default().or(&self.limits()).discovery_ms;
        let reading = loan.session.offers(Duration::from_millis(limit));
        let offers = self.inner.service.answer(&handle, &loan, reading).await;
        let offers = offers.map_err(|failed| failed.into_report().of(member))?;
        Ok(MemberOffers {
            member: member.clone(),
            resources: offers.resources,
            templates: offers.templates,
            prompts: offers.prompts,
            skills: offers.skills,
            problems: offers.problems,
        })
    }

    /// Reads a resource. Starts the member if needed.
    pub async fn read_resource(&self, request: ReadResource) -> Answered {
        let ReadResource {
            call,
            member,
            uri,
            timeout_ms,
        } = request;
        let ask =
            async move |session: Arc<Session>, options| session.read_resource(&uri, options).await;
        self.answered(call, member, timeout_ms, ask).await
    }

    /// Gets a prompt with its arguments filled in. Starts the member if needed.
    pub async fn get_prompt(&self, request: GetPrompt) -> Answered {
        let GetPrompt {
            call,
            member,
            prompt,
            arguments,
            timeout_ms,
        } = request;
        let ask = async move |session: Arc<Session>, options| {
            session.get_prompt(&prompt, arguments, options).await
        };
        self.answered(call, member, timeout_ms, ask).await
    }

    /// Returns suggested values for an argument. Empty if the member is not ready, has no
    /// suggestions, or fails.
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
        let Ok(loan) = handle.ask(|reply| MemberCommand::Lease { reply }).await else {
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

    /// Sends a request to a member. The request can be cancelled by its id. Starts the member if
    /// needed.
    async fn answered<F>(
        &self,
        call: CallId,
        member: MemberName,
        timeout_ms: Option<u64>,
        ask: impl FnOnce(Arc<Session>, CallOptions) -> F,
    ) -> Answered
    where
        F: Future<Output = Result<Box<RawValue>, McpError>>,
    {
        let started_at_ms = now_ms();
        let started = Instant::now();
        let sent = SentRequest::default();
        let end = match self.register(&call) {
            Ok(registered) => {
                let (person, progress) = LocalCaller::new(self, &member, &registered, &sent);
                let asking = self.ask_member(&person, &registered, timeout_ms, ask);
                let ended = tokio::select! {
                    ended = asking => ended,
                    failed = given_up(&registered.token) => Err(failed),
                };
                drop(person);
                progress.finish().await;
                ended
            }
            Err(report) => Err(report.into()),
        };
        let end = match end {
            Ok(result) => ended(result, None).await.end,
            Err(failed) => {
                let failed = failed.or_closing(&self.inner.members);
                // The error's message is not logged, since it comes from the server and may contain
                // private data.
                tracing::warn!(%member, code = %failed.report.code, "a request has no result");
                failed.into_end(&member)
            }
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

    async fn ask_member<F>(
        &self,
        person: &LocalCaller<'_>,
        registered: &Registered,
        timeout_ms: Option<u64>,
        ask: impl FnOnce(Arc<Session>, CallOptions) -> F,
    ) -> Result<Box<RawValue>, CallFailure>
    where
        F: Future<Output = Result<Box<RawValue>, McpError>>,
    {
        let service = &self.inner.service;
        let handle = self.member(person.member)?;
        let starting = |step| person.starting(step);
        let loan = service
            .lease(&handle, &registered.token, starting, None)
            .await?;
        let usual = || call_limit(self.manifest(person.member).as_deref(), &self.limits());
        let options = CallOptions {
            limit: timeout_ms
                .map_or_else(usual, Duration::from_millis)
                .min(LIMIT_MAX),
            label: Some(Label {
                call: registered.call.clone(),
                tool: None,
            }),
            ..person.options()
        };
        let asking = ask(Arc::clone(&loan.session), options);
        service.answer(&handle, &loan, asking).await
    }
}
