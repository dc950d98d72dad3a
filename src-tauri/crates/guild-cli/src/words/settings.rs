//! What is set.

use guild_core::wire::SettingsPart;

use super::counted;

pub(crate) fn fine(file: &str) -> String {
    format!("Nothing is wrong with {file}.")
}

pub(crate) fn mistakes(count: usize) -> String {
    counted(count, "mistake", "mistakes")
}

pub(crate) fn kept(count: usize) -> String {
    let many = "unknown fields, left as they are";
    counted(count, "unknown field, left as it is", many)
}

pub(crate) fn set(key: &str, value: &str) -> String {
    format!("{key} is {value} now.")
}

pub(crate) fn missing(folder: &str) -> String {
    format!("There is no folder {folder}: make it before that, or no member is found.")
}

pub(crate) fn exported(path: &str) -> String {
    format!("Exported to {path}. No token, no secret and no call is in it.")
}

/// Of what a change is that an import makes.
pub(crate) fn part(part: SettingsPart) -> &'static str {
    match part {
        SettingsPart::Settings => "settings",
        SettingsPart::Gateway => "gateway",
        SettingsPart::Discovery => "discovery",
        SettingsPart::History => "history",
        SettingsPart::Registries => "registries",
    }
}
