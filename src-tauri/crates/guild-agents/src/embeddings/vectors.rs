//! Caches vectors in memory and in `search-vectors.bin` of the data folder. After a restart, only
//! vectors of new texts have to be requested.
//!
//! The file begins with a magic number. The hash, length and components of each vector follow, and
//! finally a digest of everything before. A file with another magic number or a wrong digest is
//! ignored, and replaced when vectors are saved.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::DIMENSIONS_MAX;
use guild_files::files::{read_bounded, write_atomically};

/// The file's name in the data folder.
const VECTORS_FILE: &str = "search-vectors.bin";
/// The magic number.
const MARK: &[u8; 16] = b"guild-vectors-1\n";
/// Maximum size of the file, in bytes.
const BYTES_MAX: usize = 64 << 20;
/// Maximum number of cached vectors. Beyond it, only those that the current search uses are kept.
const VECTORS_MAX: usize = 20_000;

/// The key of a vector: the hash of the endpoint, the model and the text.
pub(super) type Hash = [u8; 32];
/// A normalized vector.
pub(super) type Vector = Arc<[f32]>;

#[derive(Debug)]
pub(super) struct Vectors {
    path: PathBuf,
    known: Mutex<VectorCache>,
    /// Allows only one write at a time, so that an older file never replaces a newer one.
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct VectorCache {
    is_read: bool,
    vectors: HashMap<Hash, Used>,
    searches: u64,
    /// Whether there are unsaved vectors.
    has_new: bool,
}

#[derive(Debug)]
struct Used {
    vector: Vector,
    /// The number of the last search that used the vector. If the file can't hold all vectors, the
    /// most recently used ones are written.
    by: u64,
}

impl Vectors {
    pub(super) fn new(data_dir: &Path) -> Self {
        Self {
            path: data_dir.join(VECTORS_FILE),
            known: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    /// Begins a search. Returns the indexes of the hashes without a vector of this length.
    /// Blocking.
    pub(super) fn missing(&self, hashes: &[Hash], length: usize) -> Vec<usize> {
        let mut known = self.known.lock();
        if !known.is_read {
            known.is_read = true;
            known.vectors = self.read();
        }
        known.searches += 1;
        let search = known.searches;
        let mut missing = Vec::new();
        for (place, hash) in hashes.iter().enumerate() {
            match known.vectors.get_mut(hash) {
                Some(used) if used.vector.len() == length => used.by = search,
                _ => missing.push(place),
            }
        }
        if known.vectors.len() + missing.len() > VECTORS_MAX {
            known.vectors.retain(|_, used| used.by == search);
        }
        missing
    }

    /// Stores vectors for the current search.
    pub(super) fn insert(&self, vectors: impl Iterator<Item = (Hash, Vector)>) {
        let mut known = self.known.lock();
        let by = known.searches;
        known
            .vectors
            .extend(vectors.map(|(hash, vector)| (hash, Used { vector, by })));
        known.has_new = true;
    }

    /// Returns the vectors of these hashes, if all have this length.
    pub(super) fn of(&self, hashes: &[Hash], length: usize) -> Option<Vec<Vector>> {
        let known = self.known.lock();
        let vector = |hash| known.vectors.get(hash).map(|used| Arc::clone(&used.vector));
        let vectors = hashes.iter().map(vector);
        vectors
            .map(|vector| vector.filter(|vector| vector.len() == length))
            .collect()
    }

    /// Writes the file if there are unsaved vectors. Blocking. If that fails, the vectors are
    /// requested again after the next start.
    pub(super) fn write(&self) {
        let _one = self.writing.lock();
        let mut vectors: Vec<(u64, Hash, Vector)> = {
            let mut known = self.known.lock();
            if !std::mem::take(&mut known.has_new) {
                return;
            }
            let vectors = known.vectors.iter();
            vectors
                .map(|(hash, used)| (used.by, *hash, Arc::clone(&used.vector)))
                .collect()
        };
        vectors.sort_unstable_by_key(|(by, hash, _)| (std::cmp::Reverse(*by), *hash));
        let bytes = encoded(vectors.iter().map(|(_, hash, vector)| (hash, vector)));
        if let Err(error) = write_atomically(&self.path, &bytes) {
            tracing::warn!(file = %self.path.display(), %error, "the vectors of tools could not be saved");
        }
    }

    fn read(&self) -> HashMap<Hash, Used> {
        let bytes = match read_bounded(&self.path, BYTES_MAX as u64) {
            Ok(bytes) => bytes,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    tracing::warn!(file = %self.path.display(), %error, "the vectors of tools could not be read");
                }
                return HashMap::new();
            }
        };
        decoded(&bytes).unwrap_or_else(|| {
            tracing::warn!(file = %self.path.display(), "the file of vectors is damaged and ignored");
            HashMap::new()
        })
    }
}

/// Encodes as many of these vectors as the file may hold.
fn encoded<'a>(vectors: impl Iterator<Item = (&'a Hash, &'a Vector)>) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    for (hash, vector) in vectors {
        let Ok(length) = u16::try_from(vector.len()) else {
            continue;
        };
        let needed = hash.len() + 2 + 4 * vector.len() + size_of::<Hash>();
        if bytes.len() + needed > BYTES_MAX {
            break;
        }
        bytes.extend_from_slice(hash);
        bytes.extend_from_slice(&length.to_le_bytes());
        for number in vector.iter() {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    let digest: Hash = Sha256::digest(&bytes).into();
    bytes.extend_from_slice(&digest);
    bytes
}

/// Decodes a file. Returns `None` if the file is damaged or has another format.
fn decoded(bytes: &[u8]) -> Option<HashMap<Hash, Used>> {
    let (content, digest) = bytes.split_last_chunk::<32>()?;
    let mut rest = content.strip_prefix(MARK)?;
    if Hash::from(Sha256::digest(content)) != *digest {
        return None;
    }
    let mut vectors = HashMap::new();
    while !rest.is_empty() {
        let (hash, after) = rest.split_first_chunk::<32>()?;
        let (length, after) = after.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_le_bytes(*length));
        if !(1..=DIMENSIONS_MAX).contains(&length) || vectors.len() == VECTORS_MAX {
            return None;
        }
        let (numbers, after) = after.split_at_checked(4 * length)?;
        let (numbers, _) = numbers.as_chunks::<4>();
        let vector: Vector = numbers
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect();
        if !vector.iter().all(|number| number.is_finite()) {
            return None;
        }
        vectors.insert(*hash, Used { vector, by: 0 });
        rest = after;
    }
    Some(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(number: f32) -> Vector {
        [number, 0.0].into()
    }

    fn kept(folder: &Path) -> Vectors {
        let vectors = Vectors::new(folder);
        assert_eq!(vectors.missing(&[[1; 32], [2; 32]], 2), [0, 1]);
        vectors.insert([([1; 32], vector(0.5)), ([2; 32], vector(1.0))].into_iter());
        vectors.write();
        vectors
    }

    #[test]
    fn next_start_knows_the_vectors() {
        let folder = tempfile::tempdir().expect("a folder");
        kept(folder.path());
        let again = Vectors::new(folder.path());
        assert_eq!(again.missing(&[[3; 32], [1; 32], [2; 32]], 2), [0]);
        let found = again.of(&[[2; 32], [1; 32]], 2).expect("known");
        assert_eq!(found, [vector(1.0), vector(0.5)]);
    }

    #[test]
    fn vector_of_another_length_is_missing() {
        let folder = tempfile::tempdir().expect("a folder");
        let vectors = kept(folder.path());
        assert_eq!(vectors.missing(&[[1; 32]], 3), [0], "the model is another");
        assert!(vectors.of(&[[1; 32]], 3).is_none());
    }

    #[test]
    fn damaged_or_foreign_file_is_ignored_and_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        kept(folder.path());
        let path = folder.path().join(VECTORS_FILE);
        let whole = std::fs::read(&path).expect("written");
        let mut flipped = whole.clone();
        flipped[40] ^= 1;
        let cut = whole[..whole.len() - 1].to_vec();
        for wrong in [flipped, cut, vec![], b"not vectors".to_vec()] {
            std::fs::write(&path, wrong).expect("written");
            let vectors = Vectors::new(folder.path());
            assert_eq!(vectors.missing(&[[1; 32]], 2), [0]);
        }
        kept(folder.path());
        assert_eq!(std::fs::read(&path).expect("replaced"), whole);
    }

    #[test]
    fn mangled_file_never_breaks_the_reader() {
        let whole = encoded([(&[7; 32], &vector(0.25))].into_iter());
        for length in 0..whole.len() {
            assert!(decoded(&whole[..length]).is_none(), "{length}");
        }
        // The digest is correct, but the length of the vector is wrong.
        let mut wrong = MARK.to_vec();
        wrong.extend([7; 32]);
        wrong.extend(9_u16.to_le_bytes());
        let digest = Sha256::digest(&wrong);
        wrong.extend(digest);
        assert!(decoded(&wrong).is_none());
    }

    #[test]
    fn file_and_memory_are_bounded() {
        let large: Vector = vec![0.5_f32; DIMENSIONS_MAX].into();
        let count = 5_000_u16;
        let hashes: Vec<Hash> = (0..count)
            .map(|number| {
                let mut hash = [0; 32];
                hash[..2].copy_from_slice(&number.to_le_bytes());
                hash
            })
            .collect();
        let bytes = encoded(hashes.iter().map(|hash| (hash, &large)));
        assert!(bytes.len() <= BYTES_MAX);
        assert!(decoded(&bytes).expect("whole").len() > 4_000);

        let folder = tempfile::tempdir().expect("a folder");
        let vectors = kept(folder.path());
        let many = vec![[9; 32]; VECTORS_MAX];
        vectors.missing(&many, 2);
        assert!(
            vectors.known.lock().vectors.is_empty(),
            "none of them is used now"
        );
    }
}
