//! Parses TOML into a tree with line numbers.

use serde_json::{Number, Value as Json};
use toml_edit::{Document, Item, TableLike, Value};

use super::lines::LineCounter;
use super::{DEPTH_MAX, Node, NodeKind, TreeMember, TreeParseError};
use crate::messages::{MisreadAdvice, MisreadProblem};

/// Parses a whole TOML text.
///
/// # Errors
/// When the text is invalid TOML, or nested too deep.
pub fn read(text: &str) -> Result<Node, TreeParseError> {
    let document = Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = MisreadProblem::Unread(error.message().trim().to_owned());
        TreeParseError::at(text, at, message, MisreadAdvice::Mend)
    })?;
    let lines = LineCounter::of_text(text);
    TomlReader { lines }.table(document.as_table(), 1, 0)
}

struct TomlReader<'t> {
    lines: LineCounter<'t>,
}

impl TomlReader<'_> {
    fn table(
        &mut self,
        table: &dyn TableLike,
        line: usize,
        depth: usize,
    ) -> Result<Node, TreeParseError> {
        let member = |(key, item): (&str, &Item)| {
            let span = table.get_key_value(key).and_then(|(key, _)| key.span());
            let span = span.or_else(|| item.span());
            let line = span.map_or(line, |span| self.lines.of(span.start));
            Ok(TreeMember {
                key: key.to_owned(),
                line,
                node: self.item(item, line, depth + 1)?,
            })
        };
        let members = table
            .iter()
            .map(member)
            .collect::<Result<_, TreeParseError>>()?;
        let kind = NodeKind::Object(members);
        Ok(Node { line, kind })
    }

    fn item(&mut self, item: &Item, line: usize, depth: usize) -> Result<Node, TreeParseError> {
        if depth > DEPTH_MAX {
            let message = MisreadProblem::TooDeep(DEPTH_MAX);
            return Err(TreeParseError::at_line(line, message, MisreadAdvice::Mend));
        }
        if let Some(table) = item.as_table_like() {
            return self.table(table, line, depth);
        }
        let kind = match item {
            Item::Value(Value::Array(array)) => {
                let items = array.iter().cloned().map(Item::Value);
                let items = items.map(|item| self.item(&item, line, depth + 1));
                NodeKind::List(items.collect::<Result<_, TreeParseError>>()?)
            }
            Item::ArrayOfTables(tables) => {
                let items = tables.iter().map(|table| {
                    let at = table.span();
                    let at = at.map_or(line, |span| self.lines.of(span.start));
                    self.table(table, at, depth + 1)
                });
                NodeKind::List(items.collect::<Result<_, TreeParseError>>()?)
            }
            Item::Value(value) => NodeKind::Plain(plain(value)),
            Item::None | Item::Table(_) => NodeKind::Plain(Json::Null),
        };
        Ok(Node { line, kind })
    }
}

/// Converts a value to JSON, without positions.
pub fn json(item: &Item) -> Json {
    let fields = |table: &dyn TableLike| {
        let fields = table.iter().map(|(key, item)| (key.to_owned(), json(item)));
        Json::Object(fields.collect())
    };
    match item {
        Item::Value(Value::Array(items)) => {
            let items = items.iter().cloned().map(Item::Value);
            items.map(|item| json(&item)).collect()
        }
        Item::ArrayOfTables(tables) => tables.iter().map(|table| fields(table)).collect(),
        item => match (item.as_table_like(), item) {
            (Some(table), _) => fields(table),
            (None, Item::Value(value)) => plain(value),
            (None, _) => Json::Null,
        },
    }
}

fn plain(value: &Value) -> Json {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Integer(number) => (*number.value()).into(),
        Value::Float(number) => Number::from_f64(*number.value()).map_or(Json::Null, Json::Number),
        Value::Boolean(flag) => (*flag.value()).into(),
        Value::Datetime(date) => date.value().to_string().into(),
        Value::Array(_) | Value::InlineTable(_) => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_their_lines_and_errors_their_columns() {
        let node = read("model = 'x'\n\n[mcp_servers.a]\ncommand = 'x'\nargs = ['y', 1]\n");
        let node = node.expect("TOML");
        let list = node.get("mcp_servers").expect("a table");
        assert_eq!(list.members().expect("tables")[0].line, 3);
        assert_eq!(
            node.to_value()["mcp_servers"]["a"],
            serde_json::json!({"command": "x", "args": ["y", 1]})
        );
        let error = read("a = 1\nb = [1, 2\nc = 3\n").expect_err("not closed");
        assert!(error.line.is_some() && error.column.is_some(), "{error}");
    }
}
