//! Publishes the state of a member to the roster.

use std::sync::Arc;

use guild_api::wire::MemberView;
use guild_model::manifest::{Launch, Manifest, Transport};
use guild_model::status::Status;

use super::super::{Inspection, MemberShutdownReason};
use super::{MemberActor, MemberPhase, Up};
use guild_files::clock::now_ms;
use guild_roster::RosterEntry;

impl MemberActor {
    pub(super) fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_deref()
    }

    pub(super) fn enter(&mut self, status: Status) {
        if !self.status.may_become(status) {
            tracing::error!(member = %self.name, from = ?self.status, to = ?status, "unexpected change of status");
        }
        if self.status != status {
            tracing::debug!(member = %self.name, status = status.as_str(), "status");
            self.status = status;
            self.since_ms = now_ms();
        }
        self.publish();
    }

    pub(super) fn publish(&mut self) {
        if matches!(self.leaving, Some((MemberShutdownReason::Removed, _))) {
            return;
        }
        self.context.roster.show(RosterEntry {
            view: Arc::new(self.view()),
            tools: Arc::clone(&self.list.tools),
            manifest: self.manifest.clone(),
            folder: self.found.folder.clone(),
            discovery: self.discovery(),
            held: Arc::clone(&self.withheld),
            offers: self.offers.clone(),
            is_confirmed: matches!(&self.phase, MemberPhase::Up(up) if up.listed && !up.unread),
        });
    }

    pub(super) fn view(&self) -> MemberView {
        let parsed = &self.found.parsed;
        let mut warnings = parsed.warnings.clone();
        warnings.extend(self.list.warning.clone());
        warnings.extend(self.standing.warning.clone());
        warnings.extend(self.warnings.iter().cloned());
        let server = match &self.phase {
            MemberPhase::Up(up) => Some(&up.server),
            _ => None,
        };
        MemberView {
            name: self.name.clone(),
            version: parsed.version.clone(),
            description: parsed.description.clone(),
            transport: self.transport(),
            lifecycle: parsed.lifecycle,
            status: self.status,
            step: self.step.filter(|_| self.status == Status::Starting),
            freshness: self.list.freshness(),
            listed_at_ms: self.list.tools.listed_at_ms,
            tools: self.list.tools.tools().len(),
            port: self.port,
            pid: self.pid,
            since_ms: self.since_ms,
            retry_at_ms: self.retry_at_ms,
            attempt: self.attempt,
            protocol_version: server
                .map(|server| server.protocol_version.clone())
                .filter(|version| !version.is_empty()),
            last_stderr: self
                .output
                .last(1)
                .pop()
                .map(|line| line.text.chars().take(300).collect()),
            error: self.error.clone(),
            warnings,
            calls: self.slot.running(),
            trust: self.trust(),
        }
    }

    /// Returns the transport in use, or the manifest's transport while the server is down.
    fn transport(&self) -> Option<Transport> {
        match &self.phase {
            MemberPhase::Up(up) if up.session.uses_sse() => Some(Transport::Sse),
            _ => self.found.parsed.transport,
        }
    }

    pub(super) fn inspection(&self) -> Inspection {
        let (url, server) = match &self.phase {
            MemberPhase::Up(up) => (up.url(self.port, self.manifest()), Some(up.server.clone())),
            _ => (None, None),
        };
        Inspection {
            found: self.found.clone(),
            transport: self.transport(),
            url,
            server,
            files: self.files.clone(),
            may_predict: self.may_predict(),
        }
    }
}

impl Up {
    /// Returns the server's address (REQ-MCP-HTTP-22, -33). `None` for a stdio server.
    fn url(&self, port: Option<u16>, manifest: Option<&Manifest>) -> Option<String> {
        let path = match self.session.uses_sse() {
            true => Transport::Sse.path(),
            false => Transport::Http.path(),
        };
        match (port, manifest.map(|manifest| &manifest.launch)) {
            (Some(port), _) => Some(format!("http://127.0.0.1:{port}{path}")),
            (None, Some(Launch::Url { url, .. })) => Some(url.clone()),
            _ => None,
        }
    }
}
