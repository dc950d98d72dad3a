//! Prints the figures of `cargo xtask bench tokens` as JSON: token costs of tool lists, and the
//! quality and speed of tool searches.
//!
//! `stubs COUNT` prints some stubs, `texts` the input of an embeddings endpoint, `shapes` the tools
//! that strict clients reject, and `claims` the tools with a doubted read-only claim. `close FILE`
//! compares the search with a ranking by meaning.

mod real;

use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};

use guild_catalog::claim::judged_hints;
use guild_catalog::menu::{FoundTool, MenuTool, found};
use guild_catalog::search::{Close, Findable, Ranking, Searcher, SemanticRanking, meaning_text};
use guild_catalog::strict::{OddShape, odd_shapes};
use guild_catalog::stub::{full, stub, summary};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tiktoken_rs::o200k_base_singleton;

use self::real::{RealTool, Recall, Task};

/// Number of servers that an agent has in a session.
const SERVERS: usize = 10;
/// Number of sessions that are drawn.
const SESSIONS: usize = 300;
/// Numbers of tools that a session uses.
const USED: [usize; 2] = [3, 10];
/// Number of hits of a search.
const FOUND: usize = 8;
/// Number of tools for measuring the speed of the search.
const MANY: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => figures(),
        ["stubs", count] => stubs(count.parse()?),
        ["texts"] => texts(),
        ["close", file] => close(file),
        ["shapes"] => list_shapes(),
        ["claims"] => doubted_claims(),
        _ => {
            Err("usage: agents_figures [stubs COUNT | texts | close FILE | shapes | claims]".into())
        }
    }
}

/// Prints the tools for which some client rejects a whole list, with the reasons, and counts each
/// shape.
fn list_shapes() -> Result<(), Box<dyn Error>> {
    let tools = real::tools()?;
    for tool in &tools {
        let shapes: Vec<&str> = odd_shapes(tool.spec.raw())
            .into_iter()
            .map(OddShape::words)
            .collect();
        if !shapes.is_empty() {
            println!("{}: {}", tool.name, shapes.join("; "));
        }
    }
    println!("{}", shapes(&tools));
    Ok(())
}

/// Prints the tools whose name or description contradicts their read-only claim.
fn doubted_claims() -> Result<(), Box<dyn Error>> {
    let (mut claims, mut doubted) = (0, 0);
    for tool in real::tools()? {
        let (said, judged) = (tool.spec.hints(), judged_hints(&tool.spec));
        claims += usize::from(said.read_only == Some(true));
        if said != judged {
            doubted += 1;
            println!("{}: {}", tool.name, summary(tool.spec.description()));
        }
    }
    println!("{doubted} of {claims} claims are doubted");
    Ok(())
}

/// Counts the tools and servers with each shape that some client rejects.
fn shapes(tools: &[RealTool]) -> Value {
    let of = |shape: OddShape| {
        let odd = tools
            .iter()
            .filter(|tool| odd_shapes(tool.spec.raw()).contains(&shape));
        let mut members: Vec<&str> = odd.map(|tool| tool.member.as_str()).collect();
        let tools = members.len();
        members.dedup();
        json!({"shape": shape.words(), "tools": tools, "servers": members.len()})
    };
    OddShape::ALL.into_iter().map(of).collect()
}

/// Prints the stubs of some tools. Every run draws the same tools.
fn stubs(count: usize) -> Result<(), Box<dyn Error>> {
    for tool in Draw(20_261_123).some(&real::tools()?.iter().collect::<Vec<_>>(), count) {
        let stub: Value = serde_json::from_str(&stub(&tool.name, &tool.spec, None))?;
        println!(
            "{}: {}",
            tool.name,
            stub["description"].as_str().unwrap_or_default()
        );
    }
    Ok(())
}

/// Prints the texts for an embeddings endpoint, without the prefixes that a model expects.
fn texts() -> Result<(), Box<dyn Error>> {
    let (tools, tasks) = (real::tools()?, real::tasks()?);
    let tasks: Vec<&String> = tasks
        .iter()
        .flat_map(|task| [&task.user, &task.agent])
        .collect();
    let tools = tool_texts(&tools);
    println!(
        "{}",
        json!({"digest": digest(&tools), "tools": tools, "tasks": tasks})
    );
    Ok(())
}

fn tool_texts(tools: &[RealTool]) -> Vec<String> {
    let texts = tools.iter().map(|tool| meaning_text(&tool.findable()));
    texts.collect()
}

/// Returns the digest of all inputs that the closest tools depend on, except the model.
fn digest(texts: &[String]) -> String {
    let digest = Sha256::digest(texts.join("\n"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The closest tools of each task according to a model, as `close FILE` reads them.
#[derive(Deserialize)]
struct CloseTools {
    model: String,
    /// The digest of the texts that the model was given.
    digest: String,
    /// The lowest cosine of a match.
    floor: f32,
    /// The indexes and cosines of the closest tools by task text, closest first.
    close: HashMap<String, Vec<(usize, f32)>>,
}

/// Prints how many tasks find a tool with an embeddings endpoint.
fn close(file: &str) -> Result<(), Box<dyn Error>> {
    let (tools, tasks) = (real::tools()?, real::tasks()?);
    let close: CloseTools = serde_json::from_slice(&std::fs::read(file)?)?;
    println!("{}", close_recall(&tools, &tasks, &close)?);
    Ok(())
}

fn close_recall(
    tools: &[RealTool],
    tasks: &[Task],
    close: &CloseTools,
) -> Result<Value, Box<dyn Error>> {
    if close.digest != digest(&tool_texts(tools)) {
        return Err("the tools' texts have changed: rank them anew (docs/tokens.md)".into());
    }
    let searcher = Searcher::build(tools.iter().map(RealTool::findable));
    let of = |aside: bool| -> Result<Value, Box<dyn Error>> {
        let [mut user, mut agent] = [Recall::default(); 2];
        for task in tasks.iter().filter(|task| task.aside == aside) {
            for (recall, text) in [(&mut user, &task.user), (&mut agent, &task.agent)] {
                let ranked = close.close.get(text).ok_or("a task without close tools")?;
                let tools_by_meaning = ranked.iter();
                let closest = SemanticRanking {
                    tools: tools_by_meaning
                        .map(|(place, cosine)| Close {
                            place: *place,
                            cosine: *cosine,
                        })
                        .collect(),
                    floor: close.floor,
                };
                let hits = searcher.find_beside(text, &closest, 5);
                recall.tasks += 1;
                recall.found += u32::from(task.is_found(tools, &hits));
            }
        }
        Ok(json!({"users": user.percent(), "agents": agent.percent()}))
    };
    Ok(json!({"model": close.model, "aside": of(true)?, "tuned": of(false)?}))
}

fn figures() -> Result<(), Box<dyn Error>> {
    let before = resident();
    let began = Instant::now();
    tokens("");
    let vocabulary = json!({
        "ms": millis(began.elapsed()),
        "bytes": resident().saturating_sub(before),
    });
    let (tools, tasks) = (real::tools()?, real::tasks()?);
    let costs: Vec<Cost> = tools.iter().map(Cost::of).collect::<Result<_, _>>()?;
    let sessions: Vec<Value> = USED
        .iter()
        .map(|used| sessions(&tools, &costs, *used))
        .collect::<Result<_, _>>()?;
    let figures = json!({
        "tools": tools.len(),
        "servers": servers(&tools).len(),
        "vocabulary": vocabulary,
        "lists": lists(&costs),
        "shapes": shapes(&tools),
        "sessions": sessions,
        "recall": recall(&tools, &tasks),
        "close": close_recall(&tools, &tasks, &real::read("tests/data/close-tools.json")?)?,
        "search": speed(&tools, &tasks),
    });
    println!("{figures}");
    Ok(())
}

fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// The cost of one tool at each level of detail.
#[derive(Clone, Copy)]
struct Cost {
    /// Name, description and schema: the part that clients pass to their models.
    whole: usize,
    /// Name and description.
    words: usize,
    /// The whole tool as sent.
    whole_sent: usize,
    /// The part of a stub that clients pass to their models: all but its annotations.
    stub: usize,
    /// The stub as sent.
    stub_sent: usize,
    /// Name and first sentence.
    sentence: usize,
    /// The name.
    name: usize,
    /// The answer that describes the tool.
    described: usize,
}

impl Cost {
    fn of(tool: &RealTool) -> Result<Self, Box<dyn Error>> {
        let spec = &tool.spec;
        let given = json!({
            "name": tool.name,
            "description": spec.description(),
            "inputSchema": spec.input_schema(),
        });
        let (sent, short) = (full(&tool.name, spec, None), stub(&tool.name, spec, None));
        let stub_sent = tokens(&short);
        let mut short: Value = serde_json::from_str(&short)?;
        if let Some(fields) = short.as_object_mut() {
            fields.shift_remove("annotations");
        }
        Ok(Self {
            whole: tokens(&given.to_string()),
            words: tokens(&format!("{}: {}\n", tool.name, spec.description())),
            whole_sent: tokens(&sent),
            stub: tokens(&short.to_string()),
            stub_sent,
            sentence: tokens(&format!("{}: {}\n", tool.name, summary(spec.description()))),
            name: tokens(&format!("{}\n", tool.name)),
            described: tokens(&sent),
        })
    }
}

fn menu(tools: &[MenuTool]) -> usize {
    tools.iter().map(|tool| tokens(tool.definition())).sum()
}

/// Returns the cost of all tools together.
fn lists(costs: &[Cost]) -> Value {
    let sum = |of: fn(&Cost) -> usize| costs.iter().map(of).sum::<usize>();
    json!({
        "whole": sum(|cost| cost.whole),
        "words": sum(|cost| cost.words),
        "stubs": sum(|cost| cost.stub) + menu(&MenuTool::LAZY),
        "sentences": sum(|cost| cost.sentence),
        "names": sum(|cost| cost.name),
        "menu": menu(&MenuTool::SEARCH),
        "whole_sent": sum(|cost| cost.whole_sent),
        "stubs_sent": sum(|cost| cost.stub_sent) + menu(&MenuTool::LAZY),
    })
}

/// Returns the average cost of a session with some servers and some used tools, in three ways: with
/// the whole list, with stubs and descriptions of the used tools, and with the menu, a search for
/// each used tool and its description.
fn sessions(tools: &[RealTool], costs: &[Cost], used: usize) -> Result<Value, Box<dyn Error>> {
    let servers = servers(tools);
    let mut draw = Draw(20_260_131);
    let (mut whole, mut lazy, mut sentences, mut search) = (0, 0, 0, 0);
    for _ in 0..SESSIONS {
        let chosen = draw.some(&servers, SERVERS);
        let places: Vec<usize> = (0..tools.len())
            .filter(|place| chosen.contains(&tools[*place].member.as_str()))
            .collect();
        let of_them = draw.some(&places, used);
        let sum = |places: &[usize], of: fn(&Cost) -> usize| -> usize {
            places.iter().map(|place| of(&costs[*place])).sum()
        };
        let described = sum(&of_them, |cost| cost.described);
        whole += sum(&places, |cost| cost.whole);
        lazy += sum(&places, |cost| cost.stub) + menu(&MenuTool::LAZY) + described;
        sentences += sum(&places, |cost| cost.sentence) + menu(&MenuTool::LAZY) + described;
        search += menu(&MenuTool::SEARCH) + described + searches(tools, &places, &of_them)?;
    }
    Ok(json!({
        "used": used,
        "servers": SERVERS,
        "sessions": SESSIONS,
        "whole": whole / SESSIONS,
        "stubs": lazy / SESSIONS,
        "sentences": sentences / SESSIONS,
        "search": search / SESSIONS,
    }))
}

/// Returns the cost of the answers to one search for each used tool.
fn searches(tools: &[RealTool], places: &[usize], used: &[usize]) -> Result<usize, Box<dyn Error>> {
    let searcher = Searcher::build(places.iter().map(|place| tools[*place].findable()));
    let mut sum = 0;
    for used in used {
        let hits = searcher.find(&summary(tools[*used].spec.description()), FOUND);
        let summaries: Vec<String> = hits
            .iter()
            .map(|hit| summary(tools[places[hit.place]].spec.description()))
            .collect();
        let lines: Vec<FoundTool<'_>> = hits
            .iter()
            .zip(&summaries)
            .map(|(hit, summary)| {
                let tool = &tools[places[hit.place]];
                FoundTool {
                    name: &tool.name,
                    summary,
                    reads: tool.spec.hints().read_only == Some(true),
                    why: &hit.why,
                    weak: hit.weak,
                }
            })
            .collect();
        let result: Value = serde_json::from_str(&found(&lines, places.len(), None))?;
        sum += tokens(result["content"][0]["text"].as_str().ok_or("no text")?);
    }
    Ok(sum)
}

fn servers(tools: &[RealTool]) -> Vec<&str> {
    let mut servers: Vec<&str> = tools.iter().map(|tool| tool.member.as_str()).collect();
    servers.dedup();
    servers
}

/// A pseudo-random generator with a fixed seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit
    }

    /// Draws at most `count` different items.
    fn some<T: Clone>(&mut self, of: &[T], count: usize) -> Vec<T> {
        let mut left = of.to_vec();
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count && !left.is_empty() {
            let at = self.below(left.len());
            drawn.push(left.swap_remove(at));
        }
        drawn
    }
}

fn recall(tools: &[RealTool], tasks: &[Task]) -> Value {
    let of = |ranking: Ranking, aside| {
        let user = real::recall(tools, tasks, ranking.clone(), aside, |task| &task.user);
        let agent = real::recall(tools, tasks, ranking, aside, |task| &task.agent);
        json!({"users": user.percent(), "agents": agent.percent()})
    };
    json!({
        "tasks": tasks.len(),
        "aside": tasks.iter().filter(|task| task.aside).count(),
        "ours": of(Ranking::TUNED, true),
        "plain": of(Ranking::PLAIN, true),
        "ours_tuned": of(Ranking::TUNED, false),
        "plain_tuned": of(Ranking::PLAIN, false),
    })
}

/// Measures the time to index many tools and to search them, and the memory.
fn speed(tools: &[RealTool], tasks: &[Task]) -> Value {
    // The same tools under several names.
    let many: Vec<(String, &RealTool)> = (0..)
        .flat_map(|copy| tools.iter().map(move |tool| (copy, tool)))
        .map(|(copy, tool)| (format!("{}{copy}", tool.name), tool))
        .take(MANY)
        .collect();
    let before = resident();
    let began = Instant::now();
    let searcher = Searcher::build(many.iter().map(|(name, tool)| Findable {
        name,
        ..tool.findable()
    }));
    let build = began.elapsed();
    let bytes = resident().saturating_sub(before);
    let mut times: Vec<Duration> = tasks
        .iter()
        .map(|task| {
            let began = Instant::now();
            let hits = searcher.find(&task.user, FOUND);
            let time = began.elapsed();
            assert!(hits.len() <= FOUND, "more were found than asked for");
            time
        })
        .collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    json!({
        "tools": searcher.len(),
        "build_ms": millis(build),
        "bytes": bytes,
        "median_us": at(50).as_secs_f64() * 1e6,
        "p99_us": at(99).as_secs_f64() * 1e6,
    })
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Returns the process's memory in bytes, or 0 if the system does not report it.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or_default();
    pages * 4_096
}
