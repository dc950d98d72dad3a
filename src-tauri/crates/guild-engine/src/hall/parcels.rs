//! Everything that is set, taken along in one file, and brought in from one: all of it or nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_core::ladder::DiscoverySettings;
use guild_core::note::{SettingsTrouble, Told, WhyNoExport};
use guild_core::settings::{PARCEL_BYTES_MAX, Parcel, SETTINGS_FILE, rewritten};
use guild_core::wire::{ImportSettings, OfSettingsFile, SettingsImport, SettingsPart};
use guild_core::{Code, Report};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Hall;
use crate::agents::Settings as Gateway;
use crate::files::{read_bounded, write_atomically};
use crate::prediction;
use crate::secrets::Veil;
use crate::settings::{Undo, changes_to, undo_cut_off};
use crate::store::settings_text;

/// An import that was read, and what it would change.
struct Opened {
    parcel: Parcel,
    gateway: Gateway,
    discovery_now: DiscoverySettings,
    import: SettingsImport,
}

impl Hall {
    /// Writes everything that is set to one file: no token, no secret, no call.
    ///
    /// # Errors
    /// Those of the files that can't be read, and `file-unwritable`, also where a secret stands in
    /// what is set.
    pub async fn export_settings(&self, request: OfSettingsFile) -> Result<OfSettingsFile, Report> {
        let path = whole(&request.path)?;
        let (parcel, _) = self.parcel().await?;
        let veil = self.values().veil().clone();
        let writing = move || {
            let text = parcel.to_text();
            // Somebody may have put one where none belongs. With a mask in its place the file would
            // come in as something else, or not at all.
            if let Some(place) = place_of_secret(&text, &veil) {
                let trouble = SettingsTrouble::SecretInExport(place);
                return Err(Report::told(Code::FileUnwritable, &trouble));
            }
            write_atomically(&path, text.as_bytes()).map_err(|error| {
                let trouble = SettingsTrouble::NotExported(path.clone(), error.told());
                Report::told(Code::FileUnwritable, &trouble)
            })?;
            Ok(OfSettingsFile {
                path: path.display().to_string(),
            })
        };
        off_the_runtime(writing).await
    }

    /// What an import would change; nothing is written.
    ///
    /// # Errors
    /// `settings-unusable` where the file is no such export, or holds what can't be set.
    pub async fn preview_settings_import(
        &self,
        request: OfSettingsFile,
    ) -> Result<SettingsImport, Report> {
        Ok(self.opened(&request.path).await?.import)
    }

    /// Imports what was shown: all of it, or nothing.
    ///
    /// # Errors
    /// As [`Hall::preview_settings_import`]; `settings-changed` where the file, or what is set, is
    /// not what was shown; `hall-runs` and `hall-unreachable` where another hall keeps the data
    /// folder by now; `shutting-down` where the hall closes before it begins; why something could not be written, and then all is as it was.
    pub async fn import_settings(&self, request: ImportSettings) -> Result<SettingsImport, Report> {
        let hall = self.clone();
        // Whoever goes away leaves nothing half done.
        let importing = async move { hall.import_whole(request).await };
        let imported = self.inner.context.tasks.spawn(importing).await;
        imported.unwrap_or_else(|error| Err(not_carried_out(&error)))
    }

    async fn import_whole(&self, request: ImportSettings) -> Result<SettingsImport, Report> {
        let _turn = self.inner.context.settings.import_turn().await;
        // Others leave what is half written alone for as long as somebody keeps the folder.
        let _claim = self.keep_to_import().await?;
        self.undo_left().await?;
        let opened = self.as_shown(&request).await?;
        let import = opened.import.clone();
        let data_dir = self.paths().data_dir.clone();
        let undo = Arc::new(self.keep_aside(opened).await?);
        // From here on it is written only over the very texts that are kept. What was shown was
        // compared with what stood there before them: they are the same.
        let done = match self.as_shown(&request).await {
            Ok(_) => self.write_parcel(&undo).await,
            Err(refused) => Err(refused),
        };
        let failed = done.is_err();
        let ended = off_the_runtime(move || {
            let ended = match failed {
                true => undo.give_up(&data_dir),
                false => Undo::forget(&data_dir),
            };
            ended.map_err(|error| unwritable(&data_dir, &error))
        })
        .await;
        if failed {
            self.take_in_parcel().await;
        }
        if let (Err(refused), Err(_)) = (&done, &ended) {
            tracing::error!("an import ended half way: {refused}");
        }
        // That something is neither as it was nor as it was to be outweighs why.
        ended.and(done).map(|()| import)
    }

    /// The import, where it and what is set are still what was shown.
    async fn as_shown(&self, request: &ImportSettings) -> Result<Opened, Report> {
        // What another program has set meanwhile was told to nobody where the file isn't watched.
        self.take_in_settings().await?;
        let opened = self.opened(&request.path).await?;
        if opened.import.hash == request.hash {
            return Ok(opened);
        }
        let trouble = SettingsTrouble::NotAsShown;
        Err(Report::told(Code::SettingsChanged, &trouble))
    }

    /// Keeps what an import is about to write over, beside what it writes.
    async fn keep_aside(&self, opened: Opened) -> Result<Undo, Report> {
        let data_dir = self.paths().data_dir.clone();
        let settings = self.settings_state().await?.settings;
        off_the_runtime(move || {
            let parcel = &opened.parcel;
            let changes = changes_to(&settings, &parcel.settings);
            let to_write = |part, before: Option<&str>| {
                let bytes = match part {
                    SettingsPart::Settings => {
                        let before = before.unwrap_or_default();
                        return rewritten(before, &changes, SETTINGS_FILE).map(Some);
                    }
                    SettingsPart::Discovery if parcel.discovery == opened.discovery_now => {
                        return Ok(None);
                    }
                    SettingsPart::Discovery => {
                        let before = before.unwrap_or_default().as_bytes();
                        return parcel.discovery.rewritten(before).map(Some);
                    }
                    SettingsPart::Gateway => opened
                        .gateway
                        .rewritten(before.map(str::as_bytes))
                        .map_err(|wrong| unwritable(&data_dir, &wrong))?,
                    SettingsPart::History => settings_text(parcel.history)
                        .map_err(|error| unwritable(&data_dir, &error))?,
                };
                Ok(String::from_utf8(bytes).ok())
            };
            Undo::keep(&data_dir, to_write, |error| unwritable(&data_dir, error))
        })
        .await
    }

    /// Undoes an import that was cut off since the hall was opened, or that could not be undone then.
    async fn undo_left(&self) -> Result<(), Report> {
        let data_dir = self.paths().data_dir.clone();
        let undone = off_the_runtime(move || {
            undo_cut_off(&data_dir).map_err(|error| unwritable(&data_dir, &error))
        });
        if undone.await? {
            self.take_in_parcel().await;
        }
        Ok(())
    }

    /// Everything that is set now, and `config.yml` as it was read.
    async fn parcel(&self) -> Result<(Parcel, DiscoverySettings), Report> {
        let settings = self.settings_state().await?.settings;
        let agents = self.agents().await;
        let gateway = off_the_runtime(move || agents.saved()).await?;
        let (discovery, trouble) = prediction::settings(&self.paths().data_dir).await;
        if let Some(report) = trouble {
            return Err(report);
        }
        let history = self.history().state().await;
        let parcel = Parcel::new(
            settings,
            serde_json::to_value(&gateway).unwrap_or_default(),
            discovery.clone(),
            history.settings,
        );
        Ok((parcel, discovery))
    }

    async fn opened(&self, path: &str) -> Result<Opened, Report> {
        let path = whole(path)?;
        let (now, discovery_now) = self.parcel().await?;
        off_the_runtime(move || {
            let name = path.display().to_string();
            let unusable = |problem: String| {
                let why = WhyNoExport::Unreadable(problem);
                let trouble = SettingsTrouble::NotImported(name.clone(), why);
                Report::told(Code::SettingsUnusable, &trouble)
            };
            let bytes =
                read_bounded(&path, PARCEL_BYTES_MAX).map_err(|error| unusable(error.told()))?;
            let parcel = Parcel::parse(&bytes, &name)?;
            let gateway =
                Gateway::of(&parcel.gateway).map_err(|problem| unusable(problem.told()))?;
            let (changes, more) = now.changes(&parcel);
            let hash = Sha256::new()
                .chain_update(&bytes)
                .chain_update(now.to_text())
                .finalize();
            let import = SettingsImport {
                path: name.clone(),
                hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
                changes,
                more,
            };
            Ok(Opened {
                parcel,
                gateway,
                discovery_now,
                import,
            })
        })
        .await
    }

    /// Writes one file after the other, each in turn with whoever changes it otherwise.
    async fn write_parcel(&self, undo: &Arc<Undo>) -> Result<(), Report> {
        let data_dir = &self.paths().data_dir;
        let put = |part| {
            let (undo, data_dir) = (Arc::clone(undo), data_dir.clone());
            move || undo.write(part, &data_dir)
        };
        let settings = put(SettingsPart::Settings);
        self.about_settings(move |book| book.put(settings)).await?;
        let gateway = put(SettingsPart::Gateway);
        self.agents().await.put_settings(gateway).await?;
        off_the_runtime(put(SettingsPart::Discovery)).await?;
        // The last, since calls that are too many by it are gone for good.
        let history = put(SettingsPart::History);
        self.history().put_settings(history).await
    }

    /// Takes in the files as they were put back.
    async fn take_in_parcel(&self) {
        // What can't be read is told by its own file's warnings.
        let _ = self.take_in_settings().await;
        self.agents().await.take_in().await;
    }

    async fn take_in_settings(&self) -> Result<(), Report> {
        let taking_in = self.about_settings(|book| {
            book.take_in();
            Ok(())
        });
        taking_in.await
    }
}

/// Where in a text of JSON a secret stands, told without it.
fn place_of_secret(text: &str, veil: &Veil) -> Option<String> {
    if !veil.hides(text) {
        return None;
    }
    let whole: Value = serde_json::from_str(text).unwrap_or_default();
    // One that goes over several values stands in the whole.
    let place = place_within(&whole, veil, "").unwrap_or_default();
    Some(place.strip_prefix('.').unwrap_or(".").to_owned())
}

/// The same in a value that stands at a place.
fn place_within(value: &Value, veil: &Veil, at: &str) -> Option<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .find_map(|(key, value)| match veil.hides(key) {
                true => Some(at.to_owned()),
                false => place_within(value, veil, &format!("{at}.{key}")),
            }),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| place_within(item, veil, &format!("{at}.{index}")))
        }
        Value::String(text) => veil.hides(text).then(|| at.to_owned()),
        other => veil.hides(&other.to_string()).then(|| at.to_owned()),
    }
}

/// A whole path.
fn whole(path: &str) -> Result<PathBuf, Report> {
    let path = Path::new(path);
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    let trouble = SettingsTrouble::NoWholePath(path.to_owned());
    Err(Report::told(Code::FileUnwritable, &trouble))
}

fn unwritable(data_dir: &Path, error: &impl Told) -> Report {
    let trouble = SettingsTrouble::Unwritable(data_dir.to_owned(), error.told());
    Report::told(Code::DataUnwritable, &trouble)
}

/// Works with files, on a thread that may block.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    let working = tokio::task::spawn_blocking(work);
    let worked = working.await;
    worked.unwrap_or_else(|error| Err(not_carried_out(&error)))
}

fn not_carried_out(error: &tokio::task::JoinError) -> Report {
    let trouble = SettingsTrouble::NotCarriedOut(error.to_string());
    Report::told(Code::DataUnwritable, &trouble)
}

#[cfg(test)]
mod tests {
    use guild_core::settings::SettingChange;
    use guild_core::wire::{
        CallEnd, CallOutcome, Caller, ChangeSettings, HistoryFilter, SearchHistory,
    };
    use guild_core::{CallId, MemberName, ToolName};
    use serde_json::json;

    use super::*;
    use crate::control::{Claim, Tenure};
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    use crate::files::replacing::between;
    use crate::hall::{Options, Watch};
    use crate::store::Ended;
    use crate::tests::paths_in;

    struct Room {
        folder: tempfile::TempDir,
        hall: Hall,
    }

    impl Room {
        async fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let hall = opened(folder.path(), Tenure::Keeps).await;
            Self { folder, hall }
        }

        /// One of a command, which keeps nothing.
        async fn of_a_command() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let hall = opened(folder.path(), Tenure::Passes).await;
            Self { folder, hall }
        }

        /// An import of what is set now, but for what is changed in it, as it was shown.
        async fn parcel(&self, change: impl FnOnce(&mut Value)) -> ImportSettings {
            let path = self.folder.path().join("parcel.json");
            let of = || OfSettingsFile {
                path: path.display().to_string(),
            };
            self.hall.export_settings(of()).await.expect("exported");
            let text = std::fs::read(&path).expect("text");
            let mut parcel = serde_json::from_slice(&text).expect("JSON");
            change(&mut parcel);
            std::fs::write(&path, parcel.to_string()).expect("written");
            let shown = self.hall.preview_settings_import(of()).await;
            let SettingsImport { path, hash, .. } = shown.expect("an export");
            ImportSettings { path, hash }
        }

        fn data(&self, name: &str) -> PathBuf {
            self.hall.paths().data_dir.join(name)
        }
    }

    async fn opened(folder: &Path, tenure: Tenure) -> Hall {
        let options = Options {
            watch: Watch::Once,
            tenure,
            ..Options::default()
        };
        let paths = paths_in(folder);
        Hall::open(paths, options).await.expect("it opens")
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_import_comes_to_its_end_though_whoever_asked_is_gone() {
        let room = Room::new().await;
        let request = room
            .parcel(|parcel| parcel["settings"]["appearance"]["theme"] = json!("dark"))
            .await;
        {
            let importing = std::pin::pin!(room.hall.import_settings(request));
            let _ = futures::poll!(importing);
        }
        let tasks = &room.hall.inner.context.tasks;
        tasks.close();
        tasks.wait().await;
        let text = std::fs::read_to_string(room.data(SETTINGS_FILE)).expect("text");
        assert!(text.contains("\"dark\""), "{text}");
        assert!(!room.data("settings-import.json").exists());
        room.hall.shutdown().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_two_imports_at_once_the_second_is_not_what_was_shown() {
        let room = Room::new().await;
        let request = room
            .parcel(|parcel| parcel["settings"]["appearance"]["theme"] = json!("dark"))
            .await;
        let (one, other) = tokio::join!(
            room.hall.import_settings(request.clone()),
            room.hall.import_settings(request)
        );
        let refused = match (one, other) {
            (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
            both => panic!("{both:?}"),
        };
        assert_eq!(refused.code, Code::SettingsChanged);
        assert!(!room.data("settings-import.json").exists());
        room.hall.shutdown().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_another_program_sets_after_an_import_was_shown_is_not_what_was_shown() {
        let room = Room::of_a_command().await;
        let request = room
            .parcel(|parcel| parcel["settings"]["appearance"]["zoom"] = json!(120))
            .await;
        let other = opened(room.folder.path(), Tenure::Passes).await;
        let theme = ChangeSettings {
            changes: vec![SettingChange::new("appearance.theme", "dark")],
        };
        other.change_settings(theme).await.expect("changed");
        let refused = room.hall.import_settings(request).await;
        assert_eq!(refused.expect_err("changed").code, Code::SettingsChanged);
        let text = std::fs::read_to_string(room.data(SETTINGS_FILE)).expect("text");
        assert!(text.contains("\"dark\"") && !text.contains("120"), "{text}");
        other.shutdown().await;
        room.hall.shutdown().await;
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_a_person_saves_while_an_import_writes_stays_and_nothing_is_imported() {
        // What the import makes of them, and something besides.
        for (name, theirs) in [
            (
                SETTINGS_FILE,
                "{\"appearance\": {\"theme\": \"dark\"}, \"mine\": 1}",
            ),
            ("gateway.json", "{\"port\": 21000, \"mine\": 1}"),
        ] {
            let room = Room::new().await;
            let theme = ChangeSettings {
                changes: vec![SettingChange::new("appearance.theme", "light")],
            };
            room.hall.change_settings(theme).await.expect("changed");
            std::fs::write(room.data("gateway.json"), "{}").expect("written");
            let texts = || {
                [SETTINGS_FILE, "gateway.json"]
                    .map(|name| std::fs::read_to_string(room.data(name)).expect("text"))
            };
            let before = texts();
            let request = room
                .parcel(|parcel| {
                    parcel["settings"]["appearance"]["theme"] = json!("dark");
                    parcel["gateway"]["port"] = json!(21_000);
                })
                .await;
            let file = room.data(name).canonicalize().expect("there");
            let saved = file.clone();
            between::once(&file, move || {
                std::fs::write(saved, theirs).expect("written");
            });
            let refused = room.hall.import_settings(request).await;
            let refused = refused.expect_err("they wrote it");
            assert_eq!(refused.code, Code::SettingsChanged, "{refused}");
            let [settings, gateway] = texts();
            match name {
                SETTINGS_FILE => assert_eq!([settings.as_str(), &gateway], [theirs, &before[1]]),
                _ => assert_eq!([settings.as_str(), &gateway], [&before[0], theirs]),
            }
            assert!(!room.data("settings-import.json").exists());
            room.hall.shutdown().await;
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_import_that_waits_for_another_is_given_up_with_its_hall() {
        let room = Room::of_a_command().await;
        let request = room
            .parcel(|parcel| parcel["settings"]["appearance"]["theme"] = json!("dark"))
            .await;
        let another = Claim::take_to_import(&room.hall.paths().data_dir, None).await;
        let another = another.expect("nobody has it").expect("it has locks");
        let (imported, ()) = tokio::join!(room.hall.import_settings(request), async {
            // Long enough for it to wait.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            room.hall.shutdown().await;
            drop(another);
        });
        assert_eq!(imported.expect_err("given up").code, Code::ShuttingDown);
        let text = std::fs::read_to_string(room.data(SETTINGS_FILE)).unwrap_or_default();
        assert!(!text.contains("\"dark\""), "{text}");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_secret_in_what_is_set_is_told_by_its_place_and_nothing_is_exported() {
        let room = Room::new().await;
        let limit = ChangeSettings {
            changes: vec![SettingChange::new("limits.callMs", 43_210)],
        };
        room.hall.change_settings(limit).await.expect("changed");
        let policies = r#"{"policies": {"postgres": {"query": "deny"}}}"#;
        std::fs::write(room.data("gateway.json"), policies).expect("written");
        let path = room.folder.path().join("parcel.json");
        let of = || OfSettingsFile {
            path: path.display().to_string(),
        };
        for (secret, place) in [
            ("postgres", "`gateway.policies`"),
            ("43210", "`settings.limits.callMs`"),
            ("query", "`gateway.policies.postgres`"),
            ("deny", "`gateway.policies.postgres.query`"),
        ] {
            room.hall.values().remember(secret);
            let refused = room.hall.export_settings(of()).await;
            let refused = refused.expect_err("a secret is in it");
            assert_eq!(refused.code, Code::FileUnwritable, "{refused}");
            assert!(refused.message.contains(place), "{refused}");
            assert!(!path.exists(), "{secret}");
            room.hall.values().forget_masked(secret);
        }
        room.hall.export_settings(of()).await.expect("exported");
        room.hall.shutdown().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn an_import_that_is_refused_takes_no_calls_along() {
        let room = Room::new().await;
        let theme = ChangeSettings {
            changes: vec![SettingChange::new("appearance.theme", "light")],
        };
        room.hall.change_settings(theme).await.expect("changed");
        for number in 0..3 {
            let outcome = CallOutcome {
                call: CallId::parse(&format!("call-{number}")).expect("an id"),
                member: MemberName::parse("smith").expect("a name"),
                tool: ToolName::parse("forge").expect("a name"),
                started_at_ms: 1_000 + number,
                duration_ms: 1,
                request: None,
                structured: None,
                end: CallEnd::Result {
                    result: "{}".into(),
                    is_error: false,
                },
            };
            let ended = Ended::new(&outcome, Caller::Window, "{}", None);
            room.hall.history().record(ended);
        }
        let request = room
            .parcel(|parcel| {
                parcel["settings"]["appearance"]["theme"] = json!("dark");
                parcel["history"]["keepCalls"] = json!(1);
            })
            .await;
        let other = ImportSettings {
            hash: "another".to_owned(),
            ..request
        };
        let refused = room.hall.import_settings(other).await;
        let refused = refused.expect_err("it is not the import that was shown");
        assert_eq!(refused.code, Code::SettingsChanged);
        room.hall.history().settled().await.expect("in order");
        let search = SearchHistory {
            filter: HistoryFilter::default(),
            before: None,
            limit: 10,
        };
        let page = room.hall.history().search(search).await;
        assert_eq!(page.entries.len(), 3, "{page:?}");
        let text = std::fs::read_to_string(room.data(SETTINGS_FILE)).expect("text");
        assert!(text.contains("\"light\""), "{text}");
        room.hall.shutdown().await;
    }
}
