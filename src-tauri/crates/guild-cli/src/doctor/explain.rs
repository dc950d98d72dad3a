//! `guildhall doctor explain`: the explanation of an error code from the docs.

use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use guild_model::Code;
use guild_model::error::{Explained, explained};
use serde_json::json;

use crate::terminal::print;

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The code, such as call-timeout. Without a code, list all codes
    #[arg(value_parser = codes(), hide_possible_values = true)]
    code: Option<String>,
}

fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str()))
}

/// Explains a code, or lists all codes.
pub(super) fn explain(args: &ExplainArgs) -> ExitCode {
    let all = explained();
    let Some(code) = &args.code else {
        let values: Vec<_> = all.iter().map(as_value).collect();
        print(&values, || list(&all));
        return ExitCode::SUCCESS;
    };
    for section in all.iter().filter(|section| section.code == code) {
        print(&as_value(section), || {
            format!("{}\n\n{}", section.code, section.text)
        });
    }
    ExitCode::SUCCESS
}

fn as_value(section: &Explained) -> serde_json::Value {
    json!({ "code": section.code, "chapter": section.chapter, "text": section.text })
}

fn list(all: &[Explained]) -> String {
    let mut lines = Vec::new();
    let mut chapter = "";
    for section in all {
        if std::mem::replace(&mut chapter, section.chapter) != section.chapter {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(chapter.to_owned());
        }
        lines.push(format!("  {}", section.code));
    }
    lines.join("\n")
}
