//! Inspects MCPB bundles, and installs them as members.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use guild_api::event::HallEvent;
use guild_api::wire::{
    BundleFileRef, CheckAnswers, InstallMcpb, InstalledMcpb, McpbChange, McpbInstalled, McpbLook,
    McpbSuspicion,
};
use guild_client_config::NewMember;
use guild_files::messages::InstallError;
use guild_import::install::{ContainerCandidate, InstallAnswers, InstallInputValue, InstallInputs};
use guild_model::manifest::{Launch, Origin, Transport, launch_hash};
use guild_model::messages::Beyond;
use guild_model::tool::ToolSpec;
use guild_model::{Code, MemberName, Report};
use guild_registry::mcpb::{Planned, compared};
use guild_registry::messages::{ArchiveFault, BundleError, BundleFault};
use guild_review::trust::{NameProbe, suspicions};
use guild_schema::validate::{ArgumentError, CheckedArguments, Validator};
use guild_text::messages::to_strings;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::GuildHall;
use super::create::LaunchConsent;
use super::review::others;
use guild_files::blocking::blocking;
use guild_import::newcomer::{NewSecrets, Newcomer, Packed, refused};
use guild_import::scan::UsedMemberNames;
use guild_registry::bundles::{
    Archive, BundleRecord, InstalledBundle, ORIGIN, Unpacked, Update, cancelled, clear_unused,
    installed, is_in_use, put_there, unpack, unusable,
};

/// Maximum number of listed members that were installed from the same bundle.
const INSTALLED_MAX: usize = 20;
/// Maximum number of listed suspicions.
const SUSPICIONS_MAX: usize = 100;
/// Maximum size of a schema and its answers together, in bytes.
const CHECKED_BYTES_MAX: usize = 4 << 20;
/// How long to wait for the roster to show the new version of a member.
const SHOWN_LIMIT: Duration = Duration::from_secs(5);

impl GuildHall {
    /// Returns the content of an MCPB bundle and the command that it would run. Writes and starts
    /// nothing.
    ///
    /// # Errors
    /// `mcpb-unusable`.
    pub async fn look_into_mcpb(&self, request: BundleFileRef) -> Result<McpbLook, Report> {
        let token = self.inner.closing.child_token();
        let _given_up = token.clone().drop_guard();
        let (archive, planned) = opened(PathBuf::from(request.path), token).await?;
        let there = self.secret_names().await;
        let before = self.made_of(&archive.manifest.about.name).await;
        let snapshot = self.snapshot();
        let names = UsedMemberNames::taken(snapshot.members.keys().map(MemberName::as_str));
        let suggested = names.free(&archive.manifest.about.name);
        let launch = planned.plan.open();
        let home = self.finds().home();
        let prospect =
            ContainerCandidate::of(&planned.plan, &planned.inputs, Transport::Stdio, &home);
        let about = archive.manifest.about.clone();
        let mut notes = archive.manifest.notes.clone();
        notes.extend(planned.notes);
        let suspicions = {
            // An earlier version of this bundle usually has tools of the same names.
            let own = |name: &MemberName| before.iter().any(|one| one.member == *name);
            let mut found = Vec::new();
            for (tool, spec) in specs(&archive) {
                let probe = NameProbe::of(&spec);
                let others = others(&snapshot, &suggested, &probe);
                let others = others.filter(|tool| !own(tool.member));
                let suspicious = suspicions(&suggested, &spec, others);
                found.extend(suspicious.into_iter().map(|suspicion| McpbSuspicion {
                    tool: tool.clone(),
                    suspicion,
                }));
                if found.len() >= SUSPICIONS_MAX {
                    break;
                }
            }
            found.truncate(SUSPICIONS_MAX);
            found
        };
        let installed = before.iter().take(INSTALLED_MAX).map(|one| McpbInstalled {
            member: one.member.clone(),
            version: one.record.version.clone(),
            change: change(&archive, &one.record),
            asks: planned
                .inputs
                .clone()
                .answered(&one.record.given(&there))
                .asks(),
        });
        Ok(McpbLook {
            path: archive.path.display().to_string(),
            digest: archive.digest.clone(),
            bytes: archive.bytes,
            files: archive.files(),
            unpacked: archive.unpacked,
            about,
            command_line: launch.command_line(),
            launch: launch.shown(),
            container: prospect.map(|prospect| prospect.shown()),
            asks: planned.inputs.asks(),
            unfit: planned.unfit.map(|unfit| unfit.to_string()),
            suspicions,
            signed: archive.signed,
            notes: to_strings(&notes),
            installed: installed.collect(),
            suggested,
        })
    }

    /// Installs a bundle as a member, or replaces the bundle of a member. A person still has to
    /// accept the member's launch command.
    ///
    /// # Errors
    /// `mcpb-unusable`, also if the file has changed since it was inspected. `adoption-refused` if
    /// the name or an answer is invalid. `file-unwritable`, `call-cancelled`, and the errors of
    /// [`GuildHall::set_secret`]. After an error, no new file stays, and the member's old files are
    /// unchanged.
    pub async fn install_mcpb(&self, request: InstallMcpb) -> Result<InstalledMcpb, Report> {
        let running = self.register(&request.call)?;
        let token = running.token.clone();
        // If the caller stops waiting, the drop of this guard cancels the install.
        let _given_up = token.clone().drop_guard();
        let path = PathBuf::from(&request.path);
        let (archive, planned) = opened(path, token.clone()).await?;
        if archive.digest != request.digest {
            let trouble = BundleError::Another(archive.path.clone());
            return Err(Report::from_error(Code::McpbUnusable, &trouble));
        }
        let mut install = self.prepared(&request, &archive, &planned).await?;
        if !install.has_files {
            let roster = std::sync::Arc::clone(&self.inner.context.roster);
            let of = archive.unpacked;
            let call = request.call.clone();
            let tell = move |done| {
                let call = call.clone();
                roster.tell(HallEvent::Unpacking { call, done, of });
            };
            let members_dir = self.paths().members_dir.clone();
            let program = planned.program;
            let unpacking = token.clone();
            let (mut archive, install_path) = (archive, request.path.clone());
            let work = tokio::task::spawn_blocking(move || {
                unpack(
                    &mut archive,
                    &members_dir,
                    program.as_deref(),
                    &unpacking,
                    tell,
                )
            });
            install.unpacked = Some(joined(work, Path::new(&install_path)).await?);
        }
        if token.is_cancelled() {
            return Err(cancelled());
        }
        // The files are written in a separate task, which continues if the caller stops waiting.
        let hall = self.clone();
        let putting = async move { hall.put(install).await };
        let put = self.inner.context.tasks.spawn(putting);
        joined(put, Path::new(&request.path)).await
    }

    /// Validates the answers to the questions of an install.
    ///
    /// # Errors
    /// `arguments-not-json` if the schema or the answers can't be parsed, or are too large.
    pub async fn check_answers(&self, request: CheckAnswers) -> Result<CheckedArguments, Report> {
        let CheckAnswers { schema, answers } = request;
        blocking(move || check(&schema, &answers)).await?
    }

    /// Checks everything that can be checked before a file is written.
    async fn prepared(
        &self,
        request: &InstallMcpb,
        archive: &Archive,
        planned: &Planned,
    ) -> Result<Install, Report> {
        let name = &request.member;
        if let Err(error) = MemberName::parse(name.as_str()) {
            return Err(refused(name, &InstallError::BadName(error.0)));
        }
        let there = self.secret_names().await;
        let before = match request.update {
            true => Some(
                self.to_be_updated(name, &archive.manifest.about.name)
                    .await?,
            ),
            false => {
                self.check_new_name(name, &[])?;
                None
            }
        };
        let inputs = match &before {
            Some(before) => planned
                .inputs
                .clone()
                .answered(&before.record.given(&there)),
            None => planned.inputs.clone(),
        };
        let given = inputs.read(&request.answers);
        let given = given.map_err(|errors| unfit(name, &inputs, &errors))?;
        let run = planned.plan.filled(&given);
        let run = run.map_err(|wrong| refused(name, &InstallError::CannotRun(wrong)))?;
        let home = self.finds().home();
        let packed = Packed::of(&planned.plan, &inputs, &run, Transport::Stdio, &home);
        let manifest = &archive.manifest;
        let origin = Origin {
            from: ORIGIN.to_owned(),
            path: Some(archive.path.display().to_string()),
            at: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
            ..Origin::default()
        };
        let member = NewMember {
            version: &manifest.about.version,
            description: &manifest.about.description,
            contained: packed.contained.as_ref(),
            ..NewMember::new(name, &run, origin)
        };
        let newcomer = Newcomer::of(&member, NewSecrets::of(name, there))?;
        let env = match &newcomer.manifest.launch {
            Launch::Command { env, .. } => env.keys().cloned().collect(),
            Launch::Container(container) => container.env.keys().cloned().collect(),
            Launch::Url { .. } => Vec::new(),
        };
        let secrets = secrets_of(&given, &newcomer);
        let (bundle, version) = (&manifest.about.name, &manifest.about.version);
        let record = BundleRecord::new(bundle, version, &archive.digest, env, &given, &secrets);
        let has_files = match &before {
            Some(before) => {
                let (member_folder, folder) = (before.folder.clone(), archive.folder());
                let looking =
                    tokio::task::spawn_blocking(move || is_in_use(&member_folder, &folder));
                looking.await.unwrap_or(false)
            }
            None => false,
        };
        Ok(Install {
            newcomer,
            record,
            before,
            has_files,
            unpacked: None,
            stays: packed.stays,
        })
    }

    /// Stores the secrets and writes the member's files.
    async fn put(&self, install: Install) -> Result<InstalledMcpb, Report> {
        let Install {
            newcomer,
            record,
            before,
            unpacked,
            stays,
            ..
        } = install;
        let name = newcomer.name.clone();
        let stays_command = to_strings(&stays);
        // Without the lock, another install could use the same name.
        let _importing = self.inner.finds.lock_imports().await;
        let Some(before) = before else {
            let write = move |newcomer: &Newcomer, members_dir: &Path| match unpacked {
                Some(unpacked) => put_there(newcomer, unpacked, &record, members_dir),
                None => newcomer.write(members_dir),
            };
            let made = self
                .make_member(newcomer, LaunchConsent::Awaited, write)
                .await?;
            self.until_shown(std::slice::from_ref(&name)).await;
            return Ok(InstalledMcpb {
                member: name,
                folder: made.folder.display().to_string(),
                replaced: None,
                secrets: made.secrets,
                warning: made.warning,
                stays_command,
            });
        };
        let (member_folder, old) = (before.folder.clone(), before.record.clone());
        let path = member_folder.clone();
        let merging = tokio::task::spawn_blocking(move || {
            let update = Update::of(&newcomer, &member_folder, &old)?;
            Ok((newcomer, update))
        });
        let (newcomer, update) = joined(merging, &path).await?;
        let hash = launch_hash(&update.manifest);
        let write = move |_: &Newcomer, _: &Path| {
            update.put_there(unpacked, &record)?;
            Ok(path)
        };
        let made = self
            .make_member(newcomer, LaunchConsent::Awaited, write)
            .await?;
        self.until_run_is(&name, &hash).await;
        let used = self.secret_uses();
        let kept = before.record.secrets();
        let unused = kept.filter(|name| !used.contains_key(*name));
        self.forget_secrets(unused.map(str::to_owned).collect())
            .await;
        let folder = made.folder.clone();
        // The member uses the old files until the roster shows the new manifest. The wait for that
        // has ended, after `SHOWN_LIMIT` at the latest.
        let clearing = tokio::task::spawn_blocking(move || clear_unused(&folder));
        if let Err(error) = clearing.await {
            tracing::debug!(%error, "the folder of an old bundle stays");
        }
        Ok(InstalledMcpb {
            member: name,
            folder: made.folder.display().to_string(),
            replaced: Some(before.record.version),
            secrets: made.secrets,
            warning: made.warning,
            stays_command,
        })
    }

    /// Waits until the roster shows the member with a manifest of this launch hash.
    async fn until_run_is(&self, name: &MemberName, hash: &str) {
        self.inner.members.reconcile().await;
        let is_so = |manifest: &guild_model::manifest::Manifest| launch_hash(manifest) == hash;
        let shown = self.inner.context.roster.until(|snapshot| {
            let entry = snapshot.members.get(name);
            let manifest = entry.and_then(|entry| entry.manifest.as_deref());
            manifest.is_some_and(is_so)
        });
        // If the roster changes later than that, the caller has already returned.
        let _ = tokio::time::timeout(SHOWN_LIMIT, shown).await;
    }

    /// Returns the members that were installed from a bundle of this name.
    async fn made_of(&self, bundle: &str) -> Vec<InstalledBundle> {
        let snapshot = self.snapshot();
        let members = snapshot.members.iter().filter_map(|(name, entry)| {
            let origin = entry.manifest.as_ref()?.origin.as_ref()?;
            let folder = self.inner.members.folder(name)?;
            (origin.from == ORIGIN).then(|| (name.clone(), folder))
        });
        let (members, bundle) = (members.collect(), bundle.to_owned());
        let reading = tokio::task::spawn_blocking(move || installed(members, &bundle));
        reading.await.unwrap_or_default()
    }

    async fn to_be_updated(
        &self,
        name: &MemberName,
        bundle: &str,
    ) -> Result<InstalledBundle, Report> {
        let made = self.made_of(bundle).await;
        let found = made.into_iter().find(|one| one.member == *name);
        found.ok_or_else(|| {
            let trouble = InstallError::OtherBundle(name.clone(), format!("{bundle:?}"));
            refused(name, &trouble)
        })
    }
}

/// An install that has passed all checks.
struct Install {
    newcomer: Newcomer,
    record: BundleRecord,
    before: Option<InstalledBundle>,
    /// Whether the member already has the files of this bundle.
    has_files: bool,
    unpacked: Option<Unpacked>,
    /// The reasons why the member runs a command instead of a container.
    stays: Vec<Beyond>,
}

async fn opened(path: PathBuf, token: CancellationToken) -> Result<(Archive, Planned), Report> {
    let named = path.clone();
    let opening = tokio::task::spawn_blocking(move || {
        let archive = Archive::open(&path, &token)?;
        let planned = archive.planned()?;
        Ok((archive, planned))
    });
    joined(opening, &named).await
}

/// Returns the result of a task. A panic is reported as an error of the bundle.
async fn joined<T>(
    task: tokio::task::JoinHandle<Result<T, Report>>,
    path: &Path,
) -> Result<T, Report> {
    let done = task.await;
    done.unwrap_or_else(|error| {
        let unread = ArchiveFault::Unread(error.to_string());
        Err(unusable(path, BundleFault::Archive(unread)))
    })
}

/// Returns the texts of a bundle in the form of tools, so that they are inspected like those of a
/// server: the bundle's description, and each tool that it declares.
fn specs(archive: &Archive) -> Vec<(Option<String>, ToolSpec)> {
    let manifest = &archive.manifest;
    let own = json!({
        "name": "bundle",
        "inputSchema": {"type": "object"},
        "title": manifest.about.title,
        "description": manifest.about.description,
        "long_description": manifest.about.long_description,
        "user_config": manifest.user_config.iter().map(|one| {
            json!({"title": one.title, "description": one.description})
        }).collect::<Vec<_>>(),
    });
    let tools = manifest.about.tools.iter().map(|tool| {
        let raw = json!({
            "name": tool.name,
            "description": tool.description,
            "inputSchema": {"type": "object"},
        });
        (Some(tool.name.clone()), raw)
    });
    let all = std::iter::once((None, own)).chain(tools);
    all.filter_map(|(tool, raw)| Some((tool, ToolSpec::from_raw(raw).ok()?)))
        .collect()
}

fn change(archive: &Archive, record: &BundleRecord) -> McpbChange {
    use std::cmp::Ordering;
    if archive.digest == record.digest {
        return McpbChange::Same;
    }
    match compared(&archive.manifest.about.version, &record.version) {
        Some(Ordering::Greater) => McpbChange::Newer,
        Some(Ordering::Less) => McpbChange::Older,
        Some(Ordering::Equal) | None => McpbChange::Other,
    }
}

/// Returns the names of new secrets, by the keys of their answers.
fn secrets_of(given: &InstallAnswers, newcomer: &Newcomer) -> BTreeMap<String, String> {
    let named = given.iter().filter_map(|(key, answer)| match answer {
        InstallInputValue::Secret(value) => {
            Some((key.clone(), newcomer.name_of_secret(value)?.to_owned()))
        }
        InstallInputValue::Plain(_) | InstallInputValue::Kept(_) => None,
    });
    named.collect()
}

/// Returns the error for invalid answers.
fn unfit(name: &MemberName, inputs: &InstallInputs, errors: &[ArgumentError]) -> Report {
    let sentences = {
        let each = errors.iter().take(5).map(|error| {
            let key = error.pointer.trim_start_matches('/');
            let key = key.replace("~1", "/").replace("~0", "~");
            let wrong = &error.message;
            match key.as_str() {
                "" => wrong.clone(),
                key => format!("{key:?} {wrong}"),
            }
        });
        each.collect::<Vec<_>>().join("; ")
    };
    let keys: Vec<&str> = inputs.iter().map(|input| input.key.as_str()).collect();
    let trouble = InstallError::Unfit(sentences, keys.join(", "));
    refused(name, &trouble)
}

fn check(schema: &str, answers: &str) -> Result<CheckedArguments, Report> {
    if schema.len() + answers.len() > CHECKED_BYTES_MAX {
        let trouble = InstallError::TooLarge;
        return Err(Report::from_error(Code::ArgumentsNotJson, &trouble));
    }
    let schema = serde_json::from_str(schema).map_err(|error| {
        let trouble = InstallError::NoJson(error.to_string());
        Report::from_error(Code::ArgumentsNotJson, &trouble)
    })?;
    let answers = guild_model::arguments::parse_exact(answers).map_err(|error| error.report())?;
    Ok(Validator::build(&schema).check(&json!(answers)))
}
