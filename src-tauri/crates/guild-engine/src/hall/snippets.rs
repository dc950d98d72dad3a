//! Exports a call as text for other programs, with the necessary data of its member.

use crate::snippets::{
    CopiedText, Copyable, SnippetHttpTarget, client_config, no_curl, program_config,
};
use guild_api::wire::{Copied, CopyAs, CopyForm};
use guild_client_config::ClientProgram;
use guild_client_config::messages::CopyNote;
use guild_model::arguments::parse_exact;
use guild_model::manifest::{Launch, Manifest, Substitution, Transport};
use guild_model::protocol::ProtocolVersion;
use guild_model::{MemberName, Report};

use super::GuildHall;
use super::detail::ReferencesOnly;
use guild_supervisor::member::Inspection;

impl GuildHall {
    /// Returns a call as text for another program. Starts nothing.
    ///
    /// # Errors
    /// `member-unknown`, `arguments-not-json`, and the errors of the member's manifest.
    pub async fn copy_as(&self, request: CopyAs) -> Result<Copied, Report> {
        let handle = self.member(&request.member)?;
        let inspection = handle.inspect().await?;
        let hall = self.clone();
        // Arguments may have 8 MiB, so they are processed on a blocking thread.
        let work = tokio::task::spawn_blocking(move || hall.copied(&request, &inspection));
        work.await.unwrap_or_else(|error| {
            let why = CopyNote::NotMade(error.to_string());
            Ok(CopiedText::none(why).into_copied())
        })
    }

    fn copied(&self, request: &CopyAs, inspection: &Inspection) -> Result<Copied, Report> {
        let CopyAs {
            member,
            tool,
            arguments,
            form,
        } = request;
        let arguments = parse_exact(arguments).map_err(|error| error.report().of(member))?;
        let manifest = inspection.found.parsed.manifest.as_ref();
        let manifest = manifest.map_err(|report| report.clone().of(member))?;
        let copyable = Copyable {
            member,
            tool,
            arguments: &arguments,
            version: spoken(manifest, inspection),
        };
        let copy = match form {
            CopyForm::JsonRpc => CopiedText {
                text: copyable.json_rpc(),
                notes: Vec::new(),
            },
            CopyForm::Guildhall => {
                let paths = &self.inner.context.paths;
                copyable.guildhall(
                    &paths.members_dir.display().to_string(),
                    &paths.data_dir.display().to_string(),
                )
            }
            CopyForm::ClientConfig => {
                let folder = inspection.found.folder.display().to_string();
                client_config(manifest, &folder, inspection.url.as_deref(), |text| {
                    self.without_secrets(text, &folder)
                })
            }
            CopyForm::Curl => self.curl(&copyable, manifest, inspection),
        };
        Ok(copy.into_copied())
    }

    /// Returns the member in the format of an app's configuration file, so that the app can start
    /// it without Guild Hall. If that is not possible, returns the reason. Starts nothing.
    pub(crate) async fn member_for(&self, member: &MemberName, program: ClientProgram) -> Copied {
        let written = self.program_config(member, program).await;
        let copy = written
            .unwrap_or_else(|report| CopiedText::none(CopyNote::Refused(report.message.clone())));
        copy.into_copied()
    }

    async fn program_config(
        &self,
        member: &MemberName,
        program: ClientProgram,
    ) -> Result<CopiedText, Report> {
        let inspection = self.member(member)?.inspect().await?;
        let manifest = inspection.found.parsed.manifest.as_ref();
        let manifest = manifest.map_err(|report| report.clone().of(member))?;
        let folder = inspection.found.folder.display().to_string();
        let url = inspection.url.as_deref();
        Ok(program_config(program, manifest, &folder, url, |text| {
            self.without_secrets(text, &folder)
        }))
    }

    fn curl(
        &self,
        copyable: &Copyable<'_>,
        manifest: &Manifest,
        inspection: &Inspection,
    ) -> CopiedText {
        if inspection.transport == Some(Transport::Sse) {
            return CopiedText::none(CopyNote::OverSse(copyable.member.to_string()));
        }
        let folder = inspection.found.folder.display().to_string();
        let (url, headers) = match &manifest.launch {
            Launch::Url { url, headers } => (Some(self.without_secrets(url, &folder)), headers),
            Launch::Command { .. } | Launch::Container(_)
                if manifest.transport == Transport::Stdio =>
            {
                return no_curl(copyable.member);
            }
            Launch::Command { .. } | Launch::Container(_) => {
                (inspection.url.clone(), &manifest.headers)
            }
        };
        let Some(url) = url else {
            return CopiedText::none(CopyNote::NoAddressOf(copyable.member.to_string()));
        };
        let tools = self.tools_with(copyable.member, copyable.tool);
        let schema = tools
            .as_ref()
            .and_then(|tools| Some(tools.get(copyable.tool)?.spec.input_schema()));
        let mirrored =
            guild_mcp_client::mirrored_headers(copyable.tool, schema, copyable.arguments);
        copyable.curl(&SnippetHttpTarget {
            url: &url,
            headers,
            mirrored: &mirrored,
            pinned: manifest.protocol_version.is_some(),
        })
    }

    /// Resolves the references in a string of a manifest, except those to variables and secrets.
    fn without_secrets(&self, text: &str, folder: &str) -> String {
        let substitution = Substitution {
            port: None,
            plugin_dir: folder,
            guildhall: &self.inner.context.own_binary,
            lookup: &ReferencesOnly,
        };
        // A reference without a value stays unchanged.
        let filled = substitution.substitute(text);
        filled.unwrap_or_else(|_| text.to_owned())
    }
}

/// Returns the protocol version of the member's current session, or else the one that a new session
/// would use.
fn spoken(manifest: &Manifest, inspection: &Inspection) -> ProtocolVersion {
    let agreed = inspection.server.as_ref().and_then(|server| {
        let name = serde_json::Value::String(server.protocol_version.clone());
        serde_json::from_value(name).ok()
    });
    agreed
        .or(manifest.protocol_version)
        .unwrap_or(ProtocolVersion::V2025_11_25)
}
