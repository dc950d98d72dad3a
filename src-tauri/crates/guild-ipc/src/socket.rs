//! The address of a hall: a Unix socket, or a named pipe on Windows. Only the same user can
//! connect.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite};

pub(super) type IpcReader = Box<dyn AsyncRead + Send + Unpin>;
pub(super) type IpcWriter = Box<dyn AsyncWrite + Send + Unpin>;

/// The peer process of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    /// The process id, if the system supplies it.
    pub(super) pid: Option<u32>,
}

/// Returns a name that is unique to the data folder.
fn own_name(data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_encoded_bytes());
    let hash: String = digest
        .iter()
        .take(10)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("guild-hall-{hash}")
}

#[cfg(unix)]
pub(super) use unix::{IpcListener, connect};
#[cfg(windows)]
pub(super) use windows::{IpcListener, connect};

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};

    use rustix::process::geteuid;
    use tokio::net::{UnixListener, UnixStream};

    use super::*;

    /// Maximum length of a socket path on every Unix, in bytes. macOS allows 103 bytes.
    const PATH_MAX: usize = 100;

    /// A listening socket. Its file is removed on drop.
    #[derive(Debug)]
    pub(in super::super) struct IpcListener {
        listener: UnixListener,
        place: PathBuf,
    }

    impl Drop for IpcListener {
        fn drop(&mut self) {
            // If the file can't be removed, the next hall replaces it.
            let _ = fs::remove_file(&self.place);
            if let Some(folder) = self.place.parent().filter(|folder| is_single_use(folder)) {
                let _ = fs::remove_dir(folder);
            }
        }
    }

    impl IpcListener {
        /// Listens in the data folder. Uses the user's runtime folder if the path would be too long
        /// or the file system does not support sockets. Replaces a dead hall's socket. Blocking.
        /// Must be called within a runtime.
        pub(in super::super) fn open(data_dir: &Path) -> io::Result<Self> {
            let beside = data_dir.join("hall.sock");
            // `<` leaves room for the temporary name, which is one byte longer.
            if beside.as_os_str().len() < PATH_MAX {
                match Self::at(beside) {
                    Ok(listener) => return Ok(listener),
                    Err(error) => {
                        tracing::debug!(%error, "no socket in the data folder");
                    }
                }
            }
            Self::at(runtime_dir()?.join(format!("{}.sock", own_name(data_dir))))
        }

        fn at(place: PathBuf) -> io::Result<Self> {
            // The socket gets its final name last, when only the user can access it. It replaces
            // the socket of a dead hall.
            let mut draft = place.clone().into_os_string();
            draft.push("_");
            let draft = PathBuf::from(draft);
            match fs::remove_file(&draft) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let listener = UnixListener::bind(&draft)?;
            fs::set_permissions(&draft, fs::Permissions::from_mode(0o600))?;
            fs::rename(&draft, &place)?;
            Ok(Self { listener, place })
        }

        pub(in super::super) fn place(&self) -> &Path {
            &self.place
        }

        /// Accepts the next connection of the same user, and returns its peer process.
        pub(in super::super) async fn accept(
            &mut self,
        ) -> io::Result<(IpcReader, IpcWriter, Peer)> {
            loop {
                let (stream, _) = self.listener.accept().await?;
                if is_of_same_user(&stream) {
                    let pid = stream.peer_cred().ok().and_then(|peer| peer.pid());
                    // Zero means a process of another pid namespace.
                    let pid = pid.and_then(|pid| u32::try_from(pid).ok());
                    let pid = pid.filter(|pid| *pid > 0);
                    let (reader, writer) = split(stream);
                    return Ok((reader, writer, Peer { pid }));
                }
                tracing::warn!("rejected a connection from another user's program");
            }
        }
    }

    /// Connects to a hall of the same user.
    pub(in super::super) async fn connect(place: &Path) -> io::Result<(IpcReader, IpcWriter)> {
        let stream = UnixStream::connect(place).await?;
        match is_of_same_user(&stream) {
            true => Ok(split(stream)),
            false => Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "another user listens there",
            )),
        }
    }

    fn is_of_same_user(stream: &UnixStream) -> bool {
        stream
            .peer_cred()
            .is_ok_and(|peer| peer.uid() == geteuid().as_raw())
    }

    fn split(stream: UnixStream) -> (IpcReader, IpcWriter) {
        let (reader, writer) = stream.into_split();
        (Box::new(reader), Box::new(writer))
    }

    /// Returns a private folder: `XDG_RUNTIME_DIR`, or a created one.
    fn runtime_dir() -> io::Result<PathBuf> {
        let named = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        if let Some(named) = named.filter(|dir| dir.is_absolute() && is_own(dir)) {
            return Ok(named);
        }
        made_in(&std::env::temp_dir())
    }

    /// Returns the user's private folder inside a shared folder such as `/tmp`.
    fn made_in(temp: &Path) -> io::Result<PathBuf> {
        let made = temp.join(format!("guild-hall-{}", geteuid().as_raw()));
        match fs::DirBuilder::new().mode(0o700).create(&made) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        if is_own(&made) {
            return Ok(made);
        }
        // Another user may already own that path. A new folder with a random name is used instead,
        // and clients find it by the address in the hall's note.
        let other = tempfile::Builder::new()
            .prefix(&single_use_prefix())
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(temp)?;
        tracing::warn!(
            folder = %made.display(),
            instead = %other.path().display(),
            "the folder for sockets belongs to another user or can be read by others"
        );
        Ok(other.keep())
    }

    fn single_use_prefix() -> String {
        format!("guild-hall-{}-", geteuid().as_raw())
    }

    /// Whether a folder was created for one socket.
    fn is_single_use(folder: &Path) -> bool {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(&single_use_prefix()))
    }

    /// Whether a folder is private to the user.
    fn is_own(dir: &Path) -> bool {
        fs::symlink_metadata(dir).is_ok_and(|metadata| {
            metadata.is_dir()
                && metadata.uid() == geteuid().as_raw()
                && metadata.mode() & 0o077 == 0
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[tokio::test]
        async fn socket_is_private_and_replaces_a_dead_one() {
            let data = tempfile::tempdir().expect("a folder");
            let left = data.path().join("hall.sock");
            drop(std::os::unix::net::UnixListener::bind(&left).expect("bound"));
            assert!(left.exists(), "a socket's file outlives its listener");
            let mut listener = IpcListener::open(data.path()).expect("it listens");
            assert_eq!(listener.place(), left);
            let mode = fs::metadata(&left).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            let (there, here) = tokio::join!(connect(&left), listener.accept());
            assert!(there.is_ok() && here.is_ok());
            drop(listener);
            assert!(!left.exists());
        }

        #[tokio::test]
        async fn folder_made_by_another_is_not_used() {
            let temp = tempfile::tempdir().expect("a folder");
            let squatted = made_in(temp.path()).expect("made");
            assert_eq!(made_in(temp.path()).expect("the same"), squatted);
            fs::set_permissions(&squatted, fs::Permissions::from_mode(0o777)).expect("set");
            let own = made_in(temp.path()).expect("another");
            assert_ne!(own, squatted);
            assert!(is_own(&own));
            let listener = IpcListener::at(own.join("a.sock")).expect("it listens");
            assert!(connect(listener.place()).await.is_ok());
            drop(listener);
            assert!(!own.exists(), "it goes with its socket");
        }

        #[tokio::test]
        async fn a_path_that_is_too_long_for_a_socket_is_no_hindrance() {
            let data = tempfile::tempdir().expect("a folder");
            let deep = data.path().join("d".repeat(120));
            fs::create_dir(&deep).expect("made");
            let mut listener = IpcListener::open(&deep).expect("it listens");
            let place = listener.place().to_owned();
            assert!(!place.starts_with(&deep), "{}", place.display());
            let (there, here) = tokio::join!(connect(&place), listener.accept());
            assert!(there.is_ok() && here.is_ok());
        }
    }
}

/// Named pipes. Untested, since no machine with Windows was available.
#[cfg(windows)]
mod windows {
    use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeServer, ServerOptions};

    use super::*;

    #[derive(Debug)]
    pub(in super::super) struct IpcListener {
        next: NamedPipeServer,
        place: PathBuf,
    }

    impl IpcListener {
        /// Starts to listen. Windows removes a pipe with its process, so that a dead hall leaves
        /// nothing to replace. Remote clients are rejected, and the pipe's default permissions let
        /// no other user write.
        pub(in super::super) fn open(data_dir: &Path) -> io::Result<Self> {
            let place = PathBuf::from(format!(r"\\.\pipe\{}", own_name(data_dir)));
            let next = ServerOptions::new()
                .first_pipe_instance(true)
                .reject_remote_clients(true)
                .create(&place)?;
            Ok(Self { next, place })
        }

        pub(in super::super) fn place(&self) -> &Path {
            &self.place
        }

        /// Accepts the next connection. The peer process is not determined.
        pub(in super::super) async fn accept(
            &mut self,
        ) -> io::Result<(IpcReader, IpcWriter, Peer)> {
            self.next.connect().await?;
            let next = ServerOptions::new()
                .reject_remote_clients(true)
                .create(&self.place)?;
            let (reader, writer) = tokio::io::split(std::mem::replace(&mut self.next, next));
            Ok((Box::new(reader), Box::new(writer), Peer { pid: None }))
        }
    }

    pub(in super::super) async fn connect(place: &Path) -> io::Result<(IpcReader, IpcWriter)> {
        let (reader, writer) = tokio::io::split(ClientOptions::new().open(place)?);
        Ok((Box::new(reader), Box::new(writer)))
    }
}
