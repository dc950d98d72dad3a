//! `config.yml` of the data folder: whether and how servers are asked in other ways (seed 004).
//!
//! Of YAML it may have what this takes: comments, and under `discovery` three plain values, a line
//! each or all in braces. Everything else (anchors, tags, several documents, texts over lines) is an
//! error that names its line, so that no setting is ever passed over or taken for another.

use crate::error::{Code, Report};

/// The file's name in the data folder.
pub const DISCOVERY_FILE: &str = "config.yml";
/// The largest file that is read, in bytes.
pub const DISCOVERY_BYTES_MAX: u64 = 64 * 1024;

/// The shortest and the longest time limit, in milliseconds.
const TIMEOUT_MS: std::ops::RangeInclusive<u64> = 100..=600_000;
const FIELDS: &str = "`enabled`, `timeout` and `cache`";

/// Whether and how servers that speak the protocol badly are asked in other ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscoverySettings {
    /// Whether they are.
    pub enabled: bool,
    /// How long one may take in all, in milliseconds, where its manifest has no `discovery_ms` of
    /// its own.
    pub timeout_ms: Option<u64>,
    /// Whether what was found is kept for the next start.
    pub cache: bool,
}

impl Default for DiscoverySettings {
    fn default() -> Self {
        Self {
            enabled: true,
            timeout_ms: None,
            cache: true,
        }
    }
}

/// What is wrong with a line.
type Wrong = (usize, String);

impl DiscoverySettings {
    /// Reads the file. An empty one has the defaults.
    ///
    /// # Errors
    /// `discovery-settings`, with the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Report> {
        read(bytes).map_err(|(line, wrong)| {
            Report::new(
                Code::DiscoverySettings,
                format!("{DISCOVERY_FILE}:{line}: {wrong}."),
                "It has the one section `discovery`, indented below it `enabled: true`, \
                 `timeout: 10000` (milliseconds) and `cache: true`, each of them optional.",
            )
        })
    }
}

fn read(bytes: &[u8]) -> Result<DiscoverySettings, Wrong> {
    if bytes.len() as u64 > DISCOVERY_BYTES_MAX {
        let length = bytes.len();
        return Err((
            1,
            format!("the file has {length} bytes; {DISCOVERY_BYTES_MAX} are the most"),
        ));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        (line, "not UTF-8".to_owned())
    })?;
    let mut reading = Reading::default();
    for (index, line) in text.lines().enumerate() {
        reading.line(line).map_err(|wrong| (index + 1, wrong))?;
    }
    Ok(reading.settings())
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Reading {
    enabled: Option<bool>,
    timeout_ms: Option<u64>,
    cache: Option<bool>,
    section: Section,
}

/// Where the next line belongs.
#[derive(Debug, Default)]
enum Section {
    /// The section has not begun.
    #[default]
    Before,
    /// Its fields stand below, indented by as much as the first of them.
    Below(Option<usize>),
    /// All of it stood in braces.
    Complete,
}

impl Reading {
    fn settings(&self) -> DiscoverySettings {
        let defaults = DiscoverySettings::default();
        DiscoverySettings {
            enabled: self.enabled.unwrap_or(defaults.enabled),
            timeout_ms: self.timeout_ms,
            cache: self.cache.unwrap_or(defaults.cache),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = without_comment(line);
        let content = line.trim_start_matches(' ');
        if content.is_empty() || content == "---" && matches!(self.section, Section::Before) {
            return Ok(());
        }
        if content.starts_with('\t') {
            return Err("it is indented by a tab; YAML wants spaces".into());
        }
        let indent = line.len() - content.len();
        match (&mut self.section, indent) {
            (Section::Before, 0) => self.begin(content),
            (_, 0) => Err(format!("{} is not known here", quoted(content))),
            (Section::Below(first), indent) => {
                let first = *first.get_or_insert(indent);
                if indent != first {
                    return Err(format!(
                        "it is indented by {indent}, and those before it by {first}"
                    ));
                }
                self.field(content)
            }
            (Section::Before | Section::Complete, _) => {
                Err("it is indented, and belongs to nothing".into())
            }
        }
    }

    fn begin(&mut self, content: &str) -> Result<(), String> {
        let (key, value) = pair(content)?;
        if key != "discovery" {
            return Err(format!(
                "there is no section {}; `discovery` is the only one",
                quoted(key)
            ));
        }
        let in_braces = value.strip_prefix('{').map(|rest| rest.strip_suffix('}'));
        match in_braces {
            None if value.is_empty() => self.section = Section::Below(None),
            None => {
                return Err(format!(
                    "`discovery` has {FIELDS} below it, not {}",
                    quoted(value)
                ));
            }
            Some(None) => return Err("the brace is not closed on this line".into()),
            Some(Some(fields)) => {
                for field in fields.split(',').filter(|_| !fields.trim().is_empty()) {
                    self.field(field.trim())?;
                }
                self.section = Section::Complete;
            }
        }
        Ok(())
    }

    fn field(&mut self, content: &str) -> Result<(), String> {
        let (key, value) = pair(content)?;
        let twice = match key {
            "enabled" => self.enabled.replace(flag(value)?).is_some(),
            "timeout" => self.timeout_ms.replace(millis(value)?).is_some(),
            "cache" => self.cache.replace(flag(value)?).is_some(),
            _ => return Err(format!("`discovery` has {FIELDS}, and no {}", quoted(key))),
        };
        if twice {
            return Err(format!("`{key}` stands here twice"));
        }
        Ok(())
    }
}

/// A comment begins a line, or follows a space.
fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|&at| at == 0 || line[..at].ends_with([' ', '\t']));
    line[..comment.unwrap_or(line.len())].trim_end()
}

fn pair(content: &str) -> Result<(&str, &str), String> {
    let unfit = || format!("{} is no `name: value`", quoted(content));
    let (key, value) = content.split_once(':').ok_or_else(unfit)?;
    if !(value.is_empty() || value.starts_with(' ')) {
        return Err(unfit());
    }
    Ok((key.trim_end(), value.trim()))
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" => Ok(false),
        _ => Err(format!("it is either true or false, not {}", quoted(value))),
    }
}

fn millis(value: &str) -> Result<u64, String> {
    let number = value.parse().ok().filter(|ms| TIMEOUT_MS.contains(ms));
    number.ok_or_else(|| {
        let (least, most) = TIMEOUT_MS.into_inner();
        format!(
            "it is a whole number of milliseconds from {least} to {most}, not {}",
            quoted(value)
        )
    })
}

/// A part of the file as an error repeats it.
fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(40).collect();
    format!("{cut:?}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, enabled: bool, timeout_ms: Option<u64>, cache: bool) {
        let expected = DiscoverySettings {
            enabled,
            timeout_ms,
            cache,
        };
        assert_eq!(
            DiscoverySettings::parse(text.as_bytes()),
            Ok(expected),
            "{text}"
        );
    }

    fn refused(text: &str, at: &str) {
        let report = DiscoverySettings::parse(text.as_bytes()).expect_err(text);
        assert_eq!(report.code, Code::DiscoverySettings);
        assert!(
            report.message.starts_with(at),
            "{text:?}: {}",
            report.message
        );
    }

    #[test]
    fn the_file_of_the_seed_is_read() {
        let seed = "discovery:\n  # Enable or disable direct tool discovery\n  enabled: true\n  \
                    # Timeout for server queries (milliseconds)\n  timeout: 10000\n  # Cache \
                    discovery results to avoid repeated queries\n  cache: true\n";
        check(seed, true, Some(10_000), true);
        check("", true, None, true);
        check("\u{feff}---\r\n# nothing\r\n", true, None, true);
        check(
            "discovery:\r\n    cache: false # not kept\r\n",
            true,
            None,
            false,
        );
        check(
            "discovery: {enabled: false, timeout: 500}\n",
            false,
            Some(500),
            true,
        );
        check("discovery: {}", true, None, true);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        refused(
            "discovery:\n  enabled: yes\n",
            "config.yml:2: it is either true or false",
        );
        refused(
            "discovery:\n  timeout: 10s",
            "config.yml:2: it is a whole number",
        );
        refused(
            "discovery:\n  timeout: 1",
            "config.yml:2: it is a whole number",
        );
        refused(
            "discovery:\n\n  enable: true",
            "config.yml:3: `discovery` has",
        );
        refused(
            "discovery:\n  cache: true\n  cache: true",
            "config.yml:3: `cache` stands here",
        );
        refused(
            "discovery:\n  cache: true\n    enabled: true",
            "config.yml:3: it is indented by 4",
        );
        refused(
            "discovery:\n\tcache: true",
            "config.yml:2: it is indented by a tab",
        );
        refused(
            "discovery:\n  cache:true",
            "config.yml:2: \"cache:true\" is no",
        );
        refused(
            "logging:\n  level: info",
            "config.yml:1: there is no section \"logging\"",
        );
        refused("discovery: on", "config.yml:1: `discovery` has");
        refused("discovery: {cache: true", "config.yml:1: the brace");
        refused(
            "discovery: {}\n  cache: true",
            "config.yml:2: it is indented, and",
        );
        refused("  cache: true", "config.yml:1: it is indented, and");
        refused(
            "discovery: &anchor\n  cache: *anchor",
            "config.yml:1: `discovery` has",
        );
        let report = DiscoverySettings::parse(b"discovery:\n  \xff").expect_err("no UTF-8");
        assert!(
            report.message.starts_with("config.yml:2: not UTF-8"),
            "{report}"
        );
        let large = vec![b'#'; 64 * 1024 + 1];
        let report = DiscoverySettings::parse(&large).expect_err("too large");
        assert!(report.message.contains("65536 are the most"), "{report}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
            if let Err(report) = DiscoverySettings::parse(&bytes) {
                prop_assert!(report.message.starts_with("config.yml:"));
                prop_assert!(report.message.len() < 400);
            }
        }

        #[test]
        fn any_text_of_yaml_s_letters_is_read_or_refused(text in "[discovery:{},#\\- \n\tutrefalsenb0-9]{0,80}") {
            let text = format!("discovery:{text}");
            if let Err(report) = DiscoverySettings::parse(text.as_bytes()) {
                prop_assert!(report.message.starts_with("config.yml:"));
            }
        }
    }
}
