//! Parses the arguments of the menu's tools, such as `tools_search`. The error texts are written for
//! models.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{BATCH_MAX, CONTEXT_CHARS, FOUND_DEFAULT, FOUND_MAX, MenuTool, SEARCH_CHARS_MAX};
use guild_model::id::TOOL_NAME_MAX;
use guild_text::messages::JsonKind;

/// Maximum of an offset or a number of characters in a result.
const PLACE_MAX: usize = 1 << 32;

/// A call of a menu tool.
#[derive(Debug, Clone)]
pub enum MenuCall {
    /// Find tools.
    Search {
        /// The task.
        task: String,
        /// Maximum number of hits, from 1 to [`FOUND_MAX`].
        limit: usize,
    },
    /// Describe one tool.
    Describe {
        /// The tool's exposed name.
        name: String,
    },
    /// Describe several tools.
    DescribeBatch {
        /// The tools' exposed names without duplicates, 1 to [`BATCH_MAX`].
        names: Vec<String>,
    },
    /// Call a read-only tool.
    CallRead {
        /// The tool's exposed name.
        name: String,
        /// The tool's arguments as the source text of a JSON object.
        arguments: Option<Box<RawValue>>,
    },
    /// Call any other tool.
    CallWrite {
        /// The tool's exposed name.
        name: String,
        /// The tool's arguments as the source text of a JSON object.
        arguments: Option<Box<RawValue>>,
    },
    /// Read a part of a result that was cut.
    ReadResult {
        /// The handle from the cut result.
        handle: String,
        /// The requested part.
        part: ResultPart,
    },
}

/// A part of a result. Offsets count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultPart {
    /// A page of the text.
    Text {
        /// The first character, or the first line.
        offset: usize,
        /// Maximum number of characters or lines. `None` for as many as fit.
        limit: Option<usize>,
        /// Whether lines are counted, not characters.
        lines: bool,
    },
    /// A part of JSON.
    Json {
        /// The JSON Pointer of the part.
        pointer: String,
        /// The first element of an array, field of an object or character of a string.
        offset: usize,
        /// Maximum number of elements, fields or characters. `None` for as many as fit.
        limit: Option<usize>,
    },
    /// The places where a text occurs.
    Matches {
        /// The text, at most [`SEARCH_CHARS_MAX`] characters.
        search: String,
        /// Whether the text is a regular expression.
        regex: bool,
        /// Characters to show on each side of a match.
        context: usize,
        /// The character at which the search begins.
        offset: usize,
        /// Maximum number of matches. `None` for as many as fit.
        limit: Option<usize>,
    },
}

impl MenuTool {
    /// Parses a call's arguments.
    ///
    /// # Errors
    /// The problem, as a sentence for the model that wrote the arguments.
    pub fn read(self, arguments: Option<&RawValue>) -> Result<MenuCall, String> {
        let text = arguments.map_or("{}", RawValue::get);
        let fields: BTreeMap<String, &RawValue> = match serde_json::from_str(text) {
            Ok(fields) => fields,
            Err(_) => return Err(format!("{} takes an object of arguments.", self.name())),
        };
        let fields = MenuArguments { of: self, fields };
        match self {
            Self::Search => {
                fields.only(&["task", "limit"])?;
                Ok(MenuCall::Search {
                    task: fields.text("task")?,
                    limit: fields.limit()?,
                })
            }
            Self::Describe => {
                fields.only(&["name"])?;
                let name = fields.text("name")?;
                Ok(MenuCall::Describe { name })
            }
            Self::DescribeBatch => {
                fields.only(&["names"])?;
                let names = fields.names()?;
                Ok(MenuCall::DescribeBatch { names })
            }
            Self::CallRead => {
                let (name, arguments) = fields.call()?;
                Ok(MenuCall::CallRead { name, arguments })
            }
            Self::CallWrite => {
                let (name, arguments) = fields.call()?;
                Ok(MenuCall::CallWrite { name, arguments })
            }
            Self::ReadResult => Ok(MenuCall::ReadResult {
                handle: fields.text("handle")?,
                part: fields.part()?,
            }),
        }
    }
}

struct MenuArguments<'a> {
    of: MenuTool,
    fields: BTreeMap<String, &'a RawValue>,
}

impl MenuArguments<'_> {
    /// Rejects unknown arguments, so that a typo is reported and not ignored.
    fn only(&self, known: &[&str]) -> Result<(), String> {
        self.only_of(self.of.name(), known)
    }

    fn only_of(&self, of: &str, known: &[&str]) -> Result<(), String> {
        // Some models send `null` for arguments that they leave out.
        let mut given = self.fields.iter().filter(|(_, raw)| raw.get() != "null");
        let Some((name, _)) = given.find(|(name, _)| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let name: String = name.chars().take(80).collect();
        Err(format!(
            "{of} has no argument {name:?}; it takes {}.",
            known.join(" and ")
        ))
    }

    /// Returns an argument, if it is present and not `null`.
    fn value(&self, name: &str) -> Result<Option<Value>, String> {
        let Some(raw) = self.fields.get(name) else {
            return Ok(None);
        };
        match serde_json::from_str(raw.get()) {
            Ok(Value::Null) => Ok(None),
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(format!("{name} can't be read: {error}.")),
        }
    }

    fn missing(&self, name: &str) -> String {
        format!("{} needs {name}.", self.of.name())
    }

    fn text(&self, name: &str) -> Result<String, String> {
        match self.value(name)? {
            Some(Value::String(text)) if text.trim().is_empty() => Err(format!("{name} is empty.")),
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(format!("{name} is {}, not a text.", JsonKind::of(&other))),
            None => Err(self.missing(name)),
        }
    }

    fn limit(&self) -> Result<usize, String> {
        Ok(self.number("limit", 1, FOUND_MAX)?.unwrap_or(FOUND_DEFAULT))
    }

    /// Returns a whole number, if it is present.
    fn number(&self, name: &str, min: usize, max: usize) -> Result<Option<usize>, String> {
        let Some(value) = self.value(name)? else {
            return Ok(None);
        };
        // Models also write 5.0.
        let whole = value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && (min as f64..=max as f64).contains(number));
        match whole {
            Some(whole) => Ok(Some(whole as usize)),
            None => Err(format!(
                "{name} is a whole number from {min} to {max}, or left out."
            )),
        }
    }

    fn flag(&self, name: &str) -> Result<bool, String> {
        match self.value(name)? {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(format!(
                "{name} is {}, not true or false.",
                JsonKind::of(&other)
            )),
        }
    }

    /// Returns the part of a result that `result_read` reads.
    fn part(&self) -> Result<ResultPart, String> {
        let is_given = |name: &str| self.fields.get(name).is_some_and(|it| it.get() != "null");
        let own: &[&str] = match (is_given("search"), is_given("pointer")) {
            (true, _) => &["search", "regex", "context"],
            (false, true) => &["pointer"],
            (false, false) => &["unit"],
        };
        let with = format!("{} with {}", self.of.name(), own[0]);
        self.only_of(&with, &[&["handle", "offset", "limit"], own].concat())?;
        let offset = self.number("offset", 0, PLACE_MAX)?.unwrap_or(0);
        let limit = self.number("limit", 1, PLACE_MAX)?;
        if is_given("search") {
            let search = self.text("search")?;
            if search.chars().count() > SEARCH_CHARS_MAX {
                return Err(format!("search has at most {SEARCH_CHARS_MAX} characters."));
            }
            let (max, usual) = CONTEXT_CHARS;
            return Ok(ResultPart::Matches {
                search,
                regex: self.flag("regex")?,
                context: self.number("context", 0, max)?.unwrap_or(usual),
                offset,
                limit,
            });
        }
        let lines = match (self.value("pointer")?, self.value("unit")?) {
            (Some(Value::String(pointer)), _) => {
                return Ok(ResultPart::Json {
                    pointer,
                    offset,
                    limit,
                });
            }
            (Some(_), _) => return Err("pointer must be a string.".into()),
            (None, None) => false,
            (None, Some(unit)) if unit == "characters" => false,
            (None, Some(unit)) if unit == "lines" => true,
            _ => return Err("unit is \"characters\" or \"lines\".".into()),
        };
        Ok(ResultPart::Text {
            offset,
            limit,
            lines,
        })
    }

    fn names(&self) -> Result<Vec<String>, String> {
        let listed = match self.value("names")? {
            Some(Value::Array(listed)) => listed,
            Some(other) => {
                let kind = JsonKind::of(&other);
                return Err(format!("names is {kind}, not a list of names."));
            }
            None => return Err(self.missing("names")),
        };
        if listed.is_empty() || listed.len() > BATCH_MAX {
            let count = listed.len();
            return Err(format!(
                "names has {count} entries; 1 to {BATCH_MAX} can be described at once."
            ));
        }
        let mut names: Vec<String> = Vec::with_capacity(listed.len());
        for (place, entry) in listed.into_iter().enumerate() {
            match entry {
                Value::String(name) if names.contains(&name) => {}
                Value::String(name) if name.len() <= TOOL_NAME_MAX => names.push(name),
                Value::String(_) => {
                    return Err(format!("names/{place} is longer than any tool's name."));
                }
                other => {
                    let kind = JsonKind::of(&other);
                    return Err(format!("names/{place} is {kind}, not a name."));
                }
            }
        }
        Ok(names)
    }

    fn call(&self) -> Result<(String, Option<Box<RawValue>>), String> {
        self.only(&["name", "arguments"])
            .map_err(|error| format!("{error} The tool's own arguments go in `arguments`."))?;
        let name = self.text("name")?;
        let arguments = self.fields.get("arguments").map(|raw| (*raw).to_owned());
        let arguments = arguments.filter(|raw| raw.get() != "null");
        match &arguments {
            Some(raw) if !raw.get().starts_with('{') => {
                Err("arguments must be a JSON object, not a string or a list.".into())
            }
            _ => Ok((name, arguments)),
        }
    }
}
