//! The schedule of faults, which depends only on the seed.

use std::time::Duration;

use crate::cast::{CAST, MOODS, Mood};

/// How long a foreign process keeps a member's port, in milliseconds.
const STRANGER_MS: [u64; 3] = [500, 1_500, 3_000];
/// How long the program is down after it was killed, in milliseconds.
const AWAY_MS: [u64; 4] = [0, 0, 300, 5_500];
/// The approximate time that the program needs to end on request, in milliseconds.
const QUIT_MS: u64 = 2_000;

/// A generator of pseudorandom numbers (SplitMix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `0..end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.roll() % end.max(1)
    }

    /// Returns an item of the slice. Panics if the slice is empty.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let at = self.below(from.len() as u64);
        &from[usize::try_from(at).unwrap_or(0)]
    }
}

/// The way in which a member is restarted, so that it gets a new behavior.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// A command restarts the member.
    Restart,
    /// The member's process is killed, and Guild Hall starts it again.
    Kill,
    /// A command stops the member, and the next call starts it.
    Stop,
}

/// A fault or an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A member gets another behavior.
    Mood {
        member: &'static str,
        mood: &'static Mood,
        change: Change,
    },
    /// A member's process is killed.
    Kill { member: &'static str },
    /// A member's process is stopped with a signal, and continued later.
    Freeze { member: &'static str, ms: u64 },
    /// A member announces a changed list of tools.
    Tools { member: &'static str, count: u64 },
    /// A member's process is killed, and a foreign process answers on the member's port.
    Stranger { member: &'static str, ms: u64 },
    /// A member's folder is removed, and restored later.
    Remove { member: &'static str, ms: u64 },
    /// A command calls a member: through the running program, or alone.
    Command { member: &'static str, text: u64 },
    /// The watchdog is killed.
    Watchdog,
    /// The program is killed, and started again later.
    Fall { away_ms: u64 },
    /// The program is asked to end, and started again.
    Quit,
}

/// An action and its time since the start of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) at: Duration,
    pub(crate) deed: Deed,
}

/// Returns all actions of a run with this length.
pub(crate) fn schedule(seed: u64, length: Duration) -> Vec<Step> {
    let mut dice = Dice::new(seed);
    let mut deck = Vec::new();
    let length = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    let mut steps = Vec::new();
    // All members start during the first three seconds.
    let mut at = 3_000;
    while at < length {
        steps.push(step(at, small(&mut dice, &mut deck)));
        at += 150 + dice.below(500);
    }
    let mut at = 6_000 + dice.below(4_000);
    let mut turn = 0;
    while at + 2_000 < length {
        turn += 1;
        let (deed, away) = match (turn % 4, *dice.pick(&AWAY_MS)) {
            (0, _) => (Deed::Quit, QUIT_MS),
            (_, away_ms) => (Deed::Fall { away_ms }, away_ms),
        };
        // The schedule has no actions while the program is down.
        let absent = Duration::from_millis(at)..Duration::from_millis(at + away);
        steps.retain(|step| !absent.contains(&step.at));
        steps.push(step(at, deed));
        at += away + 6_000 + dice.below(5_000);
    }
    // Of two actions at the same time, the fault of a member comes first.
    steps.sort_by_key(|step| step.at);
    steps
}

fn step(at: u64, deed: Deed) -> Step {
    let at = Duration::from_millis(at);
    Step { at, deed }
}

/// Returns a fault of one member or of the watchdog.
fn small(dice: &mut Dice, deck: &mut Vec<&'static Mood>) -> Deed {
    let troubled: Vec<&'static str> = CAST
        .iter()
        .filter(|member| !member.quiet)
        .map(|member| member.name)
        .collect();
    let member = *dice.pick(&troubled);
    match dice.below(100) {
        0..45 => Deed::Mood {
            member,
            mood: dealt(dice, deck),
            change: *dice.pick(&[Change::Restart, Change::Kill, Change::Stop]),
        },
        45..58 => Deed::Kill { member },
        58..66 => Deed::Freeze {
            member,
            ms: 200 + dice.below(2_500),
        },
        66..76 => Deed::Tools {
            member,
            count: dice.below(300),
        },
        76..82 => Deed::Stranger {
            member,
            ms: *dice.pick(&STRANGER_MS),
        },
        82..86 => Deed::Remove {
            member,
            ms: 300 + dice.below(2_000),
        },
        86..95 => Deed::Command {
            member: dice.pick(CAST).name,
            text: dice.roll(),
        },
        _ => Deed::Watchdog,
    }
}

/// Returns the next behavior. Each comes once before one is repeated.
fn dealt(dice: &mut Dice, deck: &mut Vec<&'static Mood>) -> &'static Mood {
    if deck.is_empty() {
        deck.extend(MOODS);
    }
    let at = dice.below(deck.len() as u64);
    deck.swap_remove(usize::try_from(at).unwrap_or(0))
}

/// Returns a hash of a schedule, to recognize equal schedules.
pub(crate) fn digest(steps: &[Step]) -> u64 {
    // FNV-1a over the text of each step.
    let fold = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let words = steps.iter().map(|step| format!("{step:?};"));
    words.fold(0xCBF2_9CE4_8422_2325, |sum, word| {
        word.bytes().fold(sum, fold)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_schedule_and_another_seed_another() {
        let length = Duration::from_secs(60);
        let first = schedule(7, length);
        assert_eq!(first, schedule(7, length));
        assert_ne!(digest(&first), digest(&schedule(8, length)));
        assert!(first.is_sorted_by_key(|step| step.at));
    }

    #[test]
    fn three_minutes_have_every_deed_and_mood() {
        let steps = schedule(1, Duration::from_secs(180));
        let has = |kind: &str| {
            let of_kind = |step: &&Step| format!("{:?}", step.deed).starts_with(kind);
            steps.iter().filter(of_kind).count()
        };
        for kind in [
            "Mood", "Kill", "Freeze", "Tools", "Stranger", "Remove", "Command", "Watchdog", "Fall",
            "Quit",
        ] {
            assert!(has(kind) > 1, "{kind}");
        }
        for mood in MOODS {
            let of_mood = |step: &Step| matches!(step.deed, Deed::Mood { mood: other, .. } if other.name == mood.name);
            assert!(steps.iter().any(of_mood), "{}", mood.name);
        }
    }
}
