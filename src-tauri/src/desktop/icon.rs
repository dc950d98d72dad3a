//! Draws the tray icon pixel by pixel. The icon is a hall with a sign in its corner. The shape and
//! the color of the sign show the state of the hall.

use guild_api::desktop::tray::TrayStatus;

/// The sizes of the icon, in pixels. The desktop uses the one that fits its panel.
pub(crate) const SIZES: [u16; 4] = [22, 24, 32, 48];

/// Number of samples for each pixel, in each direction.
const POINTS: u16 = 4;

type Colour = [u8; 3];

const TILE: Colour = [0x2f, 0x5d, 0x62];
const STONE: Colour = [0xf4, 0xed, 0xe0];
const LIGHT: Colour = [0xe2, 0xa9, 0x4b];
const RED: Colour = [0xc6, 0x28, 0x28];
const BLUE: Colour = [0x1d, 0x4e, 0x89];
const WHITE: Colour = [0xff, 0xff, 0xff];
const BLACK: Colour = [0x10, 0x10, 0x10];

/// The center (x, y) and the radius of the sign, in an icon of size 1 × 1.
const SIGN: (f32, f32, f32) = (0.71, 0.71, 0.29);
/// The margin around the sign.
const GAP: f32 = 0.05;

/// Returns the pixels row by row, each as red, green, blue and opacity.
pub(crate) fn rgba(mood: TrayStatus, size: u16) -> Vec<u8> {
    let points = f32::from(size * POINTS);
    let mut pixels = Vec::with_capacity(usize::from(size) * usize::from(size) * 4);
    for row in 0..size {
        for column in 0..size {
            let mut sum = [0_u32; 3];
            let mut hit = 0_u32;
            for point in 0..POINTS * POINTS {
                let x = f32::from(column * POINTS + point % POINTS) + 0.5;
                let y = f32::from(row * POINTS + point / POINTS) + 0.5;
                if let Some(colour) = at(mood, x / points, y / points) {
                    hit += 1;
                    for (sum, part) in sum.iter_mut().zip(colour) {
                        *sum += u32::from(part);
                    }
                }
            }
            let all = u32::from(POINTS) * u32::from(POINTS);
            let part = |value: u32, of: u32| u8::try_from(value / of.max(1)).unwrap_or(u8::MAX);
            pixels.extend(sum.map(|sum| part(sum, hit)));
            pixels.push(part(hit * 255, all));
        }
    }
    pixels
}

/// Returns the color at a point. `None` is transparent.
fn at(mood: TrayStatus, x: f32, y: f32) -> Option<Colour> {
    if mood == TrayStatus::Well {
        return hall(x, y);
    }
    let (dx, dy) = ((x - SIGN.0) / SIGN.2, (y - SIGN.1) / SIGN.2);
    match sign(mood, dx, dy) {
        Some(colour) => Some(colour),
        None if is_sign_with_gap(mood, dx, dy) => None,
        None => hall(x, y),
    }
}

/// Returns the color of the hall at a point: a roof, two pillars and a lit door on a tile.
fn hall(x: f32, y: f32) -> Option<Colour> {
    let inside = |left: f32, top: f32, right: f32, bottom: f32| {
        (left..right).contains(&x) && (top..bottom).contains(&y)
    };
    let corner = 0.2;
    let edge = |v: f32| (v - 0.5).abs() - (0.48 - corner);
    let (over_x, over_y) = (edge(x).max(0.0), edge(y).max(0.0));
    if over_x.hypot(over_y) > corner {
        return None;
    }
    let roof = (0.16..0.42).contains(&y) && (x - 0.5).abs() < (y - 0.16) / 0.26 * 0.36;
    let door = inside(0.4, 0.54, 0.6, 0.76);
    let stone = roof
        || inside(0.18, 0.5, 0.3, 0.76)
        || inside(0.7, 0.5, 0.82, 0.76)
        || inside(0.14, 0.79, 0.86, 0.87);
    Some(match (door, stone) {
        (true, _) => LIGHT,
        (false, true) => STONE,
        (false, false) => TILE,
    })
}

/// Returns the color of the sign at a point with coordinates from -1 to 1: three dots if members
/// are starting or stopping, a cross in an octagon if members have failed, and an exclamation mark
/// in a disc if something waits for the person.
fn sign(mood: TrayStatus, x: f32, y: f32) -> Option<Colour> {
    match mood {
        TrayStatus::Well => None,
        TrayStatus::Working => {
            let dot = |middle: f32| (x - middle).hypot(y - 0.35) < 0.24;
            let bar = x.abs() < 1.0 && (0.0..0.7).contains(&y);
            let dots = dot(-0.6) || dot(0.0) || dot(0.6);
            bar.then_some(if dots { WHITE } else { BLUE })
        }
        TrayStatus::Error => {
            let octagon = x.abs().max(y.abs()).max((x.abs() + y.abs()) * 0.72) < 1.0;
            let arm = |a: f32| a.abs() < 0.22;
            let cross = (arm(x - y) || arm(x + y)) && x.abs().max(y.abs()) < 0.6;
            octagon.then_some(if cross { WHITE } else { RED })
        }
        TrayStatus::NeedsYou => {
            let disc = x.hypot(y) < 1.0;
            let stroke = x.abs() < 0.17 && (-0.65..0.2).contains(&y);
            let dot = x.hypot(y - 0.52) < 0.2;
            disc.then_some(if stroke || dot { BLACK } else { LIGHT })
        }
    }
}

/// Whether a point is within the margin around the sign, where the hall is not drawn.
fn is_sign_with_gap(mood: TrayStatus, x: f32, y: f32) -> bool {
    let near = 1.0 / (1.0 + GAP / SIGN.2);
    sign(mood, x * near, y * near).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each pixel whether anything is drawn on it.
    fn shape(mood: TrayStatus, size: u16) -> Vec<bool> {
        let pixels = rgba(mood, size);
        pixels.chunks(4).map(|pixel| pixel[3] > 127).collect()
    }

    /// Returns the icon in grayscale.
    fn grey(mood: TrayStatus, size: u16) -> Vec<u32> {
        let pixels = rgba(mood, size);
        let light = |pixel: &[u8]| {
            let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
            (red * 3 + green * 6 + blue) / 10 * u32::from(pixel[3]) / 255
        };
        pixels.chunks(4).map(light).collect()
    }

    #[test]
    fn each_mood_has_a_picture_of_its_own_without_colours_too() {
        for size in SIZES {
            let edge = usize::from(size);
            assert_eq!(rgba(TrayStatus::Well, size).len(), edge * edge * 4);
            for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                let [one, other] = [TrayStatus::ALL[one], TrayStatus::ALL[other]];
                let pairs = grey(one, size).into_iter().zip(grey(other, size));
                let apart = pairs.filter(|(a, b)| a.abs_diff(*b) > 60).count();
                assert!(
                    apart * 20 > edge * edge,
                    "{one:?} and {other:?} at {size}: {apart}"
                );
            }
        }
    }

    #[test]
    fn a_sign_stands_apart_from_the_hall() {
        for mood in [TrayStatus::Working, TrayStatus::Error, TrayStatus::NeedsYou] {
            assert_ne!(shape(mood, 48), shape(TrayStatus::Well, 48), "{mood:?}");
        }
        let corner = &shape(TrayStatus::Well, 48)[0];
        assert!(!corner, "the tile has round corners");
    }
}
