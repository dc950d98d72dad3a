//! The menu: the gateway's meta tools, through which a client finds, inspects and calls all other
//! tools.
//!
//! In lazy mode, the tools in [`MenuTool::LAZY`] follow the stubs. In search mode, the whole list
//! is [`MenuTool::SEARCH`]. The definitions are constants, so that a list that a client has cached
//! does not depend on the number of tools.

mod answer;
mod near;
mod read;

pub use self::answer::{
    FoundTool, NotDescribed, ToolDescriptionResult, described, described_batch, found, tool_error,
    with_unlisted, wrong_arguments,
};
pub use self::near::NearNames;
pub use self::read::{MenuCall, ResultPart};

/// Default number of search results.
pub(crate) const FOUND_DEFAULT: usize = 8;
/// Maximum number of results of one search.
pub const FOUND_MAX: usize = 50;
/// Maximum number of tools in one batch.
pub const BATCH_MAX: usize = 20;

/// Maximum length of a search text for a result, in characters.
pub(crate) const SEARCH_CHARS_MAX: usize = 1_000;
/// Limit and default of the characters around each match in a result.
pub(crate) const CONTEXT_CHARS: (usize, usize) = (2_000, 100);

/// Maximum length of a name that is compared and repeated in an answer, in characters.
const NAME_SHOWN_MAX: usize = 256;

/// A meta tool of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MenuTool {
    /// `tools_search`: finds tools for a task.
    Search,
    /// `tools_describe`: describes one tool in full.
    Describe,
    /// `tools_describe_batch`: describes several tools in full.
    DescribeBatch,
    /// `tools_call_read`: calls a tool that its server marks as read-only.
    CallRead,
    /// `tools_call_write`: calls any other tool.
    CallWrite,
    /// `result_read`: reads the rest of a result that was too large.
    ReadResult,
}

impl MenuTool {
    /// All menu tools. Their names are reserved.
    pub const ALL: [Self; 6] = [
        Self::Search,
        Self::Describe,
        Self::DescribeBatch,
        Self::CallRead,
        Self::CallWrite,
        Self::ReadResult,
    ];
    /// The menu tools that follow the stubs in lazy mode.
    pub const LAZY: [Self; 2] = [Self::Describe, Self::DescribeBatch];
    /// The menu tools that search mode lists.
    pub const SEARCH: [Self; 4] = [
        Self::Search,
        Self::DescribeBatch,
        Self::CallRead,
        Self::CallWrite,
    ];
    /// The tools' names, in the order of [`Self::ALL`].
    pub const NAMES: [&str; 6] = [
        "tools_search",
        "tools_describe",
        "tools_describe_batch",
        "tools_call_read",
        "tools_call_write",
        "result_read",
    ];

    /// Returns the tool with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Returns the tool's name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the definition for `tools/list`, as JSON text.
    pub fn definition(self) -> &'static str {
        match self {
            Self::Search => SEARCH,
            Self::Describe => DESCRIBE,
            Self::DescribeBatch => DESCRIBE_BATCH,
            Self::CallRead => CALL_READ,
            Self::CallWrite => CALL_WRITE,
            Self::ReadResult => READ_RESULT,
        }
    }
}

const SEARCH: &str = concat!(
    r#"{"name":"tools_search","description":"Finds tools for a task. Most tools are not listed: "#,
    r#"search before saying that there is none. Gives names with one line each, best first. Next: "#,
    r#"tools_describe_batch with the names that fit, then the call tool that the line names.","#,
    r#""inputSchema":{"type":"object","properties":{"task":{"type":"string","description":"What "#,
    r#"is to be done, in a few plain words: create a pull request"},"limit":{"type":"integer","#,
    r#""minimum":1,"maximum":50,"default":8}},"required":["task"]},"annotations":{"#,
    r#""readOnlyHint":true,"openWorldHint":false}}"#,
);

const DESCRIBE: &str = concat!(
    r#"{"name":"tools_describe","description":"Gives one tool in full. The list is shortened: "#,
    r#"descriptions that end in … go on, and no tool shows its title or arguments. Describe a "#,
    r#"tool before its first call.","inputSchema":{"type":"object","properties":{"name":{"type":"string","#,
    r#""description":"Its name as listed"}},"required":["name"]},"annotations":{"#,
    r#""readOnlyHint":true,"openWorldHint":false}}"#,
);

const DESCRIBE_BATCH: &str = concat!(
    r#"{"name":"tools_describe_batch","description":"Gives several tools in full: description and "#,
    r#"inputSchema of each. An unknown name is reported beside the others.","#,
    r#""inputSchema":{"type":"object","properties":{"names":{"type":"array","items":{"type":"#,
    r#""string"},"minItems":1,"maxItems":20}},"required":["names"]},"annotations":{"#,
    r#""readOnlyHint":true,"openWorldHint":false}}"#,
);

const CALL_READ: &str = concat!(
    r#"{"name":"tools_call_read","description":"Calls a tool that only reads: its annotations say "#,
    r#"readOnlyHint true. For all others: tools_call_write.","inputSchema":{"type":"object","#,
    r#""properties":{"name":{"type":"string"},"arguments":{"type":"object","description":"As the "#,
    r#"tool's inputSchema has them"}},"required":["name"]},"annotations":{"readOnlyHint":true,"#,
    r#""openWorldHint":true}}"#,
);

const CALL_WRITE: &str = concat!(
    r#"{"name":"tools_call_write","description":"Calls a tool that may change or delete things.","#,
    r#""inputSchema":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"#,
    r#""object","description":"As the tool's inputSchema has them"}},"required":["name"]},"#,
    r#""annotations":{"readOnlyHint":false,"destructiveHint":true,"openWorldHint":true}}"#,
);

const READ_RESULT: &str = concat!(
    r#"{"name":"result_read","description":"Reads the rest of a result that was cut because it "#,
    r#"was too large. Takes the handle at the end of the cut result. Each answer shows how to "#,
    r#"continue.","inputSchema":{"type":"object","properties":{"handle":{"type":"string"},"#,
    r#""offset":{"type":"integer","minimum":0,"description":"The first character to read or "#,
    r#"search, line (unit), or element (pointer), counted from 0"},"limit":{"type":"integer","#,
    r#""minimum":1,"description":"The number of characters, lines, elements or matches"},"unit":{"#,
    r#""type":"string","enum":["characters","lines"]},"pointer":{"type":"string","description":"#,
    r#""JSON Pointer of a part, such as /items/0"},"search":{"type":"string","description":"Text "#,
    r#"to find, in upper or lower case"},"regex":{"type":"boolean","description":"search is a "#,
    r#"regular expression"},"context":{"type":"integer","minimum":0,"maximum":2000,"default":100,"#,
    r#""description":"Characters around a match"}},"required":["handle"]},"annotations":{"#,
    r#""readOnlyHint":true,"openWorldHint":false}}"#,
);

#[cfg(test)]
mod tests;
