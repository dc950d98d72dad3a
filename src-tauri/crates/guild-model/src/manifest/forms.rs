//! JSON Schemas that several manifest fields share, and parsers of their numbers.
//!
//! `errorMessage` is the error message for an invalid value. Editors show it too. `errorHint` is
//! the hint for the message.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

use crate::globs::GLOB_BYTES_MAX;
use crate::protocol::ProtocolVersion;

/// Maximum timeout, in milliseconds: one day.
pub(crate) const TIMEOUT_MS_MAX: u64 = 86_400_000;

/// Matches an unescaped `${` that does not begin a known variable.
pub(super) const UNKNOWN_VARIABLE: &str =
    r"(^|[^$])\$\{(?!(PORT|PLUGIN_DIR|GUILDHALL|(env|secret):[^\s=${}\p{Cc}]{1,256})\})";
const PORT: &str = r"(^|[^$])\$\{PORT\}";
const SECRET: &str = r"(^|[^$])\$\{secret:[^}]*\}";

/// Defines types that name a schema in `#[schemars(with = "…")]`.
macro_rules! forms {
    ($($(#[$doc:meta])+ $name:ident = $schema:tt;)+) => {$(
        $(#[$doc])+
        pub enum $name {}

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

forms! {
    /// A member's name.
    NameText = {
        "type": "string", "minLength": 1, "maxLength": 64,
        "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$",
        "errorMessage": "must be 1 to 64 letters, digits, '.', '_' and '-', and begin with a letter or a digit"
    };
    /// A tool's name.
    ToolText = {
        "type": "string", "minLength": 1, "maxLength": 256,
        "errorMessage": "must be a tool's name of 1 to 256 characters"
    };
    /// A string with at least one visible character.
    Filled = {"type": "string", "pattern": r"\S", "errorMessage": "must not be empty"};
    /// A string that may contain variables.
    Template = {"type": "string", "not": {"pattern": UNKNOWN_VARIABLE}};
    /// A program or a folder. It may contain variables.
    FilledTemplate = {"type": "string", "pattern": r"\S", "not": {"pattern": UNKNOWN_VARIABLE}};
    /// The value of a header.
    HeaderValue = {
        "type": "string", "pattern": r"^[^\r\n]*$", "not": {"pattern": UNKNOWN_VARIABLE},
        "errorMessage": "must not have a line end"
    };
    /// The address of a server.
    Url = {
        "type": "string",
        "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s\\/?#@:][^\s\\/?#@]*([/?#][^\s\\]*)?$",
        "not": {"pattern": UNKNOWN_VARIABLE},
        "errorMessage": "must be an address that begins with http:// or https://"
    };
    /// The id of a client at an authorization server.
    ClientIdText = {
        "type": "string", "minLength": 1, "maxLength": 2_048, "pattern": "^[!-~]+$",
        "errorMessage": "must be an id of at most 2048 characters, without spaces"
    };
    /// A reference to a client's secret.
    ClientSecret = {
        "type": "string", "pattern": SECRET,
        "not": {"pattern": UNKNOWN_VARIABLE},
        "errorMessage": "must refer to a secret; a manifest is not the place for its value",
        "errorHint": "Write ${secret:NAME}, and set its value with `guildhall secret set NAME`."
    };
    /// The address of a client's metadata document.
    ClientDocument = {
        "type": "string", "maxLength": 2_048, "pattern": "^https://[!-.0-~]+/[!-~]+$",
        "errorMessage": "must be an address that begins with https:// and has a path"
    };
    /// An endpoint of an authorization server.
    SignInAddress = {
        "type": "string", "maxLength": 2_048,
        "pattern": r"^(https://[!-.0-?A-~]|http://(localhost|127\.0\.0\.1)[:/])[!-?A-~]*$",
        "errorMessage": "must be an address that begins with https://"
    };
    /// A scope (RFC 6749, section 3.3).
    Scope = {
        "type": "string", "maxLength": 256, "pattern": r"^[!#-\[\]-~]+$",
        "errorMessage": "must be one scope, without spaces, quotation marks and backslashes"
    };
    /// A port that a browser may return to. Ports below 1024 are reserved for the system.
    RedirectPort = {
        "type": "integer", "minimum": 1_024, "maximum": 65_535,
        "errorMessage": "must be a port from 1024 to 65535"
    };
    /// A port in a container.
    Port = {
        "type": "integer", "minimum": 1, "maximum": 65_535,
        "errorMessage": "must be a port from 1 to 65535"
    };
    /// A time limit.
    Millis = {
        "type": "integer", "minimum": 1, "maximum": TIMEOUT_MS_MAX,
        "errorMessage": format!("must be a whole number of milliseconds from 1 to {TIMEOUT_MS_MAX}")
    };
    /// How long files must stay unchanged, in milliseconds.
    Debounce = {
        "type": "integer", "minimum": 1, "maximum": 10_000,
        "errorMessage": "must be a whole number of milliseconds from 1 to 10000"
    };
    /// A file pattern relative to the member's folder, which it can't leave.
    GlobText = {
        "type": "string", "maxLength": GLOB_BYTES_MAX,
        "pattern": r"^!?(?!/)(?!(.*/)?\.\.(/|$))(?=.*\S)[^\\]+$",
        "errorMessage": "must be a pattern within the member's folder, such as \"src/**/*.py\""
    };
    /// The command that builds a server. It gets no port, so `${PORT}` is not allowed.
    Build = {
        "type": "array", "minItems": 1, "maxItems": 100,
        "items": {
            "type": "string", "not": {"pattern": UNKNOWN_VARIABLE},
            "allOf": [{
                "not": {"pattern": PORT},
                "errorMessage": "must not use ${PORT}, which only the server gets"
            }]
        },
        "allOf": [{"prefixItems": [{
            "pattern": r"\S", "errorMessage": "must be a program, such as \"npm\""
        }]}],
        "errorMessage": "must have a program and at most 99 arguments, such as [\"npm\", \"run\", \"build\"]"
    };
    /// The name of an example.
    ExampleName = {
        "type": "string", "maxLength": 120, "pattern": r"\S", "not": {"pattern": r"\p{Cc}"},
        "errorMessage": "must have 1 to 120 characters, and must not be empty or have a control character"
    };
    /// A JSON object with any fields.
    AnyObject = {"type": "object"};
    /// Any JSON value.
    Anything = {};
    /// A JSON Schema.
    AnySchema = {"type": ["object", "boolean"]};
    /// The protocol versions that a member can be pinned to.
    PinnedVersion = {
        "type": "string",
        "enum": std::iter::once("auto")
            .chain(ProtocolVersion::ALL.map(ProtocolVersion::as_str))
            .collect::<Vec<_>>()
    };
    /// The name of a container's image.
    Image = {
        "type": "string", "maxLength": 512,
        "pattern": "^[A-Za-z0-9]([A-Za-z0-9._/:@-]*[A-Za-z0-9])?$",
        "errorMessage": "must be the name of an image, such as \"ghcr.io/example/notes:1.2\", without variables"
    };
    /// A program in an image.
    Entrypoint = {
        "type": "string", "maxLength": 512,
        "pattern": r"^[^-\[ $\u0000-\u001f\u007f-\u009f][^$\u0000-\u001f\u007f-\u009f]*$",
        "errorMessage": "must be a program in the image, such as \"/bin/serve\", without variables"
    };
    /// An argument of a container. Every user can see it in the engine's command line.
    Inside = {
        "type": "string", "not": {"pattern": UNKNOWN_VARIABLE},
        "allOf": [
            {
                "not": {"pattern": SECRET},
                "errorMessage": "has a secret, which would be a word of the engine's command",
                "errorHint": "Pass it in `env`: every user of this machine can read a command's arguments."
            },
            {
                "not": {"pattern": PORT},
                "errorMessage": "uses ${PORT}, which is the port outside the container",
                "errorHint": "Write the number of `container.port`."
            }
        ]
    };
    /// The network access of a container.
    NetworkText = {
        "type": "string", "maxLength": 128, "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$",
        "not": {"const": "host"},
        "errorMessage": "must be \"none\", \"bridge\" or a network that you made; \"host\" would give the server all that listens on this machine"
    };
    /// An amount of memory.
    Memory = {
        "type": "string", "pattern": "^[1-9][0-9]{0,14}[bkmgBKMG]?$",
        "errorMessage": "must be an amount such as \"512m\" or \"1g\""
    };
    /// A number of processors.
    Cpus = {
        "type": "number", "exclusiveMinimum": 0,
        "errorMessage": "must be a number above zero, such as 1.5"
    };
    /// A number of processes.
    Pids = {
        "type": "integer", "minimum": 1, "maximum": 4_194_304,
        "errorMessage": "must be a whole number from 1 to 4194304"
    };
    /// A user in a container.
    User = {
        "type": "string",
        "pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}(:[A-Za-z0-9_][A-Za-z0-9._-]{0,63})?$",
        "errorMessage": "must be a user or user:group, by name or number"
    };
    /// The source of a mount.
    MountSource = {
        "type": "string",
        "pattern": r#"^(/|[A-Za-z]:[\\/]|\$\{PLUGIN_DIR\}|\$\{env:)[^,"\r\n]*$"#,
        "not": {"pattern": UNKNOWN_VARIABLE},
        "errorMessage": "must be a whole path or begin with ${PLUGIN_DIR} or ${env:NAME}, without commas, quotation marks and line ends",
        "allOf": [{
            "not": {"anyOf": [{"pattern": PORT}, {"pattern": SECRET}]},
            "errorMessage": "must not use ${PORT} or a secret"
        }]
    };
    /// The target of a mount.
    MountTarget = {
        "type": "string", "pattern": r#"^/+[^/,"\r\n$][^,"\r\n$]*$"#,
        "not": {"pattern": r"(^|/)\.\.(/|$)"},
        "errorMessage": "must be a whole path in the container and not its root, without variables, commas, quotation marks and line ends"
    };
}

/// Parses a whole number in any notation: `5000`, `5e3`, `5000.0`.
pub fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(reader: D) -> Result<T, D::Error> {
    let number = Number::deserialize(reader)?;
    let whole = number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        // Every integer below 2^53 is exact as an f64.
        let exact = float.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&float);
        exact.then_some(float as u64)
    });
    let fitting = whole.and_then(|whole| T::try_from(whole).ok());
    fitting.ok_or_else(|| D::Error::custom("not a whole number in its range"))
}

/// Like [`whole`], for an optional field.
pub(crate) fn some_whole<'de, D, T>(reader: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    whole(reader).map(Some)
}

/// Parses any value of an optional field. `null` is a value too.
pub(crate) fn some_value<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(reader).map(Some)
}
