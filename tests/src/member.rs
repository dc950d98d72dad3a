//! Folders of members that run the fixture server.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::processes::Nonce;

/// Returns the path of the fixture server's binary, near the running test's binary.
///
/// # Panics
/// When it has not been built; `cargo test -p guild-tests` builds it.
pub fn fixture_bin() -> PathBuf {
    bin("fixture")
}

/// Returns the path of a binary of this package, near the running test's binary.
///
/// # Panics
/// When it has not been built; `cargo test -p guild-tests` builds it.
pub fn bin(name: &str) -> PathBuf {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let test = std::env::current_exe()
        .unwrap_or_else(|error| panic!("the test does not know its own path: {error}"));
    // Tests are in target/<profile>/deps, binaries in target/<profile>.
    test.ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
        .unwrap_or_else(|| panic!("{name} is not built: cargo build -p guild-tests --bins"))
}

/// The content of a member's folder. [`MemberFolder::write`] writes it to disk.
///
/// ```no_run
/// # use guild_tests::{MemberFolder, Nonce};
/// # let members = std::path::Path::new("members");
/// let nonce = Nonce::new();
/// let folder = MemberFolder::new(members, "alpha")
///     .http()
///     .nonce(&nonce)
///     .args(["--answer", "sse"])
///     .file("test-file.txt", "hello")
///     .write();
/// ```
#[derive(Debug, Clone)]
pub struct MemberFolder {
    dir: PathBuf,
    manifest: Map<String, Value>,
    args: Vec<String>,
    env: Map<String, Value>,
    files: Vec<(String, Vec<u8>)>,
}

impl MemberFolder {
    /// Returns a stdio member in a folder of the same name in `members`.
    pub fn new(members: &Path, name: &str) -> Self {
        let mut manifest = Map::new();
        manifest.insert("name".into(), name.into());
        manifest.insert("version".into(), "1.0.0".into());
        manifest.insert("description".into(), format!("The fixture {name}").into());
        let folder = Self {
            dir: members.join(name),
            manifest,
            args: Vec::new(),
            env: Map::new(),
            files: Vec::new(),
        };
        folder.stdio()
    }

    /// Serves over HTTP, on `--port ${PORT}`.
    #[must_use]
    pub fn http(self) -> Self {
        self.transport("http", &["--port", "${PORT}"])
    }

    /// Serves over stdio (the default).
    #[must_use]
    pub fn stdio(self) -> Self {
        self.transport("stdio", &["--stdio"])
    }

    fn transport(mut self, transport: &str, args: &[&str]) -> Self {
        self.manifest.insert("transport".into(), transport.into());
        self.args = args.iter().map(ToString::to_string).collect();
        self
    }

    /// Adds switches of the fixture. Call after [`MemberFolder::http`] or `stdio`.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Marks the member's processes, so that [`crate::processes_of`] finds them.
    #[must_use]
    pub fn nonce(self, nonce: &Nonce) -> Self {
        self.env(Nonce::VARIABLE, nonce.as_str())
    }

    /// Makes the fixture record received messages in `record.jsonl` in the folder.
    #[must_use]
    pub fn recorded(self) -> Self {
        let file = self.record_path().display().to_string();
        self.args(["--record".to_owned(), file])
    }

    /// Returns the path of the record file of [`MemberFolder::recorded`].
    pub fn record_path(&self) -> PathBuf {
        self.dir.join("record.jsonl")
    }

    /// Sets fields of the manifest, including `command` and `args`. `null` removes a field.
    ///
    /// # Panics
    /// When `fields` is not an object.
    #[must_use]
    pub fn manifest(mut self, fields: Value) -> Self {
        let Value::Object(fields) = fields else {
            panic!("the fields of a manifest are an object, not {fields}");
        };
        self.manifest.extend(fields);
        self
    }

    /// Adds a file to the folder.
    #[must_use]
    pub fn file(mut self, name: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), content.into()));
        self
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Returns the manifest that will be written.
    pub fn to_manifest(&self) -> Value {
        let mut manifest = self.manifest.clone();
        if !["command", "url", "container"]
            .iter()
            .any(|key| manifest.contains_key(*key))
        {
            let program = fixture_bin().display().to_string();
            manifest.insert("command".into(), program.into());
        }
        if manifest.contains_key("command") && !manifest.contains_key("args") {
            manifest.insert("args".into(), json!(self.args));
        }
        if !self.env.is_empty() && !manifest.contains_key("env") {
            manifest.insert("env".into(), json!(self.env));
        }
        manifest.retain(|_, value| !value.is_null());
        manifest.into()
    }

    /// Writes the folder, and returns its path. The manifest is written last and in one step, so
    /// that a watcher never sees an incomplete member.
    ///
    /// # Panics
    /// When writing fails.
    pub fn write(&self) -> PathBuf {
        let manifest = format!("{:#}\n", self.to_manifest()).into_bytes();
        put(&self.dir, std::fs::create_dir_all(&self.dir));
        for (name, content) in &self.files {
            let path = self.dir.join(name);
            put(&path, std::fs::write(&path, content));
        }
        let draft = self.dir.join(".plugin.json.draft");
        put(&draft, std::fs::write(&draft, manifest));
        put(
            &draft,
            std::fs::rename(&draft, self.dir.join("plugin.json")),
        );
        self.dir.clone()
    }
}

fn put(path: &Path, result: std::io::Result<()>) {
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_has_what_was_asked_for() {
        let nonce = Nonce::new();
        let manifest = MemberFolder::new(Path::new("members"), "alpha")
            .http()
            .args(["--sessions"])
            .nonce(&nonce)
            .manifest(json!({"command": "other", "description": null, "restart": "never"}))
            .to_manifest();
        assert_eq!(
            manifest,
            json!({
                "name": "alpha",
                "version": "1.0.0",
                "transport": "http",
                "command": "other",
                "restart": "never",
                "args": ["--port", "${PORT}", "--sessions"],
                "env": {"GUILD_TEST": nonce.as_str()},
            })
        );
    }

    #[test]
    fn a_folder_is_written_whole() {
        let members = tempfile::tempdir().expect("a folder");
        let folder = MemberFolder::new(members.path(), "beta")
            .manifest(json!({"command": "true"}))
            .file("test-file.txt", "hello")
            .write();
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["plugin.json", "test-file.txt"]);
    }
}
