//! Measures the tokens of tool lists, and how well and how fast agents find tools, with an example
//! of `guild-catalog`. Writes the figures that don't depend on the machine into the tables of
//! `docs/tokens.md`. Other figures in the page's text are only compared.

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use guild_catalog::stub::BRIEF_CHARS_MAX;
use serde_json::Value;

use super::{BenchOptions, BenchRow};
use crate::root;

/// The page with the tables.
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
    let page = page(figures, &fs::read_to_string(&path)?)?;
    fs::write(&path, page)?;
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

/// Like [`WAYS`], for the whole answer to `tools/list`, with the fields that clients don't pass to
/// the model.
const SENT: [(&str, &str); 2] = [
    ("whole_sent", "`full`, all that is sent"),
    ("stubs_sent", "`lazy`, all that is sent"),
];

/// The listing modes of a session.
const SESSIONS: [(&str, &str); 3] = [
    ("whole", "`full`"),
    ("stubs", "`lazy`"),
    ("search", "`search`"),
];

/// The rankings: their names in the example's output, and on the page.
const RANKINGS: [(&str, &str); 4] = [
    ("ours", "`tools_search`, set aside"),
    ("plain", "plain BM25, set aside"),
    ("ours_tuned", "`tools_search`, the others"),
    ("plain_tuned", "plain BM25, the others"),
];

fn times(figures: Figures<'_>) -> Result<[BenchRow; 4]> {
    let search = figures.part("search");
    let vocabulary = figures.part("vocabulary");
    let mebibytes = |of: Figures<'_>| Ok::<_, anyhow::Error>(of.number("bytes")? / 1_048_576.0);
    let tools = search.number("tools")?;
    let close = figures.part("close").part("aside").number("users")?;
    Ok([
        BenchRow::new(
            format!("an index of {tools} tools: made in, memory"),
            format!(
                "{:.0} ms, {:.1} MiB",
                search.number("build_ms")?,
                mebibytes(search)?
            ),
        )
        .aim("<= 300 ms"),
        BenchRow::new(
            format!("a search of {tools} tools: median, 99 of 100"),
            format!(
                "{:.2} ms, {:.2} ms",
                search.number("median_us")? / 1_000.0,
                search.number("p99_us")? / 1_000.0
            ),
        )
        .aim("<= 1 ms"),
        BenchRow::new(
            "the vocabulary, read on first use: time, memory",
            format!(
                "{:.0} ms, {:.1} MiB",
                vocabulary.number("ms")?,
                mebibytes(vocabulary)?
            ),
        ),
        BenchRow::new(
            "tasks in users' words, set aside, with an embeddings endpoint",
            format!("{close:.1} %"),
        )
        .aim(">= 70 %"),
    ])
}

/// Returns the page with new tables. Fails if its text states other figures than the measured ones.
fn page(figures: Figures<'_>, old: &str) -> Result<String> {
    let mut page = old.to_owned();
    let lists = figures.part("lists");
    let costs = |of: Figures<'_>, way: &str| {
        let saving = match way {
            "whole" | "whole_sent" => "–".into(),
            _ => format!("{:.1}%", of.saving(way)?),
        };
        anyhow::Ok(format!("{} | {saving}", grouped(of.number(way)?)))
    };
    for (head, ways) in [
        ("| what a model is given |", &WAYS[..]),
        ("| the whole answer to `tools/list` |", &SENT),
    ] {
        let rows = ways
            .iter()
            .map(|(way, what)| Ok(format!("{what} | {}", costs(lists, way)?)));
        fill(&mut page, head, rows.collect::<Result<_>>()?)?;
    }
    let shapes = figures.parts("shapes")?.into_iter().map(|shape| {
        let words = shape.0["shape"].as_str().context("a shape without words")?;
        let (tools, servers) = (shape.number("tools")?, shape.number("servers")?);
        Ok(format!("{words} | {tools} | {servers}"))
    });
    fill(&mut page, "| shape |", shapes.collect::<Result<_>>()?)?;
    let sessions = figures.parts("sessions")?;
    let mut rows = Vec::new();
    for session in &sessions {
        for (way, what) in SESSIONS {
            let (used, costs) = (session.number("used")?, costs(*session, way)?);
            rows.push(format!("{used} | {what} | {costs}"));
        }
    }
    fill(&mut page, "| tools used |", rows)?;
    let (recall, close) = (figures.part("recall"), figures.part("close"));
    let model = close.0["model"].as_str().context("no model is named")?;
    let mut rows = Vec::new();
    for (ranking, what) in RANKINGS {
        rows.push(found(what, recall.part(ranking))?);
    }
    for (half, what) in [("aside", "set aside"), ("tuned", "the others")] {
        rows.push(found(&format!("with {model}, {what}"), close.part(half))?);
    }
    fill(&mut page, "| | users' words |", rows)?;
    let session = *sessions
        .first()
        .context("the figures contain no sessions")?;
    let text = old.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        format!(
            "the {} tools of {} real servers",
            figures.number("tools")?,
            figures.number("servers")?
        ),
        format!("usually at most {BRIEF_CHARS_MAX} characters"),
        format!("Of the {} tools:", grouped(figures.number("tools")?)),
        format!("With {} of the servers", session.number("servers")?),
        format!("drawn {} times", session.number("sessions")?),
        format!(
            "{} tasks (`tests/data/user-tasks.json`)",
            recall.number("tasks")?
        ),
        format!("{} tasks were set aside", recall.number("aside")?),
        format!("with the model {model}"),
    ] {
        ensure!(
            text.contains(&sentence),
            "the text of {PAGE} does not have `{sentence}`"
        );
    }
    Ok(page)
}

/// Replaces the rows of the table whose head begins with `head`.
fn fill(page: &mut String, head: &str, rows: Vec<String>) -> Result<()> {
    let missing = || format!("{PAGE} has no table `{head}`");
    let table = page.find(head).with_context(missing)?;
    let begin = page[table..]
        .match_indices('\n')
        .nth(1)
        .with_context(missing)?
        .0
        + table
        + 1;
    let end = page[begin..]
        .find("\n\n")
        .map_or(page.len(), |length| begin + length + 1);
    let rows = rows.iter().map(|row| format!("| {row} |\n"));
    page.replace_range(begin..end, &rows.collect::<String>());
    Ok(())
}

/// Returns the table row of a ranking, with how often it finds a task's tools.
fn found(what: &str, of: Figures<'_>) -> Result<String> {
    Ok(format!(
        "{what} | {:.1}% | {:.1}%",
        of.number("users")?,
        of.number("agents")?
    ))
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
        assert!(page(Figures(&figures), "").is_err());
    }

    #[test]
    fn table_gets_new_rows() {
        let mut page =
            "a\n\n| shape | tools |\n|---|--:|\n| old | 1 |\n| old | 2 |\n\nb\n".to_owned();
        fill(&mut page, "| shape |", vec!["new | 3".into()]).expect("a table");
        assert_eq!(
            page,
            "a\n\n| shape | tools |\n|---|--:|\n| new | 3 |\n\nb\n"
        );
        assert!(fill(&mut page, "| other |", Vec::new()).is_err());
    }
}
