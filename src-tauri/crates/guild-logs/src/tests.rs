use std::sync::Mutex;
use std::time::Duration;

use guild_api::wire::{LogFilter, LogLine};

use super::*;

const NAME: &str = "forge";

fn forge() -> MemberName {
    MemberName::parse(NAME).expect("a name")
}

/// A log under test, and its events.
struct Bench {
    folder: tempfile::TempDir,
    output: Output,
    writer: LogWriter,
    followed: Arc<MemberLogWriter>,
    reports: Arc<Mutex<Vec<guild_model::Report>>>,
}

impl Bench {
    fn new(limits: LogLimits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let output = Output::new();
        let reports = Arc::<Mutex<Vec<_>>>::default();
        let teller = Arc::clone(&reports);
        let tell = move |report| teller.lock().expect("whole").push(report);
        let files = files_of(&folder.path().join(FOLDER), &forge(), limits);
        Self {
            followed: Arc::new(MemberLogWriter::new(files, output.clone())),
            writer: LogWriter::new(limits, Box::new(tell)),
            folder,
            output,
            reports,
        }
    }

    /// Writes lines as the member, and lets the thread process them.
    async fn say(&self, text: &str) {
        self.output.clone().follow(text.as_bytes()).await;
        self.writer.look_at(&self.followed);
    }

    fn logs(&self) -> MemberLogs {
        MemberLogs::of(self.folder.path())
    }

    fn folder_bytes(&self) -> u64 {
        let entries = std::fs::read_dir(self.folder.path().join(FOLDER)).expect("listed");
        entries
            .map(|entry| entry.expect("an entry").metadata().expect("its size").len())
            .sum()
    }

    fn text(&self) -> String {
        let file = self.folder.path().join(FOLDER).join("forge.log");
        std::fs::read_to_string(file).unwrap_or_default()
    }
}

fn texts(lines: &[LogLine]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

fn with(text: &str) -> LogFilter {
    LogFilter {
        contains: text.into(),
        start: None,
    }
}

#[tokio::test]
async fn lines_stand_in_the_file_with_time_start_and_number() {
    let bench = Bench::new(LIMITS);
    bench.output.begin_start(Past::default(), None);
    bench.say("\u{1b}[31mfirst\u{1b}[0m\nsecond\n").await;
    bench.writer.close().await;
    let text = bench.text();
    let lines: Vec<_> = text.lines().map(|line| line.split_once(' ')).collect();
    let bodies: Vec<_> = lines.iter().map(|line| line.expect("a time").1).collect();
    assert_eq!(bodies, ["1 0 first", "1 1 second"]);
}

#[tokio::test]
async fn line_and_start_numbers_continue_after_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let roster = Arc::new(Roster::new(String::new()));
    let values = SecretResolver::new(
        folder.path().to_owned(),
        None,
        guild_process::Environment::default(),
    );
    for run in 1..=3_u64 {
        let logs = Arc::new(Logs::new(folder.path(), Arc::clone(&roster), None));
        let output = Output::new();
        let follow = tokio::spawn(Arc::clone(&logs).follow(forge(), output.clone()));
        logs.begin_start(&forge(), &output, &values);
        output.clone().follow(&b"hello\n"[..]).await;
        let line = output.lines()[0].clone();
        assert_eq!((line.start, line.seq), (run, run - 1));
        follow.abort();
        let _ = follow.await;
        logs.close().await;
    }
    let page = MemberLogs::of(folder.path()).page(&forge(), &LogFilter::default(), None, 10, &[]);
    assert_eq!(page.lines.len(), 3, "one line of each run");
    assert_eq!(page.before, None);
}

#[tokio::test]
async fn a_flood_is_cut_short_counted_and_bounded_on_the_disk() {
    let limits = LogLimits {
        file_bytes: 1 << 20,
        files: 3,
        all_bytes: 1 << 20,
    };
    let bench = Bench::new(limits);
    bench.output.begin_start(Past::default(), None);
    let line = format!("{}\n", "x".repeat(1_000));
    let chunk = line.repeat(900);
    for _ in 0..50 {
        bench.say(&chunk).await;
    }
    bench.writer.close().await;
    assert!(bench.folder_bytes() <= 3 << 20, "{}", bench.folder_bytes());
    let text = bench.text();
    assert!(
        text.ends_with("could not be written as fast as they came, or at all)\n"),
        "{text:.200}"
    );
    assert_eq!(
        *bench.reports.lock().expect("whole"),
        [],
        "a flood is no trouble"
    );
}

#[tokio::test]
async fn only_overrun_lines_are_missing() {
    let past = Past {
        starts: 2,
        lines: 500,
    };
    let missing_after = async |lines: usize| {
        let bench = Bench::new(LIMITS);
        bench.output.begin_start(past, None);
        bench.say(&"line\n".repeat(lines)).await;
        bench.writer.close().await;
        let text = bench.text();
        let remark = text.lines().find(|line| line.contains("missing here"));
        remark.map(|line| line.split(" - - (").nth(1).unwrap_or_default().to_owned())
    };
    assert_eq!(missing_after(10).await, None);
    let line = missing_after(guild_process::output::LINES_MAX + 1_000).await;
    let line = line.expect("a thousand are missing");
    assert!(line.starts_with("1000 lines are missing here"), "{line}");
}

#[tokio::test]
async fn log_write_failure_is_reported_once() {
    let bench = Bench::new(LIMITS);
    bench.output.begin_start(Past::default(), None);
    let file = bench.folder.path().join(FOLDER).join("forge.log");
    let tell = async |words: &str| {
        bench.say(words).await;
        bench.writer.settle();
    };
    std::fs::create_dir_all(&file).expect("something else in its place");
    tell("a\n").await;
    tell("b\n").await;
    std::fs::remove_dir(&file).expect("removed");
    tell("c\n").await;
    assert!(bench.text().contains(" c\n"), "{}", bench.text());
    assert!(
        bench.text().contains("2 lines are missing here"),
        "{}",
        bench.text()
    );
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir_all(&file).expect("something else in its place");
    tell("d\n").await;
    bench.writer.close().await;
    let reports = bench.reports.lock().expect("whole");
    assert_eq!(reports.len(), 2, "{reports:?}");
    assert_eq!(reports[0].code, guild_model::Code::LogUnwritable);
    assert!(
        reports[0].message.contains("forge.log"),
        "{}",
        reports[0].message
    );
}

#[tokio::test]
async fn pages_lead_back_to_the_first_line_none_twice() {
    let limits = LogLimits {
        file_bytes: 2_000,
        ..LIMITS
    };
    let bench = Bench::new(limits);
    bench.output.begin_start(Past::default(), None);
    for number in 0..100 {
        bench.say(&format!("line {number}\n")).await;
    }
    bench.writer.close().await;
    let recent = bench.output.last(10);
    let mut before = None;
    let mut found = Vec::new();
    loop {
        let page = bench
            .logs()
            .page(&forge(), &LogFilter::default(), before, 7, &recent);
        assert_eq!(page.problem, None);
        assert!(page.searched_bytes <= page.total_bytes);
        found.extend(page.lines.into_iter().rev().map(|line| line.seq));
        before = page.before;
        if before.is_none() {
            break;
        }
    }
    let expected: Vec<u64> = (0..100).rev().collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn large_log_is_exported_whole() {
    let bench = Bench::new(LIMITS);
    bench.output.begin_start(Past::default(), None);
    let lines = 2 * guild_api::wire::LOG_PAGE_MAX + 1;
    bench.say(&"line\n".repeat(lines)).await;
    bench.writer.close().await;
    let whole = bench.logs().whole(&forge(), &LogFilter::default(), &[]);
    let (text, count) = whole.expect("read");
    assert_eq!(count, lines);
    assert_eq!(text, bench.text());
}

#[test]
fn clock_jump_keeps_log_order_and_pages() {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    let folder = tempfile::tempdir().expect("a folder");
    let logs = MemberLogs::of(folder.path());
    let files = logs.files(&forge());
    let line = |seq: u64| LogLine {
        seq,
        start: 1 + seq / 6,
        // The clock goes back by a day in the middle, and forward by a year near the end.
        at_ms: match seq {
            0..5 => 1_800_000_000_000 + seq,
            5..9 => 1_800_000_000_000 - DAY + seq,
            _ => 1_800_000_000_000 + 365 * DAY + seq,
        },
        text: format!("line {seq}"),
    };
    for seq in 0..12 {
        let mut text = String::new();
        line::write(&line(seq), &mut text);
        files.append(&text).expect("written");
    }
    assert_eq!(
        files.last(line::read),
        Some(line(11)),
        "a new start goes on from here"
    );
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let page = logs.page(&forge(), &LogFilter::default(), before, 5, &[line(11)]);
        found.splice(0..0, page.lines);
        before = page.before;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(found, (0..12).map(line).collect::<Vec<_>>());
    let second = LogFilter {
        start: Some(2),
        ..LogFilter::default()
    };
    let page = logs.page(&forge(), &second, None, 100, &[]);
    assert_eq!(page.lines, (6..12).map(line).collect::<Vec<_>>());
}

#[tokio::test]
async fn search_covers_memory_files_and_one_start() {
    let bench = Bench::new(LIMITS);
    bench.output.begin_start(Past::default(), None);
    bench.say("a Red line\na blue line\n").await;
    bench.output.begin_start(Past::default(), None);
    bench.say("a red\u{1b}[0m LINE\n").await;
    bench.writer.close().await;
    let recent = bench.output.last(1);
    let page = bench
        .logs()
        .page(&forge(), &with("red line"), None, 100, &recent);
    assert_eq!(texts(&page.lines), ["a Red line", "a red\u{1b}[0m LINE"]);
    let second = LogFilter {
        start: Some(2),
        ..with("")
    };
    let page = bench.logs().page(&forge(), &second, None, 100, &[]);
    assert_eq!(texts(&page.lines), ["a red LINE"]);
    let (text, count) = bench
        .logs()
        .whole(&forge(), &with("line"), &recent)
        .expect("read");
    assert_eq!((count, text.lines().count()), (3, 3), "{text}");
}

#[tokio::test]
async fn another_process_is_told_of_new_lines_over_a_rotation() {
    let limits = LogLimits {
        file_bytes: 200,
        ..LIMITS
    };
    let bench = Bench::new(limits);
    bench.output.begin_start(Past::default(), None);
    bench.say("before\n").await;
    bench.writer.settle();
    let mut tail = bench
        .logs()
        .follow(&forge(), &LogFilter::default())
        .expect("followed");
    let mut seen = Vec::new();
    for number in 0..20 {
        let words = format!("line {number}");
        bench.say(&format!("{words}\n")).await;
        while seen.last() != Some(&words) {
            let next = tokio::time::timeout(Duration::from_secs(10), tail.next());
            let lines = next.await.expect("it comes").expect("it is read");
            seen.extend(lines.into_iter().map(|line| line.text));
        }
    }
    let expected: Vec<_> = (0..20).map(|number| format!("line {number}")).collect();
    assert_eq!(seen, expected);
}

#[test]
fn mangled_logs_page_to_their_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = MemberLogs::of(folder.path());
    let files = logs.files(&forge());
    files.append("").expect("made");
    let values = SecretResolver::new(
        folder.path().to_owned(),
        None,
        guild_process::Environment::default(),
    );
    let own = Logs::new(folder.path(), Arc::new(Roster::new(String::new())), None);
    let any = LogFilter::default();
    let mut read = 0;
    guild_tests::mangled::each("member-log", |bytes| {
        std::fs::write(files.current(), bytes).expect("written");
        let whole = logs.page(&forge(), &any, None, guild_api::wire::LOG_PAGE_MAX, &[]);
        assert_eq!(whole.problem, None);
        let fits = |line: &LogLine| line.seq < line::NUMBER_END && line.start < line::NUMBER_END;
        assert!(whole.lines.iter().all(fits));
        let ascending = whole.lines.is_sorted_by(|a, b| a.seq < b.seq);
        assert!(ascending, "each once, in order: {:?}", whole.lines);
        let mut paged = Vec::new();
        let mut before = None;
        loop {
            let page = logs.page(&forge(), &any, before, 2, &[]);
            assert!(page.lines.len() <= 2 && page.searched_bytes <= page.total_bytes);
            paged.splice(0..0, page.lines);
            let Some(next) = page.before else { break };
            assert!(before.is_none_or(|before| next < before), "it goes on");
            before = Some(next);
        }
        assert_eq!(paged, whole.lines, "in pages as in one");
        let found = logs.page(&forge(), &with("no such words"), None, 10, &[]);
        assert_eq!(found.lines, []);
        let (text, count) = logs.whole(&forge(), &any, &[]).expect("read");
        assert_eq!((count, text.lines().count()), (paged.len(), paged.len()));

        // The next start has another number, and so does its first line.
        let output = Output::new();
        own.begin_start(&forge(), &output, &values);
        if let Some(last) = files.last(line::read) {
            assert_eq!(output.begin_start(Past::default(), None), last.start + 2);
        }
        read += count;
    });
    assert!(read > 1_000, "only {read} lines were read");
}

#[test]
fn a_member_of_our_own_name_does_not_write_into_our_own_log() {
    let name = MemberName::parse("guild-hall").expect("a name");
    let file = files_of(Path::new(""), &name, LIMITS).current();
    assert_eq!(file, Path::new("guild-hall~.log"));
    for (file, own) in [
        ("guild-hall.log", true),
        ("guild-hall.log.1", true),
        ("guild-hall~.log", false),
        ("guild-hall-2.log", false),
    ] {
        assert_eq!(is_own(file), own, "{file}");
    }
}
