//! Tests parsers with external input in many forms: whole, truncated, mutated, deep, huge, and not
//! text at all.
//!
//! `tests/data/corpus/<parser>/` has input on which a parser once failed, and at least one valid
//! example. All of it is tested each time.

use std::path::Path;
use std::time::{Duration, Instant};

/// The number of mutated copies of each example.
const COPIES: usize = 400;
/// Maximum number of mutations of one copy.
const BENDS: u64 = 4;
/// Time limit of one input. Only a parser that hangs takes this long.
const LIMIT: Duration = Duration::from_secs(20);

/// Bytes inserted into an example.
const PIECES: &[&[u8]] = &[
    b"",
    b"\"",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\0",
    b"\xff",
    b"\xe2\x82",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\n\n",
    b": ",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"null",
    b"-1",
    b"1e999",
    b"-0.0",
    b"18446744073709551616",
    b"99999999999999999999999999999999999999999999",
    b"{\"a\":{\"a\":{\"a\":",
];

/// Calls `read` with all examples of a parser, truncated at many positions and mutated in many
/// ways, and with unrelated input. `read` must return each time and must not panic.
pub fn each(parser: &str, mut read: impl FnMut(&[u8])) {
    let mut read = |bytes: &[u8]| {
        let begun = Instant::now();
        read(bytes);
        let took = begun.elapsed();
        assert!(took < LIMIT, "{took:?} for {} bytes", bytes.len());
    };
    let examples = examples(parser);
    let mut chance = Chance(examples.len() as u64);
    for example in &examples {
        read(example);
        let step = example.len() / 2_000 + 1;
        for end in (0..example.len()).step_by(step) {
            read(&example[..end]);
        }
        for _ in 0..COPIES {
            read(&bent(example, &mut chance));
        }
    }
    for open in ["[", "{\"a\":", "(", "[[1,"] {
        read(open.repeat(100_000).as_bytes());
    }
    for len in [0, 1, 2, 3, 16, 1_000, 100_000] {
        let noise: Vec<u8> = (0..len).map(|_| chance.byte()).collect();
        read(&noise);
        read(&vec![b'9'; len]);
        read(&vec![b' '; len]);
        read(&vec![b'\n'; len]);
    }
}

fn examples(parser: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data/corpus")
        .join(parser);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let examples: Vec<_> = files.iter().flat_map(std::fs::read).collect();
    assert!(!examples.is_empty(), "{parser} has examples");
    examples
}

fn bent(example: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = example.to_vec();
    for _ in 0..=chance.below(BENDS) {
        let at = chance.at(bytes.len());
        match chance.below(5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            1 => drop(bytes.drain(at..(at + chance.at(16)).min(bytes.len()))),
            2 => {
                // Repeats a part at another position, such as a field or a line.
                let end = (at + chance.at(64)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let place = chance.at(bytes.len());
                bytes.splice(place..place, again);
            }
            3 => {
                let piece = PIECES[chance.at(PIECES.len() - 1)];
                let end = (at + chance.at(4)).min(bytes.len());
                bytes.splice(at..end, piece.iter().copied());
            }
            _ => bytes.insert(at, chance.byte()),
        }
    }
    bytes
}

/// Pseudo-random numbers that are the same each time (SplitMix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// Returns a random position in data of this length, including the end.
    fn at(&mut self, len: usize) -> usize {
        usize::try_from(self.next() % (len as u64 + 1)).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}
