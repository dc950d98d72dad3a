//! Retries watches that the system refuses, for example because the user's limit is reached. Until
//! a watch succeeds, the place is polled.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

/// Interval for polling a place without complete change notifications.
const AGAIN: Duration = Duration::from_secs(5);

/// A watch that is retried until the system accepts it.
pub struct Late<W> {
    begun: Option<W>,
    is_logged: bool,
}

impl<W> Late<W> {
    /// Returns an inactive watch.
    pub fn new() -> Self {
        Self {
            begun: None,
            is_logged: false,
        }
    }

    /// Returns the watch of a place, and tries to begin it first. `None` while it fails, which is
    /// logged once.
    pub fn begun<E: Display>(
        &mut self,
        place: &Path,
        begin: impl FnOnce() -> Result<W, E>,
    ) -> Option<&mut W> {
        if self.begun.is_none() {
            let place = place.display();
            match begin() {
                Ok(begun) => {
                    if self.is_logged {
                        tracing::info!(%place, "changes are watched from now on");
                    }
                    self.begun = Some(begun);
                }
                Err(error) if !self.is_logged => {
                    let every = AGAIN.as_secs();
                    tracing::warn!(%place, %error, "changes can't be watched: polling every {every} s");
                    self.is_logged = true;
                }
                Err(error) => tracing::debug!(%place, %error, "still not watched"),
            }
        }
        self.begun.as_mut()
    }
}

/// Waits for `changed`. Where notifications are incomplete, it also returns after the polling
/// interval. In both cases the caller reads the place.
pub async fn changed_or_again(is_told: bool, changed: impl Future<Output = ()>) {
    if is_told {
        changed.await;
    } else {
        let _ = timeout(AGAIN, changed).await;
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::Instant;

    use super::*;

    #[test]
    fn failed_watch_is_retried() {
        let mut late = Late::new();
        let place = Path::new("/members");
        for _ in 0..3 {
            assert!(late.begun(place, || Err::<u8, _>("no more")).is_none());
        }
        assert_eq!(late.begun(place, || Ok::<_, &str>(7)), Some(&mut 7));
        let again = late.begun(place, || -> Result<u8, &str> { panic!("it is begun") });
        assert_eq!(again, Some(&mut 7));
    }

    #[tokio::test(start_paused = true)]
    async fn only_what_is_not_told_is_looked_at_by_the_clock() {
        let asked = Instant::now();
        changed_or_again(false, pending()).await;
        assert_eq!(asked.elapsed(), AGAIN);
        let told = changed_or_again(true, pending());
        assert!(timeout(AGAIN * 100, told).await.is_err(), "nobody woke it");
    }
}
