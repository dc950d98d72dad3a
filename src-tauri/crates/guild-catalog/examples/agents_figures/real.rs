//! The tools of 40 real servers, and tasks for them in plain words.

use std::error::Error;
use std::path::Path;

use guild_catalog::search::{CatalogHit, Findable, Ranking, Searcher};
use guild_model::tool::ToolSpec;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A tool of a real server.
pub(crate) struct RealTool {
    /// The server's name as a member.
    pub(crate) member: String,
    /// The tool's name for agents.
    pub(crate) name: String,
    /// The tool.
    pub(crate) spec: ToolSpec,
}

impl RealTool {
    /// Returns the tool for a searcher.
    pub(crate) fn findable(&self) -> Findable<'_> {
        Findable {
            member: &self.member,
            name: &self.name,
            spec: &self.spec,
            change: None,
        }
    }
}

/// A task in a person's words and in an agent's words.
#[derive(Deserialize)]
pub(crate) struct Task {
    /// The task in a person's words.
    pub(crate) user: String,
    /// The words of an agent's search.
    pub(crate) agent: String,
    /// The tools that can do the task, as `server/tool`.
    pub(crate) tools: Vec<String>,
    /// Whether the task was set aside: its result was not inspected while the ranking was tuned.
    pub(crate) aside: bool,
}

impl Task {
    /// Whether one of the first five hits can do the task.
    pub(crate) fn is_found(&self, tools: &[RealTool], hits: &[CatalogHit]) -> bool {
        let mut hits = hits.iter().take(5);
        hits.any(|hit| self.is_done_by(&tools[hit.place]))
    }

    fn is_done_by(&self, tool: &RealTool) -> bool {
        let tools = self.tools.iter().filter_map(|tool| tool.split_once('/'));
        tools
            .into_iter()
            .any(|(member, name)| member == tool.member && name == tool.spec.name().as_str())
    }
}

/// Returns the tools, combined from their schemas and their texts.
pub(crate) fn tools() -> Result<Vec<RealTool>, Box<dyn Error>> {
    let schemas: Map<String, Value> = read("ui/testdata/real-schemas.json")?;
    let words: Value = read("tests/data/real-words.json")?;
    let mut tools = Vec::new();
    for (member, listed) in schemas {
        let listed = listed["tools"].as_array().ok_or("no list of tools")?;
        for tool in listed {
            let mut raw = tool.as_object().ok_or("no tool")?.clone();
            let name = raw["name"].as_str().ok_or("no name")?.to_owned();
            let said = words[&member][&name].as_object();
            raw.extend(said.ok_or("a tool without words")?.clone());
            tools.push(RealTool {
                name: format!("{member}__{name}"),
                member: member.clone(),
                spec: ToolSpec::from_raw(Value::Object(raw))?,
            });
        }
    }
    Ok(tools)
}

/// Returns the tasks.
pub(crate) fn tasks() -> Result<Vec<Task>, Box<dyn Error>> {
    read("tests/data/user-tasks.json")
}

/// Reads a file of the repository.
pub(crate) fn read<T: DeserializeOwned>(path: &str) -> Result<T, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join(path);
    let text = std::fs::read_to_string(&path)?;
    Ok(serde_json::from_str(&text)?)
}

/// The number of tasks, and of those that find one of their tools among the first five hits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Recall {
    /// The number of tasks.
    pub(crate) tasks: u32,
    /// The number of tasks that find a tool.
    pub(crate) found: u32,
}

impl Recall {
    /// Returns the percentage of tasks that find a tool.
    pub(crate) fn percent(self) -> f64 {
        100.0 * f64::from(self.found) / f64::from(self.tasks)
    }
}

/// Measures how a ranking finds the tasks that were set aside, or the others.
pub(crate) fn recall(
    tools: &[RealTool],
    tasks: &[Task],
    ranking: Ranking,
    aside: bool,
    words: fn(&Task) -> &str,
) -> Recall {
    let searcher = Searcher::ranked(tools.iter().map(RealTool::findable), ranking);
    let mut recall = Recall::default();
    for task in tasks.iter().filter(|task| task.aside == aside) {
        recall.tasks += 1;
        recall.found += u32::from(task.is_found(tools, &searcher.find(words(task), 5)));
    }
    recall
}
