//! Finds tools for a task in plain words.
//!
//! The ranking is BM25 over fields (BM25F) on stemmed words. A word of a task also matches the
//! words that tools use for the same subject ([`subjects`]), with a lower weight. The ranking by
//! words can be fused with a second one, such as a ranking by embeddings.

mod fields;
mod indexing;
mod meaning;
mod shapes;
mod subjects;
pub mod words;

use std::collections::HashMap;

use self::fields::{FIELDS, SearchField};
use self::indexing::Indexing;
pub use self::meaning::meaning_text;
use self::subjects::Subjects;
use guild_model::profile::ToolChange;
use guild_model::tool::ToolSpec;

/// Maximum length of the part of a task that is read, in characters.
pub const TASK_CHARS_MAX: usize = 500;
/// Maximum number of words of a task that are searched.
pub(crate) const TASK_WORDS_MAX: usize = 32;
/// Maximum number of weak hits that are returned.
const WEAK_MAX: usize = 3;
/// A hit is weak if it covers less than this share of the task's words, which are weighted by
/// rarity.
const WEAK_BELOW: f64 = 0.25;
/// Factor for a word that matches only the member's name.
const MEMBER_ALONE: f64 = 0.2;
/// Minimum length, in bytes, of the second part when a task's word is split into two words
/// (`piechart` → `pie`, `chart`).
const PART_MIN: usize = 4;
/// When two rankings are fused: the rank at which a hit contributes half of what the first hit
/// does.
const FUSION_RANK: f64 = 3.0;
/// Weight of the ranking by meaning, relative to the ranking by words.
const CLOSE_WEIGHT: f64 = 0.6;
/// Maximum number of tools that are strong hits only because they are close in meaning.
const NEAR_MAX: usize = 5;
/// Maximum number of best-ranked tools from which the hits are chosen.
const EXAMINED_MAX: usize = 200;
/// Maximum number of hits that are fused, for each ranking.
const FUSED_MAX: usize = 100;
/// Score bonus for a tool that the task names.
const NAMED_AHEAD: f64 = 1_000.0;

/// A searchable tool.
#[derive(Debug, Clone, Copy)]
pub struct Findable<'a> {
    /// The member's name.
    pub member: &'a str,
    /// The tool's exposed name.
    pub name: &'a str,
    /// The tool.
    pub spec: &'a ToolSpec,
    /// The profile's changes to the tool.
    pub change: Option<&'a ToolChange>,
}

/// A tool whose embedding is close to the task's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Close {
    /// The tool's index among the searcher's tools.
    pub place: usize,
    /// The cosine similarity of the tool's and the task's vectors.
    pub cosine: f32,
}

/// A ranking of tools by meaning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SemanticRanking {
    /// The closest tools, closest first.
    pub tools: Vec<Close>,
    /// The lowest cosine of a match, for this model and these tools.
    pub floor: f32,
}

/// A search hit.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogHit {
    /// The tool's index among the searcher's tools.
    pub place: usize,
    /// The hit's score. Only the order is meaningful.
    pub score: f64,
    /// The matched words by field: `name: issue, delete (remove)`.
    pub why: Vec<String>,
    /// Whether the tool matches only a small part of the task.
    pub weak: bool,
}

/// The parameters of the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    weights: [f32; FIELDS],
    /// The length normalization of each field, from 0 to 1 (BM25's `b`).
    lengths: [f32; FIELDS],
    /// The saturation for words that occur repeatedly (BM25's `k1`).
    repetition: f32,
    stems: bool,
    /// The weight of synonyms, relative to the word itself. `None` disables synonyms.
    subjects: Option<f32>,
}

impl Ranking {
    /// The ranking that the gateway uses.
    pub const TUNED: Self = Self {
        weights: [3.0, 0.5, 2.0, 0.5, 0.3, 0.2, 1.0],
        lengths: [0.75; FIELDS],
        repetition: 1.2,
        stems: true,
        subjects: Some(0.8),
    };
    /// Textbook BM25 over all words of a tool, for comparison.
    pub const PLAIN: Self = Self {
        weights: [1.0; FIELDS],
        lengths: [0.75; FIELDS],
        repetition: 1.2,
        stems: true,
        subjects: None,
    };
}

/// A search index of tools.
#[derive(Debug)]
pub struct Searcher {
    ranking: Ranking,
    subjects: Subjects,
    tools: usize,
    /// The index of each stem in `postings`.
    terms: HashMap<Box<str>, u32>,
    /// For each stem, the tools that contain it, by index.
    postings: Vec<Vec<Posting>>,
    /// The tools by their own and their exposed name, normalized by [`words::plain`].
    names: HashMap<Box<str>, Vec<u32>>,
}

/// An occurrence of a stem in a tool.
#[derive(Debug, Clone, Copy)]
struct Posting {
    place: u32,
    /// The stem's weight in the tool, before its rarity is applied.
    weight: f32,
    /// The fields that contain the stem, as a bit set.
    fields: u8,
}

/// A word of a task and its search variants.
struct QueryWord<'a> {
    said: String,
    /// The word's share of the task, for [`covered`].
    share: f64,
    found_by: Vec<WordVariant<'a>>,
}

struct WordVariant<'a> {
    /// The word for display. `None` for the task's own word.
    word: Option<String>,
    /// The variant's weight, relative to the task's own word.
    factor: f64,
    rarity: f64,
    postings: &'a [Posting],
}

/// A variant: its word (`None` for the task's own word), its weight, and its postings.
type VariantPostings<'a> = (Option<String>, f32, &'a [Posting]);

impl WordVariant<'_> {
    fn finds_as(&self, other: &Self) -> bool {
        std::ptr::eq(self.postings, other.postings)
    }
}

impl Searcher {
    /// Builds an index with the production ranking.
    pub fn build<'a>(tools: impl IntoIterator<Item = Findable<'a>>) -> Self {
        Self::ranked(tools, Ranking::TUNED)
    }

    /// Builds an index with another ranking.
    pub fn ranked<'a>(tools: impl IntoIterator<Item = Findable<'a>>, ranking: Ranking) -> Self {
        let mut index = Indexing::new(ranking.stems);
        for tool in tools {
            index.add(&tool);
        }
        index.finish(ranking)
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.tools
    }

    /// Whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.tools == 0
    }

    /// Returns at most `limit` tools for a task, best first. Equal scores keep list order. At most
    /// three hits are weak.
    pub fn find(&self, task: &str, limit: usize) -> Vec<CatalogHit> {
        self.find_beside(task, &SemanticRanking::default(), limit)
    }

    /// Like [`find`](Self::find), fused with a ranking by meaning. A tool that is near the top of
    /// that ranking and above its floor is never a weak hit.
    pub fn find_beside(
        &self,
        task: &str,
        closest: &SemanticRanking,
        limit: usize,
    ) -> Vec<CatalogHit> {
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
                hits.push(CatalogHit {
                    place,
                    score,
                    why: why(&wanted, place, named, close.contains(&place)),
                    weak,
                });
            }
        }
        hits
    }

    /// Returns all tools with a word of the task, best first.
    fn ranked_by(&self, task: &str, wanted: &[QueryWord<'_>]) -> Vec<(usize, f64)> {
        let mut own = vec![0.0_f64; self.tools];
        let mut of_member = vec![0.0_f64; self.tools];
        // The current word's best score in each tool, and whether only the member's name matches.
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
                        *best = (score, posting.fields == SearchField::Member.bit());
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

    /// Returns the words of a task with their variants.
    fn wanted(&self, task: &str) -> Vec<QueryWord<'_>> {
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
        // A joined form matches if a tool uses it: `oncall` for `on call`, `todo` for `to-do`.
        let joined = in_order.windows(2).map(|two| two.concat());
        let joined: Vec<String> = joined
            .filter(|word| self.ranking.subjects.is_some() && !self.postings_of(word).is_empty())
            .collect();
        if said
            .iter()
            .chain(&joined)
            .any(|word| !words::is_stop_word(word))
        {
            said.retain(|word| !words::is_stop_word(word));
        }
        said.extend(joined);
        let mut wanted: Vec<QueryWord<'_>> =
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

    fn variants(&self, said: String) -> QueryWord<'_> {
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

    fn related(&self, word: &str, factor: f32) -> VariantPostings<'_> {
        (Some(word.to_owned()), factor, self.postings_of(word))
    }

    /// Splits a word such as `piechart` into two words, if a tool contains the second one.
    fn parts<'w>(&self, word: &'w str) -> Option<[&'w str; 2]> {
        let cuts = word.char_indices().map(|(at, _)| at);
        let mut cuts = cuts.filter(|at| *at >= 3 && word.len() - at >= PART_MIN);
        let cut = cuts.find(|at| !self.postings_of(&word[*at..]).is_empty())?;
        Some([&word[..cut], &word[cut..]])
    }

    /// Builds a word with its variants. A variant never counts as rarer than the word itself.
    fn meaning<'s>(&'s self, said: String, found_by: Vec<VariantPostings<'s>>) -> QueryWord<'s> {
        let own = found_by
            .first()
            .filter(|(word, _, found)| word.is_none() && !found.is_empty());
        let most = own.map_or(f64::MAX, |(_, _, postings)| self.rarity(postings.len()));
        let there = found_by
            .into_iter()
            .filter(|(_, _, postings)| !postings.is_empty());
        let found_by: Vec<WordVariant<'_>> = there
            .map(|(word, factor, postings)| WordVariant {
                word,
                factor: factor.into(),
                rarity: self.rarity(postings.len()).min(most),
                postings,
            })
            .collect();
        let shares = found_by
            .iter()
            .map(|variant| variant.factor * variant.rarity);
        // A word that no tool contains is as rare as possible.
        let share = match found_by.is_empty() {
            true => self.rarity(0),
            false => shares.fold(0.0, f64::max),
        };
        QueryWord {
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

    /// Returns the weight of a word that occurs in this number of tools.
    fn rarity(&self, tools: usize) -> f64 {
        let (all, tools) = (self.tools as f64, tools as f64);
        (1.0 + (all - tools + 0.5) / (tools + 0.5)).ln()
    }

    /// Returns the tools that a task names.
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

/// Keeps each variant for only one word of the task: for the word itself, or for the first word
/// with this synonym. `open` and `new` in `open a new issue` thus count only once for a tool that
/// creates.
fn count_once(wanted: &mut [QueryWord<'_>]) {
    for at in 0..wanted.len() {
        let (before, rest) = wanted.split_at_mut(at);
        let Some((word, after)) = rest.split_first_mut() else {
            return;
        };
        word.found_by.retain(|variant| {
            let stands = |other: &WordVariant<'_>| other.finds_as(variant);
            let said = |other: &WordVariant<'_>| other.word.is_none() && stands(other);
            variant.word.is_none()
                || !(before.iter().any(|word| word.found_by.iter().any(stands))
                    || after.iter().any(|word| word.found_by.iter().any(said)))
        });
    }
}

/// Returns the share of a task's words, weighted by rarity, that a tool's own text contains.
fn covered(wanted: &[QueryWord<'_>], place: usize) -> f64 {
    let has = |variant: &WordVariant<'_>| {
        let at = variant
            .postings
            .binary_search_by_key(&place, |posting| posting.place as usize);
        at.is_ok_and(|at| variant.postings[at].fields != SearchField::Member.bit())
    };
    let part = |word: &QueryWord<'_>| {
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

/// Fuses two rankings. For a hit of the ranking by words, both its rank and its score relative to
/// the best score count, so that a clear match of words decides. For a hit of the ranking by
/// meaning, only the rank counts. Tools that the task names stay first.
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

/// Returns one line per field with the matched words.
fn why(wanted: &[QueryWord<'_>], place: usize, named: bool, close: bool) -> Vec<String> {
    let mut by_field: [Vec<String>; FIELDS] = Default::default();
    for word in wanted {
        for field in SearchField::ALL {
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
    let lines = SearchField::ALL
        .into_iter()
        .zip(by_field)
        .filter(|(_, words)| !words.is_empty())
        .map(|(field, words)| format!("{}: {}", field.as_str(), words.join(", ")));
    let close = close.then(|| "meaning: close".to_owned());
    exact.into_iter().chain(lines).chain(close).collect()
}

#[cfg(test)]
mod tests;
