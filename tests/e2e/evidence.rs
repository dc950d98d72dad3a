//! Evidence of a failed test: a picture of its display, and the output of the driver and the
//! window. It goes to `target/e2e-failures`, or to the folder in `GUILD_HALL_FAILURES`.
//!
//! Runs while the test's thread unwinds, so nothing here may panic.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};

use crate::desktop::{Desktop, Home, until};
use crate::processes;

/// The variable with the folder.
const FOLDER: &str = "GUILD_HALL_FAILURES";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Saves a picture of the display `number`. The file name contains the name of the home folder.
pub(crate) fn keep_picture(home: &Path, number: &str) {
    let Some(picture) = Pixels::of(number) else {
        eprintln!("there is no picture of display {number}");
        return;
    };
    keep(home, "png", |file| write_png(file, &picture));
}

/// Saves the output of the driver and of the window.
pub(crate) fn keep_log(home: &Path, log: &str) {
    keep(home, "log", |file| file.write_all(log.as_bytes()));
}

/// The pixels of a whole display.
struct Pixels {
    width: u32,
    height: u32,
    /// Four bytes per pixel: blue, green, red, and an unused one.
    bytes: Vec<u8>,
}

impl Pixels {
    fn of(number: &str) -> Option<Self> {
        let (connection, screen) = x11rb::connect(Some(&format!(":{number}"))).ok()?;
        let screen = connection.setup().roots.get(screen)?;
        let (width, height) = (screen.width_in_pixels, screen.height_in_pixels);
        let asked =
            connection.get_image(ImageFormat::Z_PIXMAP, screen.root, 0, 0, width, height, !0);
        let bytes = asked.ok()?.reply().ok()?.data;
        let (width, height) = (u32::from(width), u32::from(height));
        // Only Xvfb's displays have this pixel format.
        (bytes.len() as u64 == u64::from(width) * u64::from(height) * 4).then_some(Self {
            width,
            height,
            bytes,
        })
    }
}

/// Writes a file named after the test and its home, since a test may have several homes.
fn keep(home: &Path, kind: &str, write: impl FnOnce(&mut fs::File) -> io::Result<()>) {
    let path = folder().join(name(home, kind));
    let kept = fs::create_dir_all(folder())
        .and_then(|()| fs::File::create(&path))
        .and_then(|mut file| write(&mut file));
    match kept {
        Ok(()) => eprintln!("kept: {}", path.display()),
        Err(error) => eprintln!("{} could not be kept: {error}", path.display()),
    }
}

fn name(home: &Path, kind: &str) -> String {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("unnamed").replace("::", ".");
    let home = home.file_name().unwrap_or_default().to_string_lossy();
    format!("{test}.{home}.{kind}")
}

fn folder() -> PathBuf {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    named.unwrap_or_else(|| {
        let own = std::env::current_exe().unwrap_or_default();
        // target/<profile>/deps/<test>
        let target = own.ancestors().nth(3).unwrap_or(Path::new("."));
        target.join("e2e-failures")
    })
}

/// Writes pixels as a picture: eight bits each of red, green and blue, and no filter.
fn write_png(file: &mut impl Write, pixels: &Pixels) -> io::Result<()> {
    let mut header = [pixels.width.to_be_bytes(), pixels.height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
    for row in pixels.bytes.chunks_exact(pixels.width as usize * 4) {
        rows.write_all(&[0])?;
        let colours: Vec<u8> = row
            .chunks_exact(4)
            .flat_map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect();
        rows.write_all(&colours)?;
    }
    file.write_all(PNG)?;
    write_chunk(file, b"IHDR", &header)?;
    write_chunk(file, b"IDAT", &rows.finish()?)?;
    write_chunk(file, b"IEND", &[])
}

fn write_chunk(file: &mut impl Write, kind: &[u8; 4], bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(bytes);
    file.write_all(&length.to_be_bytes())?;
    file.write_all(kind)?;
    file.write_all(bytes)?;
    file.write_all(&sum.sum().to_be_bytes())
}

/// The home folder and the display of a test that is about to fail.
struct Known {
    home: PathBuf,
    display: u32,
}

/// A test that fails after its window has opened.
fn fails(said: &mpsc::Sender<Known>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let home = Home::with_samples();
        let window = Desktop::open(&home).await;
        let row = fantoccini::Locator::Css("[data-testid=member-playground]");
        window.is_ready(row).await;
        let known = Known {
            home: home.members().parent().expect("a home").to_owned(),
            display: window.display_process(),
        };
        said.send(known).expect("somebody listens");
        panic!("on purpose");
    });
}

#[tokio::test]
async fn failed_test_leaves_a_picture_and_a_log() {
    let (said, hears) = mpsc::channel();
    let failing = std::thread::Builder::new()
        .name("evidence::on_purpose".to_owned())
        .spawn(move || fails(&said))
        .expect("a thread");
    let failed = tokio::task::spawn_blocking(|| failing.join()).await;
    assert!(failed.expect("waited for").is_err(), "it panics");
    let Known { home, display } = hears.try_recv().expect("it came so far");

    let mark = home.to_str().expect("UTF-8");
    until("all that it started is gone", async || {
        let gone = processes::marked(mark).is_empty() && !processes::runs(display);
        gone.then_some(())
    })
    .await;
    assert!(!home.exists(), "its home went, too");

    let of = home.file_name().expect("a name").to_str().expect("UTF-8");
    let [picture, log] = ["png", "log"].map(|kind| {
        let file = folder().join(format!("evidence.on_purpose.{of}.{kind}"));
        let bytes = fs::read(&file).expect("it was kept");
        fs::remove_file(file).expect("removed");
        bytes
    });
    assert!(picture.starts_with(PNG));
    // The picture of an empty display has a few thousand bytes.
    assert!(picture.len() > 20_000, "{} bytes", picture.len());
    let log = String::from_utf8_lossy(&log);
    assert!(log.contains("playground"), "{log}");
}
