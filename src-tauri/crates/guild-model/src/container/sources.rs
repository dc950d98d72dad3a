//! Decides which paths of this machine may be mounted into a container.

use std::path::{Component, Path, PathBuf};

use crate::messages::{Danger, Private};

/// Sockets of engines. A process that may write to one has the rights of root.
const SOCKETS: &[&str] = &[
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/podman/podman.sock",
    "/var/run/podman/podman.sock",
    "/run/containerd/containerd.sock",
    "/var/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/var/run/crio/crio.sock",
];
/// Names of engine sockets in any folder.
const SOCKET_NAMES: &[&str] = &["docker.sock", "podman.sock", "containerd.sock", "crio.sock"];

/// Returns the reason why mounting a path would expose more than a server can need. `None` if the
/// path can be mounted.
///
/// `private` contains folders that must not be mounted as a whole. Folders inside them may be
/// mounted.
pub fn danger(source: &Path, private: &[(PathBuf, Private)]) -> Option<Danger> {
    let source = plain(source);
    if source.parent().is_none() {
        return Some(Danger::Everything);
    }
    let is_socket = source
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| SOCKET_NAMES.contains(&name));
    if is_socket || SOCKETS.iter().any(|socket| source == Path::new(socket)) {
        return Some(Danger::Socket);
    }
    if let Some(socket) = SOCKETS
        .iter()
        .find(|socket| Path::new(socket).starts_with(&source))
    {
        return Some(Danger::SocketWithin(socket));
    }
    let (folder, name) = private
        .iter()
        .map(|(folder, name)| (plain(folder), name.clone()))
        .find(|(folder, _)| folder.starts_with(&source))?;
    Some(match folder == source {
        true => Danger::Whole(name),
        false => Danger::Within(name, folder.display().to_string()),
    })
}

/// Resolves `.` and `..` in the path itself, without accessing the file system.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Checks whether a path can be written into the value of `--mount`, which is a comma-separated
/// list.
pub fn fits_in_a_mount(path: &str) -> bool {
    !path.contains([',', '"', '\n', '\r', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Option<Danger> {
        let private = [
            (PathBuf::from("/home/ada"), Private::Home),
            (
                PathBuf::from("/home/ada/.local/share/guild-hall"),
                Private::Data,
            ),
        ];
        danger(Path::new(source), &private)
    }

    #[test]
    fn machine_roots_are_dangerous_mounts() {
        for source in [
            "/",
            "//",
            "/home/..",
            "/home",
            "/home/ada",
            "/home/ada/",
            "/home/ada/./",
            "/home/ada/projects/..",
            "/home/ada/.local",
            "/home/ada/.local/share/guild-hall",
            "/var/run/docker.sock",
            "/run/docker.sock",
            "/run",
            "/var",
            "/run/podman",
            "/run/user/1000/podman/podman.sock",
            "/home/ada/.docker/run/docker.sock",
        ] {
            assert!(of(source).is_some(), "{source}");
        }
        for source in [
            "/home/ada/projects",
            "/home/adam",
            "/home/ada/.local/share/guild-hall/members/notes",
            "/srv/data",
            "/var/lib/notes",
            "/run/user",
            "/tmp",
        ] {
            assert_eq!(of(source), None, "{source}");
        }
    }
}
