//! Caches responses of registries on the disk, each in a file that is named by the hash of its
//! address. The file's modification time is the time of the response. Old and surplus responses are
//! removed.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use guild_files::files::{create_own_folder, read_bounded, write_atomically};

/// Maximum number of cached responses.
const COUNT_MAX: usize = 200;
/// Maximum size of all cached responses together, in bytes.
const BYTES_MAX: u64 = 32 << 20;
/// Maximum age of a cached response.
const AGE_MAX: Duration = Duration::from_secs(30 * 24 * 3_600);

/// The folder with cached responses. All methods block.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    folder: PathBuf,
}

impl Answers {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the cached response of an address, and its time. `None` if it is missing or too old.
    pub(super) fn find(&self, url: &str) -> Option<(Vec<u8>, SystemTime)> {
        let file = self.file(url);
        let as_of = std::fs::metadata(&file).ok()?.modified().ok()?;
        if is_old(as_of) {
            return None;
        }
        Some((read_bounded(&file, BYTES_MAX).ok()?, as_of))
    }

    /// Stores a response. If it can't be written, the next search requests it again.
    pub(super) fn keep(&self, url: &str, answer: &[u8]) {
        let written = create_own_folder(&self.folder)
            .and_then(|()| write_atomically(&self.file(url), answer))
            .and_then(|()| self.sweep());
        if let Err(error) = written {
            let folder = self.folder.display();
            tracing::warn!(%folder, %error, "a registry's answer is not kept");
        }
    }

    fn sweep(&self) -> std::io::Result<()> {
        let entries = std::fs::read_dir(&self.folder)?.flatten();
        // A file that is replaced at this moment may have no metadata, and is skipped.
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().ok()?, metadata.len(), entry.path()))
            })
            .collect();
        files.sort_by(|one, other| other.cmp(one));
        let mut bytes = 0;
        for (at, (as_of, length, file)) in files.into_iter().enumerate() {
            bytes += length;
            if at >= COUNT_MAX || bytes > BYTES_MAX || is_old(as_of) {
                let _ = std::fs::remove_file(file);
            }
        }
        Ok(())
    }

    fn file(&self, url: &str) -> PathBuf {
        let mut name = String::with_capacity(40);
        for byte in Sha256::digest(url.as_bytes()).iter().take(16) {
            name.push_str(&format!("{byte:02x}"));
        }
        self.folder.join(format!("{name}.json"))
    }
}

fn is_old(as_of: SystemTime) -> bool {
    as_of.elapsed().is_ok_and(|age| age > AGE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(at: usize) -> String {
        format!("https://registry.example/{at}")
    }

    fn keep(answers: &Answers, at: usize, answer: &[u8], age: Duration) {
        answers.keep(&url(at), answer);
        let file = std::fs::File::options()
            .write(true)
            .open(answers.file(&url(at)));
        let time = SystemTime::now() - age;
        file.expect("kept").set_modified(time).expect("its time");
    }

    fn new() -> (tempfile::TempDir, Answers) {
        let folder = tempfile::tempdir().expect("a folder");
        let answers = Answers::new(folder.path().join("registry"));
        (folder, answers)
    }

    #[test]
    fn answers_past_the_count_lose_the_oldest() {
        let (_folder, answers) = new();
        for at in 0..COUNT_MAX {
            let age = Duration::from_secs(3_600 - at as u64);
            keep(&answers, at, b"[]", age);
        }
        answers.keep(&url(COUNT_MAX), b"[1]");
        assert!(answers.find(&url(0)).is_none());
        assert!(answers.find(&url(1)).is_some());
        assert_eq!(answers.find(&url(COUNT_MAX)).expect("kept").0, b"[1]");
    }

    #[test]
    fn answers_past_the_bytes_lose_the_oldest() {
        let (_folder, answers) = new();
        let large = vec![b' '; 20 << 20];
        keep(&answers, 1, &large, Duration::from_secs(60));
        answers.keep(&url(2), &large);
        assert!(answers.find(&url(1)).is_none());
        assert!(answers.find(&url(2)).is_some());
    }

    #[test]
    fn answer_past_its_age_is_removed() {
        let (_folder, answers) = new();
        keep(&answers, 1, b"[]", AGE_MAX + Duration::from_secs(60));
        assert!(answers.find(&url(1)).is_none());
        answers.keep(&url(2), b"[]");
        assert!(!answers.file(&url(1)).exists());
    }
}
