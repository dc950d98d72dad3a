//! Generates `docs/commands.md`, the reference of the contract.

use std::fmt::Write as _;

use super::shape::{Contract, Declaration, ShapeField, TypeShape};

const HEAD: &str = "\
<!-- Written by `cargo xtask codegen` from `guild_api::wire`; edit that and run it again. -->
# Commands

The commands of the engine that the window may call. Each command takes one request, answers with one response,
or fails with a [`Report`](#report). Times are milliseconds since 1970, durations milliseconds.

";

/// Returns the content of the whole file.
pub(crate) fn reference(contract: &Contract) -> String {
    let mut out = HEAD.to_owned();
    out.push_str("| Command | Request | Response | What it does |\n|---|---|---|---|\n");
    for command in &contract.commands {
        let cells = [
            format!("`{}`", command.name),
            link(&command.request),
            link(&command.response),
            cell(&command.doc),
        ];
        row(&mut out, &cells);
    }
    let event = link(&contract.event);
    let _ = writeln!(
        out,
        "\nWhat happens without being asked for comes over one ordered channel of {event}.\n\n# Types"
    );
    for declaration in &contract.types {
        describe(&mut out, declaration);
    }
    out
}

fn describe(out: &mut String, declaration: &Declaration) {
    let _ = writeln!(out, "\n## {}\n\n{}", declaration.name, declaration.doc);
    match &declaration.shape {
        TypeShape::Record(fields) => table(out, fields),
        TypeShape::Choice(options) => {
            out.push('\n');
            for option in options {
                let _ = match option.doc.as_str() {
                    "" => writeln!(out, "- `{}`", option.value),
                    doc => writeln!(out, "- `{}`: {doc}", option.value),
                };
            }
        }
        TypeShape::Union(variants) => {
            for variant in variants {
                let _ = writeln!(
                    out,
                    "\n### `{}`: `{}`\n\n{}",
                    variant.tag, variant.value, variant.doc
                );
                table(out, &variant.fields);
            }
        }
        shape => {
            let _ = writeln!(out, "\nWritten as {}.", spelled(shape));
        }
    }
}

fn table(out: &mut String, fields: &[ShapeField]) {
    if fields.is_empty() {
        return;
    }
    out.push_str("\n| Field | Type | Meaning |\n|---|---|---|\n");
    for field in fields {
        let mut shape = spelled(&field.shape);
        if field.optional {
            shape.push_str(", may be left out");
        }
        let cells = [format!("`{}`", field.name), shape, cell(&field.doc)];
        row(out, &cells);
    }
}

fn spelled(shape: &TypeShape) -> String {
    match shape {
        TypeShape::Text => "text".into(),
        TypeShape::Number => "number".into(),
        TypeShape::Flag => "true or false".into(),
        TypeShape::Anything => "any JSON".into(),
        TypeShape::Named(name) => link(name),
        TypeShape::Nullable(inner) => format!("{} or null", spelled(inner)),
        TypeShape::List(items) => format!("list of {}", spelled(items)),
        TypeShape::Dictionary(values) => format!("object with values of {}", spelled(values)),
        TypeShape::Choice(options) => {
            let values: Vec<_> = options.iter().map(|o| format!("`{}`", o.value)).collect();
            values.join(" or ")
        }
        TypeShape::Record(fields) => named("object with", fields.iter().map(|field| &field.name)),
        TypeShape::Union(variants) => {
            named("one of", variants.iter().map(|variant| &variant.value))
        }
    }
}

fn named<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    format!("{what} {}", names.join(", "))
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}

/// Escapes a text for a table cell: on one line, with escaped bars.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ").replace('|', "\\|")
}

fn row(out: &mut String, cells: &[String]) {
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}
