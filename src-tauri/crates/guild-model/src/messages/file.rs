//! Clearer messages for some errors of the file system.

/// Returns the message of a system error. If the limit of open files is reached, the message says
/// so.
pub fn io_message(error: &std::io::Error) -> String {
    match is_files_limit(error) {
        true => format!(
            "{error}; Guild Hall has reached its limit of open files and connections \
             (`ulimit -n`)"
        ),
        false => error.to_string(),
    }
}

/// Returns whether an operation failed because this process has too many open files.
pub fn is_files_limit(error: &std::io::Error) -> bool {
    // EMFILE is 24 on all Unix systems. On Windows, 4 is ERROR_TOO_MANY_OPEN_FILES.
    let code = if cfg!(unix) { 24 } else { 4 };
    error.raw_os_error() == Some(code)
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_name_the_limit() {
        let message = io_message(&Error::from_raw_os_error(24));
        assert!(message.contains("ulimit -n"), "{message}");
        // ENFILE is the limit of the whole system.
        let message = io_message(&Error::from_raw_os_error(23));
        assert!(!message.contains("ulimit -n"), "{message}");
    }
}
