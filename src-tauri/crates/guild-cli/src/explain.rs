//! `guildhall explain`: what an error code means, as the docs say it in the language that is spoken.

use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValuesParser;
use guild_core::Code;
use guild_core::language::Language;
use serde_json::json;

use crate::print_line;
use crate::words::language;

/// The docs of a language.
fn docs(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("../../../../docs/errors.md"),
        Language::De => include_str!("../../../../docs/de/errors.md"),
    }
}

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

/// One code's section.
#[derive(Debug)]
struct Explained {
    /// What it belongs to.
    chapter: &'static str,
    code: &'static str,
    text: String,
}

/// Prints what a code means and what to do about it, or which codes there are.
pub(crate) fn explain(args: &ExplainArgs, as_json: bool) -> ExitCode {
    // What programs read is the same everywhere.
    let language = if as_json { Language::En } else { language() };
    let all = sections(docs(language));
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

/// The sections of a document that are about a code, in its order.
fn sections(docs: &'static str) -> Vec<Explained> {
    let mut all: Vec<Explained> = Vec::new();
    let mut chapter = "";
    let mut open = false;
    for line in docs.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            chapter = title;
            open = false;
        } else if let Some(code) = line.strip_prefix("## ") {
            all.push(Explained {
                chapter,
                code,
                text: String::new(),
            });
            open = true;
        } else if let Some(section) = all.last_mut().filter(|_| open) {
            section.text.push_str(&line.replace("**", ""));
            section.text.push('\n');
        }
    }
    for section in &mut all {
        section.text.truncate(section.text.trim_end().len());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_is_explained_once_with_cause_and_fix_in_each_language() {
        for (language, cause, fix) in [
            (Language::En, "Cause. ", "\nFix. "),
            (Language::De, "Ursache. ", "\nAbhilfe. "),
        ] {
            let all = sections(docs(language));
            let explained: Vec<&str> = all.iter().map(|one| one.code).collect();
            let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
            assert_eq!(explained, codes, "{language:?}");
            for Explained { chapter, text, .. } in &all {
                assert!(text.starts_with(cause), "{text}");
                assert!(text.contains(fix), "{text}");
                assert!(!chapter.is_empty() && !text.contains("**"), "{text}");
            }
        }
    }
}
