//! What is set.

use guild_core::wire::SettingsPart;

use super::counted;

pub(crate) fn mistakes(count: usize) -> String {
    counted(count, "mistake", "mistakes")
}

pub(crate) fn kept(count: usize) -> String {
    let many = "unknown fields, left as they are";
    counted(count, "unknown field, left as it is", many)
}

/// The part of the settings that an import changes.
pub(crate) fn part(part: SettingsPart) -> &'static str {
    match part {
        SettingsPart::Settings => "settings",
        SettingsPart::Gateway => "gateway",
        SettingsPart::Discovery => "discovery",
        SettingsPart::History => "history",
    }
}
