//! Ranks tools by meaning through an embeddings endpoint from `gateway.json`.
//!
//! The endpoint is OpenAI-compatible, such as Ollama, LM Studio or llama.cpp. Vectors are cached in
//! memory and on disk. The key of a vector is a hash of the endpoint, the model and the text. A
//! search waits for the endpoint up to a timeout. Vectors that arrived before the timeout are kept
//! for the next search.

mod prompts;
mod vectors;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::messages::{EmbeddingsAdvice, EmbeddingsError};
use guild_api::wire::{
    EmbeddingsEndpoint, EmbeddingsTested, GatewayState, SetEmbeddings, TestEmbeddings,
};
use guild_catalog::search::{Close, SemanticRanking};
use guild_mcp_client::{PostError, PostRequest, post};
use guild_model::discovery::PredictionSettings;
use guild_model::messages::DiscoveryProblem;
use guild_model::{Code, Report};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use self::prompts::Prompts;
use self::vectors::{Hash, Vector, Vectors};
use super::Agents;
use guild_secrets::SecretResolver;
use guild_supervisor::prediction::{bearer, host_of, refusal};

/// Maximum number of texts per request.
const BATCH: usize = 64;
/// Maximum size of a text that is sent, in bytes. Longer texts are cut.
const TEXT_BYTES_MAX: usize = 600;
/// Maximum size of a response, in bytes.
const ANSWER_BYTES_MAX: usize = 8 << 20;
/// Maximum number of components of a vector.
const DIMENSIONS_MAX: usize = 4_096;
/// How long the endpoint is not used after a failure.
const PAUSE: Duration = Duration::from_secs(30);
/// Maximum number of vectors from which [`floor`] is computed.
const SAMPLED_MAX: usize = 64;
/// The lowest cosine that counts as a match is this number of standard deviations above the mean
/// cosine of two tools. With this value, nonsense tasks match nothing.
const FLOOR_DEVIATIONS: f32 = 0.6;
/// Maximum number of tools that are ranked, closest first.
const CLOSEST_MAX: usize = 100;
/// Default timeout of a search, in milliseconds.
const TIMEOUT_MS: u64 = 5_000;

/// Sample text for testing an endpoint.
const SAMPLE: &str = "send an email";

/// The settings of an embeddings endpoint, validated by the rules of [`PredictionSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EmbeddingsEndpoint", into = "EmbeddingsEndpoint")]
pub struct EmbeddingsSettings(PredictionSettings);

impl TryFrom<EmbeddingsEndpoint> for EmbeddingsSettings {
    type Error = DiscoveryProblem;

    fn try_from(written: EmbeddingsEndpoint) -> Result<Self, Self::Error> {
        let endpoint = PredictionSettings {
            enabled: true,
            url: written.url,
            model: written.model,
            key: written.key,
            timeout_ms: written.timeout_ms.unwrap_or(TIMEOUT_MS),
        };
        endpoint.check()?;
        Ok(Self(endpoint))
    }
}

impl From<EmbeddingsSettings> for EmbeddingsEndpoint {
    fn from(EmbeddingsSettings(endpoint): EmbeddingsSettings) -> Self {
        Self {
            url: endpoint.url,
            model: endpoint.model,
            key: endpoint.key,
            timeout_ms: Some(endpoint.timeout_ms),
        }
    }
}

/// The cached vectors, and the client that requests missing ones.
#[derive(Debug)]
pub(super) struct Embeddings {
    vectors: Arc<Vectors>,
    failed: Mutex<Option<Instant>>,
    /// Lets only one search at a time use the endpoint.
    turn: Semaphore,
    /// Tracks the tasks that write the file with the vectors. The hall waits for them when it
    /// closes.
    ending: TaskTracker,
}

impl Embeddings {
    pub(super) fn new(data_dir: &Path, ending: TaskTracker) -> Self {
        Self {
            vectors: Arc::new(Vectors::new(data_dir)),
            failed: Mutex::default(),
            turn: Semaphore::new(1),
            ending,
        }
    }

    /// Ranks the texts that are closest to a task. Calls `texts` on a blocking thread.
    ///
    /// # Errors
    /// The reason, as a sentence for the agent that searches.
    pub(super) async fn closest(
        &self,
        settings: &EmbeddingsSettings,
        values: &SecretResolver,
        texts: impl FnOnce() -> Vec<String> + Send + 'static,
        task: &str,
    ) -> Result<SemanticRanking, &'static str> {
        let failed = *self.failed.lock();
        if failed.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(FAILED);
        }
        let limit = Duration::from_millis(settings.0.timeout_ms);
        let work = self.vectors_of(settings, values, texts, task);
        let outcome = tokio::time::timeout(limit, work).await;
        let vectors = Arc::clone(&self.vectors);
        self.ending.spawn_blocking(move || vectors.write());
        match outcome {
            Ok(Ok((texts, task))) => {
                let ranking = tokio::task::spawn_blocking(move || ranked(&texts, &task));
                ranking.await.map_err(|_| FAILED)
            }
            Ok(Err(report)) => {
                tracing::warn!("the embeddings endpoint returned no vectors: {report}");
                *self.failed.lock() = Some(Instant::now());
                Err(FAILED)
            }
            Err(_) => Err("The embeddings endpoint has not answered yet: ranked by words alone."),
        }
    }

    /// Forgets the last failure, so that the next search uses the endpoint.
    pub(super) fn forget_failure(&self) {
        *self.failed.lock() = None;
    }

    async fn vectors_of(
        &self,
        settings: &EmbeddingsSettings,
        values: &SecretResolver,
        texts: impl FnOnce() -> Vec<String> + Send + 'static,
        task: &str,
    ) -> Result<(Vec<Vector>, Vector), Report> {
        // The semaphore is never closed.
        let _turn = self.turn.acquire().await;
        let prompts = Prompts::of(&settings.0.model);
        let task = settings.vector_of(values, &prompts.task(task)).await?;
        let (of, vectors, length) = (settings.clone(), Arc::clone(&self.vectors), task.len());
        let hashing = tokio::task::spawn_blocking(move || {
            let texts: Vec<String> = texts().iter().map(|text| prompts.tool(text)).collect();
            let hashes: Vec<Hash> = texts.iter().map(|text| of.hash(text)).collect();
            let missing = vectors.missing(&hashes, length);
            (texts, hashes, missing)
        });
        let hashed = hashing.await;
        let (texts, hashes, missing) = hashed.map_err(|error| settings.useless(&error))?;
        for batch in missing.chunks(BATCH) {
            let input: Vec<&str> = batch.iter().map(|at| texts[*at].as_str()).collect();
            let vectors = settings.ask(values, &input).await?;
            self.vectors
                .insert(batch.iter().map(|at| hashes[*at]).zip(vectors));
        }
        let vectors = self.vectors.of(&hashes, length);
        let vectors = vectors.ok_or_else(|| settings.useless("vectors of several lengths"))?;
        Ok((vectors, task))
    }
}

const FAILED: &str = "The embeddings endpoint failed: ranked by words alone.";

impl EmbeddingsSettings {
    fn hash(&self, text: &str) -> Hash {
        let hash = Sha256::new()
            .chain_update(&self.0.url)
            .chain_update("\n")
            .chain_update(&self.0.model)
            .chain_update("\n")
            .chain_update(text);
        hash.finalize().into()
    }

    /// Sends one test request to the endpoint.
    ///
    /// # Errors
    /// `embeddings-failed`, and the errors of reading the API key.
    pub(super) async fn test(&self, values: &SecretResolver) -> Result<EmbeddingsTested, Report> {
        let began = Instant::now();
        let limit = Duration::from_millis(self.0.timeout_ms);
        let prompts = Prompts::of(&self.0.model);
        let sample = prompts.task(SAMPLE);
        let asked = tokio::time::timeout(limit, self.vector_of(values, &sample)).await;
        let vector = asked.unwrap_or_else(|_| Err(self.slow()))?;
        Ok(EmbeddingsTested {
            dimensions: vector.len(),
            duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }

    async fn vector_of(&self, values: &SecretResolver, text: &str) -> Result<Vector, Report> {
        let vectors = self.ask(values, &[text]).await?;
        let mut vectors = vectors.into_iter();
        vectors.next().ok_or_else(|| self.useless("no vector"))
    }

    /// Returns the normalized vectors of these texts.
    async fn ask(&self, values: &SecretResolver, texts: &[&str]) -> Result<Vec<Vector>, Report> {
        let cut = |text: &&str| {
            let mut text = text[..text.floor_char_boundary(TEXT_BYTES_MAX)].to_owned();
            values.redactor().hide_in(&mut text);
            text
        };
        let input: Vec<String> = texts.iter().map(cut).collect();
        let posted = post(PostRequest {
            url: format!("{}/embeddings", self.0.url.trim_end_matches('/')),
            authorization: bearer(values, self.0.key.as_deref()).await?,
            body: json!({"model": self.0.model, "input": input}).to_string(),
            limit: Duration::from_millis(self.0.timeout_ms),
            answer_max: ANSWER_BYTES_MAX,
        });
        let posted = posted.await.map_err(|error| match error {
            PostError::TooLong(_) => self.slow(),
            PostError::Unsendable(_) | PostError::Connection(_) => {
                self.failed(&error, EmbeddingsAdvice::Reach)
            }
            PostError::TooLarge(_) => self.failed(&error, EmbeddingsAdvice::Model),
        })?;
        if posted.status != 200 {
            let advice = match posted.status {
                401 | 403 => EmbeddingsAdvice::Key,
                429 | 500..=599 => EmbeddingsAdvice::Later,
                _ => EmbeddingsAdvice::Model,
            };
            let mut report = self.failed(&refusal(&posted), advice);
            values.redactor().report(&mut report);
            return Err(report);
        }
        let count = texts.len();
        let reading = tokio::task::spawn_blocking(move || read(&posted.body, count));
        let read = reading.await.map_err(|error| self.useless(&error))?;
        read.map_err(|error| self.useless(&error))
    }

    fn failed(&self, what: &impl ToString, advice: EmbeddingsAdvice) -> Report {
        let trouble = EmbeddingsError::Failed(host_of(&self.0.url), what.to_string(), advice);
        Report::from_error(Code::EmbeddingsFailed, &trouble)
    }

    fn slow(&self) -> Report {
        let trouble = EmbeddingsError::Slow(host_of(&self.0.url), self.0.timeout_ms);
        Report::from_error(Code::EmbeddingsFailed, &trouble)
    }

    /// Returns the error for an invalid response.
    fn useless(&self, what: &(impl ToString + ?Sized)) -> Report {
        self.failed(&what.to_string(), EmbeddingsAdvice::Model)
    }
}

#[derive(Deserialize)]
struct EmbeddingsResponse {
    data: Vec<Embedded>,
}

#[derive(Deserialize)]
struct Embedded {
    index: usize,
    embedding: Vec<f32>,
}

/// Parses a response that must have `count` vectors.
fn read(body: &[u8], count: usize) -> Result<Vec<Vector>, String> {
    let mut answer: EmbeddingsResponse =
        serde_json::from_slice(body).map_err(|error| error.to_string())?;
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

/// Returns the closest vectors by cosine.
fn ranked(vectors: &[Vector], task: &[f32]) -> SemanticRanking {
    let by_cosine = vectors.iter().enumerate().map(|(place, vector)| Close {
        place,
        cosine: cosine(vector, task),
    });
    let mut tools: Vec<Close> = by_cosine.collect();
    tools.sort_by(|a, b| {
        let order = b.cosine.total_cmp(&a.cosine);
        order.then(a.place.cmp(&b.place))
    });
    tools.truncate(CLOSEST_MAX);
    let floor = floor(vectors);
    SemanticRanking { tools, floor }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the lowest cosine that counts as a match. Models differ, so the value is computed from
/// the cosines between some tools: the mean plus [`FLOOR_DEVIATIONS`] standard deviations.
fn floor(vectors: &[Vector]) -> f32 {
    let step = vectors.len().div_ceil(SAMPLED_MAX).max(1);
    let sampled: Vec<&Vector> = vectors.iter().step_by(step).collect();
    let pairs = sampled.iter().enumerate().flat_map(|(at, one)| {
        let others = &sampled[at + 1..];
        others.iter().map(|other| cosine(one, other))
    });
    let cosines: Vec<f32> = pairs.collect();
    if cosines.is_empty() {
        return 0.0;
    }
    let count = cosines.len() as f32;
    let average = cosines.iter().sum::<f32>() / count;
    let squares = cosines.iter().map(|cosine| (cosine - average).powi(2));
    average + FLOOR_DEVIATIONS * (squares.sum::<f32>() / count).sqrt()
}

impl Agents {
    /// Sets or removes the embeddings endpoint.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid endpoint or an unusable file. `data-unwritable`.
    pub async fn set_embeddings(
        self: &Arc<Self>,
        request: SetEmbeddings,
    ) -> Result<GatewayState, Report> {
        let endpoint = request.endpoint.map(usable).transpose()?;
        self.change(move |settings| {
            settings.embeddings = endpoint;
            Ok(())
        })
        .await?;
        self.embeddings.forget_failure();
        Ok(self.publish_state())
    }

    /// Tests an endpoint with one request: the endpoint in `request`, or else the configured one.
    ///
    /// # Errors
    /// `gateway-settings` for an invalid or missing endpoint. `embeddings-failed`, and the errors
    /// of reading the API key.
    pub async fn test_embeddings(
        &self,
        request: TestEmbeddings,
    ) -> Result<EmbeddingsTested, Report> {
        let endpoint = match request.endpoint {
            Some(endpoint) => usable(endpoint)?,
            None => self.settings().embeddings.clone().ok_or_else(|| {
                Report::from_error(Code::GatewaySettings, &EmbeddingsError::NotSet)
            })?,
        };
        let tested = endpoint.test(&self.values).await?;
        self.embeddings.forget_failure();
        Ok(tested)
    }
}

/// Validates the settings of an endpoint.
fn usable(endpoint: EmbeddingsEndpoint) -> Result<EmbeddingsSettings, Report> {
    EmbeddingsSettings::try_from(endpoint).map_err(|wrong| {
        Report::from_error(Code::GatewaySettings, &EmbeddingsError::Refused(wrong))
    })
}

#[cfg(test)]
mod tests;
