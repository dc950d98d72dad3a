//! Parses `config.yml`.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::{
    ANSWER_MS, DISCOVERY_BYTES_MAX, DiscoveryLineError, DiscoverySettings, TIMEOUT_MS, endpoint,
    key, model, quoted,
};
use crate::messages::{DiscoveryFields, DiscoveryProblem};
use guild_text::tree::{Node, NodeKind, TreeMember, yaml};

pub(super) fn read(bytes: &[u8]) -> Result<DiscoverySettings, DiscoveryLineError> {
    if bytes.len() as u64 > DISCOVERY_BYTES_MAX {
        let length = bytes.len();
        return Err((1, DiscoveryProblem::TooLong(length, DISCOVERY_BYTES_MAX)));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        (line, DiscoveryProblem::NotUtf8)
    })?;
    if let Some(line) = second_document(text) {
        return Err((line, DiscoveryProblem::Unread("a second document".into())));
    }
    let root = yaml::read(text).map_err(|wrong| {
        let line = wrong.line.unwrap_or(1);
        (line, DiscoveryProblem::Unread(wrong.message.to_string()))
    })?;
    let no_pair = || DiscoveryProblem::NoPair(quoted(&text_of(&root)));
    let mut settings = DiscoverySettings::default();
    let mut prediction_line = 1;
    for section in members(&root)?.ok_or_else(|| (root.line, no_pair()))? {
        let Some(name) = Name::parse(&section.key) else {
            let wrong = DiscoveryProblem::NoSection(quoted(&section.key));
            return Err((section.line, wrong));
        };
        if name == Name::Prediction {
            prediction_line = section.line;
        }
        let not_below = || {
            let value = quoted(&text_of(&section.node));
            let wrong = DiscoveryProblem::NotBelow(section.key.clone(), name.fields(), value);
            (section.line, wrong)
        };
        for field in members(&section.node)?.ok_or_else(not_below)? {
            set(&mut settings, name, field).map_err(|wrong| (field.line, wrong))?;
        }
    }
    let complete = settings.prediction.complete();
    complete.map_err(|wrong| (prediction_line, wrong))?;
    Ok(settings)
}

/// Returns the line at which a second YAML document begins, if there is one.
fn second_document(text: &str) -> Option<usize> {
    let is_content = |line: &str| !line.trim_start().is_empty() && !line.starts_with('#');
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| is_content(line));
    lines.next();
    let ends = |line: &str| line.starts_with("---") || line.starts_with("...");
    lines
        .find(|(_, line)| ends(line))
        .map(|(index, _)| index + 1)
}

/// The sections of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    Discovery,
    Prediction,
}

impl Name {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Prediction => "prediction",
        }
    }

    fn fields(self) -> DiscoveryFields {
        match self {
            Self::Discovery => DiscoveryFields::OfDiscovery,
            Self::Prediction => DiscoveryFields::OfPrediction,
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut all = [Self::Discovery, Self::Prediction].into_iter();
        all.find(|name| name.as_str() == text)
    }
}

/// Returns the members of an object, no members for `null`, or `None` for any other value.
fn members(node: &Node) -> Result<Option<&[TreeMember]>, DiscoveryLineError> {
    let members = match &node.kind {
        NodeKind::Object(members) => members.as_slice(),
        NodeKind::Plain(Value::Null) => &[],
        NodeKind::Plain(_) | NodeKind::List(_) => return Ok(None),
    };
    for (at, member) in members.iter().enumerate() {
        if members[..at].iter().any(|before| before.key == member.key) {
            return Err((member.line, DiscoveryProblem::Twice(member.key.clone())));
        }
    }
    Ok(Some(members))
}

fn set(
    settings: &mut DiscoverySettings,
    section: Name,
    field: &TreeMember,
) -> Result<(), DiscoveryProblem> {
    let value = &field.node;
    let prediction = &mut settings.prediction;
    match (section, field.key.as_str()) {
        (Name::Discovery, "enabled") => settings.enabled = flag(value)?,
        (Name::Discovery, "timeout") => settings.timeout_ms = Some(millis(value, TIMEOUT_MS)?),
        (Name::Discovery, "cache") => settings.cache = flag(value)?,
        (Name::Prediction, "enabled") => prediction.enabled = flag(value)?,
        (Name::Prediction, "url") => prediction.url = endpoint(&text_of(value))?,
        (Name::Prediction, "model") => prediction.model = model(&text_of(value))?,
        (Name::Prediction, "key") => prediction.key = Some(key(&text_of(value))?),
        (Name::Prediction, "timeout") => prediction.timeout_ms = millis(value, ANSWER_MS)?,
        _ => {
            let (of, fields) = (section.as_str(), section.fields());
            return Err(DiscoveryProblem::NoField(of, fields, quoted(&field.key)));
        }
    }
    Ok(())
}

/// Returns a string unchanged, or another value as JSON.
fn text_of(node: &Node) -> String {
    match node.to_value() {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

fn flag(node: &Node) -> Result<bool, DiscoveryProblem> {
    let flag = node.to_value().as_bool();
    flag.ok_or_else(|| DiscoveryProblem::NoFlag(quoted(&text_of(node))))
}

fn millis(node: &Node, range: RangeInclusive<u64>) -> Result<u64, DiscoveryProblem> {
    let number = node.to_value().as_u64().filter(|ms| range.contains(ms));
    number.ok_or_else(|| {
        let (least, most) = range.into_inner();
        DiscoveryProblem::NoMillis(least, most, quoted(&text_of(node)))
    })
}

/// Removes a comment. A comment begins at the start of the line or after a space.
pub(super) fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|&at| at == 0 || line[..at].ends_with([' ', '\t']));
    line[..comment.unwrap_or(line.len())].trim_end()
}

/// Splits a line of the form `name: value`.
pub(super) fn pair(content: &str) -> Option<(&str, &str)> {
    let (key, value) = content.split_once(':')?;
    let is_pair = value.is_empty() || value.starts_with(' ');
    is_pair.then(|| (key.trim_end(), value.trim()))
}
