//! Parses the file line by line.

use super::{
    ANSWER_MS, DISCOVERY_BYTES_MAX, DiscoverySettings, TIMEOUT_MS, Wrong, endpoint, key, model,
    quoted,
};
use crate::note::{DiscoveryFields, DiscoveryWrong};

pub(super) fn read(bytes: &[u8]) -> Result<DiscoverySettings, Wrong> {
    if bytes.len() as u64 > DISCOVERY_BYTES_MAX {
        let length = bytes.len();
        return Err((1, DiscoveryWrong::TooLong(length, DISCOVERY_BYTES_MAX)));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        (line, DiscoveryWrong::NotUtf8)
    })?;
    let mut reading = Reading::default();
    for (index, line) in text.lines().enumerate() {
        reading
            .line(index + 1, line)
            .map_err(|wrong| (index + 1, wrong))?;
    }
    reading.settings()
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

#[derive(Debug, Default)]
struct Reading {
    enabled: Option<bool>,
    timeout_ms: Option<u64>,
    cache: Option<bool>,
    may_predict: Option<bool>,
    url: Option<String>,
    model: Option<String>,
    key: Option<String>,
    answer_ms: Option<u64>,
    section: Section,
    begun: Vec<(Name, usize)>,
}

/// The section of the next line.
#[derive(Debug, Default, Clone, Copy)]
enum Section {
    #[default]
    Before,
    /// Its fields follow, with the indentation of the first one.
    Below(Name, Option<usize>),
    /// The section is complete, since it was in braces.
    Complete,
}

impl Reading {
    fn settings(self) -> Result<DiscoverySettings, Wrong> {
        let mut settings = DiscoverySettings {
            timeout_ms: self.timeout_ms,
            ..DiscoverySettings::default()
        };
        settings.enabled = self.enabled.unwrap_or(settings.enabled);
        settings.cache = self.cache.unwrap_or(settings.cache);
        let prediction = &mut settings.prediction;
        prediction.enabled = self.may_predict.unwrap_or(prediction.enabled);
        prediction.timeout_ms = self.answer_ms.unwrap_or(prediction.timeout_ms);
        prediction.url = self.url.unwrap_or_default();
        prediction.model = self.model.unwrap_or_default();
        prediction.key = self.key;
        let begun = self
            .begun
            .iter()
            .find(|(name, _)| *name == Name::Prediction);
        let line = begun.map_or(1, |(_, line)| *line);
        prediction.complete().map_err(|wrong| (line, wrong))?;
        Ok(settings)
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), DiscoveryWrong> {
        let line = without_comment(line);
        let content = line.trim_start_matches(' ');
        if content.is_empty() || content == "---" && matches!(self.section, Section::Before) {
            return Ok(());
        }
        if content.starts_with('\t') {
            return Err(DiscoveryWrong::Tab);
        }
        let indent = line.len() - content.len();
        match (&mut self.section, indent) {
            (_, 0) => self.begin(number, content),
            (Section::Below(name, first), indent) => {
                let (name, first) = (*name, *first.get_or_insert(indent));
                if indent != first {
                    return Err(DiscoveryWrong::OtherIndent(indent, first));
                }
                self.field(name, content)
            }
            (Section::Before | Section::Complete, _) => Err(DiscoveryWrong::BelowNothing),
        }
    }

    fn begin(&mut self, number: usize, content: &str) -> Result<(), DiscoveryWrong> {
        let (key, value) = pair(content)?;
        let Some(name) = Name::parse(key) else {
            return Err(DiscoveryWrong::NoSection(quoted(key)));
        };
        if self.begun.iter().any(|(begun, _)| *begun == name) {
            return Err(DiscoveryWrong::Twice(key.to_owned()));
        }
        self.begun.push((name, number));
        let in_braces = value.strip_prefix('{').map(|rest| rest.strip_suffix('}'));
        match in_braces {
            None if value.is_empty() => self.section = Section::Below(name, None),
            // A reference contains braces itself.
            Some(_) if name == Name::Prediction => {
                return Err(DiscoveryWrong::NoBraces);
            }
            None => {
                let (key, value) = (key.to_owned(), quoted(value));
                return Err(DiscoveryWrong::NotBelow(key, name.fields(), value));
            }
            Some(None) => return Err(DiscoveryWrong::OpenBrace),
            Some(Some(fields)) => {
                for field in fields.split(',').filter(|_| !fields.trim().is_empty()) {
                    self.field(name, field.trim())?;
                }
                self.section = Section::Complete;
            }
        }
        Ok(())
    }

    fn field(&mut self, section: Name, content: &str) -> Result<(), DiscoveryWrong> {
        let (name, value) = pair(content)?;
        let twice = match (section, name) {
            (Name::Discovery, "enabled") => self.enabled.replace(flag(value)?).is_some(),
            (Name::Discovery, "timeout") => self
                .timeout_ms
                .replace(millis(value, TIMEOUT_MS)?)
                .is_some(),
            (Name::Discovery, "cache") => self.cache.replace(flag(value)?).is_some(),
            (Name::Prediction, "enabled") => self.may_predict.replace(flag(value)?).is_some(),
            (Name::Prediction, "url") => self.url.replace(endpoint(plain(value)?)?).is_some(),
            (Name::Prediction, "model") => self.model.replace(model(plain(value)?)?).is_some(),
            (Name::Prediction, "key") => self.key.replace(key(plain(value)?)?).is_some(),
            (Name::Prediction, "timeout") => {
                self.answer_ms.replace(millis(value, ANSWER_MS)?).is_some()
            }
            _ => {
                let (of, fields) = (section.as_str(), section.fields());
                return Err(DiscoveryWrong::NoField(of, fields, quoted(name)));
            }
        };
        if twice {
            return Err(DiscoveryWrong::Twice(name.to_owned()));
        }
        Ok(())
    }
}

/// Strips a comment. A comment begins the line or follows a space.
pub(super) fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|&at| at == 0 || line[..at].ends_with([' ', '\t']));
    line[..comment.unwrap_or(line.len())].trim_end()
}

pub(super) fn pair(content: &str) -> Result<(&str, &str), DiscoveryWrong> {
    let unfit = || DiscoveryWrong::NoPair(quoted(content));
    let (key, value) = content.split_once(':').ok_or_else(unfit)?;
    if !(value.is_empty() || value.starts_with(' ')) {
        return Err(unfit());
    }
    Ok((key.trim_end(), value.trim()))
}

/// Parses a text with or without quotes.
fn plain(value: &str) -> Result<&str, DiscoveryWrong> {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            let inner = rest.strip_suffix(quote);
            let whole = inner.filter(|inner| !inner.contains([quote, '\\']));
            return whole.ok_or(DiscoveryWrong::OpenQuote);
        }
    }
    Ok(value)
}

fn flag(value: &str) -> Result<bool, DiscoveryWrong> {
    match value {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" => Ok(false),
        _ => Err(DiscoveryWrong::NoFlag(quoted(value))),
    }
}

fn millis(value: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64, DiscoveryWrong> {
    let number = value.parse().ok().filter(|ms| range.contains(ms));
    number.ok_or_else(|| {
        let (least, most) = range.into_inner();
        DiscoveryWrong::NoMillis(least, most, quoted(value))
    })
}
