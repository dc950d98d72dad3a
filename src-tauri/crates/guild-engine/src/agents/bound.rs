//! Calls that a member's own processes make at the control socket: the policies for agents bind them.

use std::sync::Arc;

use guild_core::agents::Endpoint;
use guild_core::manifest::Policy;
use guild_core::{MemberName, Report, ToolName};

use super::approvals::Asked;
use super::directory::Door;
use super::policies::OfMember;
use super::{Agents, withheld};
use crate::member::{Command, StartedBy};

impl Agents {
    /// Whether a call may be made that comes from a process of a member, `from`. A person is asked
    /// where the policy says so; the arguments are returned where the person changed them.
    ///
    /// # Errors
    /// `tool-denied`, `tool-held` and others, as an agent gets them; `tool-unknown` for a tool that
    /// is not known yet.
    pub(crate) async fn permit_bound(
        self: &Arc<Self>,
        from: &str,
        (member, tool): (&MemberName, &ToolName),
        arguments: &str,
    ) -> Result<Option<String>, Report> {
        let holds = |agents: &Self| {
            let snapshot = agents.index.snapshot();
            let entry = snapshot.members.get(member);
            entry.is_some_and(|entry| entry.view.trust.holds)
        };
        // A tool is compared with the accepted one as its server describes it now.
        let ruled = self.ruled(member, tool)?;
        if holds(self) {
            let handle = self.members.member(member)?;
            let starting = handle.ask(|reply| Command::Start {
                by: StartedBy::Roster,
                reply,
            });
            starting.await?;
            let door = Door::new(Arc::clone(self));
            door.confirmed(member).await?;
            self.ruled(member, tool)?;
        }
        if ruled != Policy::Ask {
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
        self.ruled(member, tool)?;
        Ok(consent.arguments)
    }

    /// A tool's policy for agents, unless they do not get it.
    fn ruled(&self, member: &MemberName, tool: &ToolName) -> Result<Policy, Report> {
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
