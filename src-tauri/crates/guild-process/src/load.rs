//! Measures the load of the machine. Always idle on systems other than Linux.

/// Whether more processes were runnable than processors exist, on average over the last minute.
/// Blocks for microseconds.
pub fn exceeds_cores() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    average().is_some_and(|load| exceeds(load, cores))
}

/// Whether all processors are busy at this moment, without the calling thread's own. Blocks for
/// microseconds.
pub fn is_crowded() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let line = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    running(&line).is_some_and(|running| running.saturating_sub(1) > cores)
}

/// Returns the load average of the last minute.
fn average() -> Option<f64> {
    parse(&std::fs::read_to_string("/proc/loadavg").ok()?)
}

fn parse(line: &str) -> Option<f64> {
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Returns the number of runnable threads.
fn running(line: &str) -> Option<usize> {
    let threads = line.split_ascii_whitespace().nth(3)?;
    threads.split_once('/')?.0.parse().ok()
}

#[allow(clippy::cast_precision_loss, reason = "there are not that many cores")]
fn exceeds(load: f64, cores: usize) -> bool {
    load > cores as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_above_the_cores_is_busy() {
        assert_eq!(parse("2.51 1.20 0.90 3/400 1234\n"), Some(2.51));
        assert_eq!(parse(""), None);
        assert_eq!(parse("x"), None);
        assert_eq!(running("2.51 1.20 0.90 3/400 1234\n"), Some(3));
        assert_eq!(running("2.51 1.20"), None);
        assert!(exceeds(2.51, 2));
        assert!(!exceeds(2.0, 2));
        #[cfg(target_os = "linux")]
        assert!(average().is_some_and(|load| load >= 0.0));
    }
}
