//! Measures searches of a large history: `history_search CALLS RUNS`.
//!
//! Fills a history in a folder of its own, asks it each question RUNS times, and prints one line of JSON:
//! how long the writing took, how large the file is, and the median of each question in
//! microseconds. `cargo xtask bench --only history` builds it for release and runs it.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use guild_core::wire::{
    CallEnd, CallOutcome, Caller, HistoryFilter, HistoryPage, OutcomeKind, SearchHistory,
};
use guild_core::{CallId, Code, MemberName, Report, ToolName};
use guild_engine::{Ended, Hall, Options, Paths, Watch};
use serde_json::{Value, json};

/// How many calls are handed over before it is waited for them.
const STEP: u64 = 500;
/// How many words the texts are made of.
const VOCABULARY: u64 = 20_000;
/// How far apart the calls began, in milliseconds.
const APART_MS: u64 = 1_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [calls, runs] = arguments.as_slice() else {
        return Err("usage: history_search CALLS RUNS".into());
    };
    let (calls, runs) = (calls.parse()?, runs.parse()?);
    let folder = tempfile::tempdir()?;
    let paths = Paths {
        members_dir: folder.path().join("members"),
        data_dir: folder.path().to_owned(),
        cache_dir: None,
    };
    std::fs::create_dir_all(&paths.members_dir)?;
    let options = Options {
        watch: Watch::Once,
        ..Options::default()
    };
    let hall = Hall::open(paths, options).await?;
    let written = fill(&hall, calls).await?;
    let mut questions = Vec::new();
    for (what, filter, expected) in questions_of(calls)? {
        let (time, found) = median(&hall, &filter, runs).await?;
        if found != expected {
            return Err(format!("{what}: {found} found instead of {expected}").into());
        }
        questions.push(json!({ "what": what, "found": found, "us": micros(time) }));
    }
    hall.shutdown().await;
    let bytes = size(&folder.path().join("history.db"))?;
    let figures = json!({
        "calls": calls,
        "bytes": bytes,
        "write_us": micros(written),
        "questions": questions,
    });
    println!("{figures}");
    Ok(())
}

/// Hands the calls over as fast as they are written.
async fn fill(hall: &Hall, calls: u64) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    let mut random = Random(42);
    for at in 0..calls {
        let (outcome, arguments) = call(at, &mut random)?;
        let ended = Ended::new(&outcome, Caller::Window, &arguments, None);
        hall.history().record(ended);
        if at % STEP == STEP - 1 {
            hall.history().settled().await?;
        }
    }
    hall.history().settled().await?;
    let state = hall.history().state().await;
    if state.calls != calls {
        return Err(format!("{} of {calls} calls were written", state.calls).into());
    }
    Ok(begun.elapsed())
}

/// One of 40 members with 12 tools each; `everywhere` in each call, `needle` in one of 10,000.
fn call(at: u64, random: &mut Random) -> Result<(CallOutcome, String), Box<dyn Error>> {
    let needle = if at % 10_000 == 77 { "needle" } else { "" };
    let arguments = json!({
        "path": format!("/home/user/{}/{}.txt", random.word(), random.word()),
        "query": format!("everywhere {} {} {needle}", random.word(), random.word()),
        "limit": random.below(100),
    });
    let end = match at % 20 {
        0 => CallEnd::Failed {
            report: Report::new(Code::CallTimeout, "No answer in 30 s.", "Try again."),
            rpc: None,
            arguments: vec![],
            stderr: vec![],
        },
        _ => {
            let words = 30 + random.below(700);
            let text: Vec<String> = (0..words).map(|_| random.word()).collect();
            let content = json!({"content": [{"type": "text", "text": text.join(" ")}]});
            CallEnd::Result {
                result: content.to_string(),
                is_error: at % 20 == 1,
            }
        }
    };
    let outcome = CallOutcome {
        call: CallId::parse(&format!("call-{at}"))?,
        member: MemberName::parse(&format!("member-{}", at % 40))?,
        tool: ToolName::parse(&format!("tool_{}", at / 40 % 12))?,
        started_at_ms: (at + 1) * APART_MS,
        duration_ms: random.below(5_000),
        request: None,
        structured: None,
        end,
    };
    Ok((outcome, arguments.to_string()))
}

type Question = (&'static str, HistoryFilter, usize);

/// What is asked, and how many calls the first page has to have.
fn questions_of(calls: u64) -> Result<Vec<Question>, Box<dyn Error>> {
    let any = HistoryFilter::default;
    let words = |text: &str| HistoryFilter {
        text: Some(text.to_owned()),
        ..any()
    };
    let member = Some(MemberName::parse("member-7")?);
    let tool = Some(ToolName::parse("tool_3")?);
    let page = usize::try_from(calls.min(PAGE as u64))?;
    let of_calls = |one_of: u64| usize::try_from((calls / one_of).min(PAGE as u64));
    let middle = calls / 2 * APART_MS;
    Ok(vec![
        ("the newest", any(), page),
        ("a word of every call", words("everywhere"), page),
        ("a word of few calls", words("needle"), of_calls(10_000)?),
        ("a word of none", words("unheard"), 0),
        ("one letter", words("w"), page),
        ("two letters", words("ev"), page),
        (
            "three words of every call",
            words("everywhere home use"),
            page,
        ),
        (
            "the beginning of a long word of every call",
            words("everywher"),
            page,
        ),
        (
            "one member's tool",
            HistoryFilter {
                member: member.clone(),
                tool: tool.clone(),
                ..any()
            },
            page,
        ),
        (
            "one member's failures",
            HistoryFilter {
                outcome: Some(OutcomeKind::Failed),
                member: Some(MemberName::parse("member-20")?),
                ..any()
            },
            page,
        ),
        (
            "a word, a member and an outcome that never meet",
            HistoryFilter {
                outcome: Some(OutcomeKind::Failed),
                member: member.clone(),
                ..words("everywhere")
            },
            0,
        ),
        (
            "a span of time in the middle",
            HistoryFilter {
                since_ms: Some(middle),
                until_ms: Some(middle + 30 * APART_MS),
                ..any()
            },
            30,
        ),
        (
            "a word in the older half",
            HistoryFilter {
                until_ms: Some(middle),
                ..words("everywhere")
            },
            page,
        ),
        (
            "a word before all time",
            HistoryFilter {
                until_ms: Some(1),
                ..words("everywhere")
            },
            0,
        ),
    ])
}

/// How many calls a page has.
const PAGE: usize = 50;

async fn median(
    hall: &Hall,
    filter: &HistoryFilter,
    runs: usize,
) -> Result<(Duration, usize), Box<dyn Error>> {
    let (mut times, mut found) = (Vec::new(), 0);
    for _ in 0..runs {
        let search = SearchHistory {
            filter: filter.clone(),
            before: None,
            limit: PAGE,
        };
        let begun = Instant::now();
        let HistoryPage {
            entries, trouble, ..
        } = hall.history().search(search).await;
        times.push(begun.elapsed());
        if let Some(report) = trouble {
            return Err(report.into());
        }
        found = entries.len();
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied();
    Ok((median.ok_or("it has to be asked at least once")?, found))
}

fn micros(time: Duration) -> Value {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX).into()
}

fn size(file: &Path) -> std::io::Result<u64> {
    std::fs::metadata(file).map(|metadata| metadata.len())
}

/// The same numbers each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }

    /// Small numbers are more frequent, as some words are.
    fn word(&mut self) -> String {
        let end = 1 + self.below(VOCABULARY);
        format!("w{}", self.below(end))
    }
}
