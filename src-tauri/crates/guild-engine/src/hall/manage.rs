//! Enables, renames, duplicates, removes, restores and edits members when a person requests it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::{
    CheckMemberFile, CheckedMemberFile, EditManifestText, LaunchTrust, ManifestText, MemberFile,
    MemberRef, MemberView, Nothing, RemovalRef, RemovedMember, RemovedMembers, RenameMember,
    SaveMemberFile, SetMemberEnabled,
};
use guild_files::messages::{FileFault, InstallError, ManagingError};
use guild_model::manifest::{MANIFEST_BYTES_MAX, Manifest, Origin, parse, problems, with_field};
use guild_model::messages::io_message;
use guild_model::status::Status;
use guild_model::{Code, MemberName, Report};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_files::files::copying::{copy_content, move_folder};
use guild_files::files::folder::{FolderAside, clear_folders};
use guild_files::files::{read_bounded, save};
use guild_files::members_folder::{MANIFEST_FILE, unreadable};
use guild_files::removed::MemberRemoval;
use guild_import::newcomer::{folder_of, name_taken, refused};
use guild_supervisor::dev::edit_file;
use guild_supervisor::reviews::Reviews;

/// Prefix of the temporary name of a copied folder, until its files are complete.
const ASIDE: &str = ".guild-hall-copied-";

/// How long to wait for a removed member to disappear from the roster.
const GONE_LIMIT: Duration = Duration::from_secs(2);

impl GuildHall {
    /// Sets `enabled` in a member's `plugin.json`. The rest of the file stays unchanged.
    ///
    /// # Errors
    /// `member-unknown`, the errors of the manifest, `file-unwritable`.
    pub async fn set_member_enabled(
        &self,
        request: SetMemberEnabled,
    ) -> Result<MemberView, Report> {
        let SetMemberEnabled { member, enabled } = request;
        let _alone = self.inner.workshop.writing().await;
        let path = self.member_folder(&member).await?.join(MANIFEST_FILE);
        let write = move || write_field(&path, "enabled", &enabled.into()).map(|_| ());
        self.on_disk(&member, write).await?;
        self.current_view(&member).await
    }

    /// Stops a member and moves its folder to the trash.
    ///
    /// # Errors
    /// `member-unknown`, `file-unwritable`. The member then stays where it is.
    pub async fn remove_member(&self, of: MemberRef) -> Result<RemovedMember, Report> {
        let MemberRef { member } = of;
        let _alone = self.inner.workshop.writing().await;
        let folder = self.member_folder(&member).await?;
        let is_running = self.is_running(&member);
        self.stop_member(&member).await?;
        let (data_dir, name) = (self.paths().data_dir.clone(), member.clone());
        let moving = move || {
            let removal = MemberRemoval::begin(&data_dir, &name, &folder)
                .map_err(|error| not_moved(&folder, &data_dir, &error))?;
            MemberRemoval::clear(&data_dir);
            Ok(removal.view())
        };
        let removed = self.on_disk(&member, moving).await;
        if removed.is_err() && is_running {
            // If this restart also fails, the error of the move is the one to return.
            let _ = self.start_member(&member).await;
        }
        self.inner.members.reconcile().await;
        let removed = removed?;
        self.until_gone(&member).await;
        Ok(removed)
    }

    /// Returns the members in the trash, newest first.
    ///
    /// # Errors
    /// `shutting-down` if the program ends.
    pub async fn removed_members(&self, _: Nothing) -> Result<RemovedMembers, Report> {
        let data_dir = self.paths().data_dir.clone();
        let list = move || {
            MemberRemoval::all(&data_dir)
                .iter()
                .map(MemberRemoval::view)
                .collect()
        };
        let members = blocking(list).await?;
        Ok(RemovedMembers { members })
    }

    /// Moves a member's folder from the trash back to its original path.
    ///
    /// # Errors
    /// `removal-unknown`, `adoption-refused` if its name is in use, `file-unwritable`. The member
    /// then stays in the trash.
    pub async fn restore_member(&self, of: RemovalRef) -> Result<MemberView, Report> {
        let _alone = self.inner.workshop.writing().await;
        let paths = self.paths().clone();
        let find = move || {
            let removal = MemberRemoval::find(&paths.data_dir, &of.removal).ok_or_else(|| {
                let trouble = ManagingError::NotInTrash(format!("{:?}", of.removal.0));
                Report::from_error(Code::RemovalUnknown, &trouble)
            })?;
            // The roster may have shown the member under another name, because the name in its
            // manifest was taken.
            let text = text_of(&removal.folder().join(MANIFEST_FILE));
            let name = text.ok().and_then(|text| name_in(text.as_bytes()));
            let member = name.unwrap_or_else(|| removal.view().member);
            Ok::<_, Report>((removal, member))
        };
        let (removal, member) = blocking(find).await??;
        if self.snapshot().members.contains_key(&member) {
            return Err(name_taken(&member));
        }
        let (members_dir, name) = (self.paths().members_dir.clone(), member.clone());
        let restore = move || {
            let (folder, place) = (removal.folder(), removal.place(&members_dir));
            let restored = removal.restore(&members_dir);
            restored.map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => name_taken(&name),
                _ => not_moved(&folder, &place, &error),
            })
        };
        self.on_disk(&member, restore).await?;
        self.current_view(&member).await
    }

    /// Renames a member, and also its folder if that has the same name. Permissions, profiles,
    /// reviews, saved calls and drafts are moved to the new name. Past calls keep the old name.
    ///
    /// # Errors
    /// `member-unknown`, the errors of the manifest, `adoption-refused` if the name is invalid,
    /// taken, or that of a member in the trash, `gateway-settings`, `reviews-unreadable`,
    /// `data-unwritable`, `file-unwritable`. The member then keeps its name, and runs if it was
    /// running.
    pub async fn rename_member(&self, request: RenameMember) -> Result<MemberView, Report> {
        let _alone = self.inner.workshop.writing().await;
        let (member, name) = self.names_of(request).await?;
        let folder = self.usable_folder(&member).await?;
        let members_dir = self.paths().members_dir.clone();
        let (from, to, checked) = (member.clone(), name.clone(), folder.clone());
        let check = move || {
            let manifest = checked.join(MANIFEST_FILE);
            let text = renamed_text(&manifest, &to)?;
            parse(text.as_bytes(), &manifest.display().to_string()).manifest?;
            let place = folder_of(&members_dir, &to);
            let moves = checked == folder_of(&members_dir, &from);
            if moves && is_taken(&place) && !is_same(&checked, &place) {
                return Err(name_taken(&to));
            }
            Ok(moves.then_some(place))
        };
        let place = self.on_disk(&member, check).await?;
        let is_running = self.is_running(&member);
        self.stop_member(&member).await?;
        let renamed = self.write_name(&member, &name, folder, place).await;
        if renamed.is_err() && is_running {
            // If this restart also fails, the error of the renaming is the one to return.
            let _ = self.start_member(&member).await;
        }
        self.inner.members.reconcile().await;
        let gone = if renamed.is_ok() { &member } else { &name };
        self.until_gone(gone).await;
        // Another folder may still have a member with the old name, which then keeps the settings
        // of that name.
        if !self.snapshot().members.contains_key(gone) {
            if renamed.is_ok() {
                warn_of(self.agents().await.forget_policies(gone).await);
            }
            self.forget_reviews(gone).await;
        }
        renamed?;
        self.current_view(&name).await
    }

    /// Writes the new name of a stopped member. If that fails, the gateway's settings stay
    /// unchanged.
    async fn write_name(
        &self,
        member: &MemberName,
        name: &MemberName,
        folder: PathBuf,
        place: Option<PathBuf>,
    ) -> Result<(), Report> {
        let agents = self.agents().await;
        // The permissions are moved before the roster has the new name, so that agents never get
        // more of them.
        let changed = agents.rename_member(member, name).await;
        let changed = changed.map_err(|report| report.of(member))?;
        let reviews = Arc::clone(&self.inner.context.reviews);
        let (from, to) = (member.clone(), name.clone());
        let write = move || {
            reviews.copy_member(&from, &to)?;
            write_field(&folder.join(MANIFEST_FILE), "name", &to.as_str().into())?;
            let moved = place.map_or(Ok(()), |place| match is_same(&folder, &place) {
                // The names differ only in letter case, so the new path exists already.
                true => std::fs::rename(&folder, &place),
                false => move_folder(&folder, &place),
            });
            if let Err(error) = moved {
                tracing::warn!(folder = %folder.display(), %error, "a renamed member keeps its folder");
            }
            Ok(())
        };
        let written = self.on_disk(member, write).await;
        if written.is_err() {
            warn_of(agents.undo_name(changed).await);
        } else {
            let history = &self.inner.history;
            warn_of(history.rename_member(member.clone(), name.clone()).await);
        }
        written
    }

    /// Copies a member's folder under a new name. Permissions and reviews are copied too.
    ///
    /// # Errors
    /// The errors of [`Self::rename_member`]. In that case no copy exists.
    pub async fn duplicate_member(&self, request: RenameMember) -> Result<MemberView, Report> {
        let (member, name) = self.names_of(request.clone()).await?;
        let folder = self.usable_folder(&member).await?;
        let members_dir = self.paths().members_dir.clone();
        let place = folder_of(&members_dir, &name);
        let (to, at) = (name.clone(), place.clone());
        // Copying a large folder takes a while. Other members can be changed in the meantime, since
        // no lock is held.
        let copy = move || match is_taken(&at) {
            true => Err(name_taken(&to)),
            false => copy_aside(&folder, &members_dir, &to),
        };
        let aside = self.on_disk(&member, copy).await?;
        let _alone = self.inner.workshop.writing().await;
        self.names_of(request).await?;
        let agents = self.agents().await;
        // The permissions are copied before the roster has the copy, so that agents never get more
        // of them.
        let changed = agents.copy_policies(&member, &name).await;
        let changed = changed.map_err(|report| report.of(&member))?;
        let reviews = Arc::clone(&self.inner.context.reviews);
        let (from, to) = (member.clone(), name.clone());
        let put = move || {
            if is_taken(&place) {
                return Err(name_taken(&to));
            }
            reviews.copy_member(&from, &to)?;
            let placed = aside.put_in_place(&place);
            placed.map_err(|error| not_copied(&place, &error))
        };
        if let Err(report) = self.on_disk(&member, put).await {
            warn_of(agents.undo_name(changed).await);
            self.forget_reviews(&name).await;
            return Err(report);
        }
        self.current_view(&name).await
    }

    /// Returns the text of a member's `plugin.json`, for an editor.
    ///
    /// # Errors
    /// `member-unknown`, `manifest-missing`, `manifest-too-large`, `manifest-unreadable`.
    pub async fn member_file(&self, of: MemberRef) -> Result<MemberFile, Report> {
        let MemberRef { member } = of;
        let path = self.member_folder(&member).await?.join(MANIFEST_FILE);
        let reviews = Arc::clone(&self.inner.context.reviews);
        let name = member.clone();
        let read = move || {
            let text = text_of(&path)?;
            Ok(file_of(&name, &path, text, &reviews))
        };
        self.on_disk(&member, read).await
    }

    /// Returns the errors and warnings of a text for a member's `plugin.json`.
    ///
    /// # Errors
    /// `shutting-down` if the program ends.
    pub async fn check_member_file(
        &self,
        request: CheckMemberFile,
    ) -> Result<CheckedMemberFile, Report> {
        let CheckMemberFile { member, text } = request;
        let check = move || Ok(problems(&text));
        let problems = self.on_disk(&member, check).await?;
        Ok(CheckedMemberFile { problems })
    }

    /// Sets or removes one field in a text for `plugin.json`.
    ///
    /// # Errors
    /// `manifest-not-json` if the text or the value can't be parsed, `manifest-too-large`.
    pub async fn edit_manifest_text(
        &self,
        request: EditManifestText,
    ) -> Result<ManifestText, Report> {
        let EditManifestText { text, field, value } = request;
        let refused = |error: String| field_unchanged(&field, Path::new(MANIFEST_FILE), error);
        let sizes = [text.len(), value.as_ref().map_or(0, String::len)];
        if sizes.iter().any(|size| *size as u64 > MANIFEST_BYTES_MAX) {
            let error = io::Error::new(
                io::ErrorKind::FileTooLarge,
                FileFault::TooLarge(MANIFEST_BYTES_MAX),
            );
            return Err(unreadable(Path::new(MANIFEST_FILE), &error));
        }
        let value: Option<Value> = value
            .map(|value| serde_json::from_str(&value))
            .transpose()
            .map_err(|error| refused(error.to_string()))?;
        let text = with_field(&text, &field, value.as_ref())
            .map_err(|error| refused(error.to_string()))?;
        Ok(ManifestText { text })
    }

    /// Saves a member's `plugin.json`, if it is unchanged since it was read.
    ///
    /// The person who saves the file has seen its command. If the command of an imported member was
    /// accepted before, the new command therefore counts as accepted too. A member that waits for a
    /// review, for example because another program changed its command, still needs the review.
    ///
    /// # Errors
    /// `member-unknown`, `manifest-changed`, the errors of the new manifest, `adoption-refused` if
    /// its name is taken or that of a member in the trash, `data-unwritable`, `file-unwritable`.
    /// The file then stays unchanged.
    pub async fn save_member_file(&self, request: SaveMemberFile) -> Result<MemberFile, Report> {
        let SaveMemberFile {
            member,
            text,
            revision,
        } = request;
        let _alone = self.inner.workshop.writing().await;
        let path = self.member_folder(&member).await?.join(MANIFEST_FILE);
        let reviews = Arc::clone(&self.inner.context.reviews);
        let name = member.clone();
        let snapshot = self.snapshot();
        let trash = self.removed_members(Nothing {}).await?;
        let write = move || {
            let mut accepted_before: Option<Manifest> = None;
            let mut new_name = name.clone();
            let written = edit_file(&path, |before| {
                let new = checked_save(&name, &path, before, &text, &revision)?;
                let is_other = new.name != name && name_in(before).as_ref() != Some(&new.name);
                if is_other && snapshot.members.contains_key(&new.name) {
                    return Err(name_taken(&new.name));
                }
                if is_other {
                    not_in_trash(&trash, &new.name)?;
                }
                new_name = new.name.clone();
                let Ok(old) = parse(before, MANIFEST_FILE).manifest else {
                    let accepted = reviews.accepted(&name);
                    let accepted = accepted.and_then(|accepted| accepted.launch.origin);
                    keep_origin(before, accepted, &new)?;
                    return Ok(text.clone().into_bytes());
                };
                let launch = reviews.standing(&name, Some(&old)).launch;
                if matches!(launch, LaunchTrust::Unreviewed | LaunchTrust::Changed)
                    && new.origin != old.origin
                {
                    let trouble = ManagingError::OriginChanged;
                    return Err(Report::from_error(Code::ManifestField, &trouble));
                }
                if launch == LaunchTrust::Accepted && new.origin.is_some() {
                    reviews.accept(&name, &new)?;
                    accepted_before = Some(old);
                }
                Ok(text.clone().into_bytes())
            });
            if let Err(report) = written {
                if let Some(old) = accepted_before {
                    warn_of(reviews.accept(&name, &old));
                }
                return Err(report);
            }
            Ok(file_of(&new_name, &path, text, &reviews))
        };
        let file = self.on_disk(&member, write).await?;
        // The file was saved, even if the roster does not show the change yet.
        warn_of(self.current_view(&file.member).await.map(drop));
        Ok(file)
    }

    /// Returns the old and the new name of a request, after checking that the new name is valid and
    /// unused.
    async fn names_of(&self, request: RenameMember) -> Result<(MemberName, MemberName), Report> {
        let RenameMember { member, name } = request;
        let name = MemberName::parse(name.trim())
            .map_err(|error| refused(&member, &InstallError::BadName(error.0)))?;
        if self.snapshot().members.contains_key(&name) {
            return Err(name_taken(&name).of(&member));
        }
        let trash = self.removed_members(Nothing {}).await?;
        not_in_trash(&trash, &name).map_err(|report| report.of(&member))?;
        Ok((member, name))
    }

    /// Whether a member is running or starting.
    fn is_running(&self, member: &MemberName) -> bool {
        let snapshot = self.snapshot();
        let status = snapshot.members.get(member).map(|entry| entry.view.status);
        matches!(status, Some(Status::Ready | Status::Starting))
    }

    async fn forget_reviews(&self, member: &MemberName) {
        let member = member.clone();
        let forget = move |reviews: &Reviews| reviews.forget_member(&member);
        warn_of(self.reviewing(forget).await);
    }

    /// Returns the folder of a member whose manifest has no error.
    async fn usable_folder(&self, member: &MemberName) -> Result<PathBuf, Report> {
        let found = self.member(member)?.inspect().await?.found;
        found.parsed.manifest?;
        Ok(found.folder)
    }

    /// Runs blocking work on files. Adds the member's name to its errors.
    async fn on_disk<T: Send + 'static>(
        &self,
        member: &MemberName,
        work: impl FnOnce() -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let done = blocking(work).await.flatten();
        done.map_err(|report| report.of(member))
    }

    /// Waits until the roster has no member of this name, within a time limit, because another
    /// folder may have a member with this name.
    async fn until_gone(&self, member: &MemberName) {
        let roster = &self.inner.context.roster;
        let gone = roster.until(|snapshot| !snapshot.members.contains_key(member));
        let _ = tokio::time::timeout(GONE_LIMIT, gone).await;
    }

    /// Returns a member as the roster shows it after a change of its files.
    async fn current_view(&self, member: &MemberName) -> Result<MemberView, Report> {
        self.inner.members.reconcile().await;
        // The reply of the member's task shows that it has handled the change.
        self.member(member)?.inspect().await?;
        Ok(MemberView::clone(&self.entry(member)?.view))
    }
}

/// Rejects the name of a member in the trash, because its policies and reviews are still stored
/// under that name.
fn not_in_trash(trash: &RemovedMembers, name: &MemberName) -> Result<(), Report> {
    if trash.members.iter().any(|removed| removed.member == *name) {
        let trouble = ManagingError::NameInTrash(format!("{:?}", name.as_str()));
        return Err(Report::from_error(Code::AdoptionRefused, &trouble));
    }
    Ok(())
}

/// Sets a field of a manifest, if the result is valid.
fn write_field(path: &Path, field: &str, value: &Value) -> Result<Vec<u8>, Report> {
    edit_file(path, |bytes| {
        let text = changed_text(path, bytes, field, value)?;
        parse(text.as_bytes(), &path.display().to_string()).manifest?;
        Ok(text.into_bytes())
    })
}

fn changed_text(path: &Path, bytes: &[u8], field: &str, value: &Value) -> Result<String, Report> {
    let refused = |error: String| field_unchanged(field, path, error);
    let text = std::str::from_utf8(bytes).map_err(|error| refused(error.to_string()))?;
    with_field(text, field, Some(value)).map_err(|error| refused(error.to_string()))
}

fn field_unchanged(field: &str, path: &Path, error: String) -> Report {
    let trouble = ManagingError::FieldUnchanged(field.to_owned(), path.to_owned(), error);
    Report::from_error(Code::ManifestNotJson, &trouble)
}

/// Copies a member's folder under a new name into a hidden staging folder.
fn copy_aside(folder: &Path, members_dir: &Path, name: &MemberName) -> Result<FolderAside, Report> {
    let manifest = folder.join(MANIFEST_FILE);
    let text = renamed_text(&manifest, name)?;
    clear_folders(members_dir, ASIDE);
    let copied = || {
        let aside = FolderAside::begin(members_dir, ASIDE)?;
        copy_content(&folder.canonicalize()?, aside.path())?;
        // If the manifest is a link, the copy gets a regular file, so that the original is not
        // changed.
        let copy = aside.path().join(MANIFEST_FILE);
        save(&copy, text.as_bytes())?;
        std::fs::set_permissions(&copy, std::fs::metadata(&manifest)?.permissions())?;
        Ok(aside)
    };
    copied().map_err(|error| not_copied(folder, &error))
}

fn is_taken(place: &Path) -> bool {
    std::fs::symlink_metadata(place).is_ok()
}

/// Whether two paths lead to the same folder.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

fn name_in(manifest: &[u8]) -> Option<MemberName> {
    parse(manifest, MANIFEST_FILE).name
}

/// Returns the text of a manifest with another name.
fn renamed_text(path: &Path, name: &MemberName) -> Result<String, Report> {
    let text = text_of(path)?;
    changed_text(path, text.as_bytes(), "name", &name.as_str().into())
}

fn text_of(path: &Path) -> Result<String, Report> {
    read_bounded(path, MANIFEST_BYTES_MAX)
        .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
        .map_err(|error| unreadable(path, &error))
}

/// Parses the text that is to replace `before`. The name may only change if the old manifest has no
/// valid name, or a name that another member uses.
fn checked_save(
    member: &MemberName,
    path: &Path,
    before: &[u8],
    text: &str,
    revision: &str,
) -> Result<Manifest, Report> {
    if digest(before) != revision {
        let trouble = ManagingError::FileChanged(path.to_owned());
        return Err(Report::from_error(Code::ManifestChanged, &trouble));
    }
    let new = parse(text.as_bytes(), &path.display().to_string()).manifest?;
    if name_in(before).as_ref() == Some(member) && new.name != *member {
        let trouble = ManagingError::OtherName(format!("{:?}", new.name.as_str()));
        return Err(Report::from_error(Code::ManifestField, &trouble));
    }
    Ok(new)
}

/// Rejects a manifest that lacks the origin of the invalid manifest that it replaces. Without an
/// origin, an imported member would need no review.
fn keep_origin(before: &[u8], accepted: Option<Origin>, new: &Manifest) -> Result<(), Report> {
    let readable = match serde_json::from_slice::<Value>(before) {
        Ok(root) => match root.get("origin") {
            Some(origin) => serde_json::from_value(origin.clone()).ok(),
            None => return Ok(()),
        },
        Err(_) => origin_in(&String::from_utf8_lossy(before)),
    };
    match readable.or(accepted) {
        Some(origin) if new.origin.as_ref() != Some(&origin) => {
            let mut text = json!(origin);
            if let Some(fields) = text.as_object_mut() {
                fields.retain(|_, value| !value.is_null());
            }
            let trouble = ManagingError::OriginLost(text.to_string());
            Err(Report::from_error(Code::ManifestField, &trouble))
        }
        _ => Ok(()),
    }
}

/// Finds the origin in the text of a manifest that is invalid JSON in another place.
fn origin_in(text: &str) -> Option<Origin> {
    text.split("\"origin\"").skip(1).find_map(|rest| {
        let value = rest.trim_start().strip_prefix(':')?;
        let mut values = serde_json::Deserializer::from_str(value).into_iter::<Origin>();
        values.next()?.ok()
    })
}

fn file_of(member: &MemberName, path: &Path, text: String, reviews: &Reviews) -> MemberFile {
    let manifest = parse(text.as_bytes(), MANIFEST_FILE).manifest.ok();
    let standing = reviews.standing(member, manifest.as_ref());
    MemberFile {
        member: member.clone(),
        path: path.display().to_string(),
        revision: digest(text.as_bytes()),
        text,
        accepts: standing.launch == LaunchTrust::Accepted,
    }
}

fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn not_moved(folder: &Path, to: &Path, error: &io::Error) -> Report {
    let trouble = ManagingError::NotMoved(folder.to_owned(), to.to_owned(), io_message(error));
    Report::from_error(Code::FileUnwritable, &trouble)
}

fn not_copied(folder: &Path, error: &io::Error) -> Report {
    let trouble = ManagingError::NotCopied(folder.to_owned(), io_message(error));
    Report::from_error(Code::FileUnwritable, &trouble)
}

/// Logs the error of a later step. The change itself stays.
fn warn_of(done: Result<(), Report>) {
    if let Err(report) = done {
        tracing::warn!("{report}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{open_hall, paths_in};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn broken_manifest_keeps_its_origin() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = paths_in(folder.path());
        let forge = paths.members_dir.join("forge");
        std::fs::create_dir_all(&forge).expect("made");
        let fixed = json!({
            "name": "forge", "version": "1", "transport": "stdio", "command": "true",
            "origin": {"from": "cursor", "at": "2026-01-01T00:00:00Z"},
        });
        let mut owned = fixed.clone();
        owned.as_object_mut().expect("fields").remove("origin");
        let mut wrong_field = fixed.clone();
        wrong_field["transport"] = "pigeon".into();
        let broken = [
            wrong_field.to_string(),
            fixed.to_string().replace("\"true\",", "\"true\""),
        ];
        for broken in broken {
            std::fs::write(forge.join(MANIFEST_FILE), &broken).expect("written");
            let hall = open_hall(paths.clone()).await;
            let save = async |text: &Value| {
                let request = SaveMemberFile {
                    member: MemberName::parse("forge").expect("a name"),
                    text: text.to_string(),
                    revision: digest(broken.as_bytes()),
                };
                hall.save_member_file(request).await
            };
            let refused = save(&owned).await.expect_err("the origin is missing");
            assert_eq!(refused.code, Code::ManifestField, "{refused}");
            assert!(refused.hint.contains("cursor"), "{refused}");
            assert_eq!(text_of(&forge.join(MANIFEST_FILE)).expect("text"), broken);
            save(&fixed).await.expect("saved");
            hall.shutdown().await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn accepted_origin_survives_lost_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = paths_in(folder.path());
        let forge = paths.members_dir.join("forge");
        std::fs::create_dir_all(&forge).expect("made");
        std::fs::create_dir_all(&paths.data_dir).expect("made");
        let name = MemberName::parse("forge").expect("a name");
        let mut text = json!({
            "name": "forge", "version": "1", "transport": "stdio", "command": "true",
            "origin": {"from": "cursor"},
        });
        let manifest = parse(text.to_string().as_bytes(), MANIFEST_FILE).manifest;
        let reviews = Reviews::read(&paths.data_dir);
        reviews
            .accept(&name, &manifest.expect("valid"))
            .expect("written");
        std::fs::write(forge.join(MANIFEST_FILE), "{").expect("written");
        let hall = open_hall(paths).await;
        text.as_object_mut().expect("fields").remove("origin");
        let request = SaveMemberFile {
            member: name,
            text: text.to_string(),
            revision: digest(b"{"),
        };
        let refused = hall.save_member_file(request).await.expect_err("no origin");
        assert_eq!(refused.code, Code::ManifestField, "{refused}");
        hall.shutdown().await;
    }
}
