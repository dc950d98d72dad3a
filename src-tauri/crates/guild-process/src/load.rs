//! Measures the load of the machine. On systems other than Linux, the machine always counts as
//! idle.

/// Whether more processes were runnable than there are processors, on average over the last minute.
/// Blocks for microseconds.
pub fn exceeds_cores() -> bool {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    average().is_some_and(|load| exceeds(load, cores))
}

/// Returns the load average of the last minute.
fn average() -> Option<f64> {
    parse(&std::fs::read_to_string("/proc/loadavg").ok()?)
}

fn parse(line: &str) -> Option<f64> {
    line.split_ascii_whitespace().next()?.parse().ok()
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
        assert!(exceeds(2.51, 2));
        assert!(!exceeds(2.0, 2));
        #[cfg(target_os = "linux")]
        assert!(average().is_some_and(|load| load >= 0.0));
    }
}
