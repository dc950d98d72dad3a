//! Passes servers' questions (MCP elicitation) to a person, and the answers to the servers.

use guild_api::wire::{AnswerElicitation, CheckElicitation, ElicitationAction, Elicitations};
use guild_mcp_client::ElicitationReply;
use guild_model::Report;
use guild_model::messages::CallError;
use guild_schema::validate::CheckedArguments;

use super::GuildHall;
use guild_supervisor::calls::{ArgumentsRejection, check_answer, unfit};
use guild_supervisor::elicitation::WindowPresence;

impl GuildHall {
    /// Declares that a person can be asked, until the returned guard is dropped. Without any guard,
    /// servers immediately get the answer that no one can be asked.
    #[must_use]
    pub fn attend(&self) -> WindowPresence {
        self.inner.context.elicitations.attend()
    }

    /// Returns the waiting questions, oldest first.
    pub fn elicitations(&self) -> Elicitations {
        self.inner.context.elicitations.open_questions()
    }

    /// Validates values against the schema of a question. The result is empty for a question that
    /// only asks the person to visit a page, since it has no schema.
    ///
    /// # Errors
    /// `elicitation-ended`. Values that are not JSON are an error in the result.
    pub async fn check_elicitation(
        &self,
        request: CheckElicitation,
    ) -> Result<CheckedArguments, Report> {
        let Some(schema) = self.inner.context.elicitations.wanted(&request.id)? else {
            return Ok(CheckedArguments::default());
        };
        let checked = check_answer(schema, request.content).await;
        Ok(checked.map_or_else(ArgumentsRejection::into_checked, |(_, checked)| checked))
    }

    /// Answers a question. If the values don't match its schema, returns an error, and the question
    /// keeps waiting.
    ///
    /// # Errors
    /// `elicitation-ended`, `arguments-not-json`, `arguments-invalid`.
    pub async fn answer_elicitation(&self, request: AnswerElicitation) -> Result<(), Report> {
        let desk = &self.inner.context.elicitations;
        let AnswerElicitation {
            id,
            action,
            content,
        } = request;
        let wanted = desk.wanted(&id)?;
        let content = match (action, wanted) {
            (ElicitationAction::Accept, Some(schema)) => {
                let content = content.unwrap_or_else(|| "{}".to_owned());
                let (values, checked) = check_answer(schema, content)
                    .await
                    .map_err(ArgumentsRejection::into_report)?;
                if !checked.errors.is_empty() {
                    return Err(unfit(CallError::AnswerUnfit, &checked.errors));
                }
                Some(values)
            }
            _ => None,
        };
        desk.answer(&id, ElicitationReply { action, content })
    }
}
