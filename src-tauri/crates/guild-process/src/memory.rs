//! Makes the allocator return large blocks of memory to the system.

/// Blocks of at least this size are returned at once when they are freed, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 * 1024;

/// Makes the allocator return large freed blocks to the system at once. Call this first in `main`.
///
/// By default, glibc maps each block above a size threshold separately, and unmaps it when it is
/// freed. But each unmapping raises the threshold to the block's size, up to 32 MiB. Later blocks
/// below the threshold are taken from arenas that keep their memory. A few messages of 15 MiB then
/// permanently occupy more than 100 MiB. A threshold that is set explicitly is not raised.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: the call sets a number in the allocator, under the allocator's own lock, and
        // takes no pointer.
        #[expect(unsafe_code, reason = "no crate has a safe wrapper of mallopt")]
        let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
        if is_set == 0 {
            tracing::debug!("the allocator keeps large blocks");
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Returns this process's resident memory, in MiB.
    fn resident() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").expect("the status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
        number
            .expect("a number")
            .parse::<usize>()
            .expect("a number")
            >> 10
    }

    #[test]
    fn freed_large_blocks_are_returned() {
        return_large_blocks();
        // Without the setting, freeing this block raises the threshold.
        drop(vec![1_u8; 20 << 20]);
        let before = resident();
        // A small block after each large one prevents the heap from shrinking.
        let blocks: Vec<_> = (0..20)
            .map(|_| (vec![1_u8; 15 << 20], Box::new([1_u8; 64])))
            .collect();
        assert!(resident() > before + 200);
        let small: Vec<_> = blocks.into_iter().map(|(_, small)| small).collect();
        let after = resident();
        assert!(after < before + 100, "{before} MiB, then {after} MiB");
        assert_eq!(small.len(), 20);
    }
}
