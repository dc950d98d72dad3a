//! The OAuth tokens of one member. The signer sends and renews them, and records which
//! authorization the server requires.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::SigningError;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared, ready};
use guild_api::event::HallEvent;
use guild_api::wire::{GrantView, SignInClient, SignInStage, SignInView};
use guild_mcp_client::sign_in::{
    AuthDecision, ClientFrom, Grant, PastedAnswer, SignInEndpoints, SignInError, SignedIn,
    Unrenewed, Want, now_secs, refreshed,
};
use guild_model::manifest::{Auth, Launch, Manifest, Substitution};
use guild_model::{Code, MemberName, Report};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::token_store;
use guild_roster::Roster;
use guild_secrets::SecretResolver;

/// Minimum interval between renewals after a rejected token, in seconds. Otherwise a server that
/// rejects every token would cause a renewal per request.
const RENEWED_AGAIN: u64 = 5;
/// Minimum interval after a failed renewal, in seconds, while the old token is still valid.
const TRIED_AGAIN: u64 = 30;
/// Timeout of a renewal.
const RENEWING: Duration = Duration::from_secs(60);
/// Maximum wait for another program on the same data folder to finish its renewal.
const TURN: Duration = Duration::from_secs(70);
/// Maximum number of a member's secrets that stay masked. This covers the member's last few tokens.
const MASKED_MAX: usize = 12;

/// The address of a member and its OAuth client.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OAuthTarget {
    pub(crate) url: String,
    pub(crate) client_id: Option<String>,
    /// The manifest's client secret, with variables resolved. `None` if it has none.
    pub client_secret: Option<String>,
    /// Whether renewals use the proxies of the environment and the system.
    pub proxies: bool,
    /// The manifest's endpoints, for an authorization server without metadata.
    pub(crate) endpoints: Option<SignInEndpoints>,
}

impl OAuthTarget {
    /// Returns the address of a member, with variables resolved.
    ///
    /// # Errors
    /// The errors of the variables. `sign-in-unknown` for a local member.
    pub fn of(
        manifest: &Manifest,
        values: &Substitution<'_>,
        proxies: bool,
    ) -> Result<Self, Report> {
        let Launch::Url { url, .. } = &manifest.launch else {
            let trouble = SigningError::RunsHere;
            return Err(Report::from_error(Code::SignInUnknown, &trouble));
        };
        let auth = manifest.auth.as_ref();
        let secret = auth.and_then(|auth| auth.client_secret.as_deref());
        Ok(Self {
            url: values.substitute_url(url)?,
            client_id: auth.and_then(|auth| auth.client_id.clone()),
            client_secret: secret.map(|text| values.substitute(text)).transpose()?,
            proxies,
            endpoints: auth.and_then(endpoints_of),
        })
    }

    /// Whether tokens belong to this address and client. Other tokens are not sent.
    fn takes(&self, grant: &Grant) -> bool {
        let of_client = match (&self.client_id, grant.client.from) {
            (Some(id), ClientFrom::Manifest) => *id == grant.client.id,
            (Some(_), _) | (None, ClientFrom::Manifest) => false,
            (None, _) => true,
        };
        let endpoint = self.endpoints.as_ref().map(|endpoints| &endpoints.token);
        grant.url == self.url && of_client && grant.token_endpoint.as_ref() == endpoint
    }
}

/// Returns the manifest's endpoints of an authorization server.
fn endpoints_of(auth: &Auth) -> Option<SignInEndpoints> {
    Some(SignInEndpoints {
        authorization: auth.authorization_endpoint.clone()?,
        token: auth.token_endpoint.clone()?,
        registration: auth.registration_endpoint.clone(),
        device_authorization: auth.device_authorization_endpoint.clone(),
    })
}

impl State {
    /// Whether tokens are valid at the member's current address.
    fn takes(&self, grant: &Grant) -> bool {
        self.place.as_ref().is_some_and(|place| place.takes(grant))
    }
}

type Renewal = Shared<BoxFuture<'static, ()>>;

/// Blocks renewals of a member's token while it exists.
struct WithoutRenewal<'s> {
    signer: &'s Signer,
    _end: oneshot::Sender<()>,
}

impl Drop for WithoutRenewal<'_> {
    fn drop(&mut self) {
        self.signer.state.lock().renewal = None;
    }
}

#[derive(Default)]
struct State {
    place: Option<OAuthTarget>,
    grant: Option<Arc<Grant>>,
    want: Option<Want>,
    renewal: Option<Renewal>,
    /// Time of the last renewal after a rejection, in seconds since 1970.
    refused_at: Option<u64>,
    /// Time of the last failed renewal, in seconds since 1970.
    failed_at: Option<u64>,
    /// The error of the last renewal. `None` if there were new tokens since.
    unrenewed: Option<String>,
    masked: VecDeque<String>,
    /// The address of the sign-in page and the channel for pasted answers, while a sign-in is
    /// pending.
    address: Option<(String, mpsc::Sender<PastedAnswer>)>,
    /// Cancelled when the person gives up the sign-in.
    attempt: Option<CancellationToken>,
}

/// Holds and renews one member's OAuth tokens, and runs its sign-ins.
pub struct Signer {
    pub(super) member: MemberName,
    pub(super) values: SecretResolver,
    roster: Arc<Roster>,
    pub(super) tasks: TaskTracker,
    state: Mutex<State>,
    pub(super) stage: watch::Sender<SignInStage>,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer")
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}

impl Signer {
    pub(super) fn new(
        member: MemberName,
        values: SecretResolver,
        roster: Arc<Roster>,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            member,
            values,
            roster,
            tasks,
            state: Mutex::default(),
            stage: watch::Sender::new(SignInStage::Idle),
        }
    }

    /// Sets the member's address and reads its stored tokens.
    ///
    /// # Errors
    /// `keychain-unanswered`, `secrets-unsafe`.
    pub async fn at(&self, place: OAuthTarget) -> Result<(), Report> {
        if self.state.lock().place.as_ref() == Some(&place) {
            return Ok(());
        }
        let kept = token_store::kept(&self.values, &self.member).await?;
        let kept = kept.filter(|grant| place.takes(grant));
        {
            let mut state = self.state.lock();
            state.place = Some(place);
            state.want = None;
            state.failed_at = None;
        }
        self.take(kept);
        Ok(())
    }

    /// Sets the tokens for the member's address, and masks them.
    fn take(&self, grant: Option<Grant>) {
        let mut state = self.state.lock();
        for secret in grant.iter().flat_map(Grant::secrets) {
            // A secret that is already masked, such as the client's, moves to the newest position.
            state.masked.retain(|known| known != secret);
            self.values.remember(secret);
            state.masked.push_back(secret.to_owned());
        }
        while state.masked.len() > MASKED_MAX {
            if let Some(old) = state.masked.pop_front() {
                self.values.forget_masked(&old);
            }
        }
        state.unrenewed = None;
        state.grant = grant.filter(|grant| state.takes(grant)).map(Arc::new);
    }

    /// Waits for a running renewal, and blocks further renewals while the returned guard exists.
    /// Otherwise the renewal's result would replace newer tokens.
    async fn without_renewal(&self) -> WithoutRenewal<'_> {
        loop {
            let under_way = {
                let mut state = self.state.lock();
                match &state.renewal {
                    Some(renewal) => renewal.clone(),
                    None => {
                        let (end, ended) = oneshot::channel();
                        state.renewal = Some(ended.map(|_| ()).boxed().shared());
                        return WithoutRenewal {
                            signer: self,
                            _end: end,
                        };
                    }
                }
            };
            under_way.clone().await;
            let mut state = self.state.lock();
            // A panicked renewal does not clear its entry.
            let same = |renewal: &Renewal| renewal.ptr_eq(&under_way);
            if state.renewal.as_ref().is_some_and(same) {
                state.renewal = None;
            }
        }
    }

    /// Stores tokens from a sign-in.
    ///
    /// # Errors
    /// The errors of storing a secret. `sign-in-failed` if the member's address has changed.
    pub(super) async fn signed_in(&self, grant: Grant) -> Result<(), Report> {
        // Masked before they are stored or sent.
        for secret in grant.secrets() {
            self.values.remember(secret);
        }
        let _alone = self.without_renewal().await;
        let turn = self.turn().await;
        if !self.state.lock().takes(&grant) {
            let trouble = SigningError::Moved;
            return Err(Report::from_error(Code::SignInFailed, &trouble));
        }
        // Without the lock, another program may be renewing the stored tokens and would store them
        // again.
        let old = match turn {
            Some(_) => token_store::replaced_by(&self.values, &self.member, &grant).await,
            None => None,
        };
        token_store::keep(&self.values, &self.member, &grant).await?;
        self.take(Some(grant));
        self.state.lock().want = None;
        if let Some(old) = old {
            // The sign-in does not wait for this task, but Guild Hall does when it closes.
            let (values, member) = (self.values.clone(), self.member.clone());
            let proxies = self.place().is_some_and(|place| place.proxies);
            let revoking = async move {
                token_store::give_back(&values, &member, &old, proxies).await;
            };
            self.tasks.spawn(revoking);
        }
        Ok(())
    }

    /// Locks the stored tokens. `None` if that is not supported, or takes too long.
    async fn turn(&self) -> Option<File> {
        let turn = token_store::turn(&self.values, &self.member, TURN).await;
        turn.inspect_err(|why| {
            tracing::warn!(member = %self.member, "the stored tokens are changed without the lock: {why}");
        })
        .ok()
        .flatten()
    }

    /// Removes the tokens. Returns the last tokens, which another program may have renewed.
    ///
    /// # Errors
    /// The errors of removing a secret. The tokens are then no longer sent, but still stored.
    pub async fn signed_out(&self) -> Result<Option<Arc<Grant>>, Report> {
        let _alone = self.without_renewal().await;
        // From now on the tokens are not sent, however long the rest takes.
        let grant = {
            let mut state = self.state.lock();
            state.want = None;
            state.grant.take()
        };
        let _turn = self.turn().await;
        let kept = token_store::kept(&self.values, &self.member).await;
        let kept = kept.inspect_err(|report| {
            tracing::warn!(member = %self.member, "the stored tokens can't be read, so they are not revoked: {}", report.message);
        });
        let own = grant.as_ref().map_or(0, |grant| grant.received_at);
        let place = self.place();
        let is_of_place = |kept: &Grant| place.as_ref().is_none_or(|place| place.takes(kept));
        let is_last = |kept: &Grant| kept.received_at >= own && is_of_place(kept);
        let last = kept.ok().flatten().filter(is_last);
        for secret in last.iter().flat_map(Grant::secrets) {
            self.values.remember(secret);
        }
        token_store::forget(&self.values, &self.member).await?;
        self.at_stage(SignInStage::Idle);
        Ok(last.map(Arc::new).or(grant))
    }

    pub(crate) fn place(&self) -> Option<OAuthTarget> {
        self.state.lock().place.clone()
    }

    /// Returns the requirements from the server's last rejection, and the granted scopes.
    pub(super) fn wanted(&self) -> (Option<Want>, Vec<String>) {
        let state = self.state.lock();
        let granted = state.grant.as_ref().map(|grant| grant.scopes.clone());
        (state.want.clone(), granted.unwrap_or_default())
    }

    /// Returns the address of the sign-in page, while a sign-in is pending.
    pub fn address(&self) -> Option<String> {
        let state = self.state.lock();
        state.address.as_ref().map(|(address, _)| address.clone())
    }

    /// Passes a pasted answer to the pending sign-in. `None` if there is none.
    ///
    /// # Errors
    /// If the answer can't be used. The sign-in then keeps waiting.
    pub async fn paste(&self, text: String) -> Option<Result<(), SignInError>> {
        let sender = {
            let state = self.state.lock();
            state.address.as_ref().map(|(_, sender)| sender.clone())?
        };
        let (reply, replied) = oneshot::channel();
        sender.send(PastedAnswer { text, reply }).await.ok()?;
        replied.await.ok()
    }

    pub(super) fn set_address(&self, address: Option<(String, mpsc::Sender<PastedAnswer>)>) {
        self.state.lock().address = address;
    }

    /// Begins a sign-in. Returns false if one is already running.
    pub(super) fn begin(&self, attempt: &CancellationToken) -> bool {
        let mut state = self.state.lock();
        let free = !self.stage.borrow().is_under_way();
        if free {
            state.attempt = Some(attempt.clone());
            self.stage.send_replace(SignInStage::Looking);
        }
        drop(state);
        if free {
            self.tell();
        }
        free
    }

    /// Cancels the running sign-in.
    pub fn give_up(&self) {
        let attempt = self.state.lock().attempt.take();
        if let Some(attempt) = attempt {
            attempt.cancel();
        }
    }

    pub(super) fn at_stage(&self, stage: SignInStage) {
        if !matches!(stage, SignInStage::Waiting { .. }) {
            self.set_address(None);
        }
        self.stage.send_replace(stage);
        self.tell();
    }

    /// Subscribes to the stages of sign-ins.
    pub fn stages(&self) -> watch::Receiver<SignInStage> {
        self.stage.subscribe()
    }

    /// Returns the sign-in state for display. `possible` means that the member supports a sign-in.
    pub fn view(&self, possible: bool) -> SignInView {
        let stage = self.stage.borrow().clone();
        let state = self.state.lock();
        let want = state.want.as_ref();
        SignInView {
            member: self.member.clone(),
            possible,
            needed: want.is_some(),
            wanted: want.map(|want| want.scopes.clone()).unwrap_or_default(),
            stage,
            grant: state.grant.as_deref().map(shown),
        }
    }

    fn tell(&self) {
        let sign_in = Box::new(self.view(true));
        self.roster.tell(HallEvent::SignInChanged { sign_in });
    }

    fn note(&self, want: Want) {
        let changed = {
            let mut state = self.state.lock();
            let changed = state.want.as_ref() != Some(&want);
            state.want = Some(want);
            changed
        };
        if changed {
            self.tell();
        }
    }

    /// Returns the running renewal, or begins one.
    fn renewal(self: &Arc<Self>, grant: &Arc<Grant>) -> Renewal {
        let mut state = self.state.lock();
        if let Some(renewal) = &state.renewal {
            return renewal.clone();
        }
        // Since the caller read these tokens, they may have been removed, or the address may have
        // changed.
        let is_current = |current: &Arc<Grant>| Arc::ptr_eq(current, grant);
        if !state.grant.as_ref().is_some_and(is_current) {
            return ready(()).boxed().shared();
        }
        let (signer, grant) = (Arc::clone(self), Arc::clone(grant));
        // In a separate task, so that new tokens are stored even if no caller waits for them any
        // longer.
        let task = self.tasks.spawn(async move { signer.renew(&grant).await });
        let renewal = task.map(|_| ()).boxed().shared();
        state.renewal = Some(renewal.clone());
        renewal
    }

    async fn renew(&self, grant: &Grant) {
        let mut failed = None;
        let changed = match self.renewed(grant).await {
            Ok(Some(grant)) => {
                self.take(Some(grant));
                true
            }
            Ok(None) => {
                self.take(None);
                self.note(Want::default());
                false
            }
            Err(why) => {
                let why = self.redacted(why);
                tracing::warn!(member = %self.member, "a token was not renewed: {why}");
                failed = Some(why);
                false
            }
        };
        {
            let mut state = self.state.lock();
            state.renewal = None;
            state.failed_at = failed.is_some().then(now_secs);
            state.unrenewed = failed;
            if changed && state.want.as_ref().is_some_and(|want| !want.more) {
                state.want = None;
            }
        }
        if changed {
            self.tell();
        }
    }

    /// Masks tokens that a server's text may repeat.
    fn redacted(&self, mut why: String) -> String {
        self.values.redactor().hide_in(&mut why);
        why
    }

    /// Renews tokens. `None` if the old tokens are invalid.
    async fn renewed(&self, grant: &Grant) -> Result<Option<Grant>, String> {
        // Locked: if two programs use the same refresh token, many servers treat it as stolen.
        let _turn = token_store::turn(&self.values, &self.member, TURN).await?;
        if let Some(kept) = self.kept_by_another(grant).await {
            return Ok(Some(kept));
        }
        let place = self.place().unwrap_or_default();
        let (secret, endpoints) = (place.client_secret.as_deref(), place.endpoints.as_ref());
        let proxies = place.proxies;
        let refreshed = timeout(RENEWING, refreshed(grant, secret, endpoints, proxies)).await;
        let refreshed = refreshed.unwrap_or_else(|_| {
            let why = format!("it took longer than {} s", RENEWING.as_secs());
            Err(Unrenewed::NotNow(why))
        });
        match refreshed {
            Ok(new) => {
                for secret in new.secrets() {
                    self.values.remember(secret);
                }
                if !self.state.lock().takes(&new) {
                    return Err("the member's address has changed".to_owned());
                }
                let kept = token_store::keep(&self.values, &self.member, &new).await;
                if let Err(report) = kept {
                    // The new tokens can't be saved, but this program can use them until it ends.
                    tracing::warn!(member = %self.member, "{}", report.message);
                }
                Ok(Some(new))
            }
            Err(Unrenewed::Over(why)) => {
                // Another program may have renewed the tokens at the same moment.
                if let Some(kept) = self.kept_by_another(grant).await {
                    return Ok(Some(kept));
                }
                let why = self.redacted(why);
                tracing::warn!(member = %self.member, "a person has to sign in again: {why}");
                if let Err(report) = token_store::let_go(&self.values, &self.member, grant).await {
                    tracing::warn!(member = %self.member, "{}", report.message);
                }
                Ok(None)
            }
            Err(Unrenewed::NotNow(why)) => Err(why),
        }
    }

    /// Returns the stored tokens if another program has stored newer tokens than `than`.
    async fn kept_by_another(&self, than: &Grant) -> Option<Grant> {
        let place = self.place()?;
        let kept = token_store::kept(&self.values, &self.member).await.ok()??;
        let newer = kept != *than && kept.received_at >= than.received_at;
        (newer && place.takes(&kept)).then_some(kept)
    }

    /// Whether a rejected token may be renewed now. If so, records the time of the rejection.
    fn may_renew_refused(&self) -> bool {
        let now = now_secs();
        let mut state = self.state.lock();
        let settled = |at: u64| now.saturating_sub(at) >= RENEWED_AGAIN;
        // Calls that wait for the same renewal count as one rejection.
        let may = state.renewal.is_some() || state.refused_at.is_none_or(settled);
        if may {
            state.refused_at = Some(now);
        }
        may
    }

    /// Whether the last renewal failed so recently that no other renewal may begin yet.
    fn has_just_failed(&self, now: u64) -> bool {
        let failed_at = self.state.lock().failed_at;
        failed_at.is_some_and(|at| now.saturating_sub(at) < TRIED_AGAIN)
    }

    fn grant(&self) -> Option<Arc<Grant>> {
        self.state.lock().grant.clone()
    }
}

fn shown(grant: &Grant) -> GrantView {
    GrantView {
        issuer: grant.issuer.clone(),
        scopes: grant.scopes.clone(),
        received_at_ms: grant.received_at.saturating_mul(1_000),
        expires_at_ms: grant.expires_at.map(|end| end.saturating_mul(1_000)),
        renews: grant.refresh_token.is_some(),
        client: match grant.client.from {
            ClientFrom::Manifest => SignInClient::Manifest,
            ClientFrom::Document => SignInClient::Document,
            ClientFrom::Registration => SignInClient::Registration,
        },
    }
}

/// The signer of a member, and the address that a connection uses.
#[derive(Debug)]
pub struct Bearer(pub Arc<Signer>, pub String);

impl Bearer {
    /// Returns the tokens if they belong to this connection's address, since the member's address
    /// may have changed.
    fn grant(&self) -> Option<Arc<Grant>> {
        self.0.grant().filter(|grant| grant.url == self.1)
    }

    /// Records the authorization that the server requires. Does nothing if the member's address has
    /// changed since.
    fn note(&self, want: Want) {
        if self.0.place().is_some_and(|place| place.url == self.1) {
            self.0.note(want);
        }
    }
}

impl SignedIn for Bearer {
    fn token(&self) -> BoxFuture<'_, Option<Arc<str>>> {
        async move {
            let signer = &self.0;
            let grant = self.grant()?;
            let now = now_secs();
            let holds = !grant.is_ending(now)
                || grant.refresh_token.is_none()
                || (!grant.has_ended(now) && signer.has_just_failed(now));
            if holds {
                return Some(Arc::from(grant.access_token.as_str()));
            }
            signer.renewal(&grant).await;
            let grant = self.grant()?;
            Some(Arc::from(grant.access_token.as_str()))
        }
        .boxed()
    }

    fn refused(&self, want: Want, sent: Option<Arc<str>>) -> BoxFuture<'_, AuthDecision> {
        async move {
            let signer = &self.0;
            let is_another = |grant: &Grant| sent.as_deref() != Some(grant.access_token.as_str());
            let Some(grant) = self.grant().filter(|_| !want.more) else {
                self.note(want);
                return AuthDecision::SignIn;
            };
            if is_another(&grant) {
                return AuthDecision::Again;
            }
            if grant.refresh_token.is_some() && signer.may_renew_refused() {
                signer.renewal(&grant).await;
                if self.grant().is_some_and(|grant| is_another(&grant)) {
                    return AuthDecision::Again;
                }
            }
            // An unreachable authorization server does not require a new sign-in.
            let unrenewed = signer.state.lock().unrenewed.clone();
            if let Some(why) = unrenewed {
                return AuthDecision::NotNow(why);
            }
            self.note(want);
            AuthDecision::SignIn
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests;
