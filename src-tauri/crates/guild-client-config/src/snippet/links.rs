//! Reads links that install a server in another program: VS Code's, Cursor's and similar ones. A
//! link contains an entry of the program's file, as JSON or base64.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value, json};

use super::super::normalize::single;
use super::super::program::ClientProgram;
use super::super::servers::{Dialect, inputs_of};
use super::shapes::{self, SnippetServers};
use guild_model::link::decoded;
use guild_text::messages::{MisreadAdvice, MisreadProblem};
use guild_text::tree::{self, Node, TreeParseError};

/// Maximum size of a link, in bytes.
const LINK_MAX: usize = 64 * 1024;
/// Maximum number of links that are read from one text.
const LINKS_MAX: usize = 16;
/// Configuration that accepts base64 with and without padding.
const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
/// Characters that end a link inside other text.
const ENDS: &[char] = &['(', ')', '<', '>', '[', ']', '"', '\'', '`'];
/// Schemes and prefixes of links.
const SCHEMES: &[&str] = &[
    "vscode:",
    "vscode-insiders:",
    "cursor:",
    "lmstudio:",
    "kiro:",
    "goose:",
    "https:",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InstallLink<'t> {
    /// The link's line in the text, from 1.
    line: usize,
    form: LinkForm,
    query: &'t str,
}

/// The format of a link's query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkForm {
    /// VS Code: the query is JSON, or has the parameters `name` and `config`.
    VsCode,
    /// VS Code's web redirect: the parameter `url` contains the link.
    VsCodeRedirect,
    /// The parameters `name` and `config`.
    Named(Dialect),
    /// Goose: the words of a command, one per parameter.
    Goose,
}

/// Returns the links in a text. The whole text may be one link, or links may be between other
/// words.
pub(super) fn of_text(text: &str) -> Vec<InstallLink<'_>> {
    let begin = text.len() - text.trim_start().len();
    let first = text[..begin].matches('\n').count() + 1;
    let whole = text.trim();
    // JSON in a link may contain unencoded spaces.
    if !whole.contains('\n')
        && let Some(link) = read(whole, first)
    {
        return vec![link];
    }
    let mut links = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for word in line.split(|c: char| c.is_whitespace() || ENDS.contains(&c)) {
            links.extend(read(word, at + 1));
            if links.len() == LINKS_MAX {
                return links;
            }
        }
    }
    links
}

/// Checks whether a text is an install link.
pub fn is_install_link(text: &str) -> bool {
    read(text.trim(), 1).is_some()
}

fn read(word: &str, line: usize) -> Option<InstallLink<'_>> {
    let (address, query) = word.split_once('?')?;
    let is_known = |scheme: &&str| {
        let head = address.get(..scheme.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    let scheme = SCHEMES.iter().find(|scheme| is_known(scheme))?;
    let rest = address[scheme.len()..].to_ascii_lowercase();
    let rest = rest.trim_start_matches('/').trim_end_matches('/');
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let cursor = Dialect::Of(ClientProgram::Cursor);
    let form = match (*scheme, rest) {
        ("vscode:" | "vscode-insiders:", "mcp/install") => LinkForm::VsCode,
        (
            "https:",
            "vscode.dev/redirect/mcp/install" | "insiders.vscode.dev/redirect/mcp/install",
        ) => LinkForm::VsCode,
        ("https:", "vscode.dev/redirect" | "insiders.vscode.dev/redirect") => {
            LinkForm::VsCodeRedirect
        }
        ("cursor:", "anysphere.cursor-deeplink/mcp/install") => LinkForm::Named(cursor),
        ("https:", rest)
            if rest.starts_with("cursor.com/")
                && (rest.ends_with("/install-mcp") || rest.ends_with("/mcp/install")) =>
        {
            LinkForm::Named(cursor)
        }
        ("lmstudio:", "add_mcp")
        | ("https:", "lmstudio.ai/install-mcp")
        | ("kiro:", "kiro.mcp/add")
        | ("https:", "kiro.dev/launch/mcp/add") => LinkForm::Named(Dialect::Any),
        ("goose:", "extension") => LinkForm::Goose,
        _ => return None,
    };
    Some(InstallLink { line, form, query })
}

impl InstallLink<'_> {
    /// Reads the servers that the link installs.
    ///
    /// # Errors
    /// If the link contains no server.
    pub(super) fn listed(&self) -> Result<SnippetServers, TreeParseError> {
        if self.query.len() > LINK_MAX {
            return Err(self.wrong(MisreadProblem::LinkTooLong(LINK_MAX >> 10)));
        }
        let mut listed = match self.form {
            LinkForm::VsCode => self.of_vs_code()?,
            LinkForm::VsCodeRedirect => {
                let url = self.parameter("url")?.ok_or_else(|| self.empty())?;
                let inner = read(&url, self.line).ok_or_else(|| self.empty())?;
                if inner.form == LinkForm::VsCodeRedirect {
                    return Err(self.empty());
                }
                inner.listed()?
            }
            LinkForm::Named(dialect) => self.named(dialect)?,
            LinkForm::Goose => self.of_goose()?,
        };
        for found in &mut listed.found {
            found.entry.line = self.line;
        }
        Ok(listed)
    }

    fn of_vs_code(&self) -> Result<SnippetServers, TreeParseError> {
        let dialect = Dialect::Of(ClientProgram::VsCode);
        if !self.query.starts_with('{') && !self.query.starts_with("%7") {
            return self.named(dialect);
        }
        let node = self.json(&self.text_of(self.query)?)?;
        self.of_entry(&node, dialect, None)
    }

    /// Reads the parameters `name` and `config`. `config` is JSON or base64.
    fn named(&self, dialect: Dialect) -> Result<SnippetServers, TreeParseError> {
        let config = self.parameter("config")?.ok_or_else(|| self.empty())?;
        let config = match config.trim_start().starts_with('{') {
            true => config,
            false => of_base64(&config).ok_or_else(|| self.wrong(MisreadProblem::NoBase64))?,
        };
        let node = self.json(&config)?;
        let mut listed = self.of_entry(&node, dialect, self.parameter("name")?)?;
        if let Some(inputs) = self.parameter("inputs")? {
            let inputs = self.json(&inputs)?;
            listed.inputs.extend(inputs_of(Some(inputs.to_value())));
        }
        Ok(listed)
    }

    fn of_entry(
        &self,
        node: &Node,
        dialect: Dialect,
        name: Option<String>,
    ) -> Result<SnippetServers, TreeParseError> {
        let name = name.filter(|name| !name.trim().is_empty());
        let Some(mut found) = single(node) else {
            let listed = shapes::listed(node, false);
            return listed.map_err(|wrong| self.wrong(MisreadProblem::InLink(wrong.to_string())));
        };
        if let Ok(Value::Object(fields)) = &mut found.entry.value {
            fields.shift_remove("inputs");
        }
        if let Some(name) = name {
            found.entry.name = name;
        }
        Ok(SnippetServers {
            dialect,
            found: vec![found],
            inputs: inputs_of(node.get("inputs").map(Node::to_value)),
        })
    }

    fn of_goose(&self) -> Result<SnippetServers, TreeParseError> {
        let mut fields = Map::new();
        let mut args = Vec::new();
        let mut env = Map::new();
        for (key, value) in self.parameters()? {
            match key {
                "cmd" | "url" | "name" | "description" => {
                    fields.insert(key.to_owned(), value.into());
                }
                "arg" => args.push(value),
                // The text after `=` only describes the value, so the value becomes an input.
                "env" => {
                    let variable = value.split('=').next().unwrap_or_default();
                    env.insert(variable.to_owned(), format!("<your-{variable}>").into());
                }
                _ => {}
            }
        }
        if fields.contains_key("cmd") {
            fields.insert("args".to_owned(), json!(args));
        }
        if !env.is_empty() {
            fields.insert("env".to_owned(), env.into());
        }
        let node = self.json(&Value::from(fields).to_string())?;
        self.of_entry(&node, Dialect::Any, None)
    }

    fn json(&self, text: &str) -> Result<Node, TreeParseError> {
        tree::json::read(text)
            .map_err(|wrong| self.wrong(MisreadProblem::InLink(wrong.to_string())))
    }

    /// Returns the decoded parameters of the query.
    fn parameters(&self) -> Result<Vec<(&str, String)>, TreeParseError> {
        let query = self.query.split('#').next().unwrap_or_default();
        let pairs = query.split('&').map(|pair| {
            // In HTML source, `&amp;` separates the parameters of a link.
            let pair = pair.strip_prefix("amp;").unwrap_or(pair);
            pair.split_once('=').unwrap_or((pair, ""))
        });
        let decoded = pairs.map(|(key, value)| Ok((key, self.text_of(value)?)));
        decoded.collect()
    }

    fn parameter(&self, key: &str) -> Result<Option<String>, TreeParseError> {
        let mut parameters = self.parameters()?.into_iter();
        Ok(parameters
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value))
    }

    fn text_of(&self, encoded: &str) -> Result<String, TreeParseError> {
        decoded(encoded).map_err(|wrong| self.wrong(MisreadProblem::InLink(wrong.to_string())))
    }

    fn empty(&self) -> TreeParseError {
        self.wrong(MisreadProblem::LinkWithoutServer)
    }

    fn wrong(&self, wrong: MisreadProblem) -> TreeParseError {
        TreeParseError::at_line(self.line, wrong, MisreadAdvice::CopyLink)
    }
}

/// Decodes base64 in the standard or URL-safe alphabet. A space counts as `+`, since decoding a
/// query turns `+` into a space.
fn of_base64(encoded: &str) -> Option<String> {
    let encoded = encoded.trim().replace(' ', "+");
    [&alphabet::STANDARD, &alphabet::URL_SAFE]
        .into_iter()
        .find_map(|alphabet| GeneralPurpose::new(alphabet, LENIENT).decode(&encoded).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok())
}
