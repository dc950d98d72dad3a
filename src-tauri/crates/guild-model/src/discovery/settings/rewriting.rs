//! Rewrites `config.yml` with new settings. Only lines with changed values are edited.

use super::reading::{Name, pair, without_comment};
use super::{DiscoverySettings, PredictionSettings};

/// A field and its value. `None` removes the field.
type DiscoveryFieldEdit = (&'static str, Option<String>);

/// Returns the text with new settings. If the text can't be changed line by line, it is returned
/// without the change, which the caller detects when it parses the result.
pub(super) fn rewritten(text: &str, old: &DiscoverySettings, new: &DiscoverySettings) -> String {
    let end = match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    // Each line includes its line end.
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
        last.push_str(end);
    }
    for (name, old, new) in [
        (Name::Discovery, of_discovery(old), of_discovery(new)),
        (
            Name::Prediction,
            of_prediction(&old.prediction),
            of_prediction(&new.prediction),
        ),
    ] {
        let changed: Vec<DiscoveryFieldEdit> = new
            .into_iter()
            .filter(|field| !old.contains(field))
            .collect();
        if !changed.is_empty() {
            change(&mut lines, name, changed, end);
        }
    }
    lines.concat()
}

fn of_discovery(settings: &DiscoverySettings) -> Vec<DiscoveryFieldEdit> {
    vec![
        ("enabled", Some(settings.enabled.to_string())),
        ("timeout", settings.timeout_ms.map(|ms| ms.to_string())),
        ("cache", Some(settings.cache.to_string())),
    ]
}

fn of_prediction(settings: &PredictionSettings) -> Vec<DiscoveryFieldEdit> {
    let some = |text: &String| (!text.is_empty()).then(|| text.clone());
    vec![
        ("enabled", Some(settings.enabled.to_string())),
        ("url", some(&settings.url)),
        (
            "model",
            some(&settings.model).map(|name| format!("\"{name}\"")),
        ),
        ("key", settings.key.clone()),
        ("timeout", Some(settings.timeout_ms.to_string())),
    ]
}

fn change(lines: &mut Vec<String>, name: Name, fields: Vec<DiscoveryFieldEdit>, end: &str) {
    let begin = lines.iter().position(|line| begins(line, name));
    let Some(begin) = begin else {
        lines.push(format!("{}:{end}", name.as_str()));
        let written =
            |(key, value): DiscoveryFieldEdit| value.map(|value| format!("  {key}: {value}{end}"));
        lines.extend(fields.into_iter().filter_map(written));
        return;
    };
    unfold(lines, begin, end);
    let indented = |line: &&String| line.starts_with(' ') || without_comment(line).is_empty();
    let below = lines[begin + 1..].iter().take_while(indented);
    let mut section: Vec<String> = below.cloned().collect();
    let length = section.len();
    let is_field = |line: &String| !without_comment(line).trim().is_empty();
    let first = section.iter().find(|line| is_field(line));
    let indent = first.map_or(2, |line| line.len() - line.trim_start_matches(' ').len());
    for (key, value) in fields {
        let at = section.iter().position(|line| {
            pair(without_comment(line).trim_start()).is_some_and(|(found, _)| found == key)
        });
        match (at, value) {
            (Some(at), Some(value)) => {
                let content = without_comment(&section[at]);
                let comment = section[at][content.len()..].to_owned();
                section[at] = format!("{:indent$}{key}: {value}{comment}", "");
            }
            (Some(at), None) => {
                section.remove(at);
            }
            (None, Some(value)) => {
                let last = section.iter().rposition(is_field);
                let at = last.map_or(0, |last| last + 1);
                section.insert(at, format!("{:indent$}{key}: {value}{end}", ""));
            }
            (None, None) => {}
        }
    }
    lines.splice(begin + 1..begin + 1 + length, section);
}

/// Checks whether a section begins on this line.
fn begins(line: &str, name: Name) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    pair(without_comment(line)).is_some_and(|(key, _)| key == name.as_str())
}

/// Rewrites a section in braces to one line for each field.
fn unfold(lines: &mut Vec<String>, begin: usize, end: &str) {
    let content = without_comment(&lines[begin]).to_owned();
    let Some((head, rest)) = content.split_once('{') else {
        return;
    };
    let comment = lines[begin][content.len()..].to_owned();
    let fields = rest.trim_end_matches('}').split(',').map(str::trim);
    let fields: Vec<String> = fields
        .filter(|field| !field.is_empty())
        .map(|field| format!("  {field}{end}"))
        .collect();
    lines[begin] = format!("{}{comment}", head.trim_end());
    lines.splice(begin + 1..begin + 1, fields);
}
