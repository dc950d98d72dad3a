use futures::FutureExt;

use super::*;
use crate::tests::idle_session;

async fn opened() -> Arc<Lending> {
    let lending = Arc::<Lending>::default();
    lending.open(Arc::new(idle_session().await), CancellationToken::new(), 7);
    lending
}

#[tokio::test]
async fn a_session_is_lent_while_it_is_up_and_to_so_many_calls_only() {
    let lending = Arc::<Lending>::default();
    assert!(lending.lend().is_none(), "nothing is up");
    lending.open(Arc::new(idle_session().await), CancellationToken::new(), 7);
    assert!(!lending.has_served());
    let loans: Vec<Loan> = (0..CALLS_MAX).filter_map(|_| lending.lend()).collect();
    assert_eq!((loans.len(), lending.running()), (CALLS_MAX, CALLS_MAX));
    assert!(loans.iter().all(|loan| loan.generation == 7));
    assert!(lending.lend().is_none(), "one too many");
    assert!(lending.has_served());
    drop(loans);
    assert_eq!(lending.running(), 0);
    assert!(lending.lend().is_some());
    lending.close();
    assert!(lending.lend().is_none(), "it is down");
}

#[tokio::test]
async fn session_in_use_is_not_closed_as_idle() {
    let lending = opened().await;
    let loan = lending.lend().expect("it is up");
    assert!(!lending.close_if_idle());
    assert!(lending.lend().is_some(), "it is still up");
    drop(loan);
    assert!(lending.close_if_idle());
    assert!(lending.lend().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lent_session_precedes_idle_close() {
    let session = Arc::new(idle_session().await);
    for _ in 0..2_000 {
        let lending = Arc::<Lending>::default();
        lending.open(Arc::clone(&session), CancellationToken::new(), 1);
        let borrower = Arc::clone(&lending);
        let borrowed = tokio::spawn(async move { borrower.lend() });
        let closed = lending.close_if_idle();
        let loan = borrowed.await.expect("no panic");
        assert_ne!(loan.is_some(), closed, "lent or closed, never both");
    }
}

#[tokio::test]
async fn many_calls_wake_the_actor_once_until_it_looks() {
    let lending = opened().await;
    for _ in 0..100 {
        drop(lending.lend());
    }
    assert!(lending.has_changed());
    assert!(lending.first_change().now_or_never().is_some());
    assert!(lending.first_change().now_or_never().is_none(), "once");
    drop(lending.lend());
    assert!(
        lending.first_change().now_or_never().is_none(),
        "it has not looked yet"
    );
    lending.look();
    let loan = lending.lend();
    assert!(lending.first_change().now_or_never().is_some());
    lending.look();
    drop(loan);
    assert!(
        lending.first_change().now_or_never().is_some(),
        "ends are told too"
    );
}
