//! The window's last position for each set of displays, and a valid position on the current ones.
//!
//! All numbers are physical pixels in the coordinate system that spans all displays.

use serde::{Deserialize, Serialize};

/// Maximum number of sets of displays that are remembered.
const SETS_MAX: usize = 16;
/// Maximum number of displays in a set.
const DISPLAYS_MAX: usize = 16;
/// Maximum absolute value of a coordinate, and maximum width and height, in pixels. Areas beyond
/// these limits are ignored.
const FARTHEST: i64 = 100_000;
/// Width and height of the part of the window's upper edge that must be on one display, so that the
/// user can drag it.
const GRIP: (u32, u32) = (120, 24);

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    /// The x coordinate of the left edge.
    pub x: i32,
    /// The y coordinate of the upper edge.
    pub y: i32,
    /// The width.
    pub width: u32,
    /// The height.
    pub height: u32,
}

impl Area {
    fn is_sane(&self) -> bool {
        let near = |edge: i32| i64::from(edge).abs() <= FARTHEST;
        let sized = |length: u32| length > 0 && i64::from(length) <= FARTHEST;
        near(self.x) && near(self.y) && sized(self.width) && sized(self.height)
    }

    fn right(&self) -> i64 {
        i64::from(self.x) + i64::from(self.width)
    }

    fn bottom(&self) -> i64 {
        i64::from(self.y) + i64::from(self.height)
    }

    /// Returns the width and the height of the overlap.
    fn shared(&self, other: &Self) -> (i64, i64) {
        let width = self.right().min(other.right()) - i64::from(self.x.max(other.x));
        let height = self.bottom().min(other.bottom()) - i64::from(self.y.max(other.y));
        (width.max(0), height.max(0))
    }

    /// Returns a measure of the distance between the two centers, for comparisons only.
    fn distance(&self, other: &Self) -> i64 {
        let middle = |area: &Self| {
            (
                i64::from(area.x) + area.right(),
                i64::from(area.y) + area.bottom(),
            )
        };
        let ((x, y), (other_x, other_y)) = (middle(self), middle(other));
        (x - other_x).pow(2) + (y - other_y).pow(2)
    }
}

/// A window's position and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    /// The window's position and size while it is not maximized.
    pub area: Area,
    /// Whether the window is maximized.
    pub maximised: bool,
}

/// A frame, with the displays that were connected when it was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SavedFrame {
    displays: Vec<Area>,
    frame: Frame,
}

/// The stored frames of the window, one for each set of displays, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WindowGeometryHistory {
    windows: Vec<SavedFrame>,
}

impl WindowGeometryHistory {
    /// Reads a stored file; broken or out-of-bounds content counts as empty.
    pub fn read(bytes: &[u8]) -> Self {
        let mut frames: Self = serde_json::from_slice(bytes).unwrap_or_default();
        frames.windows.truncate(SETS_MAX);
        frames.windows.retain(|kept| {
            kept.frame.area.is_sane()
                && (1..=DISPLAYS_MAX).contains(&kept.displays.len())
                && kept.displays.iter().all(Area::is_sane)
        });
        frames
    }

    /// Returns the JSON text to store in the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Stores the window's frame on these displays. Returns whether the history changed.
    pub fn keep(&mut self, displays: &[Area], frame: Frame) -> bool {
        let displays = set_of(displays);
        let usable = !displays.is_empty() && displays.iter().all(Area::is_sane);
        if !usable || !frame.area.is_sane() {
            return false;
        }
        let kept = SavedFrame { displays, frame };
        if self.windows.first() == Some(&kept) {
            return false;
        }
        self.windows.retain(|other| other.displays != kept.displays);
        self.windows.insert(0, kept);
        self.windows.truncate(SETS_MAX);
        true
    }

    /// Returns the window's frame for these displays: its last frame on the same displays, else its
    /// newest frame. The frame is moved onto a display, and is not smaller than `least`, unless the
    /// display is. `None` if no frame is stored or no display is known.
    pub fn placed(&self, displays: &[Area], least: (u32, u32)) -> Option<Frame> {
        let displays = set_of(displays);
        let same = self.windows.iter().find(|kept| kept.displays == displays);
        let frame = same.or(self.windows.first())?.frame;
        let area = on_a_display(frame.area, &displays, least)?;
        Some(Frame { area, ..frame })
    }
}

fn set_of(displays: &[Area]) -> Vec<Area> {
    let mut displays: Vec<Area> = displays.iter().copied().take(DISPLAYS_MAX).collect();
    displays.sort();
    displays
}

/// Returns the area, moved and resized if it does not fit a display or the user could not drag it.
fn on_a_display(area: Area, displays: &[Area], least: (u32, u32)) -> Option<Area> {
    let fits = |one: &Area| area.width <= one.width && area.height <= one.height;
    let is_large = area.width >= least.0 && area.height >= least.1;
    if is_large && displays.iter().any(fits) && can_be_held(area, displays) {
        return Some(area);
    }
    let overlap = |display: &&Area| {
        let (width, height) = display.shared(&area);
        width * height
    };
    let most = displays.iter().max_by_key(overlap)?;
    let display = if overlap(&most) > 0 {
        most
    } else {
        displays.iter().min_by_key(|one| one.distance(&area))?
    };
    let width = area.width.max(least.0).min(display.width);
    let height = area.height.max(least.1).min(display.height);
    let into = |edge: i32, length: u32, from: i32, room: u32| {
        let last = i64::from(from) + i64::from(room) - i64::from(length);
        let moved = i64::from(edge).min(last).max(i64::from(from));
        i32::try_from(moved).unwrap_or(from)
    };
    Some(Area {
        x: into(area.x, width, display.x, display.width),
        y: into(area.y, height, display.y, display.height),
        width,
        height,
    })
}

/// Whether enough of the upper edge is on one display for the user to drag the window.
fn can_be_held(area: Area, displays: &[Area]) -> bool {
    let height = area.height.min(GRIP.1);
    let edge = Area { height, ..area };
    displays.iter().any(|display| {
        let (wide, high) = display.shared(&edge);
        wide >= i64::from(GRIP.0.min(area.width)) && high >= i64::from(height)
    })
}

#[cfg(test)]
mod tests;
