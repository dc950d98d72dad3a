//! A result as one text and as one JSON value, for reading parts of it.
//!
//! The JSON is not parsed into values, so that no digit changes and large values need no further
//! memory.

use std::fmt;

use serde::Deserialize;
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Maximum number of blocks that are described one by one.
const BLOCKS_DESCRIBED_MAX: usize = 200;

/// The text of a result, in the order in which agents read it.
#[derive(Debug, Default)]
pub(super) struct ResultDocument {
    /// The texts of all blocks, joined by line ends. The structured content is appended if it is
    /// more than twice as long as the texts, because the texts can't contain it then.
    pub(super) text: String,
    /// The first [`BLOCKS_DESCRIBED_MAX`] blocks.
    pub(super) blocks: Vec<BlockSummary>,
    /// The number of blocks.
    pub(super) block_count: usize,
    /// The JSON that JSON Pointers refer to: the structured content, or else the only text if it is
    /// a JSON object or array. If there are several texts, it is an array of them, in which any
    /// other text is a string.
    pub(super) json: Option<String>,
    /// The elements of the array for `json`. Used only while the blocks are read.
    array: String,
    /// The number of texts.
    texts: usize,
}

/// A block of a result's content.
#[derive(Debug)]
pub(super) struct BlockSummary {
    pub(super) kind: String,
    /// The size of the whole block, in bytes.
    pub(super) bytes: usize,
    /// The range of its text in the document's text, in bytes. `None` if it has no text.
    pub(super) text: Option<(usize, usize)>,
}

#[derive(Deserialize, Default)]
struct Block {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    resource: Option<EmbeddedResource>,
}

#[derive(Deserialize)]
struct EmbeddedResource {
    #[serde(default)]
    text: Option<String>,
}

/// Returns the type and the text of a content block. Images, audio and links have no text.
pub(super) fn block_text(block: &str) -> (String, Option<String>) {
    let block: Block = serde_json::from_str(block).unwrap_or_default();
    let text = match block.kind.as_str() {
        "text" => block.text,
        "resource" => block.resource.and_then(|resource| resource.text),
        _ => None,
    };
    (block.kind, text)
}

impl ResultDocument {
    /// Reads an MCP result.
    pub(super) fn read(result: &str) -> Self {
        let mut document = Self::default();
        let (mut content, mut structured) = (None, None);
        each_field(result, |name, value| match name.as_str() {
            "content" => content = Some(value),
            "structuredContent" if value != "null" => structured = Some(value),
            _ => {}
        });
        each_element(content.unwrap_or("[]"), |block| {
            let (kind, text) = block_text(block);
            document.add(kind, block.len(), text.as_deref());
        });
        document.json = match document.texts {
            1 => container(&document.text).map(str::to_owned),
            _ => Some(format!("[{}]", document.array)).filter(|_| document.texts > 0),
        };
        document.array = String::new();
        let structured = structured.unwrap_or_default();
        // The texts usually repeat the structured content, unless it is much longer.
        if structured.len() > document.text.len().saturating_mul(2) {
            document.add(
                "structuredContent".into(),
                structured.len(),
                Some(structured),
            );
        }
        if !structured.is_empty() {
            document.json = Some(structured.to_owned());
        }
        document
    }

    fn add(&mut self, kind: String, bytes: usize, text: Option<&str>) {
        let place = text.map(|text| {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            let from = self.text.len();
            self.text.push_str(text);
            (from, self.text.len())
        });
        self.block_count += 1;
        if let Some(text) = text {
            let comma = if self.texts > 0 { "," } else { "" };
            self.array.push_str(comma);
            match container(text) {
                Some(json) => self.array.push_str(json),
                None => self.array.push_str(&Value::from(text).to_string()),
            }
            self.texts += 1;
        }
        if self.blocks.len() < BLOCKS_DESCRIBED_MAX {
            let text = place;
            self.blocks.push(BlockSummary { kind, bytes, text });
        }
    }
}

/// Returns a text without surrounding whitespace if it is a JSON object or array.
pub(super) fn container(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_json = text.starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok();
    is_json.then_some(text)
}

/// Calls `each` with the name and the JSON text of each field of an object. Returns false if the
/// text is not an object.
pub(super) fn each_field<'a>(object: &'a str, each: impl FnMut(String, &'a str)) -> bool {
    struct Fields<F>(F);

    impl<'de, F: FnMut(String, &'de str)> Visitor<'de> for Fields<F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
            while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                (self.0)(name, value.get());
            }
            Ok(())
        }
    }

    let mut json = serde_json::Deserializer::from_str(object);
    json.deserialize_map(Fields(each)).is_ok()
}

/// Calls `each` with the JSON text of each element of an array. Returns false if the text is not an
/// array.
pub(super) fn each_element<'a>(array: &'a str, each: impl FnMut(&'a str)) -> bool {
    struct Elements<F>(F);

    impl<'de, F: FnMut(&'de str)> Visitor<'de> for Elements<F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
            while let Some(element) = seq.next_element::<&RawValue>()? {
                (self.0)(element.get());
            }
            Ok(())
        }
    }

    let mut json = serde_json::Deserializer::from_str(array);
    json.deserialize_seq(Elements(each)).is_ok()
}
