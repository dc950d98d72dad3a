//! `guildhall new`.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use guild_core::note::CliTrouble;
use guild_core::wire::{BeginMember, Beginning};
use guild_core::{Code, MemberName, Report};
use guild_engine::begin_member;
use serde_json::json;

use crate::print_line;
use crate::words;

/// What is begun.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The member's name, and its folder's.
    name: String,
    /// The language of the sample that it begins as.
    #[arg(long, value_enum)]
    from: From,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum From {
    Python,
    Typescript,
    Rust,
    Shell,
}

impl From {
    fn beginning(self) -> Beginning {
        match self {
            Self::Python => Beginning::Python,
            Self::Typescript => Beginning::TypeScript,
            Self::Rust => Beginning::Rust,
            Self::Shell => Beginning::Shell,
        }
    }
}

/// Puts a small server into the members' folder, and says what has to be run before it can start.
pub(crate) fn begin(members_dir: &Path, args: &NewArgs, as_json: bool) -> Result<ExitCode, Report> {
    let member = MemberName::parse(&args.name)
        .map_err(|error| Report::told(Code::ManifestField, &CliTrouble::Name(error.0)))?;
    let from = args.from.beginning();
    let begun = begin_member(members_dir, &BeginMember { member, from })?;
    if as_json {
        print_line(&json!(&begun).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let name = begun.member.as_str();
    let mut lines = vec![format!("{name} is in {}.", begun.folder)];
    if !begun.set_up.is_empty() {
        lines.push("Before it can start, run there once:".to_owned());
        lines.extend(begun.set_up.iter().map(|command| format!("    {command}")));
    }
    lines.push(words::authors::then(name));
    print_line(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}
