//! `guildhall add new`: a small working server in the members' folder.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use guild_api::wire::{CreateMember, TemplateLanguage};
use guild_engine::begin_member;
use guild_engine::messages::CliError;
use guild_model::{Code, MemberName, Report};

use crate::terminal::print;

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// The name of the member and of its folder
    name: String,
    /// The programming language of the server
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
    fn beginning(self) -> TemplateLanguage {
        match self {
            Self::Python => TemplateLanguage::Python,
            Self::Typescript => TemplateLanguage::TypeScript,
            Self::Rust => TemplateLanguage::Rust,
            Self::Shell => TemplateLanguage::Shell,
        }
    }
}

/// Creates the server, and lists the commands to run before its first start.
pub(super) fn new(members_dir: &Path, args: &NewArgs) -> Result<ExitCode, Report> {
    let member = MemberName::parse(&args.name)
        .map_err(|error| Report::from_error(Code::ManifestField, &CliError::Name(error.0)))?;
    let from = args.from.beginning();
    let begun = begin_member(members_dir, &CreateMember { member, from })?;
    print(&begun, || {
        let name = begun.member.as_str();
        let mut lines = vec![format!("{name} is in {}.", begun.folder)];
        if !begun.set_up.is_empty() {
            lines.push("Before its first start, run there:".to_owned());
            lines.extend(begun.set_up.iter().map(|command| format!("    {command}")));
        }
        lines.push(format!(
            "Then `guildhall dev {name}` follows your changes, and `guildhall dev --once {name}` \
             runs its examples."
        ));
        lines.join("\n")
    });
    Ok(ExitCode::SUCCESS)
}
