//! The AppImage that contains this program, and its effect on the environment variables of started
//! programs.
//!
//! An AppImage contains the files of libraries, and sets variables with their paths. These
//! variables are only for its own program. Other programs, such as a member, the login shell or the
//! browser, must find the system's files. So the AppImage's start script
//! (`packaging/appimage/AppRun`) saves the user's value of each variable that it sets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Prefix of the variables in which the start script saves the user's values. A saved value is
/// empty if the user had not set the variable.
const NOTED: &str = "GUILD_HALL_WAS_";
/// Variables that an AppImage sets, and variables with the current folder, which the start script
/// changes. With `ARGV0` set, a zsh starts every program under that name.
const ITS_OWN: [&str; 6] = ["APPDIR", "APPIMAGE", "OWD", "ARGV0", "PWD", "OLDPWD"];

/// An AppImage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppImage {
    /// The absolute path of the file.
    pub file: PathBuf,
    /// The folder with the unpacked content.
    pub folder: PathBuf,
    /// The user's working folder at the start of the AppImage.
    pub started_in: Option<PathBuf>,
}

impl AppImage {
    /// Returns the AppImage that contains this program. An AppImage that only started this program
    /// is not returned, although this program inherited its variables. The first call blocks.
    pub fn of_this_program() -> Option<&'static Self> {
        static OURS: OnceLock<Option<AppImage>> = OnceLock::new();
        OURS.get_or_init(|| {
            let variable = |name: &str| std::env::var_os(name);
            Self::around(&std::env::current_exe().ok()?, variable)
        })
        .as_ref()
    }

    fn around(program: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let path = |name: &str| {
            let path = variable(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let (file, folder) = (path("APPIMAGE")?, path("APPDIR")?);
        // The operating system reports a program's own path with symbolic links resolved.
        let lies = |folder: &Path| program.starts_with(folder);
        let is_in = lies(&folder) || folder.canonicalize().is_ok_and(|folder| lies(&folder));
        is_in.then(|| Self {
            file,
            folder,
            started_in: path("OWD"),
        })
    }
}

/// Returns the user's value of a variable, if it is UTF-8. The first call blocks.
pub(crate) fn users(name: &str) -> Option<String> {
    let value = users_variables().remove(OsStr::new(name));
    value?.into_string().ok()
}

/// Returns this program's variables, with the user's values for the variables that the AppImage
/// changed. The first call blocks.
pub(crate) fn users_variables() -> BTreeMap<OsString, OsString> {
    let ours = std::env::vars_os().collect();
    had(ours, AppImage::of_this_program().is_some())
}

fn had(ours: BTreeMap<OsString, OsString>, within: bool) -> BTreeMap<OsString, OsString> {
    let mut had = ours.clone();
    for (name, value) in outside(ours.into_iter(), within) {
        match value {
            Some(value) => had.insert(name, value),
            None => had.remove(&name),
        };
    }
    had
}

/// Sets the user's variables in the command of another program.
pub(crate) fn leave(command: &mut Command) {
    let within = AppImage::of_this_program().is_some();
    for (name, value) in outside(std::env::vars_os(), within) {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Returns the variables whose value outside the AppImage is different, each with that value.
/// `None` means that the variable is not set.
fn outside(
    ours: impl Iterator<Item = (OsString, OsString)>,
    within: bool,
) -> impl Iterator<Item = (OsString, Option<OsString>)> {
    let own = ITS_OWN.iter().filter(move |_| within);
    let own = own.map(|name| (OsString::from(name), None));
    let noted = ours.filter_map(|(note, value)| {
        let name = noted_name(&note)?;
        let had = (!value.is_empty()).then_some(value);
        Some([(note, None), (name, had)])
    });
    own.chain(noted.flatten())
}

fn noted_name(note: &OsStr) -> Option<OsString> {
    let name = note.to_str()?.strip_prefix(NOTED)?;
    (!name.is_empty()).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(program: &str, variables: &[(&str, &str)]) -> Option<AppImage> {
        AppImage::around(Path::new(program), |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_in_an_appimage_that_it_lies_in() {
        let variables = [
            ("APPIMAGE", "/home/a/Guild_Hall.AppImage"),
            ("APPDIR", "/cache/1"),
            ("OWD", "/work"),
        ];
        let found = around("/cache/1/usr/bin/guildhall", &variables).expect("its AppImage");
        assert_eq!(found.file, Path::new("/home/a/Guild_Hall.AppImage"));
        assert_eq!(found.started_in.as_deref(), Some(Path::new("/work")));
        // A terminal inside an editor's AppImage inherits the editor's variables.
        assert_eq!(around("/usr/bin/guildhall", &variables), None);
        assert_eq!(around("/cache/12/guildhall", &variables), None);
        assert_eq!(around("/cache/1/usr/bin/guildhall", &variables[..1]), None);
        let relative = [("APPIMAGE", "a.AppImage"), ("APPDIR", "/cache/1")];
        assert_eq!(around("/cache/1/usr/bin/guildhall", &relative), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_reached_by_a_link_counts() {
        let home = tempfile::tempdir().expect("a folder");
        let real = home.path().canonicalize().expect("a path").join("real");
        std::fs::create_dir(&real).expect("a folder");
        let link = home.path().join("link");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        let variables = [("APPIMAGE", "/a"), ("APPDIR", link.to_str().expect("text"))];
        let program = real.join("usr/bin/guildhall");
        assert!(around(program.to_str().expect("text"), &variables).is_some());
    }

    #[test]
    fn outside_of_an_appimage_there_is_what_the_user_had() {
        let ours = [
            ("HOME", "/home/a"),
            ("XDG_DATA_DIRS", "/cache/1/usr/share:/usr/share"),
            ("GUILD_HALL_WAS_XDG_DATA_DIRS", "/opt/share"),
            ("GIO_MODULE_DIR", "/cache/1/usr/lib/gio"),
            ("GUILD_HALL_WAS_GIO_MODULE_DIR", ""),
            ("GUILD_HALL_WAS_", "nobody"),
        ];
        let told = |within: bool| -> Vec<(String, Option<String>)> {
            let ours = ours.map(|(name, value)| (name.into(), value.into()));
            let text = |text: OsString| text.into_string().expect("text");
            outside(ours.into_iter(), within)
                .map(|(name, value)| (text(name), value.map(text)))
                .collect()
        };
        let noted = [
            ("GUILD_HALL_WAS_XDG_DATA_DIRS", None),
            ("XDG_DATA_DIRS", Some("/opt/share")),
            ("GUILD_HALL_WAS_GIO_MODULE_DIR", None),
            ("GIO_MODULE_DIR", None),
        ]
        .map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
        assert_eq!(told(false), noted, "another's variables stay");
        let own = ITS_OWN.map(|name| (name.to_owned(), None));
        assert_eq!(told(true), [&own[..], &noted].concat());
        let all = ours.map(|(name, value)| (name.into(), value.into()));
        let users = [
            ("GUILD_HALL_WAS_", "nobody"),
            ("HOME", "/home/a"),
            ("XDG_DATA_DIRS", "/opt/share"),
        ];
        let users = users.map(|(name, value)| (name.into(), value.into()));
        assert_eq!(had(BTreeMap::from(all), true), BTreeMap::from(users));
    }
}
