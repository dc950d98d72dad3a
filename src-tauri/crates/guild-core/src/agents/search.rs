//! Finds tools for a task said in plain words.
//!
//! BM25 over fields (BM25F): each field of a tool counts by its weight and against its usual
//! length, rare words count more than common ones, and a word counts less the more often it is
//! repeated. Words are compared by their stems, and a word also finds, for less, others that mean
//! the same. Nothing is learnt and nothing is asked of anybody: the same tools and task always
//! give the same answer.

mod fields;
mod indexing;
mod synonyms;
pub(in crate::agents) mod words;

use std::collections::HashMap;

use self::fields::{FIELDS, Field};
use self::indexing::Indexing;
use self::synonyms::Synonyms;
use super::ToolChange;
use crate::tool::ToolSpec;

/// As much of a task as is read, in characters.
pub(crate) const TASK_CHARS_MAX: usize = 500;
/// As many of its words as are looked for.
pub(crate) const TASK_WORDS_MAX: usize = 32;
/// How much longer a stem may be that begins as another one does, in bytes.
const ALIKE_LONGER: usize = 4;
/// As many stems as are taken for alike.
const ALIKE_MAX: usize = 8;
/// What a tool that was asked for by its name is ahead of all others.
const NAMED_AHEAD: f64 = 1_000.0;
/// How much rarer than the most common of them the words may count that mean the same as one that
/// no tool has.
const RARER: f64 = 1.0;

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

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its place among the tools that the searcher was built from.
    pub place: usize,
    /// How well it fits; only the order means something.
    pub score: f64,
    /// Which words were found, and where: `name: issue, delete (remove)`.
    pub why: Vec<String>,
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
    /// What a word that means the same counts, of what the word itself would.
    synonyms: Option<f32>,
    /// The same for a word that begins alike: `approve` for `approval`.
    alike: Option<f32>,
    /// What it counts that a tool reads, where the task is a question.
    questions: Option<f32>,
    /// How much of a tool's score depends on how many of the task's words it has, from 0 to 1.
    coverage: f32,
}

impl Ranking {
    /// The ranking that agents get.
    pub const TUNED: Self = Self {
        weights: [5.0, 0.2, 3.5, 0.3, 0.3, 0.2, 10.0],
        lengths: [1.0, 1.0, 0.6, 0.7, 0.1, 0.9, 0.9],
        repetition: 7.5,
        stems: true,
        synonyms: Some(0.8),
        alike: Some(0.35),
        questions: Some(0.65),
        coverage: 0.6,
    };
    /// BM25 as it is in the books, over all words of a tool alike: what the other is held against.
    pub const PLAIN: Self = Self {
        weights: [1.0; FIELDS],
        lengths: [0.75; FIELDS],
        repetition: 1.2,
        stems: false,
        synonyms: None,
        alike: None,
        questions: None,
        coverage: 0.0,
    };
}

/// An index of tools.
#[derive(Debug)]
pub struct Searcher {
    ranking: Ranking,
    synonyms: Synonyms,
    /// How many tools there are.
    tools: usize,
    /// Where the tools of each stem are.
    terms: HashMap<Box<str>, u32>,
    /// The stems that are long enough to be compared by their beginnings, in order.
    in_order: Vec<Box<str>>,
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
    /// was listed first.
    pub fn find(&self, task: &str, limit: usize) -> Vec<Hit> {
        let task = match task.char_indices().nth(TASK_CHARS_MAX) {
            Some((end, _)) => &task[..end],
            None => task,
        };
        let wanted = self.wanted(task);
        let mut scores = vec![0.0; self.tools];
        let mut best = vec![0.0; self.tools];
        // For each tool, how much of what was said it has.
        let mut covered = vec![0.0; self.tools];
        let mut touched: Vec<u32> = Vec::new();
        for word in &wanted {
            touched.clear();
            for variant in &word.found_by {
                for posting in variant.postings {
                    let score = variant.rarity * variant.factor * f64::from(posting.weight);
                    let best: &mut f64 = &mut best[posting.place as usize];
                    if *best == 0.0 {
                        touched.push(posting.place);
                    }
                    *best = best.max(score);
                }
            }
            for place in &touched {
                let place = *place as usize;
                scores[place] += std::mem::take(&mut best[place]);
                covered[place] += word.share;
            }
        }
        let all: f64 = wanted.iter().map(|word| word.share).sum();
        let coverage = f64::from(self.ranking.coverage);
        for (score, covered) in scores.iter_mut().zip(covered) {
            if all > 0.0 {
                *score *= 1.0 - coverage + coverage * covered / all;
            }
        }
        for place in self.named(task) {
            scores[place as usize] += NAMED_AHEAD;
        }
        let mut found: Vec<(usize, f64)> = scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        let hit = |(place, score)| Hit {
            place,
            score,
            why: why(&wanted, place, score >= NAMED_AHEAD),
        };
        found.into_iter().map(hit).collect()
    }

    /// The words of a task that are looked for.
    fn wanted(&self, task: &str) -> Vec<Wanted<'_>> {
        let mut said: Vec<String> = Vec::new();
        words::of_prose(task, |word| {
            if said.len() < TASK_WORDS_MAX && !said.iter().any(|other| other == word) {
                said.push(word.to_owned());
            }
        });
        let question = said.first().and_then(|word| self.question(word));
        // `on call` is `oncall` and `to-do` is `todo` where a tool has it so.
        let joined: Vec<String> = said.windows(2).map(|two| two.concat()).collect();
        let compounds = joined
            .into_iter()
            .filter(|word| self.ranking.synonyms.is_some() && !self.postings_of(word).is_empty());
        let compounds: Vec<String> = compounds.collect();
        if said
            .iter()
            .chain(&compounds)
            .any(|word| !words::says_nothing(word))
        {
            said.retain(|word| !words::says_nothing(word));
        }
        said.extend(compounds);
        let words = said.into_iter().map(|word| self.variants(word));
        let mut wanted: Vec<Wanted<'_>> = question.into_iter().chain(words).collect();
        count_once(&mut wanted);
        wanted
    }

    fn variants(&self, said: String) -> Wanted<'_> {
        let mut found_by = vec![(None, 1.0, self.postings_of(&said))];
        if let Some(factor) = self.ranking.synonyms {
            for word in self.synonyms.of(&said) {
                found_by.push((Some((*word).to_owned()), factor, self.postings_of(word)));
            }
        }
        if let Some(factor) = self.ranking.alike {
            for stem in self.alike(&said) {
                let term = self.terms.get(stem);
                let postings = term.map_or(&[][..], |term| &self.postings[*term as usize]);
                found_by.push((Some(stem.to_owned()), factor, postings));
            }
        }
        self.meaning(said, found_by)
    }

    /// What a question is after that says of itself no more than that: a tool that reads.
    fn question(&self, word: &str) -> Option<Wanted<'_>> {
        let factor = self.ranking.questions?;
        let found_by = self.synonyms.of("get").iter().chain(&["get"]);
        let found_by = found_by
            .map(|read| (Some((*read).to_owned()), factor, self.postings_of(read)))
            .collect();
        words::asks(word).then(|| self.meaning(word.to_owned(), found_by))
    }

    /// A word and all that stands for it, which never counts as rarer than the word itself. Where
    /// no tool has the word, what stands for it counts as little rarer than the most common of
    /// them: an odd word for a common deed is no better than the usual one.
    fn meaning<'s>(
        &'s self,
        said: String,
        mut found_by: Vec<(Option<String>, f32, &'s [Posting])>,
    ) -> Wanted<'s> {
        found_by.retain(|(_, _, postings)| !postings.is_empty());
        let own = found_by.iter().find(|(word, _, _)| word.is_none());
        let most = match own {
            Some((_, _, postings)) => self.rarity(postings.len()),
            None => {
                let tools = found_by.iter().map(|(_, _, postings)| postings.len());
                RARER + self.rarity(tools.max().unwrap_or_default())
            }
        };
        let variant = |(word, factor, postings): (_, f32, &'s [Posting])| Variant {
            word,
            factor: factor.into(),
            rarity: self.rarity(postings.len()).min(most),
            postings,
        };
        let found_by: Vec<Variant<'_>> = found_by.into_iter().map(variant).collect();
        let shares = found_by
            .iter()
            .map(|variant| variant.factor * variant.rarity);
        Wanted {
            said,
            share: shares.fold(0.0, f64::max),
            found_by,
        }
    }

    /// The stems that begin as the word's does.
    fn alike(&self, said: &str) -> impl Iterator<Item = &str> {
        let own = words::stem(said).into_owned();
        let begins = words::beginning(&own).to_owned();
        let from = match begins.is_empty() {
            true => self.in_order.len(),
            false => self
                .in_order
                .partition_point(|stem| stem.as_ref() < begins.as_str()),
        };
        self.in_order[from..]
            .iter()
            .map(AsRef::as_ref)
            .take_while(move |stem: &&str| stem.starts_with(&begins))
            .filter(move |stem| **stem != own && stem.len() <= own.len() + ALIKE_LONGER)
            .take(ALIKE_MAX)
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

/// The lines that say why a tool was found: for each field the words that stand in it.
fn why(wanted: &[Wanted<'_>], place: usize, named: bool) -> Vec<String> {
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
    exact.into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests;
