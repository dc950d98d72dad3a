//! One sign-in, from the request to the tokens or an error.

use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::SignInStage;
use guild_mcp_client::sign_in::{Bond, Grant, SignIn, SignInError, begin};
use guild_model::Report;
use guild_model::manifest::Auth;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::signer::{OAuthTarget, Signer};
use super::token_store;
use guild_files::clock::now_ms;

/// Timeout for discovering the authorization server.
const LOOKING: Duration = Duration::from_secs(60);
/// Maximum number of pasted answers that wait to be checked.
const PASTED_MAX: usize = 4;

/// A sign-in of a member.
pub struct SignInRequest {
    /// The address and client to get tokens for.
    pub place: OAuthTarget,
    /// The manifest's OAuth settings.
    pub auth: Auth,
    /// Whether the person enters a code on a page in any browser, instead of being redirected to
    /// this program.
    pub with_code: bool,
    /// Cancelled when the person gives up.
    pub cancel: CancellationToken,
}

impl Signer {
    /// Begins a sign-in, unless one is already running. `done` runs after a successful sign-in.
    pub fn sign_in(
        self: &Arc<Self>,
        attempt: SignInRequest,
        done: impl Future<Output = ()> + Send + 'static,
    ) {
        if !self.begin(&attempt.cancel) {
            return;
        }
        let signer = Arc::clone(self);
        self.tasks.spawn(async move {
            let cancel = attempt.cancel.clone();
            let ended = tokio::select! {
                biased;
                () = cancel.cancelled() => SignInStage::Cancelled,
                signed_in = signer.attempt(attempt) => match signed_in {
                    Ok(()) => SignInStage::Done,
                    Err(report) => SignInStage::Failed { report: report.of(&signer.member) },
                },
            };
            let is_done = ended == SignInStage::Done;
            signer.at_stage(ended);
            if is_done {
                done.await;
            }
        });
    }

    async fn attempt(&self, attempt: SignInRequest) -> Result<(), Report> {
        // When tokens expire, a record remains of the authorization server that received the
        // client's secret.
        let bond = token_store::bond(&self.values, &self.member).await?;
        let grant = self.granted(attempt, bond).await;
        let grant = grant.map_err(|error| error.report());
        // The server's error text may contain secrets.
        let grant = grant.map_err(|mut report| {
            self.values.redactor().report(&mut report);
            report
        })?;
        self.signed_in(grant).await
    }

    async fn granted(
        &self,
        attempt: SignInRequest,
        bond: Option<Bond>,
    ) -> Result<Grant, SignInError> {
        let SignInRequest {
            place,
            auth,
            with_code,
            ..
        } = attempt;
        let (want, granted) = self.wanted();
        let want = want.unwrap_or_default();
        let mut scopes = auth.scopes;
        if want.more {
            // The scopes that were granted before are requested again, since they would be lost
            // otherwise.
            scopes.extend(granted);
            scopes.extend(want.scopes);
        }
        let asked = SignIn {
            url: place.url,
            challenge: want.challenge,
            client_id: place.client_id,
            client_secret: place.client_secret,
            bond,
            client_document: auth.client_metadata_url,
            scopes,
            redirect_port: auth.redirect_port,
            endpoints: place.endpoints,
            device: with_code,
            proxies: place.proxies,
        };
        let begun = timeout(LOOKING, begin(asked)).await;
        let begun = begun.unwrap_or_else(|_| {
            let why = format!("it took longer than {} s", LOOKING.as_secs());
            Err(SignInError::Undiscovered(why))
        })?;
        let lasts = begun.lasts;
        let patience = u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX);
        let until_ms = now_ms().saturating_add(patience);
        let (host, issuer) = (begun.host.clone(), begun.issuer.clone());
        let scopes = begun.scopes.clone();
        let (code, offers_code) = (begun.user_code.clone(), begun.offers_code);
        let waiting = move |strays| SignInStage::Waiting {
            host: host.clone(),
            issuer: issuer.clone(),
            scopes: scopes.clone(),
            until_ms,
            strays,
            code: code.clone(),
            offers_code,
        };
        let (sender, pasted) = mpsc::channel(PASTED_MAX);
        self.set_address(Some((begun.address.clone(), sender)));
        self.at_stage(waiting(0));
        let stray = |strays| self.at_stage(waiting(strays));
        let taken = || self.at_stage(SignInStage::Taking);
        let finished = timeout(lasts, begun.finish(&stray, &taken, pasted)).await;
        finished.unwrap_or(Err(SignInError::TooLong(lasts)))
    }
}
