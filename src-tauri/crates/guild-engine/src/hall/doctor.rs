//! Runs the doctor's checks of this machine, and publishes each finding as soon as it is known.

use std::sync::Arc;
use std::time::Instant;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use guild_api::event::HallEvent;
use guild_api::wire::{CallRef, Examination, Finding, Verdict};
use guild_model::Report;

use super::GuildHall;
use crate::doctor::{self, DoctorInput};

impl GuildHall {
    /// Checks this machine: programs, ports, folders, secrets, members' commands. Each finding is
    /// published as soon as it is known. [`GuildHall::cancel_call`] ends the checks. The result
    /// then contains the findings up to that point.
    ///
    /// # Errors
    /// `shutting-down`, and `too-many-calls` if the ID is in use or too many calls run.
    pub async fn doctor(&self, request: CallRef) -> Result<Examination, Report> {
        let CallRef { call } = request;
        let begun = Instant::now();
        let running = self.register(&call)?;
        let token = running.token.clone();
        // Collecting the data can take a while, since the login shell and the keychain are queried.
        let known = tokio::select! {
            known = self.doctor_input() => Some(known),
            () = token.cancelled() => None,
        };
        let checks = known.map_or_else(Vec::new, |known| doctor::checks(&Arc::new(known)));
        let of = checks.len();
        let mut checks: FuturesUnordered<_> = checks
            .into_iter()
            .enumerate()
            .map(|(place, check)| async move { (place, check.await) })
            .collect();
        let mut found: Vec<(usize, Finding)> = Vec::new();
        let mut done = 0;
        let cancelled = loop {
            let next = tokio::select! {
                biased;
                () = token.cancelled() => break true,
                next = checks.next() => next,
            };
            let Some((place, findings)) = next else {
                break false;
            };
            done += 1;
            for finding in findings {
                self.inner.context.roster.tell(HallEvent::Examined {
                    call: call.clone(),
                    finding: Box::new(finding.clone()),
                    done,
                    of,
                });
                found.push((place, finding));
            }
        };
        drop(checks);
        found.sort_by_key(|(place, _)| *place);
        let findings: Vec<Finding> = found.into_iter().map(|(_, finding)| finding).collect();
        let worst = findings.iter().map(|finding| finding.verdict).max();
        Ok(Examination {
            worst: worst.unwrap_or(Verdict::Fine),
            findings,
            cancelled,
            took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }

    async fn doctor_input(&self) -> DoctorInput {
        let context = &self.inner.context;
        let (environment, gateway, secrets) = tokio::join!(
            context.values.environment().settled(),
            self.gateway(),
            self.secrets()
        );
        let sign_ins = self.sign_ins().await;
        DoctorInput {
            paths: context.paths.clone(),
            keeps_folder: self.keeps_folder(),
            environment,
            own_binary: context.own_binary.clone(),
            custody: context.custody.clone(),
            snapshot: self.snapshot(),
            ports: context.ports.clone(),
            gateway,
            secrets,
            sign_ins,
        }
    }
}
