//! Converts the contract's types from JSON Schema into the few shapes that the contract uses.
//!
//! A schema with another shape is an error instead of a silent `unknown`, so that its author
//! decides how the window represents it.

use anyhow::{Context, Result, bail};
use guild_api::wire::CommandSpec;
use schemars::Schema;
use serde_json::{Map, Value};

/// All commands, and all types in commands and events.
pub(crate) struct Contract {
    /// The commands, in the order of the table.
    pub(crate) commands: Vec<ApiCommand>,
    /// The type of the messages on the event channel.
    pub(crate) event: String,
    /// The types, in the order in which the commands first refer to them.
    pub(crate) types: Vec<Declaration>,
}

pub(crate) struct ApiCommand {
    pub(crate) name: &'static str,
    pub(crate) doc: String,
    /// The name of the request's type.
    pub(crate) request: String,
    /// The name of the response's type.
    pub(crate) response: String,
}

pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) shape: TypeShape,
}

/// The set of possible values.
#[derive(Debug, PartialEq)]
pub(crate) enum TypeShape {
    Text,
    Number,
    Flag,
    /// Any JSON value.
    Anything,
    Named(String),
    Nullable(Box<TypeShape>),
    List(Box<TypeShape>),
    /// A map from strings to values of one shape.
    Dictionary(Box<TypeShape>),
    /// One of several strings.
    Choice(Vec<Choosable>),
    Record(Vec<ShapeField>),
    /// Records distinguished by one field.
    Union(Vec<UnionVariant>),
}

/// One string of a [`TypeShape::Choice`].
#[derive(Debug, PartialEq)]
pub(crate) struct Choosable {
    pub(crate) value: String,
    pub(crate) doc: String,
}

/// One field of a record.
#[derive(Debug, PartialEq)]
pub(crate) struct ShapeField {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) shape: TypeShape,
    /// Whether the field may be omitted.
    pub(crate) optional: bool,
}

/// One record of a [`TypeShape::Union`].
#[derive(Debug, PartialEq)]
pub(crate) struct UnionVariant {
    /// The field that distinguishes the records.
    pub(crate) tag: String,
    /// The value of the `tag` field in this record.
    pub(crate) value: String,
    pub(crate) doc: String,
    /// The other fields.
    pub(crate) fields: Vec<ShapeField>,
}

impl Contract {
    /// Reads the table of commands, and the type definitions that it refers to.
    pub(crate) fn read(
        commands: &[CommandSpec],
        event: &Schema,
        definitions: Map<String, Value>,
    ) -> Result<Self> {
        let commands = commands
            .iter()
            .map(|command| {
                let place = || format!("command {}", command.name);
                Ok(ApiCommand {
                    name: command.name,
                    doc: flow(command.doc),
                    request: name_of(command.request.as_value()).with_context(place)?,
                    response: name_of(command.response.as_value()).with_context(place)?,
                })
            })
            .collect::<Result<_>>()?;
        let types = definitions
            .iter()
            .map(|(name, schema)| {
                Ok(Declaration {
                    name: name.clone(),
                    doc: doc_of(schema),
                    shape: read(schema).with_context(|| format!("type {name}"))?,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            commands,
            event: name_of(event.as_value()).context("the events")?,
            types,
        })
    }
}

/// Returns the name of the type that a reference points to.
fn name_of(schema: &Value) -> Result<String> {
    match read(schema)? {
        TypeShape::Named(name) => Ok(name),
        other => bail!("expected a named type, found {other:?}"),
    }
}

fn read(schema: &Value) -> Result<TypeShape> {
    let Value::Object(object) = schema else {
        return if schema == &Value::Bool(true) {
            Ok(TypeShape::Anything)
        } else {
            bail!("no shape for {schema}")
        };
    };
    if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
        let name = reference
            .strip_prefix("#/$defs/")
            .with_context(|| format!("the reference {reference} leads elsewhere"))?;
        return Ok(TypeShape::Named(name.to_owned()));
    }
    if let Some(Value::Array(branches)) = object.get("oneOf") {
        return alternatives(branches);
    }
    if let Some(Value::Array(branches)) = object.get("anyOf") {
        return nullable(branches);
    }
    if let Some(Value::Array(values)) = object.get("enum") {
        return values
            .iter()
            .map(|value| option(value, ""))
            .collect::<Result<_>>()
            .map(TypeShape::Choice);
    }
    match object.get("type") {
        Some(Value::String(kind)) => of_type(kind, object),
        Some(Value::Array(kinds)) => match kinds.as_slice() {
            [Value::String(kind), Value::String(null)] if null == "null" => {
                Ok(TypeShape::Nullable(Box::new(of_type(kind, object)?)))
            }
            _ => bail!("no shape for the types {kinds:?}"),
        },
        None if object.keys().all(|key| key == "description") => Ok(TypeShape::Anything),
        _ => bail!("no shape for {schema}"),
    }
}

fn of_type(kind: &str, object: &Map<String, Value>) -> Result<TypeShape> {
    Ok(match kind {
        "string" => TypeShape::Text,
        "integer" | "number" => TypeShape::Number,
        "boolean" => TypeShape::Flag,
        "array" => {
            let items = object.get("items").context("a list without items")?;
            TypeShape::List(Box::new(read(items)?))
        }
        "object" => match object.get("additionalProperties") {
            Some(values) if !values.is_boolean() => TypeShape::Dictionary(Box::new(read(values)?)),
            _ => TypeShape::Record(fields(object)?),
        },
        other => bail!("no shape for the type {other}"),
    })
}

fn fields(object: &Map<String, Value>) -> Result<Vec<ShapeField>> {
    let required: Vec<&str> = match object.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = object.get("properties") else {
        return Ok(Vec::new());
    };
    properties
        .iter()
        .map(|(name, schema)| {
            Ok(ShapeField {
                name: name.clone(),
                doc: doc_of(schema),
                shape: read(schema).with_context(|| format!("field {name}"))?,
                optional: !required.contains(&name.as_str()),
            })
        })
        .collect()
}

/// Reads a `oneOf`: strings with descriptions, or records with a tag.
fn alternatives(branches: &[Value]) -> Result<TypeShape> {
    let texts = branches
        .iter()
        .all(|branch| branch.get("type").and_then(Value::as_str) == Some("string"));
    if !texts {
        return branches
            .iter()
            .map(variant)
            .collect::<Result<_>>()
            .map(TypeShape::Union);
    }
    let mut options = Vec::new();
    for branch in branches {
        let doc = doc_of(branch);
        match (branch.get("const"), branch.get("enum")) {
            (Some(value), _) => options.push(option(value, &doc)?),
            (None, Some(Value::Array(values))) => {
                for value in values {
                    options.push(option(value, &doc)?);
                }
            }
            _ => bail!("no shape for {branch}"),
        }
    }
    Ok(TypeShape::Choice(options))
}

fn option(value: &Value, doc: &str) -> Result<Choosable> {
    let value = value
        .as_str()
        .context("a choice of something else than texts")?;
    Ok(Choosable {
        value: value.to_owned(),
        doc: doc.to_owned(),
    })
}

fn variant(branch: &Value) -> Result<UnionVariant> {
    let object = branch
        .as_object()
        .context("a variant that is not an object")?;
    let properties = object.get("properties").and_then(Value::as_object);
    let (tag, value) = properties
        .into_iter()
        .flatten()
        .find_map(|(name, schema)| Some((name, schema.get("const")?.as_str()?)))
        .context("a variant without a field that names it")?;
    let fields = fields(object)?
        .into_iter()
        .filter(|field| field.name != *tag)
        .collect();
    Ok(UnionVariant {
        tag: tag.clone(),
        value: value.to_owned(),
        doc: doc_of(branch),
        fields,
    })
}

/// Reads an `anyOf`, which the contract only uses for a named type or null.
fn nullable(branches: &[Value]) -> Result<TypeShape> {
    match branches {
        [schema, null] if null.get("type").and_then(Value::as_str) == Some("null") => {
            Ok(TypeShape::Nullable(Box::new(read(schema)?)))
        }
        _ => bail!("no shape for an anyOf of {} branches", branches.len()),
    }
}

fn doc_of(schema: &Value) -> String {
    flow(
        schema
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default(),
    )
}

/// Joins the lines of each paragraph, since the writers wrap the text again.
fn flow(text: &str) -> String {
    text.split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_option_is_nullable() {
        let text = json!({"type": ["string", "null"]});
        assert_eq!(
            read(&text).expect("a shape"),
            TypeShape::Nullable(Box::new(TypeShape::Text))
        );
        let named = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]});
        let expect = TypeShape::Nullable(Box::new(TypeShape::Named("A".into())));
        assert_eq!(read(&named).expect("a shape"), expect);
    }

    #[test]
    fn a_shape_that_is_not_known_is_an_error_that_says_where() {
        let schema = json!({"type": "object", "properties": {"odd": {"not": {}}}});
        let error = read(&schema).expect_err("no shape");
        assert!(format!("{error:#}").starts_with("field odd: "), "{error:#}");
    }

    #[test]
    fn any_json_is_anything() {
        assert_eq!(read(&json!(true)).expect("a shape"), TypeShape::Anything);
        assert_eq!(
            read(&json!({"description": "x"})).expect("a shape"),
            TypeShape::Anything
        );
    }
}
