//! What all members of a hall share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use guild_process::{Custody, PortBook, Restart};
use tokio_util::task::TaskTracker;

use crate::dev::Workshop;
use crate::found::Finds;
use crate::hall::CallsInOvertime;
use crate::hall::elicitation::Desk;
use crate::index::Index;
use crate::listings::Listings;
use crate::logs::Logs;
use crate::member::Bulletin;
use crate::paths::Paths;
use crate::places::Places;
use crate::ports::PortMemory;
use crate::prediction::Predictions;
use crate::reviews::Reviews;
use crate::secrets::Values;
use crate::settings::SettingsBook;
use crate::signing::Signings;
use crate::store::History;

/// What all members of a hall share.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) paths: Paths,
    pub(crate) index: Arc<Index>,
    /// Where the servers' questions are put to a person.
    pub(crate) desk: Arc<Desk>,
    /// Where they tell what belongs to no call.
    pub(crate) bulletin: Bulletin,
    /// Who sees to it that each member's processes come to their end.
    pub(crate) custody: Custody,
    /// Which of them may start now.
    pub(crate) places: Arc<Places>,
    pub(crate) ports: PortBook,
    pub(crate) port_memory: PortMemory,
    pub(crate) values: Values,
    /// Who is signed in to those that run elsewhere.
    pub(crate) signings: Signings,
    /// What members write to stderr.
    pub(crate) logs: Arc<Logs>,
    /// The program behind `${GUILDHALL}`.
    pub(crate) own_binary: String,
    /// The licences of others' works in it, where a package brought them.
    pub(crate) licences: Option<String>,
    /// The restart policy of a member that has not crashed.
    pub(crate) restart: Restart,
    /// How long an on-demand member stays up after its last call.
    pub(crate) idle_linger: Duration,
    /// What becomes of calls whose member is still being installed when its start limit passes.
    pub(crate) calls_in_overtime: CallsInOvertime,
    /// Where changes of tool lists are written down.
    pub(crate) history: History,
    /// What a person set.
    pub(crate) settings: Arc<SettingsBook>,
    /// What a person has accepted.
    pub(crate) reviews: Arc<Reviews>,
    /// What a person agreed to tell a model.
    pub(crate) predictions: Predictions,
    /// The servers that other programs have.
    pub(crate) finds: Finds,
    /// The members that somebody writes.
    pub(crate) workshop: Workshop,
    /// What registries list.
    pub(crate) listings: Arc<Listings>,
    /// Work that is waited for when the hall closes: caches being written.
    pub(crate) tasks: TaskTracker,
}

/// The program behind `${GUILDHALL}`: the command line's binary where it stands beside this
/// program, since it loads no window toolkit and so starts faster; else this program itself.
pub(crate) fn own_binary() -> std::io::Result<String> {
    let own = std::env::current_exe()?;
    let beside = own.with_file_name(format!("guildhall{}", std::env::consts::EXE_SUFFIX));
    let binary = if beside.is_file() { beside } else { own };
    Ok(binary.to_string_lossy().into_owned())
}

/// The licences of others' works in a program: packages have them in `share/doc` of the same place,
/// an AppImage too.
pub(crate) fn licences(binary: &Path) -> Option<String> {
    let place = binary.parent()?.parent()?;
    let file = place.join("share/doc/guild-hall/third-party-licences.txt.gz");
    file.is_file().then(|| file.display().to_string())
}

/// The program `guildhall` for what outlives this run, such as other programs' files. What an AppImage
/// runs lies in a folder that goes with its version: there it is a link, in the data folder, to the
/// AppImage, which is the command line under that name.
pub(crate) fn lasting_binary(data_dir: &Path) -> std::io::Result<String> {
    match std::env::var_os("APPIMAGE") {
        Some(image) => link_to(Path::new(&image), data_dir),
        None => own_binary(),
    }
}

#[cfg(unix)]
fn link_to(image: &Path, data_dir: &Path) -> std::io::Result<String> {
    let folder = data_dir.join("bin");
    let link = folder.join("guildhall");
    if std::fs::read_link(&link).ok().as_deref() != Some(image) {
        std::fs::create_dir_all(&folder)?;
        let new = folder.join(format!("guildhall.{}", std::process::id()));
        std::os::unix::fs::symlink(image, &new)?;
        std::fs::rename(&new, &link)?;
    }
    Ok(link.to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn link_to(_: &Path, _: &Path) -> std::io::Result<String> {
    own_binary()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_link_to_an_appimage_follows_it_to_where_it_is() {
        let data = tempfile::tempdir().expect("a folder");
        for image in [
            "/a/Guild_Hall.AppImage",
            "/b/Guild_Hall.AppImage",
            "/b/Guild_Hall.AppImage",
        ] {
            let link = link_to(Path::new(image), data.path()).expect("a link");
            assert_eq!(std::fs::read_link(&link).expect("a link"), Path::new(image));
            assert!(link.ends_with("bin/guildhall"), "{link}");
        }
        let count = std::fs::read_dir(data.path().join("bin"))
            .expect("the folder")
            .count();
        assert_eq!(count, 1, "nothing else stays");
    }

    #[test]
    fn licences_are_where_a_package_puts_them_and_nowhere_else() {
        let prefix = tempfile::tempdir().expect("a folder");
        let binary = prefix.path().join("bin/guild-hall");
        assert_eq!(licences(&binary), None);
        let docs = prefix.path().join("share/doc/guild-hall");
        std::fs::create_dir_all(&docs).expect("made");
        let file = docs.join("third-party-licences.txt.gz");
        std::fs::write(&file, b"").expect("written");
        assert_eq!(licences(&binary), Some(file.display().to_string()));
    }
}
