//! What agents get of the hall, and what a person decides about it.

use guild_core::agents::policy::PolicyRules;
use guild_core::wire::{
    Approvals, ConfirmReadOnly, DecideApproval, EmbeddingsTested, GatewayState, Nothing,
    PoliciesSet, PolicyPreview, PolicyRulesOf, SetEmbeddings, SetToolPolicies, TestEmbeddings,
};
use guild_core::{Code, Report};

use super::Reach;

impl Reach {
    /// The gateway's settings.
    pub(crate) async fn gateway(&self) -> Result<GatewayState, Report> {
        match self {
            Self::Own(hall) => Ok(hall.gateway().await),
            Self::Running(visit) => visit.lock().await.ask("gateway", &Nothing {}).await,
        }
    }

    /// The gateway's settings, where the file with them could be read.
    ///
    /// # Errors
    /// `gateway-settings`: the defaults would be a wrong answer.
    pub(crate) async fn read_gateway(&self) -> Result<GatewayState, Report> {
        let gateway = self.gateway().await?;
        match gateway.error {
            Some(report) if report.code == Code::GatewaySettings => Err(report),
            _ => Ok(gateway),
        }
    }

    /// The agents' calls that wait for a person.
    pub(crate) async fn approvals(&self) -> Result<Approvals, Report> {
        match self {
            Self::Own(hall) => Ok(hall.approvals().await),
            Self::Running(visit) => visit.lock().await.ask("approvals", &Nothing {}).await,
        }
    }

    /// Decides about one of them.
    pub(crate) async fn decide_approval(&self, request: DecideApproval) -> Result<(), Report> {
        match self {
            Self::Own(hall) => hall.decide_approval(request).await,
            Self::Running(visit) => {
                let asked = visit.lock().await.ask("decide_approval", &request).await;
                asked.map(|Nothing {}| ())
            }
        }
    }

    /// Sets policies by hand.
    pub(crate) async fn set_tool_policies(
        &self,
        request: SetToolPolicies,
    ) -> Result<PoliciesSet, Report> {
        match self {
            Self::Own(hall) => hall.set_tool_policies(request).await,
            Self::Running(visit) => visit.lock().await.ask("set_tool_policies", &request).await,
        }
    }

    /// Confirms a server's claim that a tool only reads, or takes that back.
    pub(crate) async fn confirm_read_only(
        &self,
        request: ConfirmReadOnly,
    ) -> Result<GatewayState, Report> {
        match self {
            Self::Own(hall) => hall.confirm_read_only(request).await,
            Self::Running(visit) => visit.lock().await.ask("confirm_read_only", &request).await,
        }
    }

    /// Sets the endpoint that ranks tools by meaning, or removes it.
    pub(crate) async fn set_embeddings(
        &self,
        request: SetEmbeddings,
    ) -> Result<GatewayState, Report> {
        match self {
            Self::Own(hall) => hall.set_embeddings(request).await,
            Self::Running(visit) => visit.lock().await.ask("set_embeddings", &request).await,
        }
    }

    /// Asks the endpoint that is set for one vector.
    pub(crate) async fn test_embeddings(
        &self,
        request: TestEmbeddings,
    ) -> Result<EmbeddingsTested, Report> {
        match self {
            Self::Own(hall) => hall.test_embeddings(request).await,
            Self::Running(visit) => visit.lock().await.ask("test_embeddings", &request).await,
        }
    }

    /// What rules would change.
    pub(crate) async fn preview_policy_rules(
        &self,
        request: PolicyRulesOf,
    ) -> Result<PolicyPreview, Report> {
        match self {
            Self::Own(hall) => hall.preview_policy_rules(request).await,
            Self::Running(visit) => {
                let mut visit = visit.lock().await;
                visit.ask("preview_policy_rules", &request).await
            }
        }
    }

    /// Saves rules for kinds of tools.
    pub(crate) async fn save_policy_rules(
        &self,
        request: PolicyRulesOf,
    ) -> Result<PolicyRules, Report> {
        match self {
            Self::Own(hall) => hall.save_policy_rules(request).await,
            Self::Running(visit) => visit.lock().await.ask("save_policy_rules", &request).await,
        }
    }
}
