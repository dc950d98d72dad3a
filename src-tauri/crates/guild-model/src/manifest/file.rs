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

/// A member of Guild Hall: its name, and how its server is run or reached. Unknown fields are kept
/// and have no effect.
#[derive(Deserialize, JsonSchema)]
#[schemars(title = "Guild Hall member")]
pub(super) struct ManifestFile {
    /// The address of this schema, for editors.
    #[serde(rename = "$schema")]
    #[expect(dead_code, reason = "only editors read it")]
    schema: Option<String>,
    /// The member's name, unique among all members.
    #[schemars(with = "NameText", extend("examples" = ["notes"]))]
    name: MemberName,
    /// The member's version. A change makes the member's cached tool list outdated.
    #[serde(default)]
    #[schemars(extend("examples" = ["1.0.0"]))]
    version: String,
    /// The member's purpose.
    #[serde(default)]
    description: String,
    /// The transport to the server: `http` for streamable HTTP at `/mcp`, `stdio` for its stdin and
    /// stdout, `sse` for HTTP+SSE at `/sse`, the transport of 2024-11-05. With `http`, a server that
    /// supports only HTTP+SSE is recognized.
    transport: Transport,
    /// The program that runs the server: a path, or a name to find on the PATH of the login shell.
    /// Variables: `${PORT}`, `${PLUGIN_DIR}`, `${GUILDHALL}`, `${env:NAME}`, `${secret:NAME}`;
    /// write `$${` for a literal `${`.
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
    /// Environment variables of the program, in addition to those of the login shell. Values may
    /// contain variables as in `command`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Template>", extend("propertyNames" = {
        "pattern": "^[^=]+$",
        "errorMessage": "must be the name of an environment variable: not empty, and without '='"
    }))]
    env: BTreeMap<String, String>,
    /// The working folder of the program, instead of the member's own folder: an absolute path, or
    /// a path relative to the member's folder. It may contain variables as in `command`.
    #[schemars(with = "Option<FilledTemplate>", extend(
        "errorMessage" = "must name a folder; without the field, the member runs in its own folder",
        "examples" = ["${env:HOME}/projects/site"]
    ))]
    cwd: Option<String>,
    /// A container that runs the server, instead of a `command`. Guild Hall starts it with `docker`
    /// or `podman`, without privileges, and removes it when the member ends. It gets the variables
    /// in `env`.
    container: Option<Container>,
    /// The address of a remote server, instead of a `command`. It must not contain a user name or
    /// password: use `headers`.
    #[schemars(with = "Option<Url>", extend("examples" = ["https://mcp.example.com/mcp"]))]
    url: Option<String>,
    /// Headers of each request to the server, with the transport `http`. Values may contain
    /// variables, such as `${secret:NAME}`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, HeaderValue>", extend(
        "propertyNames" = {
            "pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
            "errorMessage": "must be the name of an HTTP header"
        },
        "examples" = [{"Authorization": "Bearer ${secret:EXAMPLE_TOKEN}"}]
    ))]
    headers: BTreeMap<String, String>,
    /// How to sign in at the `url`, if the server itself does not declare all details.
    auth: Option<Auth>,
    /// When the member starts: with Guild Hall, or only to list its tools and for calls.
    #[serde(default)]
    pub(super) lifecycle: Lifecycle,
    /// The restart rule after a crash.
    #[serde(default)]
    restart: RestartPolicy,
    /// Time limits.
    #[serde(default)]
    #[schemars(extend("default" = {}))]
    timeouts: Timeouts,
    /// Settings of individual tools, by the tool's name.
    #[serde(default)]
    #[schemars(extend("default" = {}, "propertyNames" = {
        "minLength": 1, "maxLength": 256,
        "errorMessage": "must be a tool's name of 1 to 256 characters"
    }))]
    tools: BTreeMap<String, ToolSettings>,
    /// Names of tools that a client's configuration approved in advance.
    #[serde(default)]
    auto_approve: Vec<String>,
    /// The protocol version to use. `auto` negotiates it with the server.
    #[schemars(with = "Option<PinnedVersion>", extend("default" = "auto"))]
    protocol_version: Option<String>,
    /// Whether the member is enabled.
    #[serde(default = "yes")]
    enabled: bool,
    /// The source of the member, if the user did not write the manifest. The member starts only
    /// after a person has accepted its launch.
    origin: Option<Origin>,
    /// For server authors: `true`, or the files to watch. When a file changes, the server restarts,
    /// its tools are compared with the earlier ones, and the examples run.
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
    /// Converts the file to a manifest. `None` if the file has no command, container or url.
    pub(super) fn into_manifest(self) -> Option<Manifest> {
        let is_elsewhere = self.url.is_some();
        let (headers, is_http) = (self.headers, self.transport.is_http());
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

/// Returns the JSON Schema (2020-12) of the fields, without the rules between them.
pub(super) fn fields_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null));
    let schema = settings
        .into_generator()
        .into_root_schema_for::<ManifestFile>();
    schema.to_value()
}

/// Removes `null` from the types of optional fields, because a manifest omits a field instead.
/// Also removes integer formats, because they only repeat the bounds.
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

/// Returns the JSON Schema (2020-12) of `plugin.json` for editors. It also contains the rules
/// between fields, which the parser checks without the schema.
pub fn json_schema() -> Value {
    let mut schema = fields_schema();
    // A member has exactly one of `command`, `container` and `url`. A `url` and a container's port
    // require HTTP.
    schema["oneOf"] = json!([
        {"required": ["command"]},
        {
            "required": ["container"],
            "if": {"properties": {"transport": {"enum": ["http", "sse"]}}},
            "then": {"properties": {"container": {
                "required": ["port"], "properties": {"network": {"not": {"const": "none"}}}
            }}}
        },
        {"required": ["url"], "properties": {"transport": {"enum": ["http", "sse"]}}}
    ]);
    schema["not"] = json!({"anyOf": [
        {"required": ["command", "url"]},
        {"required": ["container", "url"]},
        {"required": ["container", "command"]}
    ]});
    schema
}
