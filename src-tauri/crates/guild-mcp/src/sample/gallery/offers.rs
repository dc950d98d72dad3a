//! What the gallery offers beside its tools: resources, a template of them, and prompts.

use serde_json::{Map, Value, json};

use super::{CATALOGUE, POEM, catalogue, catalogue_link, painted_png};

/// The times of day that there are paintings of.
const SKIES: [&str; 3] = ["dawn", "noon", "dusk"];
const PAINTINGS: &str = "gallery://paintings/";
const POEM_URI: &str = "gallery://poem";

/// The resources.
pub(in crate::sample) fn resources() -> Value {
    let mut catalogue_entry = catalogue_link();
    catalogue_entry["size"] = catalogue().len().into();
    let poem = json!({
        "uri": POEM_URI,
        "name": "poem",
        "title": "The poem at the door",
        "mimeType": "text/plain",
        "size": POEM.len(),
    });
    let dusk = json!({
        "uri": format!("{PAINTINGS}dusk"),
        "name": "dusk",
        "title": "A sun over water, at dusk",
        "mimeType": "image/png",
    });
    json!({"resources": [catalogue_entry, poem, dusk]})
}

/// The templates.
pub(in crate::sample) fn templates() -> Value {
    json!({"resourceTemplates": [{
        "uriTemplate": format!("{PAINTINGS}{{sky}}"),
        "name": "painting",
        "title": "A painting by its time of day",
        "description": "dawn, noon or dusk",
        "mimeType": "image/png",
    }]})
}

/// A resource's content.
pub(in crate::sample) fn read(uri: &str) -> Option<Value> {
    if uri == CATALOGUE {
        return Some(json!({"uri": uri, "mimeType": "text/markdown", "text": catalogue()}));
    }
    if uri == POEM_URI {
        return Some(json!({"uri": uri, "mimeType": "text/plain", "text": POEM}));
    }
    let sky = uri.strip_prefix(PAINTINGS)?;
    SKIES
        .contains(&sky)
        .then(|| json!({"uri": uri, "mimeType": "image/png", "blob": painted_png(sky)}))
}

/// The prompts.
pub(in crate::sample) fn prompts() -> Value {
    json!({"prompts": [
        {
            "name": "describe_painting",
            "title": "Describe a painting",
            "description": "Asks for a description of one painting, for a certain reader.",
            "arguments": [
                {"name": "sky", "title": "Time of day", "description": "dawn, noon or dusk",
                    "required": true},
                {"name": "reader", "description": "Who reads it; anybody by default"},
            ],
        },
        {
            "name": "welcome",
            "title": "Welcome a visitor",
            "description": "Asks for a word of welcome.",
        },
    ]})
}

/// A prompt filled in; the error says what is wrong with the request.
pub(in crate::sample) fn prompt(
    name: &str,
    arguments: &Map<String, Value>,
) -> Result<Value, String> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str);
    match name {
        "describe_painting" => {
            let sky = argument("sky").ok_or("describe_painting needs the argument sky")?;
            let uri = format!("{PAINTINGS}{sky}");
            let content = read(&uri).filter(|_| SKIES.contains(&sky));
            let content = content.ok_or_else(|| format!("there is no painting of {sky}"))?;
            let reader = argument("reader").unwrap_or("anybody");
            let words = format!("Describe this painting for {reader}, in three sentences.");
            Ok(
                json!({"description": format!("A description of {uri}"), "messages": [
                    {"role": "user", "content": {"type": "text", "text": words}},
                    {"role": "user", "content": {"type": "resource", "resource": content}},
                ]}),
            )
        }
        "welcome" => {
            let words = "Welcome a visitor to the gallery in one sentence.";
            Ok(json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": words}},
            ]}))
        }
        _ => Err(format!("gallery has no prompt {name}")),
    }
}

/// Times of day that begin with what was typed; the one argument that has known values.
pub(in crate::sample) fn complete(argument: &str, typed: &str) -> Value {
    let values: Vec<&str> = SKIES
        .into_iter()
        .filter(|sky| argument == "sky" && sky.starts_with(typed))
        .collect();
    json!({"completion": {"total": values.len(), "hasMore": false, "values": values}})
}
