//! Newer versions as programs take them: a pair of keys, the signature of a package, and the document
//! that tells of it. All in the forms of Tauri's updater, which are minisign's in base64.

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use guild_core::settings::find;
use guild_core::updates::{NOTES_MAX, Preset};
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};
use serde_json::json;

use crate::Finished;

/// What protects a secret key; without it the key is kept as it is.
const PASSWORD: &str = "GUILD_HALL_UPDATE_KEY_PASSWORD";
/// The document that programs look at.
pub(crate) const LATEST: &str = "latest.json";

/// `cargo xtask update-key`
#[derive(Args)]
pub(crate) struct KeyOptions {
    /// Where the secret key is put; the public one beside it, with `.pub` behind its name.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl KeyOptions {
    /// A secret key to be put there.
    pub(crate) fn at(out: &Path) -> Self {
        Self {
            out: out.to_owned(),
        }
    }
}

/// Makes a pair of keys.
pub(crate) fn make_key(options: &KeyOptions) -> Result<Finished> {
    let (secret, public) = (&options.out, beside(&options.out, "pub"));
    let password = std::env::var(PASSWORD).ok();
    let keys = match &password {
        Some(password) => KeyPair::generate_encrypted_keypair(Some(password.clone())),
        None => KeyPair::generate_unencrypted_keypair(),
    };
    let keys = keys.context("making keys")?;
    let sealed = keys.sk.to_box(None).context("writing the secret key")?;
    put(secret, &STANDARD.encode(sealed.into_string()))?;
    let open = public_text(&keys.pk)?;
    put(&public, &open)?;
    println!("the secret key: {}", secret.display());
    if password.is_none() {
        println!("  it has no password; set {PASSWORD} for one");
    }
    println!("the public key, as `updates.key` of the settings has it:\n{open}");
    Ok(Finished::Well)
}

/// Writes a new file that only its user may read.
fn put(path: &Path, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options
        .open(path)
        .with_context(|| format!("creating {}", path.display()))?;
    writeln!(file, "{text}").with_context(|| format!("writing {}", path.display()))
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(end);
    name.into()
}

fn public_text(key: &PublicKey) -> Result<String> {
    let file = key.to_box().context("writing the public key")?;
    Ok(STANDARD.encode(file.into_string()))
}

/// What signs packages and tells programs where newer ones are.
#[derive(Args)]
pub(crate) struct PublishOptions {
    /// Signs the AppImage with this secret key, and writes what tells programs of it.
    #[arg(long, value_name = "KEY", requires = "published_at")]
    sign: Option<PathBuf>,
    /// Where the packages will be found: the AppImage looks there for newer versions.
    #[arg(long, value_name = "ADDRESS", requires = "sign")]
    published_at: Option<String>,
    /// What is new, shown to people before they fetch it.
    #[arg(long, value_name = "FILE", requires = "sign")]
    notes: Option<PathBuf>,
}

impl PublishOptions {
    /// Packages that are signed with a key and found at an address.
    pub(crate) fn at(key: &Path, address: &str) -> Self {
        Self {
            sign: Some(key.to_owned()),
            published_at: Some(address.to_owned()),
            notes: None,
        }
    }
}

/// Who signs and tells.
pub(crate) struct Publisher {
    secret: SecretKey,
    public: String,
    /// Without a slash at its end.
    address: String,
    notes: Option<String>,
}

impl Publisher {
    /// The one that the options name, if they do.
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
                let notes = fs::read_to_string(file)
                    .with_context(|| format!("reading {}", file.display()))?;
                let length = notes.chars().count();
                ensure!(
                    length <= NOTES_MAX,
                    "{} has {length} characters; {NOTES_MAX} are shown",
                    file.display()
                );
                Some(notes)
            }
        };
        let secret = read_secret(key)?;
        let public = PublicKey::from_secret_key(&secret).context("the key's public half")?;
        Ok(Some(Self {
            public: public_text(&public)?,
            secret,
            address: address.trim_end_matches('/').to_owned(),
            notes,
        }))
    }

    /// What a package says for all who install it: where newer versions are, and their key.
    pub(crate) fn preset(&self) -> Result<String> {
        let preset = Preset {
            address: format!("{}/{LATEST}", self.address),
            key: self.public.clone(),
        };
        serde_json::to_string_pretty(&preset).context("what the package says")
    }

    /// Signs a package of a version; gives the files that are to lie beside it.
    pub(crate) fn publish(&self, package: &Path, version: &str) -> Result<[PathBuf; 2]> {
        let name = package.file_name().context("a package without a name")?;
        let name = name.to_string_lossy();
        let file = File::open(package).with_context(|| format!("opening {}", package.display()))?;
        let written = fs::metadata(package).context("looking at the package")?;
        let seconds = written
            .modified()
            .ok()
            .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok())
            .map_or(0, |since| since.as_secs());
        // The version is signed too, so that no old package is told of as a new one.
        let comment = format!("timestamp:{seconds}\tfile:{name}\tversion:{version}");
        let signed = minisign::sign(
            None,
            &self.secret,
            BufReader::new(file),
            Some(&comment),
            None,
        );
        let signature = STANDARD.encode(signed.context("signing")?.into_string());
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let latest = json!({
            "version": version,
            "notes": self.notes,
            "platforms": { platform: {
                "url": format!("{}/{name}", self.address),
                "signature": signature,
            }},
        });
        let files = [beside(package, "sig"), package.with_file_name(LATEST)];
        for (file, text) in files.iter().zip([signature, format!("{latest:#}")]) {
            fs::write(file, format!("{text}\n"))
                .with_context(|| format!("writing {}", file.display()))?;
        }
        Ok(files)
    }
}

fn read_secret(path: &Path) -> Result<SecretKey> {
    let of = || format!("{} is no key of `cargo xtask update-key`", path.display());
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let text = STANDARD.decode(text.trim()).with_context(of)?;
    let text = String::from_utf8(text).with_context(of)?;
    let sealed = SecretKeyBox::from_string(&text).with_context(of)?;
    let key = match std::env::var(PASSWORD) {
        Ok(password) => sealed.into_secret_key(Some(password)),
        Err(_) => sealed.into_unencrypted_secret_key(),
    };
    key.with_context(|| format!("opening {}: is {PASSWORD} right?", path.display()))
}

#[cfg(test)]
mod tests {
    use guild_core::updates::is_public_key;
    use minisign::{PublicKeyBox, SignatureBox};
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_is_published_is_signed_as_its_version_by_the_key_that_the_package_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let key = folder.path().join("key");
        make_key(&KeyOptions { out: key.clone() }).expect("keys");
        let again = make_key(&KeyOptions { out: key.clone() });
        assert!(again.is_err(), "a key is never written over");

        let package = folder.path().join("a.AppImage");
        fs::write(&package, "program").expect("a file");
        let options = PublishOptions {
            sign: Some(key),
            published_at: Some("https://updates.example/".into()),
            notes: None,
        };
        let openly = PublishOptions {
            published_at: Some("http://updates.example".into()),
            sign: options.sign.clone(),
            notes: None,
        };
        let refused = Publisher::of(&openly).err().expect("nobody would read it");
        assert!(format!("{refused}").contains("https"), "{refused}");
        let publisher = Publisher::of(&options)
            .expect("a key")
            .expect("a publisher");
        let preset = publisher.preset().expect("a preset");
        let preset = Preset::read(preset.as_bytes()).expect("a preset");
        assert_eq!(preset.address, "https://updates.example/latest.json");
        assert!(is_public_key(&preset.key));

        let [_, latest] = publisher.publish(&package, "0.2.0").expect("published");
        let latest = fs::read_to_string(latest).expect("what is told");
        let latest: Value = serde_json::from_str(&latest).expect("JSON");
        let platforms = latest["platforms"].as_object().expect("platforms");
        let told = platforms.values().next().expect("this one");
        assert_eq!(told["url"], "https://updates.example/a.AppImage");
        let text = |base64: &str| {
            String::from_utf8(STANDARD.decode(base64).expect("base64")).expect("text")
        };
        let signature = text(told["signature"].as_str().expect("a signature"));
        let signature = SignatureBox::from_string(&signature).expect("a signature");
        let comment = signature.trusted_comment().expect("a comment");
        assert!(comment.ends_with("\tversion:0.2.0"), "{comment}");
        let public = PublicKeyBox::from_string(&text(&preset.key)).expect("a key");
        let public = public.into_public_key().expect("a key");
        for (bytes, good) in [("program", true), ("another", false)] {
            let checked = minisign::verify(
                &public,
                &signature,
                std::io::Cursor::new(bytes),
                true,
                false,
                false,
            );
            assert_eq!(checked.is_ok(), good, "{bytes}");
        }
    }
}
