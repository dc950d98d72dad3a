//! Measures the tokens of tool lists, and how well and how fast agents find tools, with an example
//! of `guild-catalog`. Writes the figures that don't depend on the machine to `docs/tokens.md`.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};
use guild_catalog::stub::BRIEF_CHARS_MAX;
use serde_json::Value;

use super::{BenchOptions, BenchRow};
use crate::root;

/// The page that is written.
const PAGE: &str = "docs/tokens.md";

/// Measures, and writes the page. Returns the rows of the figures that depend on the machine.
pub(super) fn measure(options: &BenchOptions) -> Result<Vec<BenchRow>> {
    let example = [
        "run",
        "--package",
        "guild-catalog",
        "--example",
        "agents_figures",
    ];
    let figures = options.figures_of(&example, &[])?;
    let figures = Figures(&figures);
    let path = root().join(PAGE);
    fs::write(&path, page(figures)?).with_context(|| format!("writing {}", path.display()))?;
    println!("wrote {PAGE}");
    Ok(times(figures)?.into())
}

/// The output of the example, or a part of it.
#[derive(Clone, Copy)]
struct Figures<'a>(&'a Value);

impl<'a> Figures<'a> {
    fn part(self, name: &str) -> Self {
        Self(&self.0[name])
    }

    fn number(self, name: &str) -> Result<f64> {
        let number = self.0[name].as_f64();
        number.with_context(|| format!("{name} is missing among the figures"))
    }

    fn parts(self, name: &str) -> Result<Vec<Figures<'a>>> {
        let parts = self.0[name].as_array();
        let parts = parts.with_context(|| format!("{name} is missing among the figures"))?;
        Ok(parts.iter().map(Figures).collect())
    }

    /// Returns the saving of a way to list tools compared with whole schemas, in percent.
    fn saving(self, way: &str) -> Result<f64> {
        let whole = match way.ends_with("_sent") {
            true => "whole_sent",
            false => "whole",
        };
        Ok(100.0 * (1.0 - self.number(way)? / self.number(whole)?))
    }
}

/// The ways to list tools: their names in the example's output, and on the page.
const WAYS: [(&str, &str); 6] = [
    ("whole", "`full`: name, description, inputSchema"),
    ("words", "name and full description"),
    ("sentences", "name and first sentence (<= 200 characters)"),
    (
        "stubs",
        "`lazy`: name, description, inputSchema, and the menu",
    ),
    ("names", "names"),
    ("menu", "`search`: its menu"),
];

/// The same for the whole answer to `tools/list`, with the fields that clients don't pass to the
/// model.
const SENT: [(&str, &str); 2] = [
    ("whole_sent", "`full`, all that is sent"),
    ("stubs_sent", "`lazy`, all that is sent"),
];

/// The aim for tasks in users' words with an embeddings endpoint, in percent.
const CLOSE_AIM: f64 = 70.0;

/// The result of a manual comparison of stubs with the full descriptions. Repeat it after a change:
/// `cargo run -p guild-catalog --example agents_figures -- stubs 100`.
const STUBS_READ: &str = "Of 100 stubs that were read in November 2026\n\
     beside the beginnings of their descriptions (`agents_figures stubs 100`), none misled. Two, such as\n\
     `Manage AWS Glue crawlers`, name a purpose without its operations.";

/// The listing modes of a session.
const SESSIONS: [(&str, &str); 3] = [
    ("whole", "`full`"),
    ("stubs", "`lazy`"),
    ("search", "`search`"),
];

fn times(figures: Figures<'_>) -> Result<[BenchRow; 3]> {
    let search = figures.part("search");
    let vocabulary = figures.part("vocabulary");
    let mebibytes = |of: Figures<'_>| Ok::<_, anyhow::Error>(of.number("bytes")? / 1_048_576.0);
    let tools = search.number("tools")?;
    Ok([
        BenchRow::new(
            format!("an index of {tools} tools: made in, memory"),
            format!(
                "{:.0} ms, {:.1} MiB",
                search.number("build_ms")?,
                mebibytes(search)?
            ),
            "<= 300 ms",
        ),
        BenchRow::new(
            format!("a search of {tools} tools: median, 99 of 100"),
            format!(
                "{:.2} ms, {:.2} ms",
                search.number("median_us")? / 1_000.0,
                search.number("p99_us")? / 1_000.0
            ),
            "<= 1 ms",
        ),
        BenchRow::new(
            "the vocabulary, read on first use: time, memory",
            format!(
                "{:.0} ms, {:.1} MiB",
                vocabulary.number("ms")?,
                mebibytes(vocabulary)?
            ),
            "",
        ),
    ])
}

/// Returns the page with the figures that don't depend on the machine.
fn page(figures: Figures<'_>) -> Result<String> {
    let mut page = String::from(
        "<!-- Written by `cargo xtask bench tokens`; run it again after a change. -->\n\n\
         # What lists of tools cost\n\n",
    );
    let lists = figures.part("lists");
    writeln!(
        page,
        "Tokens of the vocabulary o200k, over the {} tools of {} real servers\n\
         (`ui/testdata/real-schemas.json`, `tests/data/real-words.json`) under their names for\n\
         agents. Counted is what clients give a model of a tool: name, description and\n\
         inputSchema, as JSON with all its braces.\n\n\
         `cargo xtask bench tokens` writes this page, and prints how long a search takes.\n",
        figures.number("tools")?,
        figures.number("servers")?
    )?;
    page.push_str("| what a model is given | tokens | saving |\n|---|--:|--:|\n");
    for (way, what) in WAYS {
        let (tokens, saving) = (lists.number(way)?, lists.saving(way)?);
        writeln!(
            page,
            "| {what} | {} | {} |",
            grouped(tokens),
            told(way, saving)
        )?;
    }
    writeln!(
        page,
        "\nA stub has its tool's first sentence, usually at most {BRIEF_CHARS_MAX} characters, with `…` where\n\
         anything was left out. A negation, and a sentence that warns of a loss, is kept. No stub is cut\n\
         within a list. {STUBS_READ}\n\n\
         More goes over the wire than a model gets. Clients keep hints\n\
         (`readOnlyHint` and its like) and titles to themselves, for their own dialogs; a stub\n\
         has the hints that clients act on, and no title. The real servers' output schemas are\n\
         not in the data, so `full` costs more than is said here.\n"
    )?;
    page.push_str("| the whole answer to `tools/list` | tokens | saving |\n|---|--:|--:|\n");
    for (way, what) in SENT {
        let (tokens, saving) = (lists.number(way)?, lists.saving(way)?);
        let (tokens, saving) = (grouped(tokens), told(way, saving));
        writeln!(page, "| {what} | {tokens} | {saving} |")?;
    }
    page.push_str(&shapes(figures)?);
    page.push_str("\n## A session\n\n");
    let sessions = figures.parts("sessions")?;
    let first = *sessions
        .first()
        .context("the figures contain no sessions")?;
    writeln!(
        page,
        "With {} of the servers and some of their tools used, drawn {} times; the average. In\n\
         `lazy` each tool used is described once. In `search` each tool used costs a search,\n\
         whose answer has up to eight lines, and is described once.\n",
        first.number("servers")?,
        first.number("sessions")?
    )?;
    page.push_str("| tools used | listed as | tokens | saving |\n|--:|---|--:|--:|\n");
    for session in sessions {
        let used = session.number("used")?;
        for (way, what) in SESSIONS {
            let (tokens, saving) = (session.number(way)?, session.saving(way)?);
            let (tokens, saving) = (grouped(tokens), told(way, saving));
            writeln!(page, "| {used} | {what} | {tokens} | {saving} |")?;
        }
    }
    let recall = figures.part("recall");
    writeln!(
        page,
        "\n## Finding tools\n\n{} tasks (`tests/data/user-tasks.json`), each worded as a person asks and as\n\
         an agent searches, with the tools that do it: how many find one of these among the first\n\
         five of all tools. {} tasks were set aside: while weights and words were chosen, their\n\
         results were never inspected one by one. Both halves have the same author, so tasks of\n\
         other people may be found less often. Plain BM25 has the same index and stems, and counts\n\
         all words alike.\n",
        recall.number("tasks")?,
        recall.number("aside")?
    )?;
    page.push_str("| | users' words | agents' words |\n|---|--:|--:|\n");
    for (ranking, what) in [
        ("ours", "`tools_search`, set aside"),
        ("plain", "plain BM25, set aside"),
        ("ours_tuned", "`tools_search`, the others"),
        ("plain_tuned", "plain BM25, the others"),
    ] {
        let of = recall.part(ranking);
        writeln!(
            page,
            "| {what} | {:.1}% | {:.1}% |",
            of.number("users")?,
            of.number("agents")?
        )?;
    }
    let close = figures.part("close");
    let model = close.0["model"].as_str().context("no model is named")?;
    let aim = match close.part("aside").number("users")? < CLOSE_AIM {
        true => format!(" The aim of {CLOSE_AIM:.0} %\nfor users' words is not reached."),
        false => String::new(),
    };
    for (half, what) in [("aside", "set aside"), ("tuned", "the others")] {
        let of = close.part(half);
        writeln!(
            page,
            "| with {model}, {what} | {:.1}% | {:.1}% |",
            of.number("users")?,
            of.number("agents")?
        )?;
    }
    writeln!(
        page,
        "\nAn embeddings endpoint with the model {model} ranked the tools for the last two rows.{aim}\n\
         The text of a tool, the model and the weights of the fusion were chosen on the other half of the\n\
         tasks: all-MiniLM-L6-v2 and, with earlier texts, multilingual-e5-small found less there, and\n\
         reciprocal ranks alone did too. The closest tools and their\n\
         cosines are in `tests/data/close-tools.json`. For another model, embed the texts that\n\
         `cargo run -p guild-catalog --example agents_figures -- texts` prints, write a file of the same\n\
         form, and run the example with `close FILE`. `floor` is the average cosine of two tools and 0.6\n\
         standard deviations; closest tools below it are marked as weak matches."
    )?;
    Ok(page)
}

/// Returns the section about tools in a form that strict clients refuse.
fn shapes(figures: Figures<'_>) -> Result<String> {
    let mut text = format!(
        "\n## Shapes that strict clients refuse\n\n\
         Some clients check a whole list at once: one tool of these shapes hides all tools. The gateway\n\
         sends such clients an equivalent (`?schemas=raw` sends the schema as the member writes it).\n\
         Of the {} tools:\n\n\
         | shape | tools | servers |\n|---|--:|--:|\n",
        grouped(figures.number("tools")?)
    );
    for shape in figures.parts("shapes")? {
        let words = shape.0["shape"].as_str().context("a shape without words")?;
        let (tools, servers) = (shape.number("tools")?, shape.number("servers")?);
        writeln!(text, "| {words} | {tools} | {servers} |")?;
    }
    text.push_str(
        "\n`cargo run --package guild-catalog --example agents_figures shapes` prints each of these tools.\n\
         The data has no output schemas, and no tools beside the servers' own.\n",
    );
    Ok(text)
}

/// Formats a saving for a table. The whole list saves nothing.
fn told(way: &str, saving: f64) -> String {
    match way {
        "whole" | "whole_sent" => "–".into(),
        _ => format!("{saving:.1}%"),
    }
}

/// Formats `897127` as `897,127`.
fn grouped(number: f64) -> String {
    guild_text::number::grouped(number.round() as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn missing_figure_is_an_error() {
        let figures = json!({"lists": {"whole": 100}});
        assert!(times(Figures(&figures)).is_err());
        assert!(page(Figures(&figures)).is_err());
    }
}
