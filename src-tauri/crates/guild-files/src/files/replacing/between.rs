//! Hooks for tests, which run between the comparison and the replacement of a file.

use std::path::{Path, PathBuf};

use parking_lot::Mutex;

type ReplaceHook = Box<dyn FnOnce() + Send>;

/// The pending hooks, each with its file.
static STEPS: Mutex<Vec<(PathBuf, ReplaceHook)>> = Mutex::new(Vec::new());

/// Adds a hook that runs once. Several hooks of one file run at successive steps.
pub fn once(real: &Path, step: impl FnOnce() + Send + 'static) {
    STEPS.lock().push((real.to_owned(), Box::new(step)));
}

pub(super) fn pass(real: &Path) {
    let step = {
        let mut steps = STEPS.lock();
        let at = steps.iter().position(|(path, _)| path == real);
        at.map(|at| steps.remove(at).1)
    };
    if let Some(step) = step {
        step();
    }
}
