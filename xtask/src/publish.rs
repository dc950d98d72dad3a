//! Publishes a version of the AppImage: its signature, and the document that Tauri's updater reads.
//! Tauri's own command line signs, so the keys are those of `tauri signer generate`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use fs_err as fs;
use guild_model::settings::find;
use guild_model::updates::{NOTES_MAX, Preset};
use serde_json::json;

use crate::ui;

/// The variable with the password of the secret key. Without it, Tauri's command line prompts for
/// the password.
const PASSWORD: &str = "TAURI_SIGNING_PRIVATE_KEY_PASSWORD";
/// The document in which installed programs look for a newer version.
const LATEST: &str = "latest.json";

/// The key of a release, and the address where its files are published.
#[derive(Args)]
pub(crate) struct PublishOptions {
    /// Signs the AppImage with this secret key, and writes its update information.
    #[arg(long, value_name = "KEY", requires = "published_at")]
    sign: Option<PathBuf>,
    /// The address where the packages will be published, and where the AppImage looks for newer
    /// versions.
    #[arg(long, value_name = "ADDRESS", requires = "sign")]
    published_at: Option<String>,
    /// The file with the release notes, which users see before they download the version.
    #[arg(long, value_name = "FILE", requires = "sign")]
    notes: Option<PathBuf>,
}

/// Signs versions, and writes the document that describes them.
pub(crate) struct Publisher {
    secret: PathBuf,
    public: String,
    /// The address, without a slash at the end.
    address: String,
    notes: Option<String>,
}

impl Publisher {
    /// Returns the publisher for the options. `None` without a key.
    pub(crate) fn of(options: &PublishOptions) -> Result<Option<Self>> {
        let (Some(key), Some(address)) = (&options.sign, &options.published_at) else {
            return Ok(None);
        };
        let field = find("updates.address").context("the setting of the address")?;
        let checked = field.check(&json!(address));
        checked.map_err(|why| anyhow::anyhow!("--published-at {address}: {why}"))?;
        let notes = match &options.notes {
            None => None,
            Some(file) => {
                let notes = fs::read_to_string(file)?;
                let length = notes.chars().count();
                ensure!(
                    length <= NOTES_MAX,
                    "{} has {length} characters; {NOTES_MAX} are shown",
                    file.display()
                );
                Some(notes)
            }
        };
        Self::at(key, address, notes).map(Some)
    }

    /// Returns the publisher for a secret key, whose public key is in `KEY.pub`.
    pub(crate) fn at(key: &Path, address: &str, notes: Option<String>) -> Result<Self> {
        Ok(Self {
            secret: std::path::absolute(key).context("the secret key's path")?,
            public: fs::read_to_string(beside(key, "pub"))?.trim().to_owned(),
            address: address.trim_end_matches('/').to_owned(),
            notes,
        })
    }

    /// Returns the content of the file in a package with the address of newer versions and their
    /// public key.
    pub(crate) fn preset(&self) -> Result<String> {
        let preset = Preset {
            address: format!("{}/{LATEST}", self.address),
            key: self.public.clone(),
        };
        serde_json::to_string_pretty(&preset).context("writing the address of newer versions")
    }

    /// Signs the package of a version. Returns the files to publish with it.
    pub(crate) fn publish(&self, package: &Path, version: &str) -> Result<[PathBuf; 2]> {
        // The signature includes the version, so that an old package can't be offered as a newer
        // one.
        ui::script("tauri")
            .args(["--", "signer", "sign", "--app-version", version])
            .args(["--private-key-path".as_ref(), self.secret.as_os_str()])
            .args([package])
            .env(PASSWORD, std::env::var(PASSWORD).unwrap_or_default())
            .text()?;
        let files = [beside(package, "sig"), package.with_file_name(LATEST)];
        let signature = fs::read_to_string(&files[0])?.trim().to_owned();
        ensure!(
            key_id(&signature).is_some() && key_id(&signature) == key_id(&self.public),
            "{}.pub is not the public half of that key",
            self.secret.display()
        );
        let name = package.file_name().context("a package without a name")?;
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let latest = json!({
            "version": version,
            "notes": self.notes,
            "platforms": { platform: {
                "url": format!("{}/{}", self.address, name.to_string_lossy()),
                "signature": signature,
            }},
        });
        fs::write(&files[1], format!("{latest:#}\n"))?;
        Ok(files)
    }
}

/// Creates a key pair without a password.
pub(crate) fn make_key(key: &Path) -> Result<()> {
    ui::script("tauri")
        .words("-- signer generate --ci --write-keys")
        .args([key])
        .text()
        .map(drop)
}

/// Returns the key's number in a minisign signature or public key. Both are base64 of two lines.
/// The second line is base64 of the algorithm, the key's number and more.
fn key_id(text: &str) -> Option<Vec<u8>> {
    let text = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
    let content = STANDARD.decode(text.lines().nth(1)?).ok()?;
    content.get(2..10).map(<[u8]>::to_vec)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

#[cfg(test)]
mod tests {
    use guild_model::updates::is_public_key;
    use serde_json::Value;

    use super::*;
    use crate::setup;

    fn options(key: &Path, address: &str) -> PublishOptions {
        PublishOptions {
            sign: Some(key.to_owned()),
            published_at: Some(address.to_owned()),
            notes: None,
        }
    }

    #[test]
    fn package_is_signed_by_the_key_it_names() {
        setup::npm_packages().expect("Tauri's command line");
        let folder = tempfile::tempdir().expect("a folder");
        let [key, other] = ["key", "other"].map(|name| folder.path().join(name));
        make_key(&key).expect("keys");
        make_key(&other).expect("keys");
        assert!(make_key(&key).is_err(), "a key is never overwritten");

        let package = folder.path().join("a.AppImage");
        fs::write(&package, "program").expect("a file");
        let refused = Publisher::of(&options(&key, "http://updates.example"));
        let refused = refused.err().expect("an address without TLS");
        assert!(format!("{refused}").contains("https"), "{refused}");
        let publisher = Publisher::of(&options(&key, "https://updates.example/"));
        let publisher = publisher.expect("a key").expect("a publisher");
        let preset = publisher.preset().expect("a preset");
        let preset = Preset::read(preset.as_bytes()).expect("a preset");
        assert_eq!(preset.address, "https://updates.example/latest.json");
        assert!(is_public_key(&preset.key));

        let [_, latest] = publisher.publish(&package, "0.2.0").expect("published");
        let latest: Value =
            serde_json::from_str(&fs::read_to_string(&latest).expect("a file")).expect("JSON");
        let platforms = latest["platforms"].as_object().expect("platforms");
        let platform = platforms.values().next().expect("this one");
        assert_eq!(platform["url"], "https://updates.example/a.AppImage");
        let signature = STANDARD.decode(platform["signature"].as_str().expect("a signature"));
        let signature = String::from_utf8(signature.expect("base64")).expect("a signature");
        assert!(signature.contains("\tversion:0.2.0\n"), "{signature}");

        fs::copy(beside(&other, "pub"), beside(&key, "pub")).expect("another public key");
        let publisher = Publisher::at(&key, "https://updates.example", None).expect("a key");
        let error = publisher.publish(&package, "0.2.0").expect_err("two keys");
        assert!(error.to_string().contains("public half"), "{error}");
    }
}
