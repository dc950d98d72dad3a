//! What the engine writes outlives whatever ends it: kills at every write, full disks, folders that
//! can't be written.

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
