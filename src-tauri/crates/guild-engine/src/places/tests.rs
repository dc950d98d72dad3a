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
    assert_eq!(places.line().taken, 0);
}

#[test]
fn starts_that_wait_make_room_and_heavy_ones_take_it_back() {
    let places = places(2);
    let mut held: Vec<Place> = Vec::new();
    let mut waiting = Vec::new();
    for number in 0..40 {
        match places.in_turn(&name(&format!("m{number}"))) {
            Turn::Now(place) => held.push(place),
            Turn::Later(later) => waiting.push(later),
        }
    }
    assert_eq!(held.len(), 2);
    let mut rounds = 0;
    while !waiting.is_empty() {
        for place in held.drain(..) {
            place.waits();
        }
        waiting.retain_mut(|later| match later.try_recv() {
            Ok(place) => {
                held.push(place);
                false
            }
            Err(_) => true,
        });
        rounds += 1;
    }
    assert_eq!(rounds, 4, "each round is twice as wide");
    assert!(places.line().width > 16);
    held[0].is_heavy();
    held[0].is_heavy();
    held[0].is_heavy();
    held[0].is_heavy();
    assert_eq!(places.line().width, 2, "no less than at first");
    held.clear();
    let line = places.line();
    assert_eq!((line.taken, line.width), (0, 2));
}

#[test]
fn width_has_an_end() {
    let places = places(4);
    for _ in 0..1_000 {
        places.at_once().waits();
        let held = places.at_once();
        assert!(places.line().width <= MOST);
        drop(held);
    }
}
