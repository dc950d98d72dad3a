//! `guildhall secret`.
//!
//! A value is read from standard input or typed without being shown. A value is never an argument,
//! since every program on the machine could read it.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use guild_api::wire::{SECRET_VALUE_MAX, SecretPlace, SecretRef, SetSecret};
use guild_engine::SecretStore;
use guild_engine::messages::CliError;
use guild_model::{Code, Report};
use serde_json::json;

use crate::interrupts::interrupted;
use crate::session::CliContext;
use crate::terminal::print;
use crate::{eprint_line, harmless, help};

#[derive(Debug, Args)]
#[command(after_help = help::SECRET)]
pub(crate) struct SecretArgs {
    #[command(subcommand)]
    action: SecretAction,
}

#[derive(Debug, Subcommand)]
enum SecretAction {
    /// Store a secret, which manifests use as ${secret:NAME}. Reads the value from standard input
    /// without the end of the line, or prompts for it
    Set {
        /// The name of the secret
        name: String,
        /// Store the secret in this place [default: the keychain, or the file if no keychain is
        /// available]
        #[arg(long)]
        place: Option<SecretStorage>,
    },
    /// List the names of the secrets and where they are stored, without the values
    List,
    /// Remove a secret
    Remove {
        /// The name of the secret
        name: String,
    },
}

/// The place where a secret is stored.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum SecretStorage {
    /// The keychain of the system
    Keychain,
    /// secrets.json in the data folder, which only you can read
    File,
}

/// Sets, lists or removes secrets.
pub(crate) async fn secret(mut session: CliContext, args: SecretArgs) -> Result<ExitCode, Report> {
    if !matches!(args.action, SecretAction::List) {
        session.refuse_member().await?;
    }
    let book = SecretStore::open(&session.paths.data_dir, session.options.keychain);
    tokio::select! {
        done = change(&book, args.action) => done?,
        () = session.interrupts.next() => return Err(interrupted()),
    }
    Ok(ExitCode::SUCCESS)
}

async fn change(book: &SecretStore, action: SecretAction) -> Result<(), Report> {
    match action {
        SecretAction::Set { name, place } => {
            let value = read_value(name.clone()).await?;
            let place = place.map(|place| match place {
                SecretStorage::Keychain => SecretPlace::Keychain,
                SecretStorage::File => SecretPlace::File,
            });
            set(book, SetSecret { name, value, place }).await?;
        }
        SecretAction::List => list(book).await,
        SecretAction::Remove { name } => {
            book.remove(&SecretRef { name: name.clone() }).await?;
            print(&json!({ "removed": name }), String::new);
        }
    }
    Ok(())
}

async fn set(book: &SecretStore, request: SetSecret) -> Result<(), Report> {
    let kept = book.set(request).await?;
    if let Some(warning) = &kept.warning {
        eprint_line(format_args!("warning: {warning}"));
    }
    print(&kept, || {
        let place = match kept.place {
            SecretPlace::Keychain => "the keychain",
            SecretPlace::File => "secrets.json of the data folder",
        };
        let name = &kept.name;
        format!("Stored {name} in {place}. Members get it at their next start.")
    });
    Ok(())
}

async fn list(book: &SecretStore) {
    let known = book.names().await;
    if let Some(warning) = &known.warning {
        eprint_line(format_args!("warning: {warning}"));
    }
    print(&known, || {
        let lines = known.secrets.iter().map(|secret| {
            let place = secret.kept.map_or("no value", SecretPlace::as_str);
            format!("{place:<9} {}", secret.name)
        });
        lines.collect::<Vec<_>>().join("\n")
    });
}

/// Reads the value on another thread, since the user may still be typing.
async fn read_value(name: String) -> Result<String, Report> {
    let reading = tokio::task::spawn_blocking(move || {
        if std::io::stdin().is_terminal() {
            return rpassword::prompt_password(format!("Value of {}: ", harmless(&name)));
        }
        let mut text = String::new();
        let most = SECRET_VALUE_MAX as u64 + 3;
        std::io::stdin().take(most).read_to_string(&mut text)?;
        let end = text.trim_end_matches('\n').len();
        // Removes only one line end, since further line ends may belong to the value.
        text.truncate(end.max(text.len().saturating_sub(1)));
        if text.ends_with('\r') {
            text.pop();
        }
        Ok(text)
    });
    let read = reading.await.map_err(std::io::Error::other);
    read.and_then(|read| read).map_err(|error| {
        let trouble = CliError::SecretUnread(error.to_string());
        Report::from_error(Code::SecretRefused, &trouble)
    })
}
