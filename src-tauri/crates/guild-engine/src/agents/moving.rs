//! The gateway's port and listing mode, which `settings.json` has. Earlier versions kept them in
//! `gateway.json`: what stands there is moved, and holds where it can't be.

use std::sync::Arc;

use guild_core::Report;
use guild_core::agents::Listing;
use guild_core::settings::{GatewaySettings, SettingChange};

use super::Agents;
use super::settings::{Settings, SettingsFile};
use crate::settings::SettingsBook;

/// The settings that have them.
pub(super) const PORT: &str = "gateway.port";
pub(super) const LISTING: &str = "gateway.listing";

/// Moves what `gateway.json` has of them. What is set in `settings.json` stays as it is there.
/// Blocking.
///
/// # Errors
/// Those of reading and changing either file: what was not moved stays in `gateway.json`.
pub(super) fn to_settings(file: &SettingsFile, book: &SettingsBook) -> Result<(), Report> {
    let left = file.read()?;
    if left.port.is_none() && left.listing.is_none() {
        return Ok(());
    }
    let (set, usual) = (book.gateway(), GatewaySettings::default());
    let mut changes = Vec::new();
    if let Some(port) = left
        .port
        .filter(|port| *port != set.port && set.port == usual.port)
    {
        changes.push(SettingChange::new(PORT, port));
    }
    let listing = left.listing.filter(|listing| *listing != set.listing);
    if let Some(listing) = listing.filter(|_| set.listing == usual.listing) {
        changes.push(SettingChange::new(LISTING, listing.as_str()));
    }
    if !changes.is_empty() {
        // Nothing is moved out of a file that can't be written, such as a mounted one of a team: a
        // later version of it would be without effect.
        file.change(|_| Ok(()), drop)?;
        book.change(&changes)?;
    }
    file.change(
        |settings| {
            (settings.port, settings.listing) = (None, None);
            Ok(())
        },
        drop,
    )
}

impl Settings {
    /// The port that the gateway listens on: that of `settings.json`, or else the one here.
    pub(crate) fn port(&self) -> u16 {
        let usual = GatewaySettings::default().port;
        match self.port {
            Some(port) if self.set.port == usual => port,
            _ => self.set.port,
        }
    }

    /// What a client is given that asks for nothing else: by `settings.json`, or else as it stands
    /// here.
    pub(crate) fn listing(&self) -> Listing {
        let usual = GatewaySettings::default().listing;
        match self.listing {
            Some(listing) if self.set.listing == usual => listing,
            _ => self.set.listing,
        }
    }

    /// The same file with what `settings.json` says.
    #[must_use]
    pub(crate) fn with(self, set: GatewaySettings) -> Self {
        Self { set, ..self }
    }
}

impl Agents {
    /// Goes on with what `gateway.json` says, and with what is set in `settings.json` now.
    pub(super) fn hold(&self, settings: Settings) -> Arc<Settings> {
        self.settings
            .send_modify(|held| *held = Arc::new(settings.with(self.book.gateway())));
        Arc::clone(&self.settings.borrow())
    }

    /// Goes on with what is set in `settings.json` now.
    pub(super) fn hold_set(&self) -> Arc<Settings> {
        self.settings.send_modify(|held| {
            let settings = Settings::clone(held);
            *held = Arc::new(settings.with(self.book.gateway()));
        });
        Arc::clone(&self.settings.borrow())
    }
}
