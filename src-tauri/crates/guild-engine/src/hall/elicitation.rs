//! Asking a person what servers want to know, and taking the answer to them.

use guild_api::wire::{AnswerElicitation, CheckElicitation, ElicitationAction, Elicitations};
use guild_mcp_client::ElicitationReply;
use guild_model::Report;
use guild_model::messages::CallTrouble;
use guild_schema::validate::CheckedArguments;

use super::GuildHall;
use guild_supervisor::calls::{ArgumentsRejection, check_answer, unfit};
use guild_supervisor::elicitation::Attendance;

impl GuildHall {
    /// Reports that a person can be asked, as long as the returned guard lives. Without it,
    /// servers get an immediate answer that no person is present.
    #[must_use]
    pub fn attend(&self) -> Attendance {
        self.inner.context.desk.attend()
    }

    /// The questions that wait, oldest first.
    pub fn elicitations(&self) -> Elicitations {
        self.inner.context.desk.open_questions()
    }

    /// Whether values fit what a question wants; nothing fits one that wants a visit.
    ///
    /// # Errors
    /// `elicitation-ended`. Values that are not JSON are an error in the answer.
    pub async fn check_elicitation(
        &self,
        request: CheckElicitation,
    ) -> Result<CheckedArguments, Report> {
        let Some(schema) = self.inner.context.desk.wanted(&request.id)? else {
            return Ok(CheckedArguments::default());
        };
        let checked = check_answer(schema, request.content).await;
        let checked = checked.map_or_else(ArgumentsRejection::into_checked, |(_, checked)| checked);
        Ok(checked.told())
    }

    /// Answers a question. Values that do not fit are refused, and the question goes on waiting.
    ///
    /// # Errors
    /// `elicitation-ended`, `arguments-not-json`, `arguments-invalid`.
    pub async fn answer_elicitation(&self, request: AnswerElicitation) -> Result<(), Report> {
        let desk = &self.inner.context.desk;
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
                    return Err(unfit(CallTrouble::AnswerUnfit, &checked.errors));
                }
                Some(values)
            }
            _ => None,
        };
        desk.answer(&id, ElicitationReply { action, content })
    }
}
