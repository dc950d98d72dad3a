//! Kills a program at each of its writes.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use guild_api::wire::{HistoryFilter, SavedCallsOf, SearchHistory};

use super::books::{Books, Promises};
use super::tracer::Tracer;
use crate::test_env::TestEnv;

/// The number of writes. For each of them, a program is killed at this write.
const WRITES: usize = 250;
/// The number of programs that are killed at a random time, and the maximum time.
const AFTER_A_WHILE: (usize, Duration) = (20, Duration::from_millis(60));

/// Pseudorandom numbers that are the same in each run (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// Kills a writer after `delay`. Returns its promises.
fn kill_after(books: &mut Books, mode: &str, delay: Duration) -> Promises {
    let mut child = books.command(mode).spawn().expect("it starts");
    Books::begin(&mut child);
    // The exact time matters here, so this is not a wait for a condition.
    std::thread::sleep(delay);
    child.kill().expect("it is ours");
    books.after_kill(child, &format!("{mode}, killed after {delay:?}"))
}

/// Kills a writer after it has printed a promise of this kind. Returns its promises.
fn kill_once(books: &mut Books, mode: &str, what: &str) -> Promises {
    let mut child = books.command(mode).spawn().expect("it starts");
    Books::begin(&mut child);
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut printed = Vec::new();
    loop {
        let from = printed.len();
        let read = output.read_until(b'\n', &mut printed).expect("readable");
        assert!(read > 0, "it ended: {}", String::from_utf8_lossy(&printed));
        if printed[from..].starts_with(what.as_bytes()) {
            break;
        }
    }
    child.kill().expect("it is ours");
    let how = format!("{mode}, killed with a {what}");
    books.after(child, printed.as_slice().chain(output), &how)
}

/// Kills a writer at the start of its `count`th write. Returns `None` if tracing is not allowed.
fn kill_at(books: &mut Books, count: usize) -> Option<Promises> {
    let mut child = books.command("books").spawn().expect("it starts");
    let mut tracer = Tracer::follow(&mut child, &books.folder)?;
    Books::begin(&mut child);
    let write = tracer
        .kill_at(count)
        .unwrap_or_else(|| panic!("it ended before write {count}"));
    Some(books.after_kill(child, &format!("killed at write {count}, {write}")))
}

#[test]
fn confirmed_writes_survive_kills() {
    let env = TestEnv::new("killed at every write");
    let mut books = Books::new(&env);
    let begun = Instant::now();
    let mut chance = Chance(5);
    let (mut followed, mut whole_rounds) = (0, 0);
    for count in 1..=WRITES {
        match kill_at(&mut books, count) {
            Some(promises) => {
                followed += 1;
                whole_rounds += usize::from(promises.last("round").is_some());
            }
            // Without tracing, kills the same number of writers at random times.
            None => {
                let delay = Duration::from_micros(chance.below(80_000));
                kill_after(&mut books, "books", delay);
            }
        }
    }
    // The last kills came after a complete round, so they covered every kind of write.
    assert!(
        followed == 0 || whole_rounds > 10,
        "{whole_rounds} whole rounds"
    );
    let (times, longest) = AFTER_A_WHILE;
    let longest = u64::try_from(longest.as_micros()).expect("small");
    for _ in 0..times {
        kill_after(
            &mut books,
            "books",
            Duration::from_micros(chance.below(longest)),
        );
    }
    println!(
        "{} kills, {followed} of them each at another write, in {:.1} s: {} calls and {} saved \
         calls were promised, all are there",
        books.kills,
        begun.elapsed().as_secs_f32(),
        books.promised("call"),
        books.promised("saved")
    );
    opens_with_everything(&env, &books);
}

#[test]
fn interrupted_write_keeps_earlier_data() {
    let mut kills = 0;
    for blocks in 1..=40 {
        let env = TestEnv::new("broken off");
        let mut books = Books::new(&env);
        let mut child = books
            .command_within("books", blocks)
            .spawn()
            .expect("it starts");
        Books::begin(&mut child);
        // The system ends the writer when a file would exceed the limit.
        books.after_kill(child, &format!("files of at most {blocks} blocks"));
        kills += books.kills;
    }
    println!("{kills} programs ended by the system in the middle of a write");
}

#[test]
fn killed_halls_members_keep_their_port() {
    let env = TestEnv::new("halls killed");
    let mut books = Books::new(&env);
    let mut chance = Chance(7);
    let mut port: Option<String> = None;
    for _ in 0..25 {
        let delay = Duration::from_micros(chance.below(300_000));
        let promises = kill_after(&mut books, "members", delay);
        if let Some(now) = promises.last("port") {
            assert_eq!(
                port.get_or_insert_with(|| now.to_owned()),
                now,
                "another port"
            );
        }
    }
    // Even on a slow machine, this writer and the next one get a port before they are killed.
    for _ in 0..2 {
        let promises = kill_once(&mut books, "members", "port");
        let now = promises.last("port").expect("it was waited for");
        let known = port.get_or_insert_with(|| now.to_owned());
        assert_eq!(known, now, "another port");
    }
    println!("{} halls killed; the port was {port:?}", books.kills);
    opens_with_everything(&env, &books);
}

/// Checks that the next hall opens without errors, shows everything that was promised, and removes
/// all leftovers.
fn opens_with_everything(env: &TestEnv, books: &Books) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let open = env.open().await;
        let history = open.hall.history();
        let state = history.state().await;
        assert_eq!(state.trouble, None);
        assert!(state.calls >= books.promised("call") as u64, "{state:?}");
        let page = history
            .search(SearchHistory {
                filter: HistoryFilter::default(),
                before: None,
                limit: 500,
            })
            .await;
        assert_eq!(page.trouble, None);
        let saved = history
            .saved_calls(SavedCallsOf {
                member: None,
                tool: None,
            })
            .await;
        assert!(
            saved.calls.len() >= books.promised("saved").min(100),
            "{}",
            saved.calls.len()
        );
        let gateway = open.hall.gateway().await;
        assert!(gateway.warnings.is_empty(), "{:?}", gateway.warnings);
        open.close().await;
    });
}
