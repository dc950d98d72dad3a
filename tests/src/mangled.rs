//! External input in many forms: whole, cut off, mutated, deep, huge, and not text at all.
//!
//! Input that a parser once failed on is in `tests/data/corpus/<parser>/`, with one valid example at
//! least, and is tested each time.

use std::path::Path;
use std::time::{Duration, Instant};

/// How many bent copies of each example are tried.
const COPIES: usize = 400;
/// How many bends a copy has at most.
const BENDS: u64 = 4;
/// No input of this size takes nearly as long, unless it is read for ever.
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

/// Calls `read` with all examples of a parser, each cut off everywhere and mutated in many ways,
/// and with input unlike any of them. It has to return each time, and must not panic.
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
                // Repeats a part elsewhere: twice the field, twice the line.
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

/// Numbers that look like chance and are the same each time (SplitMix64).
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

    /// A place of something so long, its end included.
    fn at(&mut self, len: usize) -> usize {
        usize::try_from(self.next() % (len as u64 + 1)).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}
