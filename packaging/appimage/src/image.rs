//! The file system image after a program in one file.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use backhand::{FilesystemReader, InnerNode};

/// The length of a 64-bit ELF header.
const HEADER_BYTES: usize = 64;
/// The first bytes of a SquashFS image.
const MAGIC: &[u8] = b"hsqs";

/// An image inside a file.
pub(crate) struct Image {
    file: PathBuf,
    offset: u64,
}

impl Image {
    /// Finds the image that follows the program in `file`.
    pub(crate) fn of(file: &Path) -> Result<Self> {
        let mut bytes = File::open(file).with_context(|| format!("opening {}", file.display()))?;
        let mut header = [0; HEADER_BYTES];
        bytes
            .read_exact(&mut header)
            .context("reading how the file begins")?;
        let offset = end_of_program(&header).context("the file begins with no program")?;
        let mut magic = [0; MAGIC.len()];
        bytes
            .seek(SeekFrom::Start(offset))
            .context("looking for the image")?;
        bytes
            .read_exact(&mut magic)
            .context("nothing follows the program")?;
        ensure!(
            magic == MAGIC,
            "the data after the program is not a file system image"
        );
        Ok(Self {
            file: file.to_owned(),
            offset,
        })
    }

    /// Returns the image's offset in the file, in bytes.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Unpacks the image into a new folder.
    pub(crate) fn unpack(&self, folder: &Path) -> Result<()> {
        let file = BufReader::new(File::open(&self.file).context("opening the image")?);
        let image = FilesystemReader::from_reader_with_offset(file, self.offset)
            .context("reading the image")?;
        fs::create_dir(folder).with_context(|| format!("creating {}", folder.display()))?;
        for node in image.files() {
            let place = folder.join(below(&node.fullpath)?);
            let of = || format!("unpacking {}", place.display());
            match &node.inner {
                // A folder comes before its files. The image's root already exists.
                InnerNode::Dir(_) => fs::create_dir_all(&place).with_context(of)?,
                InnerNode::Symlink(link) => symlink(&link.link, &place).with_context(of)?,
                InnerNode::File(inside) => {
                    let mut out = File::create_new(&place).with_context(of)?;
                    let mut reader = image.file(inside).reader();
                    io::copy(&mut reader, &mut out).with_context(of)?;
                    let mode = u32::from(node.header.permissions) & 0o777;
                    out.set_permissions(fs::Permissions::from_mode(mode))
                        .with_context(of)?;
                }
                _ => anyhow::bail!("{} is neither a file, a folder nor a link", place.display()),
            }
        }
        Ok(())
    }
}

/// Returns a path in the image as a relative path.
fn below(path: &Path) -> Result<PathBuf> {
    let mut inside = PathBuf::new();
    for component in path.components() {
        match component {
            Component::RootDir => {}
            Component::Normal(name) => inside.push(name),
            _ => anyhow::bail!("{} leads out of the image", path.display()),
        }
    }
    Ok(inside)
}

/// Returns the end of a program: the end of its section table, which linkers write last.
fn end_of_program(header: &[u8; HEADER_BYTES]) -> Option<u64> {
    // 64 bits, little-endian.
    if !header.starts_with(&[0x7f, b'E', b'L', b'F', 2, 1]) {
        return None;
    }
    let table = u64::from_le_bytes(header.get(0x28..0x30)?.try_into().ok()?);
    let size = u16::from_le_bytes(header.get(0x3a..0x3c)?.try_into().ok()?);
    let count = u16::from_le_bytes(header.get(0x3c..0x3e)?.try_into().ok()?);
    table.checked_add(u64::from(size) * u64::from(count))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Cursor;

    use backhand::compression::Compressor;
    use backhand::{FilesystemCompressor, FilesystemWriter, NodeHeader};

    use super::*;

    /// Returns a program that is only a header, followed by an image of these files.
    pub(crate) fn appimage(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = FilesystemWriter::default();
        let gzip = FilesystemCompressor::new(Compressor::Gzip, None).expect("it is built in");
        writer.set_compressor(gzip);
        let header = NodeHeader::new(0o755, 0, 0, 0);
        for (path, text) in files {
            let folder = Path::new(path).parent().expect("a folder");
            writer.push_dir_all(folder, header).expect("a folder");
            writer
                .push_file(Cursor::new(text.as_bytes().to_vec()), path, header)
                .expect("a file");
        }
        writer
            .push_symlink("AppRun", "link", header)
            .expect("a link");
        let mut image = Cursor::new(Vec::new());
        writer.write(&mut image).expect("an image");
        let mut bytes = program(0x40, 0, 0).to_vec();
        bytes.extend(image.into_inner());
        bytes
    }

    fn program(table: u64, size: u16, count: u16) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        header[0x28..0x30].copy_from_slice(&table.to_le_bytes());
        header[0x3a..0x3c].copy_from_slice(&size.to_le_bytes());
        header[0x3c..0x3e].copy_from_slice(&count.to_le_bytes());
        header
    }

    #[test]
    fn packed_image_unpacks_equal() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(
            &file,
            appimage(&[("AppRun", "run"), ("usr/bin/tool", "tool")]),
        )
        .expect("a file");
        let image = Image::of(&file).expect("an image");
        assert_eq!(image.offset(), 0x40);
        let out = folder.path().join("out");
        image.unpack(&out).expect("unpacked");
        assert_eq!(
            fs::read_to_string(out.join("usr/bin/tool")).expect("a file"),
            "tool"
        );
        assert_eq!(
            fs::read_link(out.join("link")).expect("a link"),
            Path::new("AppRun")
        );
        let mode = fs::metadata(out.join("AppRun"))
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o755);
        assert!(image.unpack(&out).is_err(), "nothing is written over");
    }

    #[test]
    fn the_end_of_a_program_is_behind_its_sections() {
        assert_eq!(end_of_program(&program(1_000, 64, 3)), Some(1_192));
        assert_eq!(end_of_program(&program(u64::MAX, 64, 3)), None);
        assert_eq!(end_of_program(&[0; HEADER_BYTES]), None);
    }

    #[test]
    fn file_without_an_image_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        for (bytes, why) in [
            (b"#!/bin/sh".to_vec(), "reading how"),
            ([0; 100].to_vec(), "no program"),
            (program(0x40, 0, 0).to_vec(), "nothing follows"),
            (
                [program(0x40, 0, 0).as_slice(), b"text"].concat(),
                "not a file system",
            ),
        ] {
            fs::write(&file, bytes).expect("a file");
            let error = Image::of(&file).err().expect("no image");
            assert!(format!("{error:#}").contains(why), "{error:#}");
        }
    }

    #[test]
    fn no_path_leads_out() {
        assert_eq!(below(Path::new("/a/b")).expect("a path"), Path::new("a/b"));
        assert!(below(Path::new("/a/../../b")).is_err());
    }
}
