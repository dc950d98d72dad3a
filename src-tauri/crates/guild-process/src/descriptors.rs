//! How many files and connections this process may have open.

/// Enough for the most members that a roster may have, and no more: some programs walk over all
/// numbers up to the limit when they start, and every child inherits it.
#[cfg(unix)]
const WANTED: u64 = 16_384;

/// Raises the soft limit to what is needed, as far as the system allows. Many desktops start
/// programs with 1,024, which a hundred members use up.
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
            tracing::debug!(%error, "the limit of open files stays as it is");
        }
    }
}

/// How many files and connections this process may have open; 0 where the system has no such limit.
pub fn limit() -> u64 {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).current.unwrap_or(0)
    }
    #[cfg(not(unix))]
    0
}

/// Whether an operation failed because this process has as many files open as it may.
pub(crate) fn is_limit(error: &std::io::Error) -> bool {
    // EMFILE has the same number on all Unix systems; ERROR_TOO_MANY_OPEN_FILES.
    let code = if cfg!(unix) { 24 } else { 4 };
    error.raw_os_error() == Some(code)
}

/// Whether an operation failed only because too much is open or in use just now: trying again
/// later may succeed, and what could not be looked at may be as it was.
pub fn is_scarcity(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    // EMFILE and ENFILE have the same numbers on all Unix systems; ERROR_TOO_MANY_OPEN_FILES.
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

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        use crate::error::ProcessError;
        for number in [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE] {
            let source = Error::from_raw_os_error(number.raw_os_error());
            let is_own = is_limit(&source);
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
