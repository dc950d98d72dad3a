//! Details of a member or a tool.

use std::borrow::Cow;
use std::path::PathBuf;

use guild_api::wire::control::{ListTools, ListedInFull, ListedTool};
use guild_api::wire::{MemberDetail, MemberView, ToolDetail};
use guild_client_config::written_secrets;
use guild_model::manifest::{Launch, Lookup, Manifest, Substitution, command_line};
use guild_model::status::Freshness;
use guild_model::tool::Provenance;
use guild_model::{MemberName, Report, ToolName};
use guild_review::trust::{NameProbe, suspicions};
use guild_schema::schema::{bound, bound_text};
use guild_text::messages::to_strings;

use super::review::others;
use super::{GuildHall, run_blocking};
use guild_import::client_configs::masked;
use guild_roster::{IndexedTool, ToolSet};
use guild_secrets::mask::SecretMatcher;
use guild_supervisor::calls::limit_of;
use guild_supervisor::member::Inspection;

/// Number of stderr lines that a member's page shows at first.
const STDERR_SHOWN: usize = 1_000;

impl GuildHall {
    /// Returns all details of a tool, with its schemas bounded in size.
    ///
    /// # Errors
    /// `member-unknown`, `tool-unknown`.
    pub fn tool_detail(&self, member: &MemberName, tool: &ToolName) -> Result<ToolDetail, Report> {
        let snapshot = self.snapshot();
        let entry = snapshot
            .members
            .get(member)
            .ok_or_else(|| self.unknown_member(member))?;
        let known = entry.tools.get(tool);
        let summary = snapshot.summary(member, tool);
        let (Some(IndexedTool { spec, .. }), Some(summary)) = (known, summary) else {
            return Err(snapshot.unknown_tool(member, tool));
        };
        let input = bound(spec.input_schema());
        let output = spec.output_schema().map(bound);
        let mut schema_notes = input.notes;
        schema_notes.extend(
            output
                .iter()
                .flat_map(|output| output.notes.iter().cloned()),
        );
        let freshness = entry.view.freshness;
        let probe = NameProbe::of(spec);
        let others = others(&snapshot, member, &probe);
        Ok(ToolDetail {
            summary,
            description: spec.description().to_owned(),
            provenance: provenance(&entry.tools, freshness),
            found: entry.tools.found,
            freshness,
            input_schema: input.schema.to_string(),
            output_schema: output.map(|output| output.schema.to_string()),
            schema_notes: to_strings(&schema_notes),
            raw: serde_json::Value::Object(spec.raw().clone()).to_string(),
            call_timeout_ms: u64::try_from(
                limit_of(entry.manifest.as_deref(), tool, &self.limits()).as_millis(),
            )
            .unwrap_or(u64::MAX),
            suspicions: suspicions(member, spec, others),
            app: spec.app_uri().map(str::to_owned),
        })
    }

    /// Returns all tools of a member for printing, with fewer details than
    /// [`GuildHall::tool_detail`].
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn list_tools(&self, request: ListTools) -> Result<Vec<ListedTool>, Report> {
        let ListTools { member, full } = request;
        let entry = self.entry(&member)?;
        let freshness = entry.view.freshness;
        let listing = run_blocking(move || {
            let provenance = provenance(&entry.tools, freshness);
            let listed = |tool: &IndexedTool| ListedTool {
                name: tool.spec.name().clone(),
                summary: match full {
                    true => String::new(),
                    false => tool.line(&member).description.to_string(),
                },
                freshness,
                provenance,
                full: full.then(|| ListedInFull {
                    description: tool.spec.description().to_owned(),
                    // This can't fail, since a value that was parsed from JSON can be serialized.
                    input_schema: bound_text(tool.spec.input_schema()).unwrap_or_default(),
                }),
            };
            entry.tools.tools().iter().map(listed).collect()
        });
        Ok(listing.await)
    }

    /// Returns the folder of a member.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn member_folder(&self, member: &MemberName) -> Result<PathBuf, Report> {
        Ok(self.member(member)?.inspect().await?.found.folder)
    }

    /// Returns all details of a member.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn member_detail(&self, member: &MemberName) -> Result<MemberDetail, Report> {
        let handle = self.member(member)?;
        let inspection = handle.inspect().await?;
        let entry = self.entry(member)?;
        let files = inspection.files.clone();
        // Which of two paths is used depends on which file exists.
        let place = tokio::task::spawn_blocking(move || files.path().display().to_string());
        let cache_file = place.await.unwrap_or_default();
        let manifest = inspection.found.parsed.manifest.as_ref().ok();
        let hidden = manifest.map(written_secrets);
        let mask = SecretMatcher::new(hidden.unwrap_or_default());
        let redactor = self.values().redactor().clone();
        let without = |mut text: String| {
            if let Cow::Owned(hidden) = mask.hide(&text) {
                text = mask.hide_json(&text).unwrap_or(hidden);
            }
            redactor.hide_in(&mut text);
            text
        };
        let env_names = match manifest.map(|manifest| &manifest.launch) {
            Some(Launch::Command { env, .. }) => env.keys().cloned().collect(),
            Some(Launch::Container(container)) => container.env.keys().cloned().collect(),
            Some(Launch::Url { headers, .. }) => headers.keys().cloned().collect(),
            None => vec![],
        };
        Ok(MemberDetail {
            view: MemberView::clone(&entry.view),
            folder: inspection.found.folder.display().to_string(),
            // An invalid manifest is masked too, so that a typo does not expose a token near it.
            manifest: inspection.found.text.as_deref().map(masked).map(without),
            command: manifest
                .map(|manifest| self.as_run(manifest, &inspection, entry.view.port))
                .map(without),
            url: inspection.url.map(without),
            env_names,
            server: inspection.server,
            cache_file,
            stderr: handle.output.last(STDERR_SHOWN),
        })
    }

    /// Returns the whole command line. References to folders and ports are replaced by their
    /// values. References to variables and secrets stay, since the values of variables may be
    /// secret too.
    fn as_run(&self, manifest: &Manifest, inspection: &Inspection, port: Option<u16>) -> String {
        let plugin_dir = inspection.found.folder.to_string_lossy();
        let substitution = Substitution {
            port,
            plugin_dir: &plugin_dir,
            guildhall: &self.inner.context.own_binary,
            lookup: &ReferencesOnly,
        };
        let mut shown = manifest.clone();
        // A reference that has no value yet, such as the port of a stopped member, stays in the
        // text.
        let filled = |text: &str| {
            substitution
                .substitute(text)
                .unwrap_or_else(|_| text.to_owned())
        };
        match &mut shown.launch {
            Launch::Command { command, args, .. } => {
                for text in std::iter::once(command).chain(args) {
                    *text = filled(text);
                }
            }
            Launch::Container(container) => {
                let texts = container.mounts.iter_mut().map(|mount| &mut mount.source);
                for text in texts.chain(&mut container.args) {
                    *text = filled(text);
                }
            }
            Launch::Url { .. } => {}
        }
        command_line(&shown)
    }
}

/// A lookup that returns the references to environment variables and secrets instead of their
/// values.
pub(super) struct ReferencesOnly;

impl Lookup for ReferencesOnly {
    fn env(&self, name: &str) -> Option<String> {
        Some(format!("${{env:{name}}}"))
    }

    fn secret(&self, name: &str) -> Option<String> {
        Some(format!("${{secret:{name}}}"))
    }
}

/// Returns how a tool list was obtained, for example from the running server or the cache.
pub(super) fn provenance(tools: &ToolSet, freshness: Freshness) -> Provenance {
    let found = tools.found.and_then(|found| found.rung.provenance());
    found.unwrap_or(match freshness {
        Freshness::Live => Provenance::Live,
        _ => Provenance::Cached,
    })
}
