//! Moves the gateway's port and listing mode from `gateway.json`, where earlier versions stored
//! them, to `settings.json`. If that fails, the old values stay effective.

use std::sync::Arc;

use guild_model::Report;
use guild_model::endpoint::Listing;
use guild_model::settings::{GatewaySettings, SettingChange};

use super::Agents;
use super::settings::{GatewayConfig, GatewaySettingsFile};
use guild_settings::SettingsBook;

/// The keys of the port and the listing mode in `settings.json`.
pub(super) const PORT: &str = "gateway.port";
pub(super) const LISTING: &str = "gateway.listing";

/// Moves the port and the listing mode from `gateway.json` to `settings.json`. Values that are
/// already set in `settings.json` are kept. Blocking.
///
/// # Errors
/// The errors of reading and changing either file. Values that were not moved stay in
/// `gateway.json`.
pub(super) fn to_settings(file: &GatewaySettingsFile, book: &SettingsBook) -> Result<(), Report> {
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
        // Checks that the file is writable. If the file is read-only, for example because a team
        // mounts it, its values must stay effective, so that later edits of the file have an
        // effect.
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

impl GatewayConfig {
    /// Returns the effective port: that of `settings.json`, or else that of `gateway.json`.
    pub fn port(&self) -> u16 {
        let usual = GatewaySettings::default().port;
        match self.port {
            Some(port) if self.set.port == usual => port,
            _ => self.set.port,
        }
    }

    /// Returns the effective default listing mode: that of `settings.json`, or else that of
    /// `gateway.json`.
    pub fn listing(&self) -> Listing {
        let usual = GatewaySettings::default().listing;
        match self.listing {
            Some(listing) if self.set.listing == usual => listing,
            _ => self.set.listing,
        }
    }

    /// Returns the settings combined with those of `settings.json`.
    #[must_use]
    pub fn with(self, set: GatewaySettings) -> Self {
        Self { set, ..self }
    }
}

impl Agents {
    /// Activates settings from `gateway.json`, combined with the current `settings.json`.
    pub(super) fn activate(&self, settings: GatewayConfig) -> Arc<GatewayConfig> {
        self.settings
            .send_modify(|held| *held = Arc::new(settings.with(self.book.gateway())));
        // A former profile name in a binding may now be the name of another profile.
        self.enforce_bindings();
        Arc::clone(&self.settings.borrow())
    }

    /// Activates the current values of `settings.json`.
    pub(super) fn activate_settings(&self) -> Arc<GatewayConfig> {
        self.settings.send_modify(|held| {
            let settings = GatewayConfig::clone(held);
            *held = Arc::new(settings.with(self.book.gateway()));
        });
        Arc::clone(&self.settings.borrow())
    }
}
