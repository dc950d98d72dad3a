//! Busy loops that simulate other work on the machine of a measurement or test run.

use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

/// A loop that also ends after the process that started it was killed.
const LOOP: &str = "while kill -0 $PPID 2>/dev/null; do
  i=0
  while [ $i -lt 100000 ]; do i=$((i + 1)); done
done";

/// Shell processes that each keep one processor busy. They are killed when this value is dropped.
pub(crate) struct BusyLoops(Vec<Child>);

impl BusyLoops {
    /// Starts `count` processes.
    ///
    /// # Errors
    ///
    /// When a process can't be started. The processes started before it are killed.
    pub(crate) fn start(count: usize) -> Result<Self> {
        let mut loops = Self(Vec::new());
        for _ in 0..count {
            let mut command = Command::new("sh");
            command.args(["-c", LOOP]);
            let child = command.stdin(Stdio::null()).spawn();
            loops.0.push(child.context("starting a busy loop")?);
        }
        Ok(loops)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
