//! A call as text to be used elsewhere, from what the hall knows of its member.

use crate::copies::{
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
    /// A call as text to be used elsewhere; nothing is started for it.
    ///
    /// # Errors
    /// `member-unknown`, `arguments-not-json`, and why the member's manifest can't be used.
    pub async fn copy_as(&self, request: CopyAs) -> Result<Copied, Report> {
        let handle = self.member(&request.member)?;
        let inspection = handle.inspect().await?;
        let hall = self.clone();
        // Arguments are up to 8 MiB: not on the runtime's threads.
        let work = tokio::task::spawn_blocking(move || hall.copied(&request, &inspection));
        work.await.unwrap_or_else(|error| {
            let why = CopyNote::NotMade(error.to_string());
            Ok(CopiedText::none(why).told())
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
        Ok(copy.told())
    }

    /// A member as a program would run it without Guild Hall, or why it can't; nothing is started
    /// for it.
    pub(crate) async fn member_for(&self, member: &MemberName, program: ClientProgram) -> Copied {
        let written = self.program_config(member, program).await;
        let copy = written
            .unwrap_or_else(|report| CopiedText::none(CopyNote::Refused(report.message.clone())));
        copy.told()
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

    /// Fills in a manifest's text, except for its secrets.
    fn without_secrets(&self, text: &str, folder: &str) -> String {
        let substitution = Substitution {
            port: None,
            plugin_dir: folder,
            guildhall: &self.inner.context.own_binary,
            lookup: &ReferencesOnly,
        };
        // A variable without a value stays unchanged.
        let filled = substitution.substitute(text);
        filled.unwrap_or_else(|_| text.to_owned())
    }
}

/// The version that is spoken with the member, or would be.
fn spoken(manifest: &Manifest, inspection: &Inspection) -> ProtocolVersion {
    let agreed = inspection.server.as_ref().and_then(|server| {
        let name = serde_json::Value::String(server.protocol_version.clone());
        serde_json::from_value(name).ok()
    });
    agreed
        .or(manifest.protocol_version)
        .unwrap_or(ProtocolVersion::V2025_11_25)
}
