use std::future::{Ready, ready};

use super::*;

fn name(text: &str) -> MemberName {
    MemberName::parse(text).expect("a name")
}

fn places(base: usize) -> Arc<Places> {
    Arc::new(Places::with(base))
}

fn now(turn: Turn) -> Place {
    match turn {
        Turn::Now(place) => place,
        Turn::Later(_) => panic!("it has to wait"),
    }
}

fn later(turn: Turn) -> oneshot::Receiver<Place> {
    match turn {
        Turn::Later(later) => later,
        Turn::Now(_) => panic!("it need not wait"),
    }
}

/// Whose turn it is now, among those that wait.
fn called_up(waiting: &mut Vec<(&'static str, oneshot::Receiver<Place>)>) -> (&'static str, Place) {
    let mut up = waiting
        .iter_mut()
        .enumerate()
        .filter_map(|(index, (_, later))| later.try_recv().ok().map(|place| (index, place)));
    let (index, place) = up.next().expect("somebody's turn");
    assert!(up.next().is_none(), "one at a time");
    drop(up);
    (waiting.remove(index).0, place)
}

#[test]
fn those_in_view_come_first_in_the_views_order_then_the_others_in_theirs() {
    let places = places(1);
    let mut held = now(places.in_turn(&name("first")));
    let members = ["a", "b", "c", "d", "e"];
    let mut waiting: Vec<_> = members
        .into_iter()
        .map(|member| (member, later(places.in_turn(&name(member)))))
        .collect();
    places.look_at(vec![name("d"), name("elsewhere"), name("c")]);
    let mut order = Vec::new();
    while !waiting.is_empty() {
        drop(held);
        let (member, place) = called_up(&mut waiting);
        order.push(member);
        held = place;
    }
    assert_eq!(order, ["d", "c", "a", "b", "e"]);
}

#[test]
fn a_call_does_not_wait_and_takes_nobodys_turn() {
    let places = places(1);
    let held = now(places.in_turn(&name("first")));
    let mut waiting = later(places.in_turn(&name("second")));
    let called = places.at_once();
    drop(called);
    assert!(waiting.try_recv().is_err(), "the first still has its place");
    drop(held);
    assert!(waiting.try_recv().is_ok());
}

#[test]
fn whoever_gave_up_waiting_is_passed_over_and_loses_no_place() {
    let places = places(1);
    let held = now(places.in_turn(&name("first")));
    drop(later(places.in_turn(&name("gone"))));
    let mut next = later(places.in_turn(&name("next")));
    drop(held);
    let place = next.try_recv().expect("its turn");
    drop(place);
    now(places.in_turn(&name("last")));
    assert_eq!(places.line().working, 0);
}

#[test]
fn unfinished_starts_at_work_keep_the_limit() {
    let places = places(4);
    let held: Vec<Place> = (0..4)
        .map(|number| now(places.in_turn(&name(&format!("m{number}")))))
        .collect();
    let mut waiting: Vec<_> = (4..20)
        .map(|number| later(places.in_turn(&name(&format!("m{number}")))))
        .collect();
    assert!(waiting.iter_mut().all(|later| later.try_recv().is_err()));
    drop(held);
    let mut begun: Vec<Place> = Vec::new();
    while !waiting.is_empty() {
        let turns = waiting.len();
        waiting.retain_mut(|later| match later.try_recv() {
            Ok(place) => {
                begun.push(place);
                false
            }
            Err(_) => true,
        });
        assert_eq!(begun.len(), 4, "no more than are at work");
        assert!(waiting.len() < turns);
        begun.clear();
    }
    let line = places.line();
    assert_eq!((line.working, line.unfinished), (0, 0));
}

#[test]
fn start_that_waits_lets_another_begin() {
    let places = places(1);
    let mut first = now(places.in_turn(&name("first")));
    let mut second = later(places.in_turn(&name("second")));
    let mut third = later(places.in_turn(&name("third")));
    first.rests();
    let second = second.try_recv().expect("its turn");
    assert!(third.try_recv().is_err());
    assert_eq!(places.unfinished(), 2);
    // It works again: both count, and the next start waits for both.
    first.works();
    drop(second);
    assert!(third.try_recv().is_err(), "the first is at work");
    drop(first);
    assert!(third.try_recv().is_ok());
}

#[test]
fn second_try_waits_until_no_start_works() {
    let places = places(2);
    let mut first = now(places.in_turn(&name("first")));
    let mut again = later(places.alone(&name("again")));
    let second = now(places.in_turn(&name("second")));
    let mut third = later(places.in_turn(&name("third")));
    first.rests();
    let third = third.try_recv().expect("those in turn come first");
    drop(second);
    assert!(again.try_recv().is_err(), "the third is at work");
    drop(third);
    let again = again.try_recv().expect("the first only waits");
    drop(again);
    drop(first);
    now(places.alone(&name("last")));
}

#[test]
fn alone_start_lets_only_called_members_begin() {
    let places = places(2);
    let alone = now(places.alone(&name("alone")));
    let mut next = later(places.in_turn(&name("next")));
    let mut again = later(places.alone(&name("again")));
    drop(places.at_once());
    assert!(next.try_recv().is_err() && again.try_recv().is_err());
    drop(alone);
    let next = next.try_recv().expect("its turn");
    assert!(again.try_recv().is_err(), "not beside another");
    drop(next);
    let again = again.try_recv().expect("its turn");
    let given_up = later(places.alone(&name("gone")));
    drop(given_up);
    drop(again);
    let line = places.line();
    assert_eq!((line.working, line.unfinished, line.alone), (0, 0, false));
}

/// What processes have done that work for 200 ms after each pause.
fn after_pauses(
    of: Duration,
    began: Instant,
    is_crowded: bool,
) -> impl Fn() -> Ready<Option<Look>> {
    const WORKS: Duration = Duration::from_millis(200);
    move || {
        let elapsed = began.elapsed();
        let round = u32::try_from(elapsed.as_millis() / (of + WORKS).as_millis());
        let round = round.expect("a few rounds");
        let now = elapsed - (of + WORKS) * round;
        let effort = Effort {
            processes: 1,
            cpu: WORKS * round + now.saturating_sub(of),
            busy: now >= of,
            moved: 0,
        };
        ready(Some(Look { effort, is_crowded }))
    }
}

#[tokio::test(start_paused = true)]
async fn pausing_starts_stay_within_the_width() {
    let places = places(4);
    let starts = (0..20).map(|number| {
        let places = Arc::clone(&places);
        tokio::spawn(async move {
            let place = match places.in_turn(&name(&format!("m{number}"))) {
                Turn::Now(place) => place,
                Turn::Later(turn) => turn.await.expect("its turn"),
            };
            let unfinished = places.unfinished();
            let work = after_pauses(Duration::from_millis(200), Instant::now(), true);
            let _ = tokio::time::timeout(Duration::from_secs(4), place.follow_looks(work)).await;
            unfinished
        })
    });
    let starts: Vec<_> = starts.collect();
    for start in starts {
        let unfinished = start.await.expect("no panic");
        assert!(unfinished <= 4, "{unfinished} at once");
    }
}

#[tokio::test(start_paused = true)]
async fn still_start_gives_way_on_an_idle_machine() {
    let places = places(1);
    let began = Instant::now();
    let first = now(places.in_turn(&name("first")));
    let next = later(places.in_turn(&name("next")));
    let work = after_pauses(Duration::from_millis(300), began, false);
    let following = tokio::spawn(first.follow_looks(work));
    next.await.expect("its turn");
    assert!(began.elapsed() < Duration::from_millis(50), "{began:?}");
    following.abort();
}

#[tokio::test(start_paused = true)]
async fn pausing_alone_start_stays_alone() {
    let places = places(4);
    let began = Instant::now();
    let alone = now(places.alone(&name("alone")));
    let next = later(places.in_turn(&name("next")));
    let again = later(places.alone(&name("again")));
    let work = after_pauses(Duration::from_secs(3), began, false);
    let limit = Duration::from_secs(12);
    let following = tokio::spawn(tokio::time::timeout(limit, alone.follow_looks(work)));
    drop(next.await.expect("its turn"));
    again.await.expect("its turn");
    assert!(began.elapsed() >= limit, "{:?}", began.elapsed());
    following
        .await
        .expect("no panic")
        .expect_err("it never ends");
}

#[tokio::test(start_paused = true)]
async fn hanging_alone_start_lets_others_begin() {
    let places = places(4);
    let began = Instant::now();
    let alone = now(places.alone(&name("alone")));
    let next = later(places.in_turn(&name("next")));
    let silent = after_pauses(Duration::from_secs(600), began, false);
    let following = tokio::spawn(alone.follow_looks(silent));
    next.await.expect("its turn");
    let waited = began.elapsed();
    assert!(
        (STILL_ALONE..2 * STILL_ALONE).contains(&waited),
        "{waited:?}"
    );
    following.abort();
}

#[test]
fn width_has_an_end() {
    let places = Places::for_this_machine();
    let width = places.line().width;
    assert!((FEWEST..=MOST).contains(&width), "{width}");
}

/// A process that is ended with the test.
#[cfg(target_os = "linux")]
struct Running(std::process::Child);

#[cfg(target_os = "linux")]
impl Running {
    fn sh(script: &str) -> Self {
        let mut command = std::process::Command::new("sh");
        Self(command.args(["-c", script]).spawn().expect("a process"))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How long the next start waits, by a clock that does not wait for the process.
#[cfg(target_os = "linux")]
async fn waited_beside(script: &str) -> Duration {
    let running = Running::sh(script);
    let places = places(1);
    let first = now(places.in_turn(&name("first")));
    let second = later(places.in_turn(&name("second")));
    let following = tokio::spawn(first.follow(running.0.id()));
    let began = Instant::now();
    second.await.expect("its turn");
    following.abort();
    began.elapsed()
}

#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn spinning_start_counts_for_a_minute_at_most() {
    let waited = waited_beside("while :; do :; done").await;
    assert!(waited >= WORK_MAX, "{waited:?}");
    assert!(waited < 2 * WORK_MAX, "{waited:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn silent_start_holds_nobody_up() {
    let waited = waited_beside("exec sleep 100").await;
    // At once if a processor is free, otherwise after `STILL_FOR`.
    assert!(waited < WORK_MAX, "{waited:?}");
}
