//! Ranks tools by meaning, through an embeddings endpoint that a person named in `gateway.json`.
//!
//! The endpoint is OpenAI-compatible: Ollama, LM Studio, llama.cpp and others. Vectors are cached
//! by the hash of endpoint, model and text. A search waits for an endpoint no longer than its time
//! limit, and continues where the last one stopped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use guild_core::ladder::PredictionSettings;
use guild_mcp::{Post, post};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use crate::prediction::bearer;
use crate::secrets::Values;

/// How many texts one request has.
const BATCH: usize = 64;
/// As much of a text as is sent, in bytes.
const TEXT_BYTES_MAX: usize = 600;
/// The largest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 8 << 20;
/// The most numbers of one vector.
const DIMENSIONS_MAX: usize = 4_096;
/// The most vectors that are kept; all are dropped when there are more.
const VECTORS_MAX: usize = 20_000;
/// How long an endpoint that failed is left alone.
const PAUSE: Duration = Duration::from_secs(30);
/// How many of the closest tools are ranked.
const CLOSEST_MAX: usize = 100;
/// How long a search waits for an endpoint, in milliseconds, where nothing else is set.
const TIMEOUT_MS: u64 = 5_000;

/// The endpoint that ranks tools by meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    try_from = "WrittenSettings"
)]
pub(crate) struct EmbeddingsSettings {
    /// Its base address: `https:`, or `http:` on this machine.
    url: String,
    /// The model's name there.
    model: String,
    /// Where the key is, as `${secret:NAME}` or `${env:NAME}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// How long a search waits for it, in milliseconds.
    timeout_ms: u64,
}

/// The same before it is checked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenSettings {
    url: String,
    model: String,
    key: Option<String>,
    timeout_ms: Option<u64>,
}

impl TryFrom<WrittenSettings> for EmbeddingsSettings {
    type Error = &'static str;

    fn try_from(written: WrittenSettings) -> Result<Self, Self::Error> {
        let endpoint = PredictionSettings {
            enabled: true,
            url: written.url,
            model: written.model,
            key: written.key,
            timeout_ms: written.timeout_ms.unwrap_or(TIMEOUT_MS),
        };
        if !endpoint.is_usable() {
            return Err(
                "embeddings need a url (https:, or http: on this machine), a model, a key as \
                 ${secret:NAME} or ${env:NAME} if any, and a timeoutMs from 1000 to 300000",
            );
        }
        Ok(Self {
            url: endpoint.url,
            model: endpoint.model,
            key: endpoint.key,
            timeout_ms: endpoint.timeout_ms,
        })
    }
}

type Hash = [u8; 32];
type Vector = Arc<[f32]>;

/// The vectors that are known, and the requests for more.
#[derive(Debug)]
pub(super) struct Embeddings {
    vectors: Mutex<HashMap<Hash, Vector>>,
    failed: Mutex<Option<Instant>>,
    /// One search at a time asks an endpoint.
    turn: Semaphore,
}

impl Default for Embeddings {
    fn default() -> Self {
        Self {
            vectors: Mutex::default(),
            failed: Mutex::default(),
            turn: Semaphore::new(1),
        }
    }
}

impl Embeddings {
    /// The places of the texts that are closest to a task, the closest first. `texts` runs on a
    /// blocking thread.
    ///
    /// # Errors
    /// Why they are not known, as a sentence for whoever searched.
    pub(super) async fn closest(
        &self,
        settings: &EmbeddingsSettings,
        values: &Values,
        texts: impl FnOnce() -> Vec<String> + Send + 'static,
        task: &str,
    ) -> Result<Vec<usize>, &'static str> {
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(FAILED);
        }
        let limit = Duration::from_millis(settings.timeout_ms);
        let work = self.vectors_of(settings, values, texts, task);
        match tokio::time::timeout(limit, work).await {
            Ok(Ok((texts, task))) => {
                let ranking = tokio::task::spawn_blocking(move || ranked(&texts, &task));
                ranking.await.map_err(|_| FAILED)
            }
            Ok(Err(error)) => {
                tracing::warn!("the embeddings endpoint gave no vectors: {error}");
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                Err(FAILED)
            }
            Err(_) => Err("The embeddings endpoint is not done yet: ranked by words alone."),
        }
    }

    async fn vectors_of(
        &self,
        settings: &EmbeddingsSettings,
        values: &Values,
        texts: impl FnOnce() -> Vec<String> + Send + 'static,
        task: &str,
    ) -> Result<(Vec<Vector>, Vector), String> {
        // It is never closed.
        let _turn = self.turn.acquire().await;
        let of = settings.clone();
        let hashing = tokio::task::spawn_blocking(move || {
            let texts = texts();
            let hashes: Vec<Hash> = texts.iter().map(|text| of.hash(text)).collect();
            (texts, hashes)
        });
        let (texts, hashes) = hashing.await.map_err(|error| error.to_string())?;
        let missing: Vec<usize> = {
            let mut known = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() + texts.len() > VECTORS_MAX {
                known.clear();
            }
            let is_missing = |at: &usize| !known.contains_key(&hashes[*at]);
            (0..texts.len()).filter(is_missing).collect()
        };
        for batch in missing.chunks(BATCH) {
            let input: Vec<&str> = batch.iter().map(|at| texts[*at].as_str()).collect();
            let vectors = settings.ask(values, &input).await?;
            let mut known = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(batch.iter().map(|at| hashes[*at]).zip(vectors));
        }
        let task = settings.ask(values, &[task]).await?;
        let task = task.into_iter().next().ok_or("no vector for the task")?;
        let known = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
        let vectors: Option<Vec<Vector>> =
            hashes.iter().map(|hash| known.get(hash).cloned()).collect();
        let vectors = vectors.ok_or("a vector is missing")?;
        match vectors.iter().all(|vector| vector.len() == task.len()) {
            true => Ok((vectors, task)),
            false => Err("vectors of several lengths".into()),
        }
    }
}

const FAILED: &str = "The embeddings endpoint failed: ranked by words alone.";

impl EmbeddingsSettings {
    fn hash(&self, text: &str) -> Hash {
        let hash = Sha256::new()
            .chain_update(&self.url)
            .chain_update("\n")
            .chain_update(&self.model)
            .chain_update("\n")
            .chain_update(text);
        hash.finalize().into()
    }

    /// The vectors of some texts, each of length 1.
    async fn ask(&self, values: &Values, texts: &[&str]) -> Result<Vec<Vector>, String> {
        let cut = |text: &&str| {
            let mut text = text[..text.floor_char_boundary(TEXT_BYTES_MAX)].to_owned();
            values.veil().hide_in(&mut text);
            text
        };
        let input: Vec<String> = texts.iter().map(cut).collect();
        let authorization = bearer(values, self.key.as_deref()).await;
        let posted = post(Post {
            url: format!("{}/embeddings", self.url.trim_end_matches('/')),
            authorization: authorization.map_err(|report| report.message)?,
            body: json!({"model": self.model, "input": input}).to_string(),
            limit: Duration::from_millis(self.timeout_ms),
            answer_max: ANSWER_BYTES_MAX,
        });
        let posted = posted.await.map_err(|error| error.to_string())?;
        if posted.status != 200 {
            return Err(format!("status {}", posted.status));
        }
        let count = texts.len();
        let reading = tokio::task::spawn_blocking(move || read(&posted.body, count));
        reading.await.map_err(|error| error.to_string())?
    }
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedded>,
}

#[derive(Deserialize)]
struct Embedded {
    index: usize,
    embedding: Vec<f32>,
}

/// Reads as many vectors as there were texts.
fn read(body: &[u8], count: usize) -> Result<Vec<Vector>, String> {
    let mut answer: Answer = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    answer.data.sort_by_key(|embedded| embedded.index);
    let complete = answer.data.len() == count
        && answer
            .data
            .iter()
            .enumerate()
            .all(|(at, one)| one.index == at);
    if !complete {
        return Err(format!("{} vectors for {count} texts", answer.data.len()));
    }
    let vectors = answer.data.into_iter().map(|one| {
        let length = one.embedding.iter().map(|x| x * x).sum::<f32>().sqrt();
        let usable = (1..=DIMENSIONS_MAX).contains(&one.embedding.len())
            && length.is_finite()
            && length > 0.0;
        usable.then(|| one.embedding.iter().map(|x| x / length).collect())
    });
    let vectors: Option<Vec<Vector>> = vectors.collect();
    vectors.ok_or_else(|| "a vector that is empty, too long or not finite".into())
}

/// The places of the vectors by their cosine with another one, the closest first.
fn ranked(vectors: &[Vector], task: &[f32]) -> Vec<usize> {
    let cosine = |vector: &Vector| vector.iter().zip(task).map(|(a, b)| a * b).sum::<f32>();
    let mut by_cosine: Vec<(usize, f32)> = vectors.iter().map(cosine).enumerate().collect();
    by_cosine.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    by_cosine.truncate(CLOSEST_MAX);
    by_cosine.into_iter().map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests;
