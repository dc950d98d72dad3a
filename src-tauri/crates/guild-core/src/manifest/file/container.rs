//! The container of a member, as editors are told of it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::template;
use crate::container::{
    ENTRYPOINT_BYTES_MAX, EngineChoice, IMAGE_BYTES_MAX, MOUNTS_MAX, PIDS_MAX, Pull,
};

/// A container.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
pub(super) struct ContainerFile {
    /// The image, without variables.
    #[schemars(schema_with = "image", extend("examples" = ["ghcr.io/example/notes:1.2"]))]
    image: String,
    /// Who runs it: `auto` is Docker where it is there and answers, else Podman.
    #[schemars(extend("default" = "auto"))]
    engine: EngineChoice,
    /// The program in the image that is started instead of the image's own, without variables.
    #[schemars(schema_with = "entrypoint", extend("examples" = ["/bin/serve"]))]
    entrypoint: String,
    /// The words behind the image's name, with variables; secrets stand in `env`.
    #[schemars(schema_with = "inside_arguments", extend("default" = []))]
    args: Vec<String>,
    /// Folders and files of this machine that the server sees.
    #[schemars(extend("default" = [], "maxItems" = MOUNTS_MAX))]
    mounts: Vec<MountFile>,
    /// Whether the image's own files can't be written to; mounts say it for themselves.
    #[schemars(extend("default" = false))]
    read_only: bool,
    /// What it can reach: `none`, `bridge`, or a network that somebody made.
    #[schemars(schema_with = "network", extend("default" = "bridge"))]
    network: String,
    /// The most memory.
    #[schemars(schema_with = "memory", extend("examples" = ["512m"]))]
    memory: String,
    /// The most processors.
    #[schemars(schema_with = "cpus", extend("examples" = [1.5]))]
    cpus: f64,
    /// The most processes.
    #[schemars(schema_with = "pids")]
    pids_limit: u64,
    /// Who the server runs as, instead of the image's own user.
    #[schemars(schema_with = "user", extend("examples" = ["1000:1000"]))]
    user: String,
    /// When the image is fetched: when it is not there, never, or before each start.
    #[schemars(extend("default" = "missing"))]
    pull: Pull,
    /// Where the server listens in the container; needed for the transport `http`.
    #[schemars(schema_with = "port", extend("examples" = [8080]))]
    port: u16,
}

/// A folder or file of this machine in the container.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "the fields are read by the derived schema alone")]
struct MountFile {
    /// Where it is on this machine: a whole path, or one that begins with `${PLUGIN_DIR}` or
    /// `${env:NAME}`. It has to be there.
    #[schemars(schema_with = "mount_source", extend("examples" = ["${PLUGIN_DIR}/data"]))]
    source: String,
    /// Where it is in the container.
    #[schemars(schema_with = "mount_target", extend("examples" = ["/data"]))]
    target: String,
    /// Whether the server may only read it.
    #[schemars(extend("default" = true))]
    read_only: bool,
    /// Whether a source is meant that holds the whole machine: the root, the home folder as a
    /// whole, an engine's socket.
    #[schemars(extend("default" = false))]
    dangerous: bool,
}

fn image(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": IMAGE_BYTES_MAX,
        "pattern": "^[A-Za-z0-9]([A-Za-z0-9._/:@-]*[A-Za-z0-9])?$"
    })
}

/// What stands in a container has no port of outside, and no word of a command a secret.
fn inside() -> Value {
    let mut text = template();
    text["not"] = json!({"anyOf": [
        text["not"].clone(), {"pattern": r"(^|[^$])\$\{(PORT|secret:[^}]*)\}"}
    ]});
    text
}

fn inside_arguments(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "maxItems": 1_000, "items": inside()})
}

fn network(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": 128, "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$",
        "not": {"const": "host"}
    })
}

fn memory(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": "^[1-9][0-9]{0,14}[bkmgBKMG]?$"})
}

fn cpus(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "number", "exclusiveMinimum": 0})
}

fn pids(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 1, "maximum": PIDS_MAX})
}

fn user(_: &mut SchemaGenerator) -> Schema {
    let one = "[A-Za-z0-9_][A-Za-z0-9._-]{0,63}";
    json_schema!({"type": "string", "pattern": format!("^{one}(:{one})?$")})
}

fn entrypoint(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "maxLength": ENTRYPOINT_BYTES_MAX,
        "pattern": r"^[^-\[ $\u0000-\u001f\u007f-\u009f][^$\u0000-\u001f\u007f-\u009f]*$"
    })
}

fn port(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 1, "maximum": 65_535})
}

fn mount_source(_: &mut SchemaGenerator) -> Schema {
    let mut source = inside();
    source["pattern"] = json!(r#"^(/|[A-Za-z]:[\\/]|\$\{PLUGIN_DIR\}|\$\{env:)[^,"\r\n]*$"#);
    Schema::try_from(source).unwrap_or_default()
}

fn mount_target(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "pattern": r#"^/+[^/,"\r\n$][^,"\r\n$]*$"#,
        "not": {"pattern": r"(^|/)\.\.(/|$)"}
    })
}
