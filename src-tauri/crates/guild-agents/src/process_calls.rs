//! Applies agents' policies to calls that members' processes make through the control socket.

use std::sync::Arc;

use guild_model::endpoint::Endpoint;
use guild_model::manifest::Policy;
use guild_model::policy::PolicyDecision;
use guild_model::{MemberName, Report, ToolName};

use super::approvals::ApprovalRequest;
use super::backend::AgentBackend;
use super::policies::MemberPolicies;
use super::{Agents, withheld};

impl Agents {
    /// If the policy of the called tool is `ask`, waits for a person's decision. Otherwise returns
    /// at once. `from` is the name of the caller in the approval. Returns the arguments if the
    /// person changed them.
    ///
    /// # Errors
    /// The errors of an agent's call, such as `tool-denied` and `tool-held`.
    pub async fn consent_to_process_call(
        self: &Arc<Self>,
        from: &str,
        (member, tool): (&MemberName, &ToolName),
        arguments: &str,
    ) -> Result<Option<String>, Report> {
        let ruling = self.process_call_ruling((member, tool))?;
        match ruling.policy {
            Policy::Allow => return Ok(None),
            Policy::Ask => {}
            Policy::Deny => return Err(withheld::denied(ruling).of(member)),
        }
        let asked = ApprovalRequest {
            client: from.to_owned(),
            member: member.clone(),
            tool: tool.clone(),
            arguments: arguments.to_owned(),
        };
        let consent = self.approvals.ask(asked, None).await?;
        if consent.always
            && let Err(report) = self.allow_process_calls(member, tool).await
        {
            tracing::warn!("{report}");
        }
        // The tool may have been removed while the person decided.
        self.process_call_ruling((member, tool))?;
        Ok(consent.arguments)
    }

    /// Lets members' processes call a tool without approval from now on.
    async fn allow_process_calls(
        self: &Arc<Self>,
        member: &MemberName,
        tool: &ToolName,
    ) -> Result<(), Report> {
        let snapshot = self.roster.snapshot();
        let known = snapshot.members.get(member);
        let Some(known) = known.and_then(|entry| entry.tools.get(tool)) else {
            return Err(snapshot.unknown_tool(member, tool));
        };
        self.allow_always(&Endpoint::All, member, known.spec.clone())
            .await
    }

    /// Checks that the running server describes the called tool as it did when a person accepted
    /// the tool.
    ///
    /// # Errors
    /// The errors of an agent's call, such as `tool-held`.
    pub async fn confirm_process_call(
        self: &Arc<Self>,
        called: (&MemberName, &ToolName),
    ) -> Result<(), Report> {
        AgentBackend::new(Arc::clone(self))
            .confirmed(called.0)
            .await?;
        self.process_call_ruling(called)?;
        Ok(())
    }

    /// Returns a tool's policy for agents. Fails if the tool is withheld from agents.
    ///
    /// # Errors
    /// The errors of an agent's call, such as `tool-denied` and `tool-held`. `tool-unknown` for a
    /// tool that is not known yet.
    pub fn process_call_ruling(
        &self,
        (member, tool): (&MemberName, &ToolName),
    ) -> Result<PolicyDecision, Report> {
        let snapshot = self.roster.snapshot();
        let settings = self.settings();
        let known = snapshot.members.get(member);
        let Some((entry, spec)) = known.and_then(|entry| Some((entry, entry.tools.get(tool)?)))
        else {
            return Err(snapshot.unknown_tool(member, tool));
        };
        let ruling =
            MemberPolicies::new(&settings, member, entry.manifest.as_deref()).of(&spec.spec);
        match withheld::reason(entry, tool, ruling) {
            Some(report) => Err(report.of(member)),
            None => Ok(ruling),
        }
    }
}
