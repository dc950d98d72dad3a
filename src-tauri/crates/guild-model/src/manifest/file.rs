//! The fields of `plugin.json`, and their JSON Schema for editors and the parser.

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::develop::dev_or_flag;
use super::forms::{FilledTemplate, HeaderValue, NameText, PinnedVersion, Template, Url};
use super::{
    Auth, Dev, Example, Launch, Lifecycle, Manifest, Origin, RestartPolicy, Timeouts, ToolSettings,
    Transport,
};
use crate::container::Container;
use crate::id::MemberName;
use crate::protocol::ProtocolVersion;

/// A member of Guild Hall: its name, and how its server is run or reached. Fields that are not
/// described here are kept and have no effect.
#[derive(Deserialize, JsonSchema)]
#[schemars(title = "Guild Hall member")]
pub(super) struct ManifestFile {
    /// The address of this schema, for editors.
    #[serde(rename = "$schema")]
    #[expect(dead_code, reason = "only editors read it")]
    schema: Option<String>,
    /// The member's name, unique over all members.
    #[schemars(with = "NameText", extend("examples" = ["notes"]))]
    name: MemberName,
    /// The member's version. A change makes its cached tool list outdated.
    #[serde(default)]
    #[schemars(extend("examples" = ["1.0.0"]))]
    version: String,
    /// The member's purpose.
    #[serde(default)]
    description: String,
    /// How the server is spoken to: `http` for streamable HTTP at `/mcp`, `stdio` for its stdin
    /// and stdout.
    transport: Transport,
    /// The program that runs the server: a path, or a name to find on the PATH of the
    /// login shell. Variables: `${PORT}`, `${PLUGIN_DIR}`, `${GUILDHALL}`, `${env:NAME}`,
    /// `${secret:NAME}`; `$${` for a plain `${`.
    #[schemars(
        with = "Option<FilledTemplate>",
        extend("errorMessage" = "must name a program", "examples" = ["npx", "${GUILDHALL}"])
    )]
    command: Option<String>,
    /// The program's arguments, with variables as in `command`. A server with the transport
    /// `http` needs `${PORT}` here or in `env`.
    #[serde(default)]
    #[schemars(with = "Vec<Template>", extend("examples" = [["--port", "${PORT}"]]))]
    args: Vec<String>,
    /// Environment variables of the program, beside those of the login shell. Values may have
    /// variables as in `command`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Template>", extend("propertyNames" = {
        "pattern": "^[^=]+$",
        "errorMessage": "must be the name of an environment variable: not empty, and without '='"
    }))]
    env: BTreeMap<String, String>,
    /// The folder that the program runs in, instead of the member's own: a whole path, or one from
    /// the member's folder, with variables as in `command`.
    #[schemars(with = "Option<FilledTemplate>", extend(
        "errorMessage" = "must name a folder; without the field, the member runs in its own folder",
        "examples" = ["${env:HOME}/projects/site"]
    ))]
    cwd: Option<String>,
    /// A container that the server runs in, instead of a `command`: it is started with `docker` or
    /// `podman`, without privileges, and removed at the member's end. `env` is passed to it.
    container: Option<Container>,
    /// The address of a server that runs elsewhere, instead of a `command`. It has no user name
    /// and no password: use `headers`.
    #[schemars(with = "Option<Url>", extend("examples" = ["https://mcp.example.com/mcp"]))]
    url: Option<String>,
    /// Headers of each request to the server, with the transport `http`. Values may have variables,
    /// such as `${secret:NAME}`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, HeaderValue>", extend(
        "propertyNames" = {
            "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
            "errorMessage": "must be the name of an HTTP header"
        },
        "examples" = [{"Authorization": "Bearer ${secret:EXAMPLE_TOKEN}"}]
    ))]
    headers: BTreeMap<String, String>,
    /// The way to sign in at the `url`, where the server itself does not declare all of it.
    auth: Option<Auth>,
    /// When the member is started: with the roster, or only to list its tools and for a call.
    #[serde(default)]
    pub(super) lifecycle: Lifecycle,
    /// The restart rule after a crash.
    #[serde(default)]
    restart: RestartPolicy,
    /// Time limits.
    #[serde(default)]
    #[schemars(extend("default" = {}))]
    timeouts: Timeouts,
    /// Settings of single tools, by the tool's name.
    #[serde(default)]
    #[schemars(extend("default" = {}, "propertyNames" = {
        "minLength": 1, "maxLength": 256,
        "errorMessage": "must be a tool's name of 1 to 256 characters"
    }))]
    tools: BTreeMap<String, ToolSettings>,
    /// Names of tools that a client's config approved without asking.
    #[serde(default)]
    auto_approve: Vec<String>,
    /// The one protocol version to speak; `auto` negotiates.
    #[schemars(with = "Option<PinnedVersion>", extend("default" = "auto"))]
    protocol_version: Option<String>,
    /// Whether the member takes part at all.
    #[serde(default = "yes")]
    enabled: bool,
    /// Where the member comes from, where its user did not write it. It is started only after a
    /// person has accepted what it runs.
    origin: Option<Origin>,
    /// For authors of servers: `true`, or the files to watch. When a file changes, the server
    /// is restarted, its tools are compared with what they were, and the examples run.
    #[serde(default, deserialize_with = "dev_or_flag")]
    #[schemars(extend(
        "type" = ["boolean", "object"], "examples" = [true, {"watch": ["src/**/*.py"]}]
    ))]
    dev: Option<Dev>,
    /// Calls that serve as checks of the server.
    #[serde(default)]
    #[schemars(extend("default" = [], "maxItems" = 100))]
    examples: Vec<Example>,
}

fn yes() -> bool {
    true
}

impl ManifestFile {
    /// Converts the file to a manifest. `None` where it has neither a command, a container nor a
    /// url.
    pub(super) fn into_manifest(self) -> Option<Manifest> {
        let is_elsewhere = self.url.is_some();
        let (headers, is_http) = (self.headers, self.transport == Transport::Http);
        let launch = match (self.container, self.url, self.command) {
            (Some(mut container), ..) => {
                container.env = self.env;
                Launch::Container(Box::new(container))
            }
            (None, Some(url), _) => Launch::Url {
                url,
                headers: headers.clone(),
            },
            (None, None, command) => Launch::Command {
                command: command?,
                args: self.args,
                env: self.env,
                cwd: self.cwd,
            },
        };
        let pinned = self.protocol_version.as_deref();
        Some(Manifest {
            name: self.name,
            version: self.version,
            description: self.description,
            transport: self.transport,
            launch,
            headers: if is_http && !is_elsewhere {
                headers
            } else {
                BTreeMap::new()
            },
            auth: self.auth,
            lifecycle: self.lifecycle,
            restart: self.restart,
            timeouts: self.timeouts,
            tools: self.tools,
            auto_approve: self.auto_approve,
            protocol_version: ProtocolVersion::ALL
                .into_iter()
                .find(|version| Some(version.as_str()) == pinned),
            enabled: self.enabled,
            origin: self.origin,
            dev: self.dev,
            examples: self.examples,
        })
    }
}

/// Returns the JSON Schema (2020-12) of the single fields.
pub(super) fn fields_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null));
    let schema = settings
        .into_generator()
        .into_root_schema_for::<ManifestFile>();
    schema.to_value()
}

/// Removes `null` from optional fields, which are omitted instead, and integer formats, which only
/// repeat the bounds.
fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| value == "null" || value["type"] == "null" || value.is_null();
    for key in ["type", "anyOf", "enum"] {
        if let Some(Value::Array(all)) = schema.get_mut(key) {
            all.retain(|one| !is_null(one));
        }
    }
    if let Some(Value::Array(kinds)) = schema.get("type")
        && let [kind] = kinds.as_slice()
    {
        let kind = kind.clone();
        schema.insert("type".to_owned(), kind);
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf")
        && let [Value::Object(branch)] = branches.as_slice()
    {
        let branch = branch.clone();
        schema.remove("anyOf");
        branch.into_iter().for_each(|(key, value)| {
            schema.insert(key, value);
        });
    }
    schema.remove("format");
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}

/// Returns the JSON Schema (2020-12) of `plugin.json` for editors. It includes the rules between
/// fields, for which the parser has its own messages.
pub fn json_schema() -> Value {
    let mut schema = fields_schema();
    // A member has exactly one of the three. A url and a container's port require `http`.
    schema["oneOf"] = json!([
        {"required": ["command"]},
        {
            "required": ["container"],
            "if": {"properties": {"transport": {"const": "http"}}},
            "then": {"properties": {"container": {
                "required": ["port"], "properties": {"network": {"not": {"const": "none"}}}
            }}}
        },
        {"required": ["url"], "properties": {"transport": {"const": "http"}}}
    ]);
    schema["not"] = json!({"anyOf": [
        {"required": ["command", "url"]},
        {"required": ["container", "url"]},
        {"required": ["container", "command"]}
    ]});
    schema
}
