//! Prefixes that embedding models expect before queries and documents. Many models were trained
//! with such prefixes and rank worse without them. The prefixes depend on the model's name.

/// The prefixes for a task and for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prompts {
    task: &'static str,
    tool: &'static str,
}

/// The prefixes of known models. The first entry whose text is part of the lowercase name of the
/// model applies.
const OF_MODELS: &[(&str, Prompts)] = &[
    ("e5-mistral", INSTRUCT),
    ("e5-large-instruct", INSTRUCT),
    ("qwen3-embedding", INSTRUCT),
    (
        "e5-",
        Prompts {
            task: "query: ",
            tool: "passage: ",
        },
    ),
    (
        "nomic-embed",
        Prompts {
            task: "search_query: ",
            tool: "search_document: ",
        },
    ),
    (
        "embeddinggemma",
        Prompts {
            task: "task: search result | query: ",
            tool: "title: none | text: ",
        },
    ),
    ("bge-m3", NONE),
    ("bge-", REPRESENT),
    ("mxbai-embed", REPRESENT),
    ("arctic-embed2", QUERY),
    ("arctic-embed-l-v2", QUERY),
    ("arctic-embed-m-v2", QUERY),
    ("arctic-embed", REPRESENT),
];
const NONE: Prompts = Prompts { task: "", tool: "" };
const QUERY: Prompts = Prompts {
    task: "query: ",
    tool: "",
};
const REPRESENT: Prompts = Prompts {
    task: "Represent this sentence for searching relevant passages: ",
    tool: "",
};
const INSTRUCT: Prompts = Prompts {
    task: "Instruct: Given a task, retrieve the tools that do it\nQuery: ",
    tool: "",
};

impl Prompts {
    pub(super) fn of(model: &str) -> Self {
        let model = model.to_lowercase();
        let mut known = OF_MODELS.iter();
        let found = known.find(|(part, _)| model.contains(part));
        found.map_or(NONE, |(_, prompts)| *prompts)
    }

    /// Prepends the prefix that the model expects before queries to a task.
    pub(super) fn task(self, text: &str) -> String {
        format!("{}{text}", self.task)
    }

    /// Prepends the prefix that the model expects before documents to a tool's text.
    pub(super) fn tool(self, text: &str) -> String {
        format!("{}{text}", self.tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_models_get_the_words_they_want() {
        for (model, task, tool) in [
            (
                "nomic-embed-text:latest",
                "search_query: x",
                "search_document: x",
            ),
            ("intfloat/multilingual-E5-small", "query: x", "passage: x"),
            ("bge-m3", "x", "x"),
            ("all-minilm", "x", "x"),
            ("text-embedding-3-small", "x", "x"),
        ] {
            let prompts = Prompts::of(model);
            assert_eq!(
                (prompts.task("x"), prompts.tool("x")),
                (task.into(), tool.into())
            );
        }
        assert!(
            Prompts::of("BAAI/bge-small-en-v1.5")
                .task("x")
                .ends_with(": x")
        );
    }
}
