//! `plugin.json` as editors are told of it.
//!
//! [`ManifestFile`] is the published shape, and nothing reads a manifest through it: reading needs
//! positions, and several errors at once. A test holds the two against each other.

mod container;

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use self::container::ContainerFile;
use super::auth::{CLIENT_BYTES_MAX, REDIRECT_PORT_MIN, SCOPE_BYTES_MAX, SCOPES_MAX};
use super::develop::{BUILD_WORDS_MAX, DEBOUNCE_MS_MAX, EXAMPLE_NAME_MAX, EXAMPLES_MAX};
use super::fields::TIMEOUT_MS_MAX;
use super::{Lifecycle, Policy, RestartPolicy, Transport};
use crate::dev::{GLOB_BYTES_MAX, GLOBS_MAX};
use crate::protocol::ProtocolVersion;

/// A pattern that goes from the member's folder and stays in it.
const GLOB: &str = r"^!?(?!/)(?!(.*/)?\.\.(/|$))(?=.*\S)[^\\]+$";
/// A `${` that is neither escaped nor begins a variable that exists.
const UNKNOWN_VARIABLE: &str =
    r"(^|[^$])\$\{(?!(PORT|PLUGIN_DIR|GUILDHALL|(env|secret):[^\s=${}]{1,256})\})";

/// A member of Guild Hall: what it is, and how its server is run or reached. Fields that are not
/// described here are kept and have no effect.
#[derive(JsonSchema)]
#[schemars(title = "Guild Hall member")]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct ManifestFile {
    /// The address of this schema, for editors.
    #[schemars(rename = "$schema", schema_with = "text")]
    schema: String,
    /// The member's name, unique over all members.
    #[schemars(schema_with = "name", extend("examples" = ["notes"]))]
    name: String,
    /// The member's version. A change makes its cached tool list outdated.
    #[schemars(schema_with = "text", extend("default" = "", "examples" = ["1.0.0"]))]
    version: String,
    /// What the member is for.
    #[schemars(schema_with = "text", extend("default" = ""))]
    description: String,
    /// How the server is spoken to: `http` for streamable HTTP at `/mcp`, `stdio` for its stdin
    /// and stdout.
    transport: Transport,
    /// The program that runs the server: a path, or a name that is looked for on the PATH of the
    /// login shell. Variables: `${PORT}`, `${PLUGIN_DIR}`, `${GUILDHALL}`, `${env:NAME}`,
    /// `${secret:NAME}`; `$${` for a plain `${`.
    #[schemars(schema_with = "command", extend("examples" = ["npx", "${GUILDHALL}"]))]
    command: String,
    /// The program's arguments, with variables as in `command`. A server with the transport
    /// `http` needs `${PORT}` here or in `env`.
    #[schemars(schema_with = "arguments", extend("default" = [], "examples" = [["--port", "${PORT}"]]))]
    args: Vec<String>,
    /// Environment variables of the program, beside those of the login shell. Values may have
    /// variables as in `command`.
    #[schemars(schema_with = "environment", extend("default" = {}))]
    env: BTreeMap<String, String>,
    /// The folder that the program runs in, instead of the member's own: a whole path, or one from
    /// the member's folder, with variables as in `command`.
    #[schemars(
        schema_with = "command",
        extend("examples" = ["${env:HOME}/projects/site"])
    )]
    cwd: String,
    /// A container that the server runs in, instead of a `command`: it is started with `docker` or
    /// `podman`, without privileges, and put away at the member's end. `env` is what it is given.
    container: ContainerFile,
    /// The address of a server that runs elsewhere, instead of a `command`. It has no user name
    /// and no password: use `headers`.
    #[schemars(schema_with = "url", extend("examples" = ["https://mcp.example.com/mcp"]))]
    url: String,
    /// Headers of each request to the server, with the transport `http`. Values may have variables,
    /// such as `${secret:NAME}`.
    #[schemars(
        schema_with = "headers",
        extend("default" = {}, "examples" = [{"Authorization": "Bearer ${secret:EXAMPLE_TOKEN}"}])
    )]
    headers: BTreeMap<String, String>,
    /// How somebody signs in at the `url`, where the server itself does not say all of it.
    auth: AuthFile,
    /// When the member is started: with the roster, or only to list its tools and for a call.
    #[schemars(extend("default" = "eager"))]
    lifecycle: Lifecycle,
    /// What happens after a crash.
    #[schemars(extend("default" = "on-crash"))]
    restart: RestartPolicy,
    /// Time limits.
    #[schemars(extend("default" = {}))]
    timeouts: TimeoutsFile,
    /// Settings of single tools, by the tool's name.
    #[schemars(extend(
        "default" = {}, "maxProperties" = 1000,
        "propertyNames" = {"minLength": 1, "maxLength": 256}
    ))]
    tools: BTreeMap<String, ToolFile>,
    /// Names of tools that a client's config approved without asking.
    #[schemars(schema_with = "names", extend("default" = []))]
    auto_approve: Vec<String>,
    /// The one protocol version to speak; `auto` negotiates.
    #[schemars(schema_with = "version", extend("default" = "auto"))]
    protocol_version: String,
    /// Whether the member takes part at all.
    #[schemars(extend("default" = true))]
    enabled: bool,
    /// Where the member comes from, where its user did not write it. It is started only after a
    /// person has accepted what it runs.
    origin: OriginFile,
    /// For whoever writes the server: `true`, or what is watched. When a file changes, the server
    /// is restarted, its tools are compared with what they were, and the examples run.
    #[schemars(schema_with = "dev", extend("examples" = [true, {"watch": ["src/**/*.py"]}]))]
    dev: DevFile,
    /// Calls that serve as checks of the server.
    #[schemars(extend("default" = [], "maxItems" = EXAMPLES_MAX))]
    examples: Vec<ExampleFile>,
}

/// How somebody signs in.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct AuthFile {
    /// The client that was registered at the authorization server by hand.
    #[schemars(schema_with = "client_id")]
    client_id: String,
    /// Its secret, by name.
    #[schemars(schema_with = "client_secret", extend("examples" = ["${secret:EXAMPLE_CLIENT}"]))]
    client_secret: String,
    /// The address of a document that says who the client is (a client ID metadata document), for
    /// authorization servers that read such.
    #[schemars(schema_with = "client_document")]
    client_metadata_url: String,
    /// What is asked for, instead of what the server names.
    #[schemars(schema_with = "scopes", extend("default" = []))]
    scopes: Vec<String>,
    /// The port of this machine that the browser comes back to, where the client was registered for
    /// one; else it is any that is free.
    #[schemars(schema_with = "redirect_port")]
    redirect_port: u16,
}

/// What happens when a file changes.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct DevFile {
    /// Which files count, as patterns from the member's folder: `*`, `?`, `**`, `{a,b}`, and `!`
    /// for what does not count after all. Without it, all files but those that tools write.
    #[schemars(schema_with = "globs", extend("examples" = [["src/**/*.py", "!src/**/test_*"]]))]
    watch: Vec<String>,
    /// A program and its arguments, run in the member's folder before each restart, with variables
    /// as in `command`. Where it fails, the server runs on as it was.
    #[schemars(schema_with = "build", extend("examples" = [["npm", "run", "build"]]))]
    build: Vec<String>,
    /// How long `build` may take, in milliseconds.
    #[schemars(schema_with = "millis", extend("default" = 120_000))]
    build_timeout_ms: u64,
    /// How long the files have to be quiet before anything is done, in milliseconds.
    #[schemars(schema_with = "debounce", extend("default" = 200))]
    debounce_ms: u64,
}

/// A call that serves as a check.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct ExampleFile {
    /// Its name, unique in the member.
    #[schemars(schema_with = "example_name", extend("examples" = ["finds a note"]))]
    name: String,
    /// The tool that is called.
    #[schemars(schema_with = "tool_name")]
    tool: String,
    /// The arguments.
    #[schemars(schema_with = "object", extend("default" = {}))]
    arguments: Value,
    /// What the result has to be.
    #[schemars(extend("default" = {}))]
    expect: ExpectFile,
    /// The time limit of the call instead of the tool's, in milliseconds.
    #[schemars(schema_with = "millis")]
    timeout_ms: u64,
}

/// What a result has to be.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct ExpectFile {
    /// Whether the tool has to say that it failed.
    #[schemars(extend("default" = false))]
    is_error: bool,
    /// What its text has to have in it.
    #[schemars(schema_with = "text")]
    text_contains: String,
    /// What its text has to be: all text blocks, one below the other.
    #[schemars(schema_with = "text")]
    text_equals: String,
    /// What its structured content has to have in it: objects may have more, lists may not.
    #[schemars(schema_with = "anything")]
    structured: Value,
    /// The JSON Schema that its structured content has to fit.
    #[schemars(schema_with = "schema_of_schemas")]
    schema: Value,
}

/// Where a member comes from.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct OriginFile {
    /// Another program's word (`cursor`), `registry`, `bundle`, or whatever put it there.
    #[schemars(schema_with = "filled", extend("examples" = ["registry", "bundle", "cursor"]))]
    from: String,
    /// The file that it was read from.
    #[schemars(schema_with = "text")]
    path: String,
    /// The address that it was read from.
    #[schemars(schema_with = "text")]
    url: String,
    /// When, as ISO 8601.
    #[schemars(schema_with = "text")]
    at: String,
    /// What a registry lists the server as.
    #[schemars(schema_with = "text", extend("examples" = ["com.example/notes"]))]
    server: String,
}

/// Time limits in milliseconds.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct TimeoutsFile {
    /// Until the port answers (http), or until the handshake is done (stdio).
    #[schemars(schema_with = "millis", extend("default" = 30_000))]
    start_ms: u64,
    /// From an open port to a finished handshake, http only.
    #[schemars(schema_with = "millis", extend("default" = 5_000))]
    handshake_ms: u64,
    /// A call of a tool.
    #[schemars(schema_with = "millis", extend("default" = 30_000))]
    call_ms: u64,
    /// Reading the tool list.
    #[schemars(schema_with = "millis", extend("default" = 10_000))]
    discovery_ms: u64,
}

/// What is said of one tool.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct ToolFile {
    /// Whether agents may call it.
    policy: Policy,
    /// The time limit of its calls, in milliseconds.
    #[schemars(schema_with = "millis")]
    timeout_ms: u64,
}

fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "maxLength": 32_768})
}

fn filled(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "maxLength": 32_768, "pattern": r"\S"})
}

fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "minLength": 1, "maxLength": 64,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$"
    })
}

fn template() -> Value {
    json!({"type": "string", "maxLength": 32_768, "not": {"pattern": UNKNOWN_VARIABLE}})
}

fn command(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": 32_768, "pattern": r"\S",
        "not": {"pattern": UNKNOWN_VARIABLE}
    })
}

fn arguments(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "maxItems": 1_000, "items": template()})
}

fn environment(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object", "maxProperties": 1_000, "propertyNames": {"pattern": "^[^=]+$"},
        "additionalProperties": template()
    })
}

fn url(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": 32_768,
        "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s\\/?#@:][^\s\\/?#@]*([/?#][^\s\\]*)?$",
        "not": {"pattern": UNKNOWN_VARIABLE}
    })
}

fn headers(_: &mut SchemaGenerator) -> Schema {
    let mut value = template();
    value["pattern"] = json!(r"^[^\r\n]*$");
    json_schema!({
        "type": "object", "maxProperties": 1_000,
        "propertyNames": {"pattern": "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"},
        "additionalProperties": value
    })
}

fn client_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "minLength": 1, "maxLength": CLIENT_BYTES_MAX, "pattern": "^[!-~]+$"
    })
}

fn client_secret(_: &mut SchemaGenerator) -> Schema {
    let mut secret = template();
    secret["pattern"] = json!(r"(^|[^$])\$\{secret:[^\s=${}]{1,256}\}");
    Schema::try_from(secret).unwrap_or_default()
}

fn client_document(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": CLIENT_BYTES_MAX, "pattern": "^https://[!-.0-~]+/[!-~]+$"
    })
}

fn scopes(_: &mut SchemaGenerator) -> Schema {
    let scope = json!({
        "type": "string", "minLength": 1, "maxLength": SCOPE_BYTES_MAX,
        "pattern": r"^[!#-\[\]-~]+$"
    });
    json_schema!({"type": "array", "maxItems": SCOPES_MAX, "items": scope})
}

fn redirect_port(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": REDIRECT_PORT_MIN, "maximum": 65_535})
}

fn names(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "maxItems": 1_000, "items": text(generator)})
}

fn version(_: &mut SchemaGenerator) -> Schema {
    let versions = ProtocolVersion::ALL.map(ProtocolVersion::as_str);
    let choices: Vec<&str> = std::iter::once("auto").chain(versions).collect();
    json_schema!({"type": "string", "enum": choices})
}

fn dev(generator: &mut SchemaGenerator) -> Schema {
    let mut object = generator.subschema_for::<DevFile>().to_value();
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove("required");
    }
    json_schema!({"oneOf": [{"type": "boolean"}, object]})
}

fn globs(_: &mut SchemaGenerator) -> Schema {
    let item = json!({"type": "string", "maxLength": GLOB_BYTES_MAX, "pattern": GLOB});
    json_schema!({"type": "array", "maxItems": GLOBS_MAX, "items": item})
}

fn build(_: &mut SchemaGenerator) -> Schema {
    let mut word = template();
    // The server alone has a port.
    word["not"] = json!({"anyOf": [word["not"].clone(), {"pattern": r"(^|[^$])\$\{PORT\}"}]});
    json_schema!({
        "type": "array", "minItems": 1, "maxItems": BUILD_WORDS_MAX, "items": word,
        "allOf": [{"prefixItems": [{"pattern": r"\S"}]}]
    })
}

fn debounce(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 1, "maximum": DEBOUNCE_MS_MAX})
}

fn example_name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": EXAMPLE_NAME_MAX, "pattern": r"\S",
        "not": {"pattern": r"\p{Cc}"}
    })
}

fn tool_name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "minLength": 1, "maxLength": 256})
}

fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "object"})
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({})
}

fn schema_of_schemas(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["object", "boolean"]})
}

fn millis(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 1, "maximum": TIMEOUT_MS_MAX})
}

/// The JSON Schema (2020-12) of `plugin.json`, for editors.
pub fn json_schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<ManifestFile>().to_value();
    schema["required"] = json!(["name", "transport"]);
    // A member has one of the three; a url goes with `http` alone, and so does a container's port.
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
    for inner in [
        "/properties/timeouts",
        "/properties/tools/additionalProperties",
    ] {
        if let Some(fields) = schema.pointer_mut(inner).and_then(Value::as_object_mut) {
            fields.shift_remove("required");
        }
    }
    schema["properties"]["container"]["required"] = json!(["image"]);
    schema["properties"]["container"]["properties"]["mounts"]["items"]["required"] =
        json!(["source", "target"]);
    if let Some(auth) = schema
        .pointer_mut("/properties/auth")
        .and_then(Value::as_object_mut)
    {
        auth.shift_remove("required");
        auth.insert(
            "dependentRequired".to_owned(),
            json!({"client_secret": ["client_id"]}),
        );
    }
    schema["properties"]["origin"]["required"] = json!(["from"]);
    schema["properties"]["examples"]["items"]["required"] = json!(["name", "tool"]);
    let expect = "/properties/examples/items/properties/expect";
    if let Some(fields) = schema.pointer_mut(expect).and_then(Value::as_object_mut) {
        fields.shift_remove("required");
    }
    schema
}
