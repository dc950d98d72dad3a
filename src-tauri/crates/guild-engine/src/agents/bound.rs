//! Calls that a member's own processes make at the control socket: the policies for agents bind them.

use std::sync::Arc;

use guild_core::agents::Endpoint;
use guild_core::manifest::Policy;
use guild_core::{MemberName, Report, ToolName};

use super::approvals::Asked;
use super::directory::Door;
use super::policies::OfMember;
use super::{Agents, withheld};

impl Agents {
    /// Waits for a person's decision about a call of a process of a member, `from`, where the policy
    /// says so. Returns the arguments where the person changed them.
    ///
    /// # Errors
    /// `tool-denied`, `tool-held` and others, as an agent gets them.
    pub(crate) async fn consent_bound(
        self: &Arc<Self>,
        from: &str,
        (member, tool): (&MemberName, &ToolName),
        arguments: &str,
    ) -> Result<Option<String>, Report> {
        if self.ruled((member, tool))? != Policy::Ask {
            return Ok(None);
        }
        let asked = Asked {
            client: from.to_owned(),
            member: member.clone(),
            tool: tool.clone(),
            arguments: arguments.to_owned(),
        };
        let consent = self.approvals.ask(asked, None).await?;
        if consent.always {
            let allowing = self.allow_tool_always(&Endpoint::All, member, tool);
            if let Err(report) = allowing.await {
                tracing::warn!("{report}");
            }
        }
        // While the person thought, the tool may have been taken away.
        self.ruled((member, tool))?;
        Ok(consent.arguments)
    }

    /// Compares the tool of such a call with the accepted one, as its running server describes it.
    ///
    /// # Errors
    /// `tool-held` and others, as an agent gets them.
    pub(crate) async fn confirm_bound(
        self: &Arc<Self>,
        called: (&MemberName, &ToolName),
    ) -> Result<(), Report> {
        let door = Door::new(Arc::clone(self));
        door.confirmed(called.0).await?;
        self.ruled(called)?;
        Ok(())
    }

    /// A tool's policy for agents, unless they do not get it.
    ///
    /// # Errors
    /// `tool-denied`, `tool-held` and others; `tool-unknown` for a tool that is not known yet.
    pub(crate) fn ruled(&self, (member, tool): (&MemberName, &ToolName)) -> Result<Policy, Report> {
        let snapshot = self.index.snapshot();
        let settings = self.settings();
        let known = snapshot.members.get(member);
        let Some((entry, spec)) = known.and_then(|entry| Some((entry, entry.tools.get(tool)?)))
        else {
            return Err(snapshot.unknown_tool(member, tool));
        };
        let ruling = OfMember::new(&settings, member, entry.manifest.as_deref()).of(&spec.spec);
        match withheld::reason(entry, tool, ruling) {
            Some(report) => Err(report.of(member)),
            None => Ok(ruling.policy),
        }
    }
}
