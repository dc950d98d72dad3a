//! Joins screenshots into an animated PNG, which browsers and GitHub show like any picture.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use png::{BlendOp, Compression, DisposeOp};

/// Maximum size of an animated picture in a README, in bytes, since each reader has to load it.
const BYTES_MAX: u64 = 3 * 1024 * 1024;

struct Frame {
    width: u32,
    height: u32,
    /// The pixels, row by row, with [`PIXEL_BYTES`] bytes each.
    pixels: Vec<u8>,
    duration_ms: u16,
}

/// Bytes per pixel: red, green and blue.
const PIXEL_BYTES: usize = 3;

/// The part of a frame that differs from the frame before.
#[derive(Debug, PartialEq)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// Writes the frames in a folder to `picture`. A frame's file is named `NUMBER-MILLISECONDS.png`.
pub(crate) fn join(folder: &Path, picture: &Path) -> Result<()> {
    let frames = frames_of(folder)?;
    let first = frames.first().context("no frames were taken")?;
    let is_same_size = |frame: &Frame| (frame.width, frame.height) == (first.width, first.height);
    ensure!(frames.iter().all(is_same_size), "the frames differ in size");

    let file = File::create(picture).with_context(|| format!("creating {}", picture.display()))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), first.width, first.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(Compression::High);
    encoder.set_animated(u32::try_from(frames.len())?, 0)?;
    encoder.set_blend_op(BlendOp::Source)?;
    encoder.set_dispose_op(DisposeOp::None)?;
    let mut writer = encoder.write_header()?;
    let mut shown: Option<&Frame> = None;
    for frame in &frames {
        let area = frame.changed_area(shown);
        writer.reset_frame_position()?;
        writer.set_frame_dimension(
            u32::try_from(area.right - area.left)?,
            u32::try_from(area.bottom - area.top)?,
        )?;
        writer.set_frame_position(u32::try_from(area.left)?, u32::try_from(area.top)?)?;
        writer.set_frame_delay(frame.duration_ms, 1_000)?;
        writer.write_image_data(&frame.cut(&area))?;
        shown = Some(frame);
    }
    writer.finish()?;

    let bytes = std::fs::metadata(picture)?.len();
    ensure!(
        bytes <= BYTES_MAX,
        "{} has {bytes} bytes, more than {BYTES_MAX}",
        picture.display()
    );
    let seconds: u32 = frames
        .iter()
        .map(|frame| u32::from(frame.duration_ms))
        .sum();
    println!(
        "{}: {} frames, {:.1} s, {:.2} MiB",
        picture.display(),
        frames.len(),
        f64::from(seconds) / 1_000.0,
        bytes as f64 / (1024.0 * 1024.0)
    );
    Ok(())
}

fn frames_of(folder: &Path) -> Result<Vec<Frame>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    files.iter().map(Frame::read).collect()
}

impl Frame {
    fn read(file: &PathBuf) -> Result<Self> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let (_, duration) = name.split_once('-').context("a frame has no duration")?;
        let mut decoder = png::Decoder::new(BufReader::new(File::open(file)?));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let size = reader
            .output_buffer_size()
            .context("a frame is too large")?;
        let mut pixels = vec![0; size];
        let info = reader.next_frame(&mut pixels)?;
        pixels.truncate(info.buffer_size());
        let pixels = match info.color_type {
            png::ColorType::Rgb => pixels,
            png::ColorType::Rgba => pixels
                .chunks_exact(PIXEL_BYTES + 1)
                .flat_map(|pixel| &pixel[..PIXEL_BYTES])
                .copied()
                .collect(),
            other => bail!("{}: pixels of the kind {other:?}", file.display()),
        };
        Ok(Self {
            width: info.width,
            height: info.height,
            pixels,
            duration_ms: duration.parse()?,
        })
    }

    fn row_bytes(&self) -> usize {
        self.width as usize * PIXEL_BYTES
    }

    /// Returns the smallest area that contains all differences from `before`. The area has at least
    /// one pixel.
    fn changed_area(&self, before: Option<&Self>) -> Area {
        let Some(before) = before else {
            return Area {
                left: 0,
                top: 0,
                right: self.width as usize,
                bottom: self.height as usize,
            };
        };
        let mut area: Option<Area> = None;
        let pixels = self.pixels.chunks_exact(PIXEL_BYTES);
        let others = before.pixels.chunks_exact(PIXEL_BYTES);
        for (index, _) in pixels.zip(others).enumerate().filter(|(_, (a, b))| a != b) {
            let (x, y) = (index % self.width as usize, index / self.width as usize);
            let area = area.get_or_insert(Area {
                left: x,
                top: y,
                right: x + 1,
                bottom: y + 1,
            });
            area.left = area.left.min(x);
            area.right = area.right.max(x + 1);
            area.bottom = y + 1;
        }
        area.unwrap_or(Area {
            left: 0,
            top: 0,
            right: 1,
            bottom: 1,
        })
    }

    fn cut(&self, area: &Area) -> Vec<u8> {
        self.pixels
            .chunks_exact(self.row_bytes())
            .skip(area.top)
            .take(area.bottom - area.top)
            .flat_map(|row| &row[area.left * PIXEL_BYTES..area.right * PIXEL_BYTES])
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(pixels: &[u8]) -> Frame {
        Frame {
            width: 3,
            height: 2,
            pixels: pixels
                .iter()
                .flat_map(|&value| [value; PIXEL_BYTES])
                .collect(),
            duration_ms: 100,
        }
    }

    #[test]
    fn only_the_changed_area_is_written() {
        let (before, after) = (frame(&[0, 0, 0, 0, 0, 0]), frame(&[0, 7, 0, 0, 0, 9]));
        let area = after.changed_area(Some(&before));
        let expected = Area {
            left: 1,
            top: 0,
            right: 3,
            bottom: 2,
        };
        assert_eq!(area, expected);
        assert_eq!(after.cut(&area).len(), 4 * PIXEL_BYTES);
        assert_eq!(after.changed_area(Some(&after)).right, 1);
    }

    #[test]
    fn joined_frames_play_for_their_durations() {
        let folder = tempfile::tempdir().expect("a folder");
        let frames = folder.path().join("frames");
        std::fs::create_dir(&frames).expect("a folder");
        for (name, pixels) in [("000-100", [0; 6]), ("001-250", [0, 0, 0, 0, 5, 0])] {
            let file = File::create(frames.join(format!("{name}.png"))).expect("a file");
            let mut encoder = png::Encoder::new(file, 3, 2);
            encoder.set_color(png::ColorType::Rgb);
            let mut writer = encoder.write_header().expect("a header");
            writer
                .write_image_data(&frame(&pixels).pixels)
                .expect("pixels");
        }
        let picture = folder.path().join("picture.png");
        join(&frames, &picture).expect("joined");

        let file = BufReader::new(File::open(&picture).expect("the picture"));
        let mut reader = png::Decoder::new(file).read_info().expect("a header");
        let control = reader.info().animation_control().expect("it is animated");
        assert_eq!(control.num_frames, 2);
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("the first frame");
        reader.next_frame(&mut pixels).expect("the second frame");
        let frame = reader.info().frame_control().expect("its place");
        assert_eq!((frame.x_offset, frame.y_offset, frame.width), (1, 1, 1));
        assert_eq!((frame.delay_num, frame.delay_den), (250, 1_000));
    }
}
