//! Asks a model to predict a member's tools, after a person has seen the request.

use std::sync::Arc;

use guild_api::wire::{
    ChangeDiscovery, DiscoveryState, MemberTools, PredictTools, PredictionRequest,
};
use guild_model::discovery::{DISCOVERY_FILE, DiscoverySettings};
use guild_model::manifest::Manifest;
use guild_model::{Code, MemberName, Report};
use guild_supervisor::messages::PredictionError;

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_supervisor::context::Context;
use guild_supervisor::member::{MemberCommand, MemberHandle, Predicted};
use guild_supervisor::prediction::{
    ChatCompletionRequest, Predictions, ask, change, off, settings,
};

/// The request to a model about a member.
struct PredictionQuery {
    handle: MemberHandle,
    manifest: Manifest,
    settings: DiscoverySettings,
    question: ChatCompletionRequest,
    why_not: Option<Report>,
}

impl GuildHall {
    /// Returns the settings of the fallback discovery, for servers that don't list their tools.
    pub async fn discovery_settings(&self) -> DiscoveryState {
        let data_dir = &self.inner.context.paths.data_dir;
        let (settings, trouble) = settings(data_dir).await;
        DiscoveryState {
            file: data_dir.join(DISCOVERY_FILE).display().to_string(),
            settings,
            trouble,
        }
    }

    /// Changes the settings of the fallback discovery, if the file still has the settings in
    /// `seen`.
    ///
    /// # Errors
    /// `discovery-settings`, `settings-changed`, `data-unwritable`.
    pub async fn change_discovery_settings(
        &self,
        request: ChangeDiscovery,
    ) -> Result<DiscoveryState, Report> {
        let ChangeDiscovery { seen, settings } = request;
        let data_dir = self.inner.context.paths.data_dir.clone();
        self.about_predictions(move |_| change(&data_dir, &seen, &settings))
            .await?;
        Ok(self.discovery_settings().await)
    }

    /// Returns the request that would be sent to a model about a member. Sends nothing.
    ///
    /// # Errors
    /// `member-unknown`, the errors of the member's manifest, and `prediction-off` or
    /// `prediction-refused` if no request can be sent.
    pub async fn prediction_request(
        &self,
        member: &MemberName,
    ) -> Result<PredictionRequest, Report> {
        let PredictionQuery {
            question, why_not, ..
        } = self.question_for(member).await?;
        let (of, hash) = (member.clone(), question.hash.clone());
        let remembered = self
            .about_predictions(move |all| Ok(all.consents.covers(&of, &hash)))
            .await?;
        Ok(PredictionRequest {
            member: member.clone(),
            headers: question.headers(),
            url: question.url,
            body: question.body,
            hash: question.hash,
            remembered,
            why_not,
        })
    }

    /// Sends the request to the model after the person has seen it, and lists the predicted tools.
    /// [`GuildHall::cancel_call`] cancels it.
    ///
    /// # Errors
    /// The errors of [`GuildHall::prediction_request`]. `review-outdated` if the request differs
    /// from the one that the person saw, `prediction-failed`, `call-cancelled`.
    pub async fn predict_tools(&self, request: PredictTools) -> Result<MemberTools, Report> {
        let PredictTools {
            call,
            member,
            hash,
            remember,
        } = request;
        let running = self.register(&call)?;
        let PredictionQuery {
            handle,
            manifest,
            settings,
            question,
            why_not,
        } = self.question_for(&member).await?;
        if let Some(report) = why_not {
            return Err(report);
        }
        if question.hash != hash {
            let trouble = PredictionError::NotAsShown;
            return Err(Report::from_error(Code::ReviewOutdated, &trouble).of(&member));
        }
        let (of, kept) = (member.clone(), remember.then_some(hash));
        self.about_predictions(move |all| all.consents.keep(&of, kept.as_deref()))
            .await?;
        let Context {
            predictions,
            values,
            ..
        } = &*self.inner.context;
        let asked = tokio::select! {
            asked = ask(predictions, values, &question) => asked,
            () = running.token.cancelled() => {
                Err(Report::from_error(Code::CallCancelled, &PredictionError::AskedNoMore))
            }
        };
        let (list, found) = asked.map_err(|report| report.of(&member))?;
        let predicted = Box::new(Predicted {
            list,
            found,
            keep: settings.cache,
            of: manifest,
        });
        handle
            .ask(|reply| MemberCommand::Predicted { predicted, reply })
            .await?;
        self.member_tools(&member)
    }

    /// Removes the stored consent to send requests about a member.
    ///
    /// # Errors
    /// The errors of [`GuildHall::prediction_request`], and `data-unwritable`.
    pub async fn forget_prediction(
        &self,
        member: &MemberName,
    ) -> Result<PredictionRequest, Report> {
        let of = member.clone();
        self.about_predictions(move |all| all.consents.keep(&of, None))
            .await?;
        self.prediction_request(member).await
    }

    async fn question_for(&self, member: &MemberName) -> Result<PredictionQuery, Report> {
        let handle = self.member(member)?;
        let inspection = handle.inspect().await?;
        let manifest = inspection.found.parsed.manifest?;
        let context = &self.inner.context;
        let (settings, trouble) = settings(&context.paths.data_dir).await;
        if let Some(report) = trouble {
            return Err(report.of(member));
        }
        let question = ChatCompletionRequest::of(&manifest, &settings.prediction, &context.values);
        let question = question.map_err(|report| report.of(member))?;
        let off = off(&settings).map(|report| report.of(member));
        Ok(PredictionQuery {
            why_not: off.or(inspection.may_predict.err()),
            handle,
            manifest,
            settings,
            question,
        })
    }

    /// Runs `work` with the files about predictions, on a blocking thread.
    async fn about_predictions<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Predictions) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let context = Arc::clone(&self.inner.context);
        blocking(move || work(&context.predictions)).await?
    }
}
