//! Parses the `manifest.json` of a bundle.

use serde_json::{Map, Value};

use crate::messages::{BundleNote, BundleProblem, ManifestFault};
use guild_api::wire::{McpbAbout, McpbDeclared};
use guild_import::install::{InputKind, InstallInput};
use guild_model::arguments::parse_exact;
use guild_text::messages::JsonKind;

/// Maximum size of a manifest, in bytes.
pub const MANIFEST_BYTES_MAX: usize = 1 << 20;
/// Maximum length of a string in a manifest, in bytes. A longer string is an error in a field that
/// the install needs (version fields, name, server, settings). In other fields, it is left out.
const TEXT_BYTES_MAX: usize = 32 * 1024;
/// Maximum number of arguments, variables, inputs, tools or prompts.
const ITEMS_MAX: usize = 1_000;
/// Maximum number of notes. Further notes are dropped.
const NOTES_MAX: usize = 50;
/// The supported versions of the format.
const VERSIONS: &[&str] = &["0.1", "0.2", "0.3", "0.4"];

/// The manifest of a bundle.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BundleManifest {
    /// The bundle's description of itself.
    pub about: McpbAbout,
    /// The launch of the bundle's server.
    pub server: BundleServer,
    /// The settings that a user enters, as declared.
    pub user_config: Vec<InstallInput>,
    /// The supported systems (`darwin`, `win32`, `linux`). Empty for all.
    pub platforms: Vec<String>,
    /// Warnings, one sentence each.
    pub notes: Vec<BundleNote>,
}

/// The launch of a bundle's server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BundleServer {
    /// The runtime.
    pub kind: ServerType,
    /// The entry file.
    pub entry_point: String,
    /// The command. A `uv` bundle may leave it to the host.
    pub config: Option<McpConfig>,
    /// Overrides by system. Omitted fields are taken from `config`.
    pub overrides: Vec<(String, McpConfig)>,
}

/// The runtime of a bundle's server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerType {
    /// Node.js.
    #[default]
    Node,
    /// Python, with all its dependencies in the bundle.
    Python,
    /// A native executable.
    Binary,
    /// Python with `uv`, which fetches the dependencies.
    Uv,
}

impl ServerType {
    const ALL: [Self; 4] = [Self::Node, Self::Python, Self::Binary, Self::Uv];

    /// Returns the identifier in the manifest.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Python => "python",
            Self::Binary => "binary",
            Self::Uv => "uv",
        }
    }
}

/// A command of a manifest. An override may omit fields.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct McpConfig {
    /// The program.
    pub command: Option<String>,
    /// The program's arguments.
    pub args: Option<Vec<String>>,
    /// The program's environment variables.
    pub env: Option<Vec<(String, String)>>,
}

/// Parses a manifest.
///
/// # Errors
/// The first problem that makes the manifest unusable.
pub fn parse(bytes: &[u8]) -> Result<BundleManifest, ManifestFault> {
    if bytes.len() > MANIFEST_BYTES_MAX {
        let length = bytes.len();
        return Err(ManifestFault::TooLong(length, MANIFEST_BYTES_MAX));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| ManifestFault::NotUtf8)?;
    let fields = parse_exact(text)
        .map_err(|error| ManifestFault::Unread(error.line, error.column, error.wrong))?;
    let mut manifest = BundleManifest::default();
    let mut notes = Vec::new();
    read(
        &BundleManifestFields::new(&fields, ""),
        &mut manifest,
        &mut notes,
    )?;
    notes.truncate(NOTES_MAX);
    manifest.notes = notes;
    Ok(manifest)
}

fn read(
    fields: &BundleManifestFields<'_>,
    manifest: &mut BundleManifest,
    notes: &mut Vec<BundleNote>,
) -> Result<(), ManifestFault> {
    let format = fields.text("manifest_version")?;
    let format = format.or(fields.text("dxt_version")?);
    let format = format.ok_or_else(|| missing("manifest_version"))?;
    if !VERSIONS.contains(&format.as_str()) {
        let format: String = format.chars().take(40).collect();
        notes.push(BundleNote::UnknownFormat(format!("{format:?}")));
    }
    let about = &mut manifest.about;
    about.name = fields.needed("name")?;
    about.version = fields.needed("version")?;
    manifest.server = server(&fields.object("server")?.ok_or_else(|| missing("server"))?)?;
    about.runs_on = manifest.server.kind.as_str().to_owned();
    manifest.user_config = match fields.object("user_config")? {
        Some(settings) => settings.each(setting)?,
        None => Vec::new(),
    };

    let mut words = |key: &str| {
        let text = fields.text(key);
        text.unwrap_or_else(|wrong| {
            notes.push(BundleNote::LeftOut(wrong));
            None
        })
        .unwrap_or_default()
    };
    about.title = match words("display_name") {
        title if title.is_empty() => about.name.clone(),
        title => title,
    };
    about.description = words("description");
    about.long_description = words("long_description");
    about.license = words("license");
    let links = ["homepage", "documentation", "support"].map(&mut words);
    about.links = links.into_iter().filter(|link| !link.is_empty()).collect();
    let nested = |key: &str, inner: &str| {
        let object = fields.object(key).ok().flatten()?;
        object.text(inner).ok().flatten()
    };
    about.links.extend(nested("repository", "url"));
    about.author = nested("author", "name").unwrap_or_default();

    let mut lenient = |list: Result<Option<Vec<String>>, BundleProblem>| {
        let list = list.unwrap_or_else(|wrong| {
            notes.push(BundleNote::LeftOut(wrong));
            None
        });
        list.unwrap_or_default()
    };
    about.privacy_policies = lenient(fields.texts("privacy_policies"));
    if let Ok(Some(compatibility)) = fields.object("compatibility") {
        manifest.platforms = lenient(compatibility.texts("platforms"));
        if let Ok(Some(runtimes)) = compatibility.object("runtimes") {
            let runtime = |(name, wanted): (&String, &Value)| {
                Some(format!("{name} {}", bounded(wanted.as_str()?)?))
            };
            let runtimes = runtimes.fields.iter().filter_map(runtime);
            about.runtimes = runtimes.take(ITEMS_MAX).collect();
        }
    }
    about.tools = declared(fields, "tools", notes);
    about.prompts = declared(fields, "prompts", notes);
    let flag = |key: &str| fields.fields.get(key).and_then(Value::as_bool) == Some(true);
    about.more_tools = flag("tools_generated");
    about.more_prompts = flag("prompts_generated");
    Ok(())
}

fn missing(field: &str) -> ManifestFault {
    ManifestFault::NoField(field.to_owned())
}

fn server(fields: &BundleManifestFields<'_>) -> Result<BundleServer, ManifestFault> {
    let kind = fields.needed("type")?;
    let known = ServerType::ALL.into_iter().find(|one| one.as_str() == kind);
    let kind = known.ok_or_else(|| {
        let kind: String = kind.chars().take(40).collect();
        ManifestFault::NoType(format!("{kind:?}"))
    })?;
    let entry_point = fields.text("entry_point")?.unwrap_or_default();
    let mut server = BundleServer {
        kind,
        entry_point,
        config: None,
        overrides: Vec::new(),
    };
    let Some(config) = fields.object("mcp_config")? else {
        if kind != ServerType::Uv {
            return Err(missing("server.mcp_config"));
        }
        if server.entry_point.is_empty() {
            return Err(ManifestFault::NoEntry);
        }
        return Ok(server);
    };
    server.config = Some(mcp_config(&config)?);
    if let Some(overrides) = config.object("platform_overrides")? {
        server.overrides = overrides.each(|platform, fields| {
            let config = mcp_config(fields)?;
            Ok((platform.to_owned(), config))
        })?;
    }
    let has_command = |config: &McpConfig| config.command.is_some();
    if !server.config.as_ref().is_some_and(has_command) {
        return Err(missing("server.mcp_config.command"));
    }
    Ok(server)
}

fn mcp_config(fields: &BundleManifestFields<'_>) -> Result<McpConfig, ManifestFault> {
    let env = match fields.object("env")? {
        Some(env) => {
            let names: Vec<&String> = env.fields.keys().collect();
            if names.len() > ITEMS_MAX {
                return Err(ManifestFault::ManyVariables(env.path, ITEMS_MAX));
            }
            let mut read = Vec::with_capacity(names.len());
            for name in names {
                if name.is_empty() || name.contains(['=', '\0']) {
                    return Err(ManifestFault::OddVariable(env.path));
                }
                read.push((name.clone(), env.needed_or_empty(name)?));
            }
            Some(read)
        }
        None => None,
    };
    Ok(McpConfig {
        command: fields.text("command")?.filter(|text| !text.is_empty()),
        args: fields.texts("args")?,
        env,
    })
}

fn setting(key: &str, fields: &BundleManifestFields<'_>) -> Result<InstallInput, ManifestFault> {
    let number = |key: &str| match fields.fields.get(key) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let kind = match fields.needed("type")?.as_str() {
        "string" => InputKind::Text,
        "number" => InputKind::Number {
            min: number("min"),
            max: number("max"),
        },
        "boolean" => InputKind::Flag,
        "directory" => InputKind::Folder,
        "file" => InputKind::File,
        other => {
            let other: String = other.chars().take(40).collect();
            let (path, kind) = (fields.path.clone(), format!("{other:?}"));
            return Err(ManifestFault::UnknownType(path, kind));
        }
    };
    let default = fields
        .fields
        .get("default")
        .filter(|value| !value.is_null());
    Ok(InstallInput {
        title: fields.text("title")?.unwrap_or_default(),
        description: fields.text("description")?.unwrap_or_default(),
        kind,
        default: default.cloned(),
        required: fields.flag("required")?,
        secret: fields.flag("sensitive")?,
        several: fields.flag("multiple")?,
        ..InstallInput::text(key)
    })
}

fn declared(
    fields: &BundleManifestFields<'_>,
    key: &str,
    notes: &mut Vec<BundleNote>,
) -> Vec<McpbDeclared> {
    let Some(list) = fields.fields.get(key).filter(|value| !value.is_null()) else {
        return Vec::new();
    };
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let one = |item: &Value| {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let name = bounded(text("name")?).filter(|name| !name.is_empty())?;
        let description = bounded(text("description").unwrap_or_default())?;
        Some(McpbDeclared { name, description })
    };
    let read: Vec<McpbDeclared> = items.iter().take(ITEMS_MAX).filter_map(one).collect();
    if !list.is_array() || read.len() < items.len() {
        let left = items.len() - read.len();
        notes.push(match list.is_array() {
            true => BundleNote::SomeLeftOut(left, key.to_owned()),
            false => BundleNote::NoList(key.to_owned()),
        });
    }
    read
}

/// Returns a text. `None` if it is too long.
fn bounded(text: &str) -> Option<String> {
    (text.len() <= TEXT_BYTES_MAX).then(|| text.to_owned())
}

/// An object of the manifest, and its path.
struct BundleManifestFields<'a> {
    fields: &'a Map<String, Value>,
    path: String,
}

impl<'a> BundleManifestFields<'a> {
    fn new(fields: &'a Map<String, Value>, path: impl Into<String>) -> Self {
        let path = path.into();
        Self { fields, path }
    }

    fn path(&self, key: &str) -> String {
        let key: String = key.chars().take(80).collect();
        match self.path.is_empty() {
            true => key,
            false => format!("{}.{key}", self.path),
        }
    }

    fn get(&self, key: &str) -> Option<&'a Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    fn mismatch(&self, key: &str, expected: JsonKind, found: &Value) -> BundleProblem {
        BundleProblem::Mismatch(self.path(key), JsonKind::of(found), expected)
    }

    /// Checks the length of a text.
    fn bounded(&self, key: &str, text: &str) -> Result<String, BundleProblem> {
        bounded(text).ok_or_else(|| BundleProblem::TooLong(self.path(key), TEXT_BYTES_MAX))
    }

    fn text(&self, key: &str) -> Result<Option<String>, BundleProblem> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => self.bounded(key, text).map(Some),
            Some(other) => Err(self.mismatch(key, JsonKind::Text, other)),
        }
    }

    fn needed(&self, key: &str) -> Result<String, ManifestFault> {
        let text = self.text(key)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| ManifestFault::NoField(self.path(key)))
    }

    fn needed_or_empty(&self, key: &str) -> Result<String, BundleProblem> {
        Ok(self.text(key)?.unwrap_or_default())
    }

    fn flag(&self, key: &str) -> Result<bool, BundleProblem> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.mismatch(key, JsonKind::Flag, other)),
        }
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<String>>, BundleProblem> {
        let items = match self.get(key) {
            None => return Ok(None),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(self.mismatch(key, JsonKind::List, other)),
        };
        if items.len() > ITEMS_MAX {
            return Err(BundleProblem::TooMany(self.path(key), ITEMS_MAX));
        }
        let text = |(at, item): (usize, &Value)| {
            let key = format!("{key}[{at}]");
            match item {
                Value::String(text) => self.bounded(&key, text),
                other => Err(self.mismatch(&key, JsonKind::Text, other)),
            }
        };
        let texts = items.iter().enumerate().map(text);
        texts.collect::<Result<_, _>>().map(Some)
    }

    fn object(&self, key: &str) -> Result<Option<BundleManifestFields<'a>>, BundleProblem> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Object(fields)) => {
                Ok(Some(BundleManifestFields::new(fields, self.path(key))))
            }
            Some(other) => Err(self.mismatch(key, JsonKind::Object, other)),
        }
    }

    fn each<T>(
        &self,
        mut read: impl FnMut(&str, &BundleManifestFields<'a>) -> Result<T, ManifestFault>,
    ) -> Result<Vec<T>, ManifestFault> {
        if self.fields.len() > ITEMS_MAX {
            return Err(BundleProblem::TooMany(self.path.clone(), ITEMS_MAX).into());
        }
        let mut each = Vec::with_capacity(self.fields.len());
        for key in self.fields.keys() {
            let fields = self.object(key)?;
            let fields = fields.ok_or_else(|| ManifestFault::Empty(self.path(key)))?;
            each.push(read(key, &fields)?);
        }
        Ok(each)
    }
}
