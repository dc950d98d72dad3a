//! A picture and a sound, made from nothing.

use std::f64::consts::TAU;

/// Pixels of a painting's side at most.
pub(super) const SIDE_MAX: u32 = 512;
/// Samples of sound a second.
const SAMPLE_RATE: u32 = 8_000;

/// A PNG of a sun over water, `side` pixels square, under a sky of the given colour.
pub(super) fn painting(side: u32, sky: [u8; 3]) -> Vec<u8> {
    let side = side.clamp(1, SIDE_MAX);
    let mut rows = Vec::new();
    for y in 0..side {
        // Each row begins with the number of its filter: none.
        rows.push(0);
        for x in 0..side {
            rows.extend_from_slice(&pixel(
                f64::from(x) / f64::from(side),
                f64::from(y) / f64::from(side),
                sky,
            ));
        }
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [side.to_be_bytes(), side.to_be_bytes()].concat();
    // Eight bits a channel, red green blue, and the only method each of the rest has.
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    png_chunk(&mut png, b"IHDR", &header);
    png_chunk(&mut png, b"IDAT", &zlib_stored(&rows));
    png_chunk(&mut png, b"IEND", &[]);
    png
}

fn pixel(x: f64, y: f64, sky: [u8; 3]) -> [u8; 3] {
    const HORIZON: f64 = 0.62;
    let sun = (x - 0.5).hypot(y - 0.45) < 0.18;
    if y < HORIZON {
        return if sun { [255, 196, 61] } else { sky };
    }
    let glitter = (x - 0.5).abs() < 0.18 && ((y - HORIZON) * 40.0).sin() > 0.0;
    if glitter {
        [255, 214, 120]
    } else {
        [28, 78, 122]
    }
}

fn png_chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    png.extend_from_slice(&length.to_be_bytes());
    png.extend_from_slice(kind);
    png.extend_from_slice(data);
    let sum = crc32(kind.iter().chain(data));
    png.extend_from_slice(&sum.to_be_bytes());
}

fn crc32<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    let sum = bytes.fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            let carry = if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
            (sum >> 1) ^ carry
        })
    });
    !sum
}

/// The zlib format with blocks that are stored, not packed: enough for small pictures.
fn zlib_stored(data: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x78, 0x01];
    let mut blocks = data.chunks(usize::from(u16::MAX)).peekable();
    while let Some(block) = blocks.next() {
        packed.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(&(!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    packed.extend_from_slice(&((b << 16) | a).to_be_bytes());
    packed
}

/// A WAV of one fading tone: 8 bits, one channel.
pub(super) fn chime(hertz: f64, milliseconds: u32) -> Vec<u8> {
    let count = SAMPLE_RATE / 1_000 * milliseconds.clamp(1, 2_000);
    let mut wav = b"RIFF".to_vec();
    wav.extend_from_slice(&(36 + count).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    // Plain samples, one channel.
    wav.extend_from_slice(&[1, 0, 1, 0]);
    wav.extend_from_slice(&SAMPLE_RATE.to_le_bytes());
    // Bytes a second are samples a second; one byte a sample, eight bits.
    wav.extend_from_slice(&SAMPLE_RATE.to_le_bytes());
    wav.extend_from_slice(&[1, 0, 8, 0]);
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&count.to_le_bytes());
    wav.extend((0..count).map(|number| {
        let time = f64::from(number) / f64::from(SAMPLE_RATE);
        let fading = 1.0 - f64::from(number) / f64::from(count);
        let level = (time * hertz * TAU).sin() * fading * 100.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 28 and 228 by the line above"
        )]
        let sample = (128.0 + level) as u8;
        sample
    }));
    wav
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_the_standards() {
        assert_eq!(crc32(b"123456789".iter()), 0xCBF4_3926);
        let packed = zlib_stored(b"Wikipedia");
        assert_eq!(packed[packed.len() - 4..], 0x11E6_0398_u32.to_be_bytes());
    }

    #[test]
    fn a_chime_is_as_long_as_it_says() {
        let wav = chime(440.0, 300);
        assert_eq!(wav.len(), 44 + 2_400);
        assert_eq!(wav[40..44], 2_400_u32.to_le_bytes());
    }

    #[test]
    fn a_painting_of_many_rows_has_more_than_one_block() {
        let png = painting(SIDE_MAX, [0, 0, 0]);
        assert!(png.len() > 512 * 512 * 3);
        assert!(png.ends_with(b"IEND\xaeB`\x82"));
    }
}
