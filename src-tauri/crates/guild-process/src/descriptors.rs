//! The limit of open files and connections of this process.

/// The wanted limit of open files, which is enough for the largest roster. Children inherit the
/// limit, and some programs iterate over all file descriptor numbers up to the limit at their
/// start. So the limit is not higher than needed.
#[cfg(unix)]
const WANTED: u64 = 16_384;

/// Raises the soft limit of open files to the wanted value, as far as the system allows. Many
/// desktops start programs with a limit of 1,024, which a hundred members reach.
pub fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let highest = limit.maximum.unwrap_or(WANTED).min(WANTED);
        if limit.current.is_none_or(|current| current >= highest) {
            return;
        }
        let raised = Rlimit {
            current: Some(highest),
            maximum: limit.maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(%error, "the limit of open files could not be raised");
        }
    }
}

/// Returns the limit of open files and connections of this process. 0 if the system has no such
/// limit.
pub fn limit() -> u64 {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).current.unwrap_or(0)
    }
    #[cfg(not(unix))]
    0
}

/// Returns a process's limit of open files, if the process has reached it. `None` otherwise, or if
/// the system does not show the limit. Blocking.
pub fn limit_reached_by(pid: u32) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
        let limit = soft_files_limit(&limits)?;
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
        (open.count() as u64 >= limit).then_some(limit)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}

/// Returns the soft limit of open files from `/proc/PID/limits`.
#[cfg(target_os = "linux")]
fn soft_files_limit(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether an operation failed only because of a temporary shortage of resources. The operation may
/// succeed later. If it was a query, its failure says nothing about the queried state.
pub fn is_scarcity(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    // EMFILE and ENFILE have the same numbers on all Unix systems. The Windows code is
    // ERROR_TOO_MANY_OPEN_FILES.
    let scarce: &[i32] = if cfg!(unix) { &[24, 23] } else { &[4] };
    matches!(
        error.kind(),
        ErrorKind::OutOfMemory | ErrorKind::Interrupted | ErrorKind::ResourceBusy
    ) || error
        .raw_os_error()
        .is_some_and(|code| scarce.contains(&code))
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use guild_model::messages::is_files_limit;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        use crate::error::ProcessError;
        for number in [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE] {
            let source = Error::from_raw_os_error(number.raw_os_error());
            let is_own = is_files_limit(&source);
            assert_eq!(is_own, number == rustix::io::Errno::MFILE);
            let program = "/bin/true".into();
            let refused = ProcessError::SpawnFailed { program, source }.report();
            let hint = refused.hint.replace(',', "");
            let names = hint.contains(&limit().to_string());
            assert_eq!(
                names && refused.hint.contains("ulimit -n"),
                is_own,
                "{refused}"
            );
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limit_of_a_process_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max processes             unlimited            unlimited            processes \n\
                      Max open files            1024                 524288               files     \n";
        assert_eq!(soft_files_limit(limits), Some(1_024));
        assert_eq!(
            soft_files_limit("Max open files  unlimited  unlimited  files"),
            None
        );
        assert_eq!(limit_reached_by(std::process::id()), None);
    }

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_pass_and_a_missing_file_does_not() {
        assert!(is_scarcity(&Error::from_raw_os_error(
            rustix::io::Errno::MFILE.raw_os_error()
        )));
        assert!(is_scarcity(&Error::from_raw_os_error(
            rustix::io::Errno::NFILE.raw_os_error()
        )));
        for kind in [ErrorKind::NotFound, ErrorKind::PermissionDenied] {
            assert!(!is_scarcity(&Error::from(kind)), "{kind}");
        }
    }
}
