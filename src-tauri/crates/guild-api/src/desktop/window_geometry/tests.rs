use proptest::prelude::*;

use super::*;

const LEAST: (u32, u32) = (480, 360);

fn area(x: i32, y: i32, width: u32, height: u32) -> Area {
    Area {
        x,
        y,
        width,
        height,
    }
}

fn laptop() -> Area {
    area(0, 0, 1920, 1080)
}

fn beside() -> Area {
    area(1920, -200, 2560, 1440)
}

fn frame(area: Area) -> Frame {
    Frame {
        area,
        maximised: false,
    }
}

fn kept(displays: &[Area], area: Area) -> WindowGeometryHistory {
    let mut frames = WindowGeometryHistory::default();
    assert!(frames.keep(displays, frame(area)));
    frames
}

#[test]
fn a_window_comes_back_to_where_it_was() {
    let was = area(2000, 100, 1300, 900);
    let both = [laptop(), beside()];
    let frames = kept(&both, was);
    let back = [beside(), laptop()];
    assert_eq!(
        frames.placed(&back, LEAST),
        Some(frame(was)),
        "in any order"
    );
    let read = WindowGeometryHistory::read(frames.text().as_bytes());
    assert_eq!(read, frames);
    assert_eq!(WindowGeometryHistory::default().placed(&both, LEAST), None);
    assert_eq!(frames.placed(&[], LEAST), None, "the system decides");
}

#[test]
fn each_set_of_displays_has_its_own_place() {
    let both = [laptop(), beside()];
    let mut frames = kept(&both, area(2000, 100, 1300, 900));
    let alone = area(50, 60, 1000, 700);
    assert!(frames.keep(&[laptop()], frame(alone)));
    assert!(!frames.keep(&[laptop()], frame(alone)), "nothing new");
    let placed = frames.placed(&both, LEAST).expect("a place");
    assert_eq!(placed.area.x, 2000);
    assert_eq!(frames.placed(&[laptop()], LEAST), Some(frame(alone)));
}

#[test]
fn a_window_whose_display_is_gone_comes_back_onto_one() {
    let frames = kept(&[laptop(), beside()], area(3000, 100, 1300, 900));
    let placed = frames.placed(&[laptop()], LEAST).expect("a place").area;
    assert_eq!(
        placed,
        area(620, 100, 1300, 900),
        "at the edge that is nearest"
    );
    let small = area(0, 0, 800, 600);
    let placed = frames.placed(&[small], LEAST).expect("a place").area;
    assert_eq!(placed, small, "no larger than what it stands on");
}

#[test]
fn a_window_whose_upper_edge_can_not_be_held_is_moved() {
    let above = kept(&[laptop()], area(100, -40, 800, 600));
    let placed = above.placed(&[laptop()], LEAST).expect("a place").area;
    assert_eq!((placed.x, placed.y), (100, 0));
    let low = kept(&[laptop()], area(100, 1070, 800, 600));
    let placed = low.placed(&[laptop()], LEAST).expect("a place").area;
    assert_eq!((placed.x, placed.y), (100, 480));
    // A person may have moved the window half off the display.
    let half = area(1500, 500, 800, 600);
    let placed = kept(&[laptop()], half).placed(&[laptop()], LEAST);
    assert_eq!(placed, Some(frame(half)));
}

#[test]
fn as_many_sets_of_displays_are_kept_as_anybody_has() {
    let mut frames = WindowGeometryHistory::default();
    for width in 0..40_u32 {
        let display = area(0, 0, 1000 + width, 1000);
        assert!(frames.keep(&[display], frame(area(1, 2, 600, 500))));
    }
    assert_eq!(frames.windows.len(), SETS_MAX);
    assert_eq!(frames.windows[0].displays[0].width, 1039, "the newest stay");
    let mad = area(i32::MAX, 0, u32::MAX, 1);
    assert!(!frames.keep(&[laptop()], frame(mad)));
    assert!(!frames.keep(&[], frame(laptop())));
}

#[test]
fn mangled_frames_are_as_good_as_none_or_within_all_bounds() {
    guild_tests::mangled::each("window-frames", |bytes| {
        let frames = WindowGeometryHistory::read(bytes);
        assert!(frames.windows.len() <= SETS_MAX);
        if let Some(placed) = frames.placed(&[laptop()], LEAST) {
            assert!(placed.area.width <= 1920 && placed.area.height <= 1080);
        }
        assert_eq!(
            WindowGeometryHistory::read(frames.text().as_bytes()),
            frames
        );
    });
}

fn areas(least: u32, most: u32) -> impl Strategy<Value = Area> {
    (
        -6_000..6_000_i32,
        -6_000..6_000_i32,
        least..most,
        least..most,
    )
        .prop_map(|(x, y, width, height)| area(x, y, width, height))
}

proptest! {
    /// With any stored frame and any displays, a part of the window is reachable on one of them.
    #[test]
    fn a_window_never_opens_outside_all_displays(
        was in areas(1, 9_000),
        then in prop::collection::vec(areas(500, 5_000), 1..5),
        now in prop::collection::vec(areas(500, 5_000), 1..5),
    ) {
        let mut frames = WindowGeometryHistory::default();
        prop_assert!(frames.keep(&then, frame(was)));
        let placed = frames.placed(&now, LEAST).expect("a place").area;
        let held = now.iter().any(|display| {
            let (wide, high) = display.shared(&placed);
            wide >= i64::from(GRIP.0) && high >= i64::from(GRIP.1) && display.y <= placed.y
        });
        prop_assert!(held, "{placed:?} on {now:?}");
        let fits = now.iter().any(|display| placed.width <= display.width && placed.height <= display.height);
        prop_assert!(fits, "{placed:?} on {now:?}");
        // A frame that was placed stays there the next time.
        let mut again = WindowGeometryHistory::default();
        prop_assert!(again.keep(&now, frame(placed)));
        prop_assert_eq!(again.placed(&now, LEAST).map(|frame| frame.area), Some(placed));
    }
}
