//! Sessions of the versions up to 2025-11-25. The gateway offers a session at `initialize`, and
//! never requires one.

use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use guild_catalog::known::KnownClient;
use guild_model::ClientId;
use guild_model::endpoint::Endpoint;
use guild_model::protocol::ProtocolVersion;
use parking_lot::{Mutex, RwLock};
use sha2::{Digest, Sha256};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::backend::ListChangeCounts;
use super::elicitation::CallElicitations;
use super::envelope;
use super::notification_queue::NotificationQueue;
use super::session_id::{self, SessionIdPayload};

/// Limit of the requests of one session that can be cancelled by their id.
const IN_FLIGHT_MAX: usize = 1_024;
/// Limit of the stored ids of sessions that were ended by their client or to make room.
const ENDED_MAX: usize = 1_024;
/// The counts for the client of a resumed session, because it is unknown which list changes this
/// client was notified of.
pub(super) const NO_KNOWN_CHANGES: ListChangeCounts = ListChangeCounts {
    tools: u64::MAX,
    resources: u64::MAX,
    prompts: u64::MAX,
};
/// Limit of the resources that one session, or one `subscriptions/listen`, watches.
pub(super) const WATCHED_MAX: usize = 100;

#[derive(Debug)]
pub(super) struct GatewaySession {
    pub(super) id: String,
    /// See [`digest`].
    pub(super) digest: Arc<str>,
    pub(super) handshake: SessionHandshake,
    epoch: Instant,
    /// The time of the last use, in milliseconds after `epoch`.
    used: AtomicU64,
    /// Number of the session's running requests and streams.
    uses: AtomicUsize,
    ended: AtomicBool,
    /// Ends the session's current stream when a new stream replaces it.
    stream: Mutex<CancellationToken>,
    in_flight: Mutex<Vec<(u64, Bytes, CancellationToken)>>,
    /// The number of the next request in `in_flight`. Requests are numbered, since two may have the
    /// same id.
    next_number: AtomicU64,
    questions: Mutex<HashMap<u64, Weak<CallElicitations>>>,
    /// Notifications that the client receives outside of its calls.
    pub(super) notifications: Arc<NotificationQueue>,
    /// The URIs of the resources that the client subscribed to. Dropping a guard ends the
    /// subscription.
    watched: Mutex<HashMap<String, DropGuard>>,
    /// The list changes of which the client was notified.
    pub(super) known_changes: Mutex<ListChangeCounts>,
}

/// Data from the client's handshake.
#[derive(Debug)]
pub(super) struct SessionHandshake {
    pub(super) client: Option<ClientId>,
    /// The endpoint at which the session was opened.
    pub(super) endpoint: Endpoint,
    pub(super) version: ProtocolVersion,
    /// The client's name in `clientInfo`.
    pub(super) calls_itself: Arc<str>,
    /// The kinds of questions that the client supports.
    pub(super) modes: envelope::ElicitationModes,
    /// Whether the client declares that it shows MCP Apps.
    pub(super) shows_apps: bool,
    /// The counts of list changes at the time of the handshake.
    pub(super) known_changes: ListChangeCounts,
}

/// Returns a digest of a session's id, in 16 hexadecimal digits. The history stores it, because the
/// id itself gives access to the session.
fn digest(id: &str) -> Arc<str> {
    let digest = Sha256::digest(id);
    let bytes = digest.iter().take(8);
    bytes
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>()
        .into()
}

impl GatewaySession {
    fn new(id: String, handshake: SessionHandshake, now: Instant) -> Self {
        Self {
            digest: digest(&id),
            id,
            epoch: now,
            used: AtomicU64::new(0),
            uses: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            stream: Mutex::default(),
            in_flight: Mutex::default(),
            next_number: AtomicU64::new(0),
            questions: Mutex::default(),
            notifications: Arc::default(),
            watched: Mutex::default(),
            known_changes: Mutex::new(handshake.known_changes),
            handshake,
        }
    }

    /// Records a use of the session.
    pub(super) fn touch(&self, now: Instant) {
        let since = now.saturating_duration_since(self.epoch);
        let at = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        self.used.fetch_max(at, Ordering::Relaxed);
    }

    /// Marks the session as in use while the returned guard lives.
    pub(super) fn hold(self: &Arc<Self>) -> InUse {
        self.uses.fetch_add(1, Ordering::Relaxed);
        InUse(Arc::clone(self))
    }

    /// Ends one use of the session.
    fn let_go(&self, now: Instant) {
        self.touch(now);
        // A thread that reads a count of zero also sees the time of the last use.
        self.uses.fetch_sub(1, Ordering::Release);
    }

    fn is_in_use(&self) -> bool {
        self.uses.load(Ordering::Acquire) > 0
    }

    /// Checks whether the session has been unused for `idle`.
    fn is_unused(&self, now: Instant, idle: Duration) -> bool {
        !self.is_in_use() && now.saturating_duration_since(self.used_at()) >= idle
    }

    fn used_at(&self) -> Instant {
        self.epoch + Duration::from_millis(self.used.load(Ordering::Relaxed))
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.stream.lock().cancel();
        for (_, _, cancel) in self.in_flight.lock().drain(..) {
            cancel.cancel();
        }
        self.watched.lock().clear();
    }

    /// Records that the client watches a resource, until the returned token is cancelled. `None` if
    /// the client watches too many resources. A previous subscription to the same resource is
    /// ended.
    pub(super) fn watch(&self, uri: &str) -> Option<CancellationToken> {
        let over = CancellationToken::new();
        let mut watched = self.watched.lock();
        if self.is_over() || watched.len() >= WATCHED_MAX && !watched.contains_key(uri) {
            return None;
        }
        watched.insert(uri.to_owned(), over.clone().drop_guard());
        Some(over)
    }

    pub(super) fn unwatch(&self, uri: &str) {
        self.watched.lock().remove(uri);
    }

    /// Begins a new stream of the session, and ends the previous one.
    pub(super) fn begin_stream(&self) -> CancellationToken {
        let next = CancellationToken::new();
        std::mem::replace(&mut *self.stream.lock(), next.clone()).cancel();
        if self.is_over() {
            next.cancel();
        }
        next
    }

    /// Makes a request cancellable by its id while the returned guard lives.
    pub(super) fn register(
        self: &Arc<Self>,
        id: Bytes,
        cancel: CancellationToken,
    ) -> InFlightGuard {
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        let mut in_flight = self.in_flight.lock();
        if self.is_over() {
            // The session was ended after the request had found it.
            cancel.cancel();
        } else if in_flight.len() < IN_FLIGHT_MAX {
            in_flight.push((number, id, cancel));
        }
        drop(in_flight);
        InFlightGuard {
            session: self.hold(),
            number,
        }
    }

    pub(super) fn cancel(&self, id: &str) {
        for (_, known, cancel) in self.in_flight.lock().iter() {
            if known == id.as_bytes() {
                cancel.cancel();
            }
        }
    }

    /// Records which call receives the client's answer to a request of the gateway.
    pub(super) fn add_question(&self, number: u64, questions: &Arc<CallElicitations>) {
        let mut pending = self.questions.lock();
        pending.retain(|_, questions| questions.strong_count() > 0);
        pending.insert(number, Arc::downgrade(questions));
    }

    /// Removes and returns the call that receives the client's answer to a request of the gateway,
    /// with the number of the question.
    pub(super) fn take_question(&self, id: &str) -> Option<(u64, Arc<CallElicitations>)> {
        let number = id.parse().ok()?;
        let questions = self.questions.lock().remove(&number)?;
        Some((number, questions.upgrade()?))
    }
}

/// A session with a running request or stream.
#[derive(Debug)]
pub(super) struct InUse(Arc<GatewaySession>);

impl Deref for InUse {
    type Target = GatewaySession;

    fn deref(&self) -> &GatewaySession {
        &self.0
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.let_go(Instant::now());
    }
}

/// A request that can be cancelled by its id.
#[derive(Debug)]
pub(super) struct InFlightGuard {
    session: InUse,
    number: u64,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut in_flight = self.session.in_flight.lock();
        if let Some(at) = in_flight
            .iter()
            .position(|(number, ..)| *number == self.number)
        {
            in_flight.swap_remove(at);
        }
    }
}

#[derive(Debug)]
pub(super) struct Sessions {
    max: usize,
    idle: Duration,
    by_id: RwLock<HashMap<String, Arc<GatewaySession>>>,
    /// Ids of sessions that were recently ended by their client or to make room. These sessions
    /// can't be resumed.
    ended: Mutex<VecDeque<String>>,
}

impl Sessions {
    pub(super) fn new(max: usize, idle: Duration) -> Self {
        Self {
            max,
            idle,
            by_id: RwLock::default(),
            ended: Mutex::default(),
        }
    }

    /// Opens a session. If there are too many sessions, the least recently used one is ended: of
    /// this client if possible, or else of any client. A session in use is ended only if all
    /// sessions are in use. Returns `None` if no id can be created.
    pub(super) fn open(
        &self,
        opening: SessionHandshake,
        now: Instant,
    ) -> Option<Arc<GatewaySession>> {
        let payload = SessionIdPayload {
            version: opening.version,
            modes: opening.modes,
            shows_apps: opening.shows_apps,
            known: KnownClient::by_name(&opening.calls_itself),
        };
        let id = session_id::make(payload, opening.client.as_ref(), &opening.endpoint)?;
        self.put(GatewaySession::new(id, opening, now), now)
    }

    /// Resumes a session that this gateway no longer knows, because the gateway was restarted or
    /// the session was unused for long. Some clients can't initialize again. Returns `None` for an
    /// ended session, for an id of another client or endpoint, and for a client that can initialize
    /// again.
    pub(super) fn revive(
        &self,
        id: &str,
        client: Option<&ClientId>,
        endpoint: &Endpoint,
        now: Instant,
    ) -> Option<Arc<GatewaySession>> {
        let payload = session_id::read(id, client, endpoint)?;
        if payload.known.is_some_and(|known| known.initializes_again) {
            return None;
        }
        if self.ended.lock().iter().any(|ended| ended == id) {
            return None;
        }
        let opening = SessionHandshake {
            client: client.cloned(),
            endpoint: endpoint.clone(),
            version: payload.version,
            calls_itself: payload.known.map_or("", |known| known.name).into(),
            modes: payload.modes,
            shows_apps: payload.shows_apps,
            known_changes: NO_KNOWN_CHANGES,
        };
        self.put(GatewaySession::new(id.to_owned(), opening, now), now)
    }

    fn put(&self, session: GatewaySession, now: Instant) -> Option<Arc<GatewaySession>> {
        let session = Arc::new(session);
        let mut by_id = self.by_id.write();
        if let Some(known) = by_id.get(&session.id) {
            // A concurrent request has resumed the session.
            return Some(Arc::clone(known));
        }
        if by_id.len() >= self.max {
            by_id.retain(|_, session| {
                let kept = !session.is_unused(now, self.idle);
                if !kept {
                    session.end();
                }
                kept
            });
        }
        while by_id.len() >= self.max {
            let least = by_id
                .values()
                .min_by_key(|other| {
                    let is_anothers = other.handshake.client != session.handshake.client;
                    (other.is_in_use(), is_anothers, other.used_at())
                })
                .map(|least| least.id.clone())?;
            if let Some(ended) = by_id.remove(&least) {
                self.remember_end(&ended);
                ended.end();
            }
        }
        by_id.insert(session.id.clone(), Arc::clone(&session));
        Some(session)
    }

    fn remember_end(&self, session: &GatewaySession) {
        let mut ended = self.ended.lock();
        if ended.len() >= ENDED_MAX {
            ended.pop_front();
        }
        ended.push_back(session.id.clone());
    }

    /// Returns the session with this id, if it belongs to this client and this endpoint.
    pub(super) fn find(
        &self,
        id: &str,
        client: Option<&ClientId>,
        endpoint: &Endpoint,
        now: Instant,
    ) -> Option<Arc<GatewaySession>> {
        let by_id = self.by_id.read();
        let session = Arc::clone(by_id.get(id)?);
        drop(by_id);
        let SessionHandshake {
            client: owner,
            endpoint: opened_at,
            ..
        } = &session.handshake;
        let own = owner.as_ref() == client && opened_at == endpoint;
        if own && session.is_unused(now, self.idle) {
            self.forget(&session);
            return None;
        }
        own.then_some(session)
    }

    /// Ends a session. It can't be resumed.
    pub(super) fn end(&self, session: &GatewaySession) {
        self.remember_end(session);
        self.forget(session);
    }

    fn forget(&self, session: &GatewaySession) {
        let mut by_id = self.by_id.write();
        by_id.remove(&session.id);
        drop(by_id);
        session.end();
    }
}

/// Returns an id that can't be guessed.
pub(super) fn random_id() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(client: &str) -> SessionHandshake {
        SessionHandshake {
            client: Some(ClientId::try_from(client.to_owned()).expect("an id")),
            endpoint: Endpoint::All,
            version: ProtocolVersion::V2025_11_25,
            calls_itself: "".into(),
            modes: envelope::ElicitationModes::default(),
            shows_apps: false,
            known_changes: ListChangeCounts::default(),
        }
    }

    #[test]
    fn a_session_is_its_client_s_and_its_endpoint_s_only() {
        let sessions = Sessions::new(4, Duration::from_secs(60));
        let session = sessions
            .open(opening("a"), Instant::now())
            .expect("a session");
        let member = guild_model::MemberName::parse("time").expect("a name");
        let find = |client: Option<&ClientId>, endpoint: Endpoint| {
            let found = sessions.find(&session.id, client, &endpoint, Instant::now());
            found.is_some()
        };
        let own = session.handshake.client.as_ref();
        assert!(find(own, Endpoint::All));
        assert!(!find(own, Endpoint::Member { member }));
        assert!(!find(None, Endpoint::All));
        assert!(!find(opening("b").client.as_ref(), Endpoint::All));
    }

    #[test]
    fn a_client_that_opens_many_ends_its_own() {
        let sessions = Sessions::new(3, Duration::from_secs(60));
        let other = sessions
            .open(opening("other"), Instant::now())
            .expect("a session");
        let first = sessions
            .open(opening("a"), Instant::now())
            .expect("a session");
        for _ in 0..5 {
            sessions
                .open(opening("a"), Instant::now())
                .expect("a session");
        }
        assert!(first.is_over(), "the oldest of the same client went");
        assert!(!other.is_over(), "another's did not");
        assert_eq!(sessions.by_id.read().len(), 3);
    }

    #[test]
    fn duplicate_request_id_stays_cancellable() {
        let sessions = Sessions::new(3, Duration::from_secs(60));
        let session = sessions
            .open(opening("a"), Instant::now())
            .expect("a session");
        let (first, second) = (CancellationToken::new(), CancellationToken::new());
        let id = Bytes::from_static(b"1");
        let _first = session.register(id.clone(), first.clone());
        drop(session.register(id.clone(), second.clone()));
        session.cancel("1");
        assert!(first.is_cancelled() && !second.is_cancelled());
        sessions.end(&session);
        let late = CancellationToken::new();
        let _late = session.register(id, late.clone());
        assert!(late.is_cancelled(), "the session is over");
    }

    #[test]
    fn an_unused_session_is_over() {
        let sessions = Sessions::new(3, Duration::ZERO);
        let session = sessions
            .open(opening("a"), Instant::now())
            .expect("a session");
        let own = session.handshake.client.as_ref();
        let found = sessions.find(&session.id, own, &Endpoint::All, Instant::now());
        assert!(found.is_none() && session.is_over());
    }

    /// Whether a session is found at the time `now`, with its own client and endpoint.
    fn is_found(sessions: &Sessions, session: &GatewaySession, now: Instant) -> bool {
        let own = session.handshake.client.as_ref();
        let found = sessions.find(&session.id, own, &session.handshake.endpoint, now);
        found.is_some()
    }

    #[test]
    fn a_session_is_unused_from_the_end_of_its_last_use_on() {
        let idle = Duration::from_secs(60);
        let sessions = Sessions::new(3, idle);
        let opened = Instant::now();
        let session = sessions.open(opening("a"), opened).expect("a session");
        let (call, stream) = (session.hold(), session.hold());
        let late = opened + 10 * idle;
        assert!(is_found(&sessions, &session, late), "both go on");
        drop(call);
        assert!(is_found(&sessions, &session, late), "one goes on");
        // One more use of the session, which ends at `ended`.
        let ended = opened + 20 * idle;
        session.uses.fetch_add(1, Ordering::Relaxed);
        drop(stream);
        session.let_go(ended);
        let almost = ended + idle - Duration::from_millis(10);
        assert!(is_found(&sessions, &session, almost));
        assert!(!is_found(&sessions, &session, ended + idle));
        assert!(session.is_over());
    }

    #[test]
    fn where_there_is_no_room_a_session_in_use_goes_last() {
        let minute = Duration::from_secs(60);
        let sessions = Sessions::new(3, 60 * minute);
        let now = Instant::now();
        let open = |client: &str, at: Instant| sessions.open(opening(client), at).expect("one");
        let calling = open("a", now);
        let call = calling.register(Bytes::from_static(b"1"), CancellationToken::new());
        let idle = open("other", now + minute);
        let listening = open("a", now + 2 * minute);
        let stream = listening.hold();
        let fourth = open("a", now + 3 * minute);
        assert!(idle.is_over(), "unused");
        assert!(!calling.is_over() && !listening.is_over());
        let _ping = fourth.hold();
        let fifth = open("a", now + 4 * minute);
        assert!(calling.is_over(), "all are in use: the least used one went");
        assert!(!listening.is_over() && !fourth.is_over());
        assert_eq!(sessions.by_id.read().len(), 3);
        drop((call, stream));
        fifth.touch(now + 5 * minute);
        listening.touch(now + 6 * minute);
        open("a", now + 7 * minute);
        assert!(
            fifth.is_over(),
            "of the unused ones the least used one went"
        );
        assert!(!listening.is_over() && !fourth.is_over());
    }
}
