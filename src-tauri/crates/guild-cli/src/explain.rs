//! `guildhall explain`: the explanation of an error code from the docs.

use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use guild_core::Code;
use guild_core::error::{Explained, explained};
use serde_json::json;

use crate::print_line;

/// Which code is explained.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, such as `call-timeout`; all codes are listed where none is named.
    #[arg(value_parser = codes(), hide_possible_values = true)]
    code: Option<String>,
}

fn codes() -> PossibleValuesParser {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str()))
}

/// Prints what a code means and what to do about it, or which codes there are.
pub(crate) fn explain(args: &ExplainArgs, as_json: bool) -> ExitCode {
    let all = explained();
    let Some(code) = &args.code else {
        print_line(&list(&all, as_json));
        return ExitCode::SUCCESS;
    };
    for section in all.iter().filter(|section| section.code == code) {
        if as_json {
            print_line(&as_value(section).to_string());
        } else {
            print_line(&format!("{}\n\n{}", section.code, section.text));
        }
    }
    ExitCode::SUCCESS
}

fn as_value(section: &Explained) -> serde_json::Value {
    json!({ "code": section.code, "chapter": section.chapter, "text": section.text })
}

fn list(all: &[Explained], as_json: bool) -> String {
    if as_json {
        let values: Vec<_> = all.iter().map(as_value).collect();
        return json!(values).to_string();
    }
    let mut lines = Vec::new();
    let mut chapter = "";
    for section in all {
        if section.chapter != chapter {
            chapter = section.chapter;
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(chapter.to_owned());
        }
        lines.push(format!("  {}", section.code));
    }
    lines.join("\n")
}
