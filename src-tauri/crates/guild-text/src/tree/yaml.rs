//! Parses YAML from parser events. Each use of an alias counts, so that a few lines can't expand to
//! more than [`NODES_MAX`] values.

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};
use serde_json::{Number, Value};

use super::{DEPTH_MAX, NODES_MAX, Node, NodeKind, TreeMember, TreeParseError};
use crate::messages::{MisreadAdvice, MisreadProblem};

/// Maximum number of bytes to which all aliases together may expand.
const ALIASED_BYTES_MAX: usize = 4 << 20;

/// Parses the first document of a text.
///
/// # Errors
/// When the text is not YAML, has a list or an object as a key, or exceeds a limit.
pub fn read(text: &str) -> Result<Node, TreeParseError> {
    let mut reader = YamlReader {
        events: Parser::new_from_str(text),
        nodes: 0,
        anchors: Vec::new(),
    };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
            (Event::StreamEnd | Event::DocumentEnd, span) => {
                return Ok(plain(line(&span), Value::Null));
            }
            (event, span) => return reader.node(event, &span, 0),
        }
    }
}

struct YamlReader<'t> {
    events: Parser<'t, saphyr_parser::StrInput<'t>>,
    nodes: usize,
    /// Anchored nodes with their sizes.
    anchors: Vec<(usize, Node)>,
}

impl<'t> YamlReader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), TreeParseError> {
        match self.events.next() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(unreadable(&error)),
            None => {
                let message = MisreadProblem::EndsEarly;
                Err(TreeParseError::whole(message, MisreadAdvice::MendYaml))
            }
        }
    }

    fn node(
        &mut self,
        event: Event<'t>,
        span: &Span,
        depth: usize,
    ) -> Result<Node, TreeParseError> {
        self.count(1, span)?;
        if depth > DEPTH_MAX {
            return Err(at(span, MisreadProblem::TooDeep(DEPTH_MAX)));
        }
        let line = line(span);
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = tag.is_some_and(|tag| tag.suffix == "str");
                let value = match style {
                    ScalarStyle::Plain if !is_text => resolved(&text),
                    _ => Value::String(text.into_owned()),
                };
                (anchor, plain(line, value))
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break,
                        (event, span) => items.push(self.node(event, &span, depth + 1)?),
                    }
                }
                let kind = NodeKind::List(items);
                (anchor, Node { line, kind })
            }
            Event::MappingStart(anchor, _) => {
                let kind = NodeKind::Object(self.members(depth)?);
                (anchor, Node { line, kind })
            }
            Event::Alias(anchor) => return self.aliased(anchor, span),
            _ => return Err(at(span, MisreadProblem::NoValue)),
        };
        if anchor > 0 {
            self.anchors.push((anchor, node.clone()));
            let size = size(&node);
            // An anchored node is stored in the tree and in `anchors`, so it counts twice.
            self.count(size.0, span)?;
        }
        Ok(node)
    }

    fn members(&mut self, depth: usize) -> Result<Vec<TreeMember>, TreeParseError> {
        let mut members: Vec<TreeMember> = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let key_line = line(&span);
            let key = self.node(event, &span, depth + 1)?;
            let Some(key) = key_of(&key) else {
                return Err(at(&span, MisreadProblem::OddKey));
            };
            let (event, span) = self.next()?;
            let node = self.node(event, &span, depth + 1)?;
            match (key.as_str(), node.kind) {
                // The object's own keys take precedence over those that a merge key (`<<`) adds.
                ("<<", NodeKind::Object(merged)) => {
                    let missing = merged.into_iter().filter(|member| {
                        let is_same = |known: &TreeMember| known.key == member.key;
                        !members.iter().any(is_same)
                    });
                    let missing: Vec<TreeMember> = missing.collect();
                    members.splice(0..0, missing);
                }
                (_, kind) => members.push(TreeMember {
                    key,
                    line: key_line,
                    node: Node {
                        line: node.line,
                        kind,
                    },
                }),
            }
        }
        Ok(members)
    }

    fn aliased(&mut self, anchor: usize, span: &Span) -> Result<Node, TreeParseError> {
        let known = self.anchors.iter().rfind(|(known, _)| *known == anchor);
        let Some((_, node)) = known else {
            // The alias is inside the node to which it refers.
            return Err(at(span, MisreadProblem::OwnAlias));
        };
        let (nodes, bytes) = size(node);
        let node = node.clone();
        self.count(nodes.max(bytes / (ALIASED_BYTES_MAX / NODES_MAX)), span)?;
        Ok(node)
    }

    fn count(&mut self, more: usize, span: &Span) -> Result<(), TreeParseError> {
        self.nodes += more;
        match self.nodes > NODES_MAX {
            true => Err(at(span, MisreadProblem::ManyValues(NODES_MAX))),
            false => Ok(()),
        }
    }
}

/// Returns the number of values in a tree and their size in bytes.
fn size(node: &Node) -> (usize, usize) {
    let sum = |sizes: &mut dyn Iterator<Item = (usize, usize)>| {
        sizes.fold((1, 0), |(nodes, bytes), (n, b)| (nodes + n, bytes + b))
    };
    match &node.kind {
        NodeKind::Plain(value) => (1, value.as_str().map_or(8, str::len)),
        NodeKind::List(items) => sum(&mut items.iter().map(size)),
        NodeKind::Object(members) => sum(&mut members.iter().map(|member| {
            let (nodes, bytes) = size(&member.node);
            (nodes, bytes + member.key.len())
        })),
    }
}

fn key_of(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Plain(Value::String(text)) => Some(text.clone()),
        NodeKind::Plain(Value::Null) => Some(String::new()),
        NodeKind::Plain(other) => Some(other.to_string()),
        NodeKind::List(_) | NodeKind::Object(_) => None,
    }
}

/// Resolves a plain scalar according to YAML 1.2. A number stays a string if it would be printed in
/// another form: `1.10` may be a version, and `0o17` an identifier.
fn resolved(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let number = serde_json::from_str::<Number>(text).ok();
    match number.filter(|number| number.to_string() == text) {
        Some(number) => Value::Number(number),
        None => Value::String(text.to_owned()),
    }
}

fn plain(line: usize, value: Value) -> Node {
    let kind = NodeKind::Plain(value);
    Node { line, kind }
}

fn line(span: &Span) -> usize {
    span.start.line().max(1)
}

fn at(span: &Span, message: MisreadProblem) -> TreeParseError {
    TreeParseError {
        line: Some(line(span)),
        column: Some(span.start.col() + 1),
        message,
        hint: MisreadAdvice::MendYaml,
    }
}

fn unreadable(error: &ScanError) -> TreeParseError {
    let place = error.marker();
    TreeParseError {
        line: Some(place.line().max(1)),
        column: Some(place.col() + 1),
        message: MisreadProblem::Unread(error.info().to_owned()),
        hint: MisreadAdvice::MendYaml,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        read(text).expect("YAML").to_value()
    }

    #[test]
    fn words_are_what_they_stand_for_and_versions_stay_texts() {
        let text = "a: 1.10\nb: 8080\nc: 'true'\nd: yes\ne: true\nf: ~\ng: 1e3\nh: !!str 5\n? i\n";
        assert_eq!(
            value(text),
            serde_json::json!({"a": "1.10", "b": 8080, "c": "true", "d": "yes", "e": true,
                "f": null, "g": "1e3", "h": "5", "i": null})
        );
    }

    #[test]
    fn yaml_merge_keeps_explicit_keys() {
        let text = "base: &b {command: x, args: [a]}\none:\n  <<: *b\n  command: y\n";
        assert_eq!(
            value(text)["one"],
            serde_json::json!({"command": "y", "args": ["a"]})
        );
    }

    #[test]
    fn lines_are_those_of_keys() {
        let node = read("# c\nmcpServers:\n  - name: a\n    command: x\n").expect("YAML");
        assert_eq!(node.members().expect("an object")[0].line, 2);
        let Some(NodeKind::List(list)) = node.get("mcpServers").map(|list| &list.kind) else {
            panic!("no list: {node:?}");
        };
        assert_eq!(list[0].line, 3);
    }

    #[test]
    fn a_bomb_of_aliases_is_refused_and_one_inside_of_itself() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for turn in 1..12 {
            let before = format!("*a{}, ", turn - 1).repeat(10);
            bomb.push_str(&format!("a{turn}: &a{turn} [{before}]\n"));
        }
        let error = read(&bomb).expect_err("too much");
        assert!(error.message.to_string().contains("values"), "{error}");
        let long = format!(
            "a: &a {}\nb: [{}]\n",
            "x".repeat(200_000),
            "*a, ".repeat(5_000)
        );
        assert!(read(&long).is_err());
        assert!(read("a: &a [*a]\n").is_err());
    }

    #[test]
    fn an_error_names_line_and_column() {
        let error = read("a: 1\nb: [1, 2\nc: 3\n").expect_err("not closed");
        assert!(error.line.is_some() && error.column.is_some(), "{error}");
        let deep = read(&"[".repeat(5_000)).expect_err("deep");
        assert!(deep.line == Some(1), "{deep}");
    }
}
