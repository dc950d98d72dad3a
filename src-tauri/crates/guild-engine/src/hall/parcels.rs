//! Everything that is set, taken along in one file, and brought in from one: all of it or nothing.

use std::path::{Path, PathBuf};

use guild_core::ladder::DiscoverySettings;
use guild_core::settings::{PARCEL_BYTES_MAX, Parcel};
use guild_core::wire::{ImportSettings, OfSettingsFile, SettingsImport};
use guild_core::{Code, Report};
use sha2::{Digest, Sha256};

use super::Hall;
use crate::agents::Settings as Gateway;
use crate::files::{read_bounded, save};
use crate::prediction;
use crate::settings::{Undo, changes_to};

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
    /// Those of the files that can't be read, and `file-unwritable`.
    pub async fn export_settings(&self, request: OfSettingsFile) -> Result<OfSettingsFile, Report> {
        let path = whole(&request.path)?;
        let (parcel, _) = self.parcel().await?;
        let veil = self.values().veil().clone();
        let writing = move || {
            let mut text = parcel.to_text();
            // Whatever somebody has put where no secret belongs.
            veil.hide_in(&mut text);
            save(&path, text.as_bytes()).map_err(|error| {
                let message = format!("{} can't be written: {error}.", path.display());
                let hint = "Pick a folder that you may write to, or free space on the disk.";
                Report::new(Code::FileUnwritable, message, hint)
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

    /// Imports what was shown: all of it, or nothing. Sources of registries are added to those that
    /// are there.
    ///
    /// # Errors
    /// As [`Hall::preview_settings_import`]; `settings-changed` where the file, or what is set, is
    /// not what was shown; why something could not be written, and then all is as it was.
    pub async fn import_settings(&self, request: ImportSettings) -> Result<SettingsImport, Report> {
        let opened = self.opened(&request.path).await?;
        if opened.import.hash != request.hash {
            return Err(Report::new(
                Code::SettingsChanged,
                "What would be imported, or what is set, is not what was shown.",
                "Look at the import again.",
            ));
        }
        let import = opened.import.clone();
        let data_dir = self.paths().data_dir.clone();
        let kept_in = data_dir.clone();
        let undo = off_the_runtime(move || {
            Undo::keep(&kept_in).map_err(|error| unwritable(&kept_in, &error))
        })
        .await?;
        let done = self.write_parcel(opened).await;
        let failed = done.is_err();
        let ended = off_the_runtime(move || {
            let ended = match failed {
                true => undo.put_back(&data_dir),
                false => Undo::forget(&data_dir),
            };
            ended.map_err(|error| unwritable(&data_dir, &error))
        })
        .await;
        if failed {
            self.take_in_parcel().await;
        }
        done.and(ended).map(|()| import)
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
        let sources = self.registry_sources().await?.sources;
        let parcel = Parcel::new(
            settings,
            serde_json::to_value(&gateway).unwrap_or_default(),
            discovery.clone(),
            history.settings,
            sources.into_iter().map(|source| source.source).collect(),
        );
        Ok((parcel, discovery))
    }

    async fn opened(&self, path: &str) -> Result<Opened, Report> {
        let path = whole(path)?;
        let (now, discovery_now) = self.parcel().await?;
        off_the_runtime(move || {
            let name = path.display().to_string();
            let unusable = |problem: &dyn std::fmt::Display| {
                let message = format!("{name} can't be imported: {problem}.");
                let hint = "Give a file that Guild Hall has exported.";
                Report::new(Code::SettingsUnusable, message, hint)
            };
            let bytes = read_bounded(&path, PARCEL_BYTES_MAX).map_err(|error| unusable(&error))?;
            let parcel = Parcel::parse(&bytes, &name)?;
            let gateway = Gateway::of(&parcel.gateway).map_err(|problem| unusable(&problem))?;
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

    /// Writes one file after the other.
    async fn write_parcel(&self, opened: Opened) -> Result<(), Report> {
        let Opened {
            parcel,
            gateway,
            discovery_now,
            ..
        } = opened;
        let data_dir = self.paths().data_dir.clone();
        let (wanted, discovery) = (parcel.settings, parcel.discovery);
        self.about_settings(move |book| {
            let changes = changes_to(&book.state().settings, &wanted);
            book.change(&changes)
        })
        .await?;
        self.agents().await.replace(self, gateway).await?;
        if discovery != discovery_now {
            off_the_runtime(move || prediction::change(&data_dir, &discovery_now, &discovery))
                .await?;
        }
        self.history().change_settings(parcel.history).await?;
        let registries = parcel.registries;
        self.with_listings(move |listings| {
            let add = |source: &String| listings.sources.take_along(source);
            registries.iter().try_for_each(add)
        })
        .await
    }

    /// Takes in the files as they were put back.
    async fn take_in_parcel(&self) {
        // What can't be read is told by its own file's warnings.
        let _ = self
            .about_settings(|book| {
                book.take_in();
                Ok(())
            })
            .await;
        self.agents().await.take_in(self).await;
    }
}

/// A whole path.
fn whole(path: &str) -> Result<PathBuf, Report> {
    let path = Path::new(path);
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    Err(Report::new(
        Code::FileUnwritable,
        format!("{} is no whole path.", path.display()),
        "Give one that begins at the root of the disk.",
    ))
}

fn unwritable(data_dir: &Path, error: &std::io::Error) -> Report {
    Report::new(
        Code::DataUnwritable,
        format!("{} can't be written: {error}.", data_dir.display()),
        "Give yourself the right to write there, or free space on the disk.",
    )
}

/// Works with files, on a thread that may block.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Report> + Send + 'static,
) -> Result<T, Report> {
    let working = tokio::task::spawn_blocking(work);
    working.await.unwrap_or_else(|error| {
        let message = format!("It was not carried out: {error}.");
        Err(Report::new(Code::DataUnwritable, message, "Try again."))
    })
}
