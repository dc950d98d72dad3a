//! The engine's files survive kills at every write, full disks, and read-only folders.

#[cfg(target_os = "linux")]
mod books;
#[cfg(target_os = "linux")]
mod bundles;
#[cfg(target_os = "linux")]
mod disks;
#[cfg(target_os = "linux")]
mod imports;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod samples;
#[cfg(target_os = "linux")]
mod tracer;

/// Returns the names in a folder. A missing folder has none.
#[cfg(target_os = "linux")]
fn names_in(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort();
    names
}
