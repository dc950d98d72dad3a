//! Builds the search index of tools.

use std::collections::HashMap;

use super::fields::{self, FIELDS, SearchField};
use super::subjects::Subjects;
use super::{Findable, Posting, Ranking, Searcher, words};

pub(super) struct Indexing {
    stems: bool,
    tools: u32,
    terms: HashMap<Box<str>, u32>,
    /// The stem of each word that was indexed before. This cache avoids most of the stemming.
    seen: HashMap<Box<str>, u32>,
    /// For each stem, its number of occurrences in each tool and field.
    counts: Vec<Vec<Counted>>,
    /// The number of words in each field, over all tools.
    lengths: [u64; FIELDS],
    /// The number of words in each field of each tool.
    tool_lengths: Vec<[u16; FIELDS]>,
    names: HashMap<Box<str>, Vec<u32>>,
    /// The stems of the current tool, each with its field. The buffer is reused.
    at_hand: Vec<(u32, u8)>,
}

struct Counted {
    place: u32,
    counts: [u8; FIELDS],
}

impl Indexing {
    pub(super) fn new(stems: bool) -> Self {
        Self {
            stems,
            tools: 0,
            terms: HashMap::new(),
            seen: HashMap::new(),
            counts: Vec::new(),
            lengths: [0; FIELDS],
            tool_lengths: Vec::new(),
            names: HashMap::new(),
            at_hand: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, tool: &Findable<'_>) {
        let place = self.tools;
        self.tools += 1;
        let mut at_hand = std::mem::take(&mut self.at_hand);
        let mut length = [0u16; FIELDS];
        fields::words_of(tool, |field, word| {
            at_hand.push((self.term(word), field as u8));
            length[field as usize] = length[field as usize].saturating_add(1);
        });
        for (sum, length) in self.lengths.iter_mut().zip(length) {
            *sum += u64::from(length);
        }
        self.tool_lengths.push(length);
        at_hand.sort_unstable();
        for same in at_hand.chunk_by(|a, b| a.0 == b.0) {
            let mut counts = [0u8; FIELDS];
            for (_, field) in same {
                let count = &mut counts[usize::from(*field)];
                *count = count.saturating_add(1);
            }
            self.counts[same[0].0 as usize].push(Counted { place, counts });
        }
        at_hand.clear();
        self.at_hand = at_hand;
        let own = words::plain(tool.spec.name().as_str());
        let for_agents = words::plain(tool.name);
        if own != for_agents {
            self.names.entry(own.into()).or_default().push(place);
        }
        self.names.entry(for_agents.into()).or_default().push(place);
    }

    fn term(&mut self, word: &str) -> u32 {
        if let Some(term) = self.seen.get(word) {
            return *term;
        }
        let stem = match self.stems {
            true => words::stem(word),
            false => word.into(),
        };
        let term = match self.terms.get(stem.as_ref()) {
            Some(term) => *term,
            None => {
                let term = u32::try_from(self.counts.len()).unwrap_or(u32::MAX);
                self.terms.insert(stem.into(), term);
                self.counts.push(Vec::new());
                term
            }
        };
        self.seen.insert(word.into(), term);
        term
    }

    pub(super) fn finish(self, ranking: Ranking) -> Searcher {
        Searcher {
            subjects: Subjects::new(),
            tools: self.tools as usize,
            postings: self.postings(&ranking),
            terms: self.terms,
            names: self.names,
            ranking,
        }
    }

    fn postings(&self, ranking: &Ranking) -> Vec<Vec<Posting>> {
        let tools = f64::from(self.tools.max(1));
        let usual = self.lengths.map(|sum| (sum as f64 / tools).max(1.0) as f32);
        let weigh = |counted: &Counted| {
            let lengths = &self.tool_lengths[counted.place as usize];
            let (mut sum, mut fields) = (0.0, 0);
            for field in SearchField::ALL
                .into_iter()
                .filter(|f| counted.counts[*f as usize] > 0)
            {
                let at = field as usize;
                let length = f32::from(lengths[at]) / usual[at];
                let against = 1.0 - ranking.lengths[at] + ranking.lengths[at] * length;
                sum += ranking.weights[at] * f32::from(counted.counts[at]) / against;
                fields |= field.bit();
            }
            Posting {
                place: counted.place,
                weight: sum * (ranking.repetition + 1.0) / (sum + ranking.repetition),
                fields,
            }
        };
        self.counts
            .iter()
            .map(|counts| counts.iter().map(weigh).collect())
            .collect()
    }
}
