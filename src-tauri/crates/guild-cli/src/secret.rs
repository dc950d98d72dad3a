//! `guildhall secret`.
//!
//! A value is read from standard input or typed without being shown. It is never an argument, which
//! every program of the machine could read.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use guild_core::note::CliTrouble;
use guild_core::wire::{OfSecret, SECRET_VALUE_MAX, SecretPlace, SetSecret};
use guild_core::{Code, Report};
use guild_engine::SecretBook;
use serde_json::json;

use crate::interrupts::{Interrupts, interrupted};
use crate::{harmless, print_line, tell};

/// What is done with a secret.
#[derive(Debug, Args)]
pub(crate) struct SecretArgs {
    #[command(subcommand)]
    deed: Deed,
}

impl SecretArgs {
    /// Whether a secret is set or removed.
    pub(crate) fn changes(&self) -> bool {
        !matches!(self.deed, Deed::List)
    }
}

#[derive(Debug, Subcommand)]
enum Deed {
    /// Keeps a secret under a name, for `${secret:NAME}` in manifests. The value is read from
    /// standard input, without the line's end, or typed where that is a terminal.
    Set {
        /// The name.
        name: String,
        /// Where it is kept [default: the keychain, or the file where there is no keychain].
        #[arg(long)]
        place: Option<Place>,
    },
    /// Lists the names of the secrets and where each is kept; never a value.
    List,
    /// Removes a secret.
    Remove {
        /// The name.
        name: String,
    },
}

/// Where a secret is kept.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Place {
    /// The system's keychain.
    Keychain,
    /// `secrets.json` in the data folder, which only its user may read.
    File,
}

/// Sets, lists or removes secrets.
pub(crate) async fn secret(
    book: &SecretBook,
    args: SecretArgs,
    json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let doing = async {
        match args.deed {
            Deed::Set { name, place } => {
                let value = read_value(name.clone()).await?;
                let place = place.map(|place| match place {
                    Place::Keychain => SecretPlace::Keychain,
                    Place::File => SecretPlace::File,
                });
                set(book, SetSecret { name, value, place }, json).await
            }
            Deed::List => {
                list(book, json).await;
                Ok(())
            }
            Deed::Remove { name } => {
                book.remove(&OfSecret { name: name.clone() }).await?;
                if json {
                    print_line(&json!({ "removed": name }).to_string());
                }
                Ok(())
            }
        }
    };
    tokio::select! {
        done = doing => done?,
        () = interrupts.next() => return Err(interrupted()),
    }
    Ok(ExitCode::SUCCESS)
}

async fn set(book: &SecretBook, request: SetSecret, json: bool) -> Result<(), Report> {
    let kept = book.set(request).await?;
    if let Some(warning) = &kept.warning {
        tell(format_args!("warning: {warning}"));
    }
    if json {
        print_line(&json!(kept).to_string());
    } else {
        let place = match kept.place {
            SecretPlace::Keychain => "the keychain",
            SecretPlace::File => "secrets.json of the data folder",
        };
        let name = harmless(&kept.name);
        print_line(&format!(
            "{name} is kept in {place}; members get it at their next start."
        ));
    }
    Ok(())
}

async fn list(book: &SecretBook, json: bool) {
    let known = book.names().await;
    if let Some(warning) = &known.warning {
        tell(format_args!("warning: {warning}"));
    }
    if json {
        print_line(&json!(known).to_string());
        return;
    }
    for secret in &known.secrets {
        let place = secret.kept.map_or("no value", SecretPlace::as_str);
        print_line(&format!("{place:<9} {}", harmless(&secret.name)));
    }
}

/// The value, read on a thread of its own: nobody may be typing.
async fn read_value(name: String) -> Result<String, Report> {
    let reading = tokio::task::spawn_blocking(move || {
        if std::io::stdin().is_terminal() {
            return rpassword::prompt_password(format!("Value of {}: ", harmless(&name)));
        }
        let mut text = String::new();
        let most = SECRET_VALUE_MAX as u64 + 3;
        std::io::stdin().take(most).read_to_string(&mut text)?;
        let end = text.trim_end_matches('\n').len();
        // One line's end only: more may belong to the value.
        text.truncate(end.max(text.len().saturating_sub(1)));
        if text.ends_with('\r') {
            text.pop();
        }
        Ok(text)
    });
    let read = reading.await.map_err(std::io::Error::other);
    read.and_then(|read| read).map_err(|error| {
        let trouble = CliTrouble::SecretUnread(error.to_string());
        Report::told(Code::SecretRefused, &trouble)
    })
}
