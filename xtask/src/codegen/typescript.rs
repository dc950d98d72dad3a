//! Generates `ui/src/ipc/bindings.ts`, the contract's types in TypeScript.

use std::fmt::Write as _;

use guild_api::event::PUSHED_EVENTS;

use super::shape::{Contract, Declaration, ShapeField, TypeShape, UnionVariant};

const HEAD: &str = "\
// Written by `cargo xtask codegen` from `guild_api::wire`; edit that and run it again.

";

/// Returns the content of the whole file.
pub(crate) fn bindings(contract: &Contract) -> String {
    let mut out = HEAD.to_owned();
    for declaration in &contract.types {
        declare(&mut out, declaration);
        out.push('\n');
    }
    commands(&mut out, contract);
    let pushed = PUSHED_EVENTS.map(quoted).join(", ");
    out.push_str("\n/** The Tauri events that carry rare events of the hall, each a list of {@link Envelope}. */\n");
    line(
        &mut out,
        &format!("export const PUSHED_EVENTS = [{pushed}] as const;"),
    );
    out
}

fn declare(out: &mut String, declaration: &Declaration) {
    let name = &declaration.name;
    comment(out, "", &declaration.doc);
    match &declaration.shape {
        TypeShape::Record(fields) if fields.is_empty() => {
            line(out, &format!("export type {name} = Record<string, never>;"));
        }
        TypeShape::Record(fields) => {
            line(out, &format!("export interface {name} {{"));
            members(out, "  ", fields);
            out.push_str("}\n");
        }
        TypeShape::Choice(options) => {
            line(out, &format!("export type {name} ="));
            for (index, option) in options.iter().enumerate() {
                comment(out, "  ", &option.doc);
                let end = if index + 1 == options.len() { ";" } else { "" };
                line(out, &format!("  | {}{end}", quoted(&option.value)));
            }
        }
        TypeShape::Union(variants) => {
            line(out, &format!("export type {name} ="));
            for (index, variant) in variants.iter().enumerate() {
                let end = if index + 1 == variants.len() { ";" } else { "" };
                alternative(out, variant, end);
            }
        }
        shape => line(out, &format!("export type {name} = {};", spelled(shape))),
    }
}

fn alternative(out: &mut String, variant: &UnionVariant, end: &str) {
    comment(out, "  ", &variant.doc);
    let tag = format!("{}: {}", variant.tag, quoted(&variant.value));
    if variant.fields.is_empty() {
        line(out, &format!("  | {{ {tag} }}{end}"));
        return;
    }
    out.push_str("  | {\n");
    line(out, &format!("      {tag};"));
    members(out, "      ", &variant.fields);
    line(out, &format!("    }}{end}"));
}

fn members(out: &mut String, indent: &str, fields: &[ShapeField]) {
    for field in fields {
        comment(out, indent, &field.doc);
        let mark = if field.optional { "?" } else { "" };
        let shape = spelled(&field.shape);
        line(
            out,
            &format!("{indent}{}{mark}: {shape};", property(&field.name)),
        );
    }
}

fn commands(out: &mut String, contract: &Contract) {
    comment(
        out,
        "",
        "Every command with what it takes and what it answers. Each fails with a `Report`.",
    );
    out.push_str("export interface Commands {\n");
    for command in &contract.commands {
        comment(out, "  ", &command.doc);
        line(
            out,
            &format!(
                "  {}: {{ request: {}; response: {} }};",
                command.name, command.request, command.response
            ),
        );
    }
    out.push_str("}\n\n");
    comment(out, "", "The name of a command.");
    out.push_str("export type CommandName = keyof Commands;\n\n");
    comment(out, "", "The names of all commands.");
    out.push_str("export const COMMANDS = [\n");
    for command in &contract.commands {
        line(out, &format!("  {},", quoted(command.name)));
    }
    out.push_str("] as const satisfies readonly CommandName[];\n");
}

/// Returns the TypeScript of a shape inside another shape.
fn spelled(shape: &TypeShape) -> String {
    match shape {
        TypeShape::Text => "string".into(),
        TypeShape::Number => "number".into(),
        TypeShape::Flag => "boolean".into(),
        TypeShape::Anything => "unknown".into(),
        TypeShape::Named(name) => name.clone(),
        TypeShape::Nullable(inner) => format!("{} | null", spelled(inner)),
        TypeShape::List(items) => match items.as_ref() {
            simple @ (TypeShape::Text
            | TypeShape::Number
            | TypeShape::Flag
            | TypeShape::Named(_)) => {
                format!("{}[]", spelled(simple))
            }
            items => format!("Array<{}>", spelled(items)),
        },
        TypeShape::Dictionary(values) => format!("Record<string, {}>", spelled(values)),
        TypeShape::Choice(options) => {
            let values: Vec<_> = options.iter().map(|option| quoted(&option.value)).collect();
            values.join(" | ")
        }
        TypeShape::Record(fields) => {
            let fields: Vec<_> = fields.iter().map(inline).collect();
            format!("{{ {} }}", fields.join("; "))
        }
        TypeShape::Union(variants) => {
            let variants: Vec<_> = variants
                .iter()
                .map(|variant| {
                    let tag = format!("{}: {}", variant.tag, quoted(&variant.value));
                    let fields = variant.fields.iter().map(inline);
                    let all: Vec<_> = std::iter::once(tag).chain(fields).collect();
                    format!("{{ {} }}", all.join("; "))
                })
                .collect();
            variants.join(" | ")
        }
    }
}

fn inline(field: &ShapeField) -> String {
    let mark = if field.optional { "?" } else { "" };
    format!("{}{mark}: {}", property(&field.name), spelled(&field.shape))
}

/// Returns a property's name, quoted if TypeScript requires it.
fn property(name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if plain { name.to_owned() } else { quoted(name) }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a doc comment with lines of at most 100 characters. An empty text writes nothing.
fn comment(out: &mut String, indent: &str, doc: &str) {
    // A doc comment ends at any `*/`.
    let doc = doc.replace("*/", "*\\/");
    if doc.is_empty() {
        return;
    }
    let width = 100 - indent.len();
    if doc.len() + "/**  */".len() <= width && !doc.contains('\n') {
        line(out, &format!("{indent}/** {doc} */"));
        return;
    }
    line(out, &format!("{indent}/**"));
    for (index, paragraph) in doc.split("\n\n").enumerate() {
        if index > 0 {
            line(out, &format!("{indent} *"));
        }
        for text in wrapped(paragraph, width - " * ".len()) {
            line(out, &format!("{indent} * {text}"));
        }
    }
    line(out, &format!("{indent} */"));
}

fn wrapped(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.len() + 1 + word.len() <= width => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn line(out: &mut String, text: &str) {
    // Writing to a String can't fail.
    let _ = writeln!(out, "{text}");
}

#[cfg(test)]
mod tests {
    use super::super::shape::Choosable;
    use super::*;

    fn check(shape: TypeShape, expect: &str) {
        let mut out = String::new();
        let declaration = Declaration {
            name: "T".into(),
            doc: String::new(),
            shape,
        };
        declare(&mut out, &declaration);
        assert_eq!(out, expect);
    }

    fn field(name: &str, shape: TypeShape) -> ShapeField {
        ShapeField {
            name: name.into(),
            doc: "Why.".into(),
            shape,
            optional: false,
        }
    }

    #[test]
    fn records_become_interfaces() {
        check(
            TypeShape::Record(Vec::new()),
            "export type T = Record<string, never>;\n",
        );
        check(
            TypeShape::Record(vec![
                field("a", TypeShape::Nullable(Box::new(TypeShape::Text))),
                field(
                    "b-c",
                    TypeShape::List(Box::new(TypeShape::Nullable(Box::new(TypeShape::Number)))),
                ),
            ]),
            "export interface T {\n  /** Why. */\n  a: string | null;\n  /** Why. */\n  \
             \"b-c\": Array<number | null>;\n}\n",
        );
    }

    #[test]
    fn choices_become_unions_of_texts() {
        let option = |value: &str| Choosable {
            value: value.into(),
            doc: String::new(),
        };
        check(
            TypeShape::Choice(vec![option("on"), option("off")]),
            "export type T =\n  | \"on\"\n  | \"off\";\n",
        );
    }

    #[test]
    fn tagged_records_become_a_discriminated_union() {
        let variant = |value: &str, fields| UnionVariant {
            tag: "kind".into(),
            value: value.into(),
            doc: String::new(),
            fields,
        };
        check(
            TypeShape::Union(vec![
                variant("none", Vec::new()),
                variant("some", vec![field("a", TypeShape::Flag)]),
            ]),
            "export type T =\n  | { kind: \"none\" }\n  | {\n      kind: \"some\";\n      \
             /** Why. */\n      a: boolean;\n    };\n",
        );
    }

    #[test]
    fn a_comment_can_not_be_left_early() {
        let mut out = String::new();
        comment(&mut out, "", "a */ b");
        assert_eq!(out, "/** a *\\/ b */\n");
    }
}
