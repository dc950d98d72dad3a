use futures::FutureExt;

use super::*;
use crate::tests::idle_session;

async fn opened() -> Arc<SessionSlot> {
    let slot = Arc::<SessionSlot>::default();
    slot.open(
        Arc::new(idle_session().await),
        CancellationToken::new(),
        7,
        SystemTime::now(),
    );
    slot
}

#[tokio::test]
async fn a_session_is_lent_while_it_is_up_and_to_so_many_calls_only() {
    let slot = Arc::<SessionSlot>::default();
    assert!(slot.lease().is_none(), "nothing is up");
    slot.open(
        Arc::new(idle_session().await),
        CancellationToken::new(),
        7,
        SystemTime::now(),
    );
    assert!(!slot.has_served());
    let loans: Vec<SessionLease> = (0..CALLS_MAX).filter_map(|_| slot.lease()).collect();
    assert_eq!((loans.len(), slot.running()), (CALLS_MAX, CALLS_MAX));
    assert!(loans.iter().all(|lease| lease.generation == 7));
    assert!(slot.lease().is_none(), "one too many");
    assert!(slot.has_served());
    drop(loans);
    assert_eq!(slot.running(), 0);
    assert!(slot.lease().is_some());
    slot.close();
    assert!(slot.lease().is_none(), "it is down");
}

#[tokio::test]
async fn session_in_use_is_not_closed_as_idle() {
    let slot = opened().await;
    let lease = slot.lease().expect("it is up");
    assert!(!slot.close_if_idle());
    assert!(slot.lease().is_some(), "it is still up");
    drop(lease);
    assert!(slot.close_if_idle());
    assert!(slot.lease().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lent_session_precedes_idle_close() {
    let session = Arc::new(idle_session().await);
    for _ in 0..2_000 {
        let slot = Arc::<SessionSlot>::default();
        slot.open(
            Arc::clone(&session),
            CancellationToken::new(),
            1,
            SystemTime::now(),
        );
        let borrower = Arc::clone(&slot);
        let borrowed = tokio::spawn(async move { borrower.lease() });
        let closed = slot.close_if_idle();
        let lease = borrowed.await.expect("no panic");
        assert_ne!(lease.is_some(), closed, "leased or closed, never both");
    }
}

#[tokio::test]
async fn many_calls_wake_the_actor_once_until_it_looks() {
    let slot = opened().await;
    for _ in 0..100 {
        drop(slot.lease());
    }
    assert!(slot.has_changed());
    assert!(slot.first_change().now_or_never().is_some());
    assert!(slot.first_change().now_or_never().is_none(), "once");
    drop(slot.lease());
    assert!(
        slot.first_change().now_or_never().is_none(),
        "it has not looked yet"
    );
    slot.look();
    let lease = slot.lease();
    assert!(slot.first_change().now_or_never().is_some());
    slot.look();
    drop(lease);
    assert!(
        slot.first_change().now_or_never().is_some(),
        "ends are reported too"
    );
}
