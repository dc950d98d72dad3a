//! Finds tools for a task said in plain words.
//!
//! BM25 over fields (BM25F): each field of a tool counts by its weight and against its usual
//! length, rare words count more than common ones, and a word counts less the more often it is
//! repeated. Words are compared by their stems. A word also finds, for less, the words that tools
//! use for it ([`subjects`]). A second order, of vectors for one, is fused with that of the words.

mod fields;
mod indexing;
mod meaning;
mod shapes;
mod subjects;
pub(in crate::agents) mod words;

use std::collections::HashMap;

use self::fields::{FIELDS, Field};
use self::indexing::Indexing;
pub use self::meaning::meaning_text;
use self::subjects::Subjects;
use super::ToolChange;
use crate::tool::ToolSpec;

/// As much of a task as is read, in characters.
pub(crate) const TASK_CHARS_MAX: usize = 500;
/// As many of its words as are looked for.
pub(crate) const TASK_WORDS_MAX: usize = 32;
/// How many weak hits are given.
const WEAK_MAX: usize = 3;
/// The part of a task's words, by their rarity, that a tool has at least if it is no weak hit.
const WEAK_BELOW: f64 = 0.25;
/// What a tool counts of which only the member's name fits.
const MEMBER_ALONE: f64 = 0.2;
/// The shortest part of a compound, in bytes.
const PART_MIN: usize = 4;
/// How soon lower ranks count for less when two orders are fused: at this rank half of the first.
const FUSION_RANK: f64 = 3.0;
/// What the order of the close tools counts, of what that of the words does.
const CLOSE_WEIGHT: f64 = 0.6;
/// This many of the closest tools count as strong hits by meaning alone, if they are close enough.
const NEAR_MAX: usize = 5;
/// As many of the best tools are examined for weak hits.
const EXAMINED_MAX: usize = 200;
/// As many hits of each order as are fused.
const FUSED_MAX: usize = 100;
/// What a tool that was asked for by its name is ahead of all others.
const NAMED_AHEAD: f64 = 1_000.0;

/// A tool that can be found.
#[derive(Debug, Clone, Copy)]
pub struct Findable<'a> {
    /// Its member's name.
    pub member: &'a str,
    /// Its name for agents.
    pub name: &'a str,
    /// The tool.
    pub spec: &'a ToolSpec,
    /// What a profile says of it.
    pub change: Option<&'a ToolChange>,
}

/// A tool that is close to a task in meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Close {
    /// Its place among the tools that the searcher was built from.
    pub place: usize,
    /// The cosine of its vector and the task's.
    pub cosine: f32,
}

/// An order of tools by meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Closest {
    /// The closest tools, the closest first.
    pub tools: Vec<Close>,
    /// The cosine from which on a tool fits, for the model and the tools at hand.
    pub floor: f32,
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its place among the tools that the searcher was built from.
    pub place: usize,
    /// How well it fits; only the order means something.
    pub score: f64,
    /// Which words were found, and where: `name: issue, delete (remove)`.
    pub why: Vec<String>,
    /// Whether it has little of the task.
    pub weak: bool,
}

/// How tools are ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// How much a word counts, by the field that it stands in.
    weights: [f32; FIELDS],
    /// How much the length of a field counts against it, from 0 to 1.
    lengths: [f32; FIELDS],
    /// How soon more of the same word counts for little.
    repetition: f32,
    /// Words are compared by their stems.
    stems: bool,
    /// What the words count that tools use for a word, of what the word itself would.
    subjects: Option<f32>,
}

impl Ranking {
    /// The ranking that agents get.
    pub const TUNED: Self = Self {
        weights: [3.0, 0.5, 2.0, 0.5, 0.3, 0.2, 1.0],
        lengths: [0.75; FIELDS],
        repetition: 1.2,
        stems: true,
        subjects: Some(0.8),
    };
    /// BM25 as it is in the books, over all words of a tool alike: what the other is held against.
    pub const PLAIN: Self = Self {
        weights: [1.0; FIELDS],
        lengths: [0.75; FIELDS],
        repetition: 1.2,
        stems: true,
        subjects: None,
    };
}

/// An index of tools.
#[derive(Debug)]
pub struct Searcher {
    ranking: Ranking,
    subjects: Subjects,
    /// How many tools there are.
    tools: usize,
    /// Where the tools of each stem are.
    terms: HashMap<Box<str>, u32>,
    /// For each stem, the tools that have it, by their places.
    postings: Vec<Vec<Posting>>,
    /// The tools by name, their own and the one for agents, as [`words::plain`] has them.
    names: HashMap<Box<str>, Vec<u32>>,
}

/// That a tool has a word.
#[derive(Debug, Clone, Copy)]
struct Posting {
    place: u32,
    /// What the word counts in this tool, before its rarity.
    weight: f32,
    /// The fields it stands in, a bit for each.
    fields: u8,
}

/// A word of a task, and what is looked for on its behalf.
struct Wanted<'a> {
    said: String,
    /// What it counts when a tool is asked how much of the task it has.
    share: f64,
    found_by: Vec<Variant<'a>>,
}

struct Variant<'a> {
    /// The word as a person would read it; `None` for the one that was said.
    word: Option<String>,
    /// What it counts, of what a word that was said would.
    factor: f64,
    /// What it counts for being rare.
    rarity: f64,
    postings: &'a [Posting],
}

/// The word that is looked for, if it is not the one that was said; what it counts; where it is.
type Found<'a> = (Option<String>, f32, &'a [Posting]);

impl Variant<'_> {
    fn finds_as(&self, other: &Self) -> bool {
        std::ptr::eq(self.postings, other.postings)
    }
}

impl Searcher {
    /// An index of these tools, ranked as agents get them.
    pub fn build<'a>(tools: impl IntoIterator<Item = Findable<'a>>) -> Self {
        Self::ranked(tools, Ranking::TUNED)
    }

    /// An index with a ranking of its own.
    pub fn ranked<'a>(tools: impl IntoIterator<Item = Findable<'a>>, ranking: Ranking) -> Self {
        let mut index = Indexing::new(ranking.stems);
        for tool in tools {
            index.add(&tool);
        }
        index.finish(ranking)
    }

    /// How many tools can be found.
    pub fn len(&self) -> usize {
        self.tools
    }

    /// Whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.tools == 0
    }

    /// The tools for a task, at most `limit`, the best first; of two that fit alike, the one that
    /// was listed first. Of those that fit weakly, there are at most three.
    pub fn find(&self, task: &str, limit: usize) -> Vec<Hit> {
        self.find_beside(task, &Closest::default(), limit)
    }

    /// The same, fused with an order of the tools by meaning. A tool that is among the first in that
    /// order, and close enough, is not a weak hit.
    pub fn find_beside(&self, task: &str, closest: &Closest, limit: usize) -> Vec<Hit> {
        let task = match task.char_indices().nth(TASK_CHARS_MAX) {
            Some((end, _)) => &task[..end],
            None => task,
        };
        let wanted = self.wanted(task);
        let ranked = self.ranked_by(task, &wanted);
        let known = closest.tools.iter().filter(|one| one.place < self.tools);
        let close: Vec<usize> = known.clone().map(|one| one.place).collect();
        let near = known.take(NEAR_MAX);
        let near = near.filter(|one| one.cosine >= closest.floor);
        let near: Vec<usize> = near.map(|one| one.place).collect();
        let found = match close.is_empty() {
            true => ranked,
            false => fused(&ranked, &close),
        };
        let mut hits = Vec::new();
        let mut weak_hits = 0;
        for (place, score) in found.into_iter().take(EXAMINED_MAX) {
            if hits.len() == limit {
                break;
            }
            let named = score >= NAMED_AHEAD;
            let weak = !named && !near.contains(&place) && covered(&wanted, place) < WEAK_BELOW;
            weak_hits += usize::from(weak);
            if !weak || weak_hits <= WEAK_MAX {
                hits.push(Hit {
                    place,
                    score,
                    why: why(&wanted, place, named, close.contains(&place)),
                    weak,
                });
            }
        }
        hits
    }

    /// All tools that have a word of the task, the best first.
    fn ranked_by(&self, task: &str, wanted: &[Wanted<'_>]) -> Vec<(usize, f64)> {
        let mut own = vec![0.0_f64; self.tools];
        let mut of_member = vec![0.0_f64; self.tools];
        // What the word at hand counts in each tool, and whether only as its member's name.
        let mut best = vec![(0.0_f64, false); self.tools];
        let mut touched: Vec<u32> = Vec::new();
        for word in wanted {
            for variant in &word.found_by {
                for posting in variant.postings {
                    let score = variant.rarity * variant.factor * f64::from(posting.weight);
                    let best = &mut best[posting.place as usize];
                    if best.0 == 0.0 {
                        touched.push(posting.place);
                    }
                    if score > best.0 {
                        *best = (score, posting.fields == Field::Member.bit());
                    }
                }
            }
            for place in touched.drain(..) {
                let place = place as usize;
                let (score, member) = std::mem::take(&mut best[place]);
                let scores = if member { &mut of_member } else { &mut own };
                scores[place] += score;
            }
        }
        for (own, member) in own.iter_mut().zip(of_member) {
            *own += if *own > 0.0 {
                member.min(*own)
            } else {
                member * MEMBER_ALONE
            };
        }
        for place in self.named(task) {
            own[place as usize] += NAMED_AHEAD;
        }
        let scores = own.into_iter().enumerate();
        let mut found: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found
    }

    /// The words of a task that are looked for.
    fn wanted(&self, task: &str) -> Vec<Wanted<'_>> {
        let mut in_order: Vec<String> = Vec::new();
        words::of_prose(task, |word| {
            if in_order.len() < TASK_WORDS_MAX {
                in_order.push(word.to_owned());
            }
        });
        let mut said: Vec<String> = Vec::new();
        for word in &in_order {
            if !said.contains(word) {
                said.push(word.clone());
            }
        }
        // `on call` is `oncall` and `to-do` is `todo` where a tool has it so.
        let joined = in_order.windows(2).map(|two| two.concat());
        let joined: Vec<String> = joined
            .filter(|word| self.ranking.subjects.is_some() && !self.postings_of(word).is_empty())
            .collect();
        if said
            .iter()
            .chain(&joined)
            .any(|word| !words::says_nothing(word))
        {
            said.retain(|word| !words::says_nothing(word));
        }
        said.extend(joined);
        let mut wanted: Vec<Wanted<'_>> =
            said.into_iter().map(|word| self.variants(word)).collect();
        if let Some(factor) = self.ranking.subjects {
            let phrases = in_order.windows(2).filter_map(|two| {
                let meant = self.subjects.of_phrase(&two[0], &two[1])?;
                Some((two.join(" "), meant.split(' ').collect()))
            });
            let shapes = shapes::of_shapes(task).into_iter();
            let shapes = shapes.map(|subject| (String::from("subject"), vec![subject]));
            for (said, meant) in phrases.chain(shapes) {
                let meant: Vec<&str> = meant;
                let found_by = meant.iter().map(|word| self.related(word, factor));
                wanted.push(self.meaning(said, found_by.collect()));
            }
        }
        count_once(&mut wanted);
        wanted
    }

    fn variants(&self, said: String) -> Wanted<'_> {
        let mut found_by = vec![(None, 1.0, self.postings_of(&said))];
        if let Some(factor) = self.ranking.subjects {
            let meant = self.subjects.of(&said).iter();
            found_by.extend(meant.map(|word| self.related(word, factor)));
            if found_by.iter().all(|(_, _, postings)| postings.is_empty()) {
                let parts = self.parts(&said).into_iter().flatten();
                let parts =
                    parts.flat_map(|part| self.subjects.of(part).iter().copied().chain([part]));
                found_by.extend(parts.map(|word| self.related(word, factor)));
            }
        }
        self.meaning(said, found_by)
    }

    fn related(&self, word: &str, factor: f32) -> Found<'_> {
        (Some(word.to_owned()), factor, self.postings_of(word))
    }

    /// The two words that a compound is made of, where a tool has the second: `piechart`.
    fn parts<'w>(&self, word: &'w str) -> Option<[&'w str; 2]> {
        let cuts = word.char_indices().map(|(at, _)| at);
        let mut cuts = cuts.filter(|at| *at >= 3 && word.len() - at >= PART_MIN);
        let cut = cuts.find(|at| !self.postings_of(&word[*at..]).is_empty())?;
        Some([&word[..cut], &word[cut..]])
    }

    /// A word and all that is looked for on its behalf, which never counts as rarer than the word
    /// itself.
    fn meaning<'s>(&'s self, said: String, found_by: Vec<Found<'s>>) -> Wanted<'s> {
        let own = found_by
            .first()
            .filter(|(word, _, found)| word.is_none() && !found.is_empty());
        let most = own.map_or(f64::MAX, |(_, _, postings)| self.rarity(postings.len()));
        let there = found_by
            .into_iter()
            .filter(|(_, _, postings)| !postings.is_empty());
        let found_by: Vec<Variant<'_>> = there
            .map(|(word, factor, postings)| Variant {
                word,
                factor: factor.into(),
                rarity: self.rarity(postings.len()).min(most),
                postings,
            })
            .collect();
        let shares = found_by
            .iter()
            .map(|variant| variant.factor * variant.rarity);
        // A word that no tool has is missing in all of them.
        let share = match found_by.is_empty() {
            true => self.rarity(0),
            false => shares.fold(0.0, f64::max),
        };
        Wanted {
            said,
            share,
            found_by,
        }
    }

    fn postings_of(&self, word: &str) -> &[Posting] {
        let term = match self.ranking.stems {
            true => self.terms.get(words::stem(word).as_ref()),
            false => self.terms.get(word),
        };
        term.map_or(&[], |term| &self.postings[*term as usize])
    }

    /// What a word counts that so many tools have.
    fn rarity(&self, tools: usize) -> f64 {
        let (all, tools) = (self.tools as f64, tools as f64);
        (1.0 + (all - tools + 0.5) / (tools + 0.5)).ln()
    }

    /// The tools that a task names.
    fn named(&self, task: &str) -> Vec<u32> {
        let written_as_a_name = |word: &&str| word.contains(['_', '-', '.']);
        let mut places: Vec<u32> = std::iter::once(task)
            .chain(task.split_whitespace().filter(written_as_a_name))
            .filter_map(|text| self.names.get(words::plain(text).as_str()))
            .flatten()
            .copied()
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Leaves each word of the tools to one word of the task: to the one that says it, else to the first
/// that means it. A tool that creates fits `open a new issue` once for creating.
fn count_once(wanted: &mut [Wanted<'_>]) {
    for at in 0..wanted.len() {
        let (before, rest) = wanted.split_at_mut(at);
        let Some((word, after)) = rest.split_first_mut() else {
            return;
        };
        word.found_by.retain(|variant| {
            let stands = |other: &Variant<'_>| other.finds_as(variant);
            let said = |other: &Variant<'_>| other.word.is_none() && stands(other);
            variant.word.is_none()
                || !(before.iter().any(|word| word.found_by.iter().any(stands))
                    || after.iter().any(|word| word.found_by.iter().any(said)))
        });
    }
}

/// The part of a task's words that a tool has in its own text, by their rarity.
fn covered(wanted: &[Wanted<'_>], place: usize) -> f64 {
    let has = |variant: &Variant<'_>| {
        let at = variant
            .postings
            .binary_search_by_key(&place, |posting| posting.place as usize);
        at.is_ok_and(|at| variant.postings[at].fields != Field::Member.bit())
    };
    let part = |word: &Wanted<'_>| {
        let found = word.found_by.iter().filter(|variant| has(variant));
        found
            .map(|variant| variant.factor * variant.rarity)
            .fold(0.0, f64::max)
    };
    let all: f64 = wanted.iter().map(|word| word.share).sum();
    match all > 0.0 {
        true => wanted.iter().map(part).sum::<f64>() / all,
        false => 0.0,
    }
}

/// Two orders as one. In the order of the words, a tool counts by its rank and by its part of the best
/// score, so that words decide where they fit one tool clearly; in the order by meaning, it counts by
/// its rank. A tool that was asked for by its name stays first.
fn fused(ranked: &[(usize, f64)], close: &[usize]) -> Vec<(usize, f64)> {
    let mut scores: HashMap<usize, f64> = HashMap::new();
    let of_rank = |rank: usize| FUSION_RANK / (FUSION_RANK + rank as f64);
    let is_named = |score: f64| score >= NAMED_AHEAD;
    let mut unnamed = ranked.iter().filter(|(_, score)| !is_named(*score));
    let best = unnamed.next().map_or(1.0, |(_, score)| *score);
    for (rank, (place, score)) in ranked.iter().take(FUSED_MAX).enumerate() {
        let (words, ahead) = match is_named(*score) {
            true => (1.0, NAMED_AHEAD),
            false => (score / best, 0.0),
        };
        *scores.entry(*place).or_default() += (of_rank(rank) + words) / 2.0 + ahead;
    }
    for (rank, place) in close.iter().take(FUSED_MAX).enumerate() {
        *scores.entry(*place).or_default() += CLOSE_WEIGHT * of_rank(rank);
    }
    let mut found: Vec<(usize, f64)> = scores.into_iter().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

/// The lines that say why a tool was found: for each field the words that stand in it.
fn why(wanted: &[Wanted<'_>], place: usize, named: bool, close: bool) -> Vec<String> {
    let mut by_field: [Vec<String>; FIELDS] = Default::default();
    for word in wanted {
        for field in Field::ALL {
            let found = word.found_by.iter().find(|variant| {
                let at = variant
                    .postings
                    .binary_search_by_key(&place, |posting| posting.place as usize);
                at.is_ok_and(|at| variant.postings[at].fields & field.bit() != 0)
            });
            match found.map(|variant| &variant.word) {
                Some(None) => by_field[field as usize].push(word.said.clone()),
                Some(Some(other)) => {
                    by_field[field as usize].push(format!("{other} ({})", word.said));
                }
                None => {}
            }
        }
    }
    let exact = named.then(|| "name: exactly".to_owned());
    let lines = Field::ALL
        .into_iter()
        .zip(by_field)
        .filter(|(_, words)| !words.is_empty())
        .map(|(field, words)| format!("{}: {}", field.as_str(), words.join(", ")));
    let close = close.then(|| "meaning: close".to_owned());
    exact.into_iter().chain(lines).chain(close).collect()
}

#[cfg(test)]
mod tests;
