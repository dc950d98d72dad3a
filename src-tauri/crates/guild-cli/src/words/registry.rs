//! Servers that registries list, and bundles.

use guild_core::number::grouped;
use guild_core::wire::RegistryStanding;

use super::counted;

pub(crate) fn left_out(count: usize) -> String {
    let entries = counted(count, "entry is", "entries are");
    format!("{entries} wrong and left out")
}

pub(crate) fn servers(count: usize) -> String {
    counted(count, "server", "servers")
}

/// The status that the publisher or the registry gave an entry.
pub(crate) fn entry(value: RegistryStanding) -> &'static str {
    RegistryStanding::as_str(value)
}

pub(crate) fn standing(standing: RegistryStanding, message: &str) -> String {
    format!("it is {}. {message}", standing.as_str())
}

pub(crate) fn run_by(member: &str, version: &str, newer: bool) -> String {
    let newer = if newer { ", a newer one is listed" } else { "" };
    format!("the member {member} runs {version}{newer}")
}

pub(crate) fn size(files: usize, kib: u64, unpacked: u64, digest: &str) -> String {
    let files = counted(files, "file", "files");
    let [kib, unpacked] = [kib, unpacked].map(grouped);
    format!("{files}, {kib} KiB; unpacked {unpacked} KiB; sha256 {digest}")
}

pub(crate) fn by(runtime: &str) -> String {
    format!("by {runtime}")
}

pub(crate) fn of_tool(tool: &str) -> String {
    format!(" of the tool {tool}")
}
