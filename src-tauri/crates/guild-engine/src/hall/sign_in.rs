//! Signs in to remote members, and out again.

use std::sync::Arc;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::{PasteSignIn, SignInAddress, SignInStage, SignInView};
use guild_mcp_client::sign_in::{may_be_opened, revoke};
use guild_model::manifest::{Manifest, Substitution};
use guild_model::status::Status;
use guild_model::{Code, MemberName, Report};
use guild_supervisor::messages::{SigningError, StartError};

use super::GuildHall;
use guild_files::blocking::blocking;
use guild_supervisor::member::{MemberCommand, StartedBy};
use guild_supervisor::signing::{OAuthTarget, SignInRequest, Signer};

/// Timeout of revoking tokens.
const REVOKE_LIMIT: Duration = Duration::from_secs(15);

/// A remote member, with the state of its sign-in.
struct OAuthMember {
    signer: Arc<Signer>,
    manifest: Manifest,
    place: OAuthTarget,
}

impl GuildHall {
    /// Returns the state of a member's sign-in.
    ///
    /// # Errors
    /// `member-unknown`, and the reasons why its address or its stored tokens can't be read.
    pub async fn sign_in_state(&self, member: &MemberName) -> Result<SignInView, Report> {
        let (manifest, _) = self.manifest_and_folder(member).await?;
        if !manifest.may_be_signed_in_to() {
            return Ok(self.inner.context.signings.of(member).view(false));
        }
        let subject = self.signed_in_to(member).await?;
        Ok(subject.signer.view(true))
    }

    /// Starts a sign-in to a member, and returns the address to open in a browser. If a sign-in is
    /// already running, returns its address.
    ///
    /// # Errors
    /// `member-unknown`, `member-disabled`, `member-unreviewed`, `sign-in-unknown`,
    /// `sign-in-failed`, and the reasons why its address or its stored tokens can't be read.
    pub async fn sign_in(&self, member: &MemberName) -> Result<SignInAddress, Report> {
        self.begin_sign_in(member, false).await
    }

    /// Like [`GuildHall::sign_in`], but the user enters a code at the address (RFC 8628). Replaces
    /// a running sign-in.
    ///
    /// # Errors
    /// The errors of [`GuildHall::sign_in`]. `sign-in-failed` if the authorization server supports
    /// no codes.
    pub async fn sign_in_with_code(&self, member: &MemberName) -> Result<SignInAddress, Report> {
        self.cancel_sign_in(member).await?;
        self.begin_sign_in(member, true).await
    }

    /// Gives the running sign-in the redirect address that the browser shows. The `state` and the
    /// issuer in the address are checked like those of a redirect to this computer.
    ///
    /// # Errors
    /// `member-unknown`, `sign-in-unknown`, and `sign-in-failed` if the answer belongs to another
    /// sign-in. The sign-in then keeps waiting.
    pub async fn paste_sign_in(&self, of: PasteSignIn) -> Result<(), Report> {
        let PasteSignIn { member, answer } = of;
        self.member(&member)?;
        let signer = self.inner.context.signings.of(&member);
        let pasted = signer.paste(answer).await.ok_or_else(|| ended(&member))?;
        pasted.map_err(|error| error.report().of(&member))
    }

    async fn begin_sign_in(
        &self,
        member: &MemberName,
        with_code: bool,
    ) -> Result<SignInAddress, Report> {
        self.may_be_reached(member)?;
        let OAuthMember {
            signer,
            manifest,
            place,
        } = self.signed_in_to(member).await?;
        let attempt = SignInRequest {
            place,
            auth: manifest.auth.unwrap_or_default(),
            with_code,
            cancel: self.inner.closing.child_token(),
        };
        let mut stages = signer.stages();
        let (hall, of) = (self.weak(), member.clone());
        let up = async move {
            if let Some(hall) = hall.upgrade() {
                hall.reach_signed_in(&of).await;
            }
        };
        signer.sign_in(attempt, up);
        let looked = |stage: &SignInStage| !matches!(stage, SignInStage::Looking);
        let stage = stages.wait_for(looked).await;
        let stage = stage
            .map(|stage| stage.clone())
            .unwrap_or(SignInStage::Cancelled);
        match (signer.address(), stage) {
            (Some(address), _) => Ok(SignInAddress {
                address,
                sign_in: signer.view(true),
            }),
            (None, SignInStage::Failed { report }) => Err(report),
            (None, _) => Err(ended(member)),
        }
    }

    /// Opens the address of the current sign-in in the system's browser.
    ///
    /// # Errors
    /// `sign-in-unknown`, and `sign-in-failed` if no browser can be started.
    pub async fn open_sign_in(&self, member: &MemberName) -> Result<(), Report> {
        let signer = self.inner.context.signings.of(member);
        let address = signer.address().ok_or_else(|| ended(member))?;
        open_in_browser(&address)
            .await
            .map_err(|report| report.of(member))
    }

    /// Waits until the current sign-in has ended. Returns at once if it has ended already.
    ///
    /// # Errors
    /// `member-unknown`, `sign-in-unknown` if no sign-in was started.
    pub async fn sign_in_ended(&self, member: &MemberName) -> Result<SignInView, Report> {
        self.member(member)?;
        let signer = self.inner.context.signings.of(member);
        let mut stages = signer.stages();
        let over = |stage: &SignInStage| !stage.is_under_way();
        let stage = stages.wait_for(over).await.map(|stage| stage.clone());
        match stage {
            Ok(SignInStage::Idle) | Err(_) => Err(ended(member)),
            Ok(_) => Ok(signer.view(true)),
        }
    }

    /// Cancels a sign-in.
    ///
    /// # Errors
    /// `member-unknown`.
    pub async fn cancel_sign_in(&self, member: &MemberName) -> Result<SignInView, Report> {
        self.member(member)?;
        let signer = self.inner.context.signings.of(member);
        let mut stages = signer.stages();
        signer.give_up();
        let over = |stage: &SignInStage| !stage.is_under_way();
        let _ = stages.wait_for(over).await;
        Ok(signer.view(true))
    }

    /// Revokes a member's tokens if the authorization server supports that, deletes them, and stops
    /// the member. Also works for a removed member, and for a member to which users can no longer
    /// sign in.
    ///
    /// # Errors
    /// The errors of [`GuildHall::sign_in_state`] if no tokens are stored, and the reason why
    /// tokens can't be deleted. If the revocation fails, a warning is published.
    pub async fn sign_out(&self, member: &MemberName) -> Result<SignInView, Report> {
        let (signer, place) = match self.signed_in_to(member).await {
            Ok(OAuthMember { signer, place, .. }) => (signer, Some(place)),
            Err(report) => {
                let left = self.inner.context.signings.left_of(member).await;
                let left = left.map_err(|report| report.of(member))?;
                (left.ok_or(report)?, None)
            }
        };
        let is_possible = place.is_some();
        let proxies = self.inner.context.settings.uses_proxies();
        let secret = place.and_then(|place| place.client_secret);
        signer.give_up();
        let grant = signer
            .signed_out()
            .await
            .map_err(|report| report.of(member))?;
        if let Some(grant) = grant {
            let revoking = revoke(&grant, secret.as_deref(), proxies);
            let revoked = tokio::time::timeout(REVOKE_LIMIT, revoking).await;
            let revoked = revoked.unwrap_or_else(|_| {
                Err(format!("it took longer than {} s", REVOKE_LIMIT.as_secs()))
            });
            if let Err(why) = revoked {
                let trouble = SigningError::NotRevoked(why);
                let mut report = Report::from_error(Code::SignInFailed, &trouble).of(member);
                self.inner.context.values.redactor().report(&mut report);
                self.inner
                    .context
                    .roster
                    .tell(HallEvent::Warning { report });
            }
        }
        // The member is stopped, because its connection may still use the deleted token.
        if let Ok(handle) = self.member(member) {
            let _ = handle.ask(|reply| MemberCommand::Stop { reply }).await;
        }
        Ok(signer.view(is_possible))
    }

    /// Returns the sign-in state of each member to which users can sign in.
    pub(crate) async fn sign_ins(&self) -> Vec<SignInView> {
        let snapshot = self.snapshot();
        let mut views = Vec::new();
        for (member, entry) in snapshot.members.iter() {
            let manifest = entry.manifest.as_ref();
            if manifest.is_some_and(|manifest| manifest.may_be_signed_in_to())
                && let Ok(view) = self.sign_in_state(member).await
            {
                views.push(view);
            }
        }
        views
    }

    /// Checks that Guild Hall is allowed to send requests to the member's server.
    fn may_be_reached(&self, member: &MemberName) -> Result<(), Report> {
        let entry = self.entry(member)?;
        let refused =
            |code, trouble: &StartError| Err(Report::from_error(code, trouble).of(member));
        match entry.view.status {
            Status::Disabled => refused(Code::MemberDisabled, &StartError::SwitchedOff),
            Status::Unreviewed => refused(Code::MemberUnreviewed, &StartError::UnseenReach),
            _ => Ok(()),
        }
    }

    async fn manifest_and_folder(&self, member: &MemberName) -> Result<(Manifest, String), Report> {
        let inspection = self.member(member)?.inspect().await?;
        let folder = inspection.found.folder.to_string_lossy().into_owned();
        Ok((inspection.found.parsed.manifest?, folder))
    }

    /// Returns a member with its current address and its stored tokens.
    async fn signed_in_to(&self, member: &MemberName) -> Result<OAuthMember, Report> {
        let (manifest, folder) = self.manifest_and_folder(member).await?;
        if !manifest.may_be_signed_in_to() {
            let report = Report::from_error(Code::SignInUnknown, &SigningError::NotHere);
            return Err(report.of(member));
        }
        let context = &self.inner.context;
        let given = context.values.for_manifest(&manifest).await;
        let given = given.map_err(|report| report.of(member))?;
        let (own, of) = (Arc::clone(context), manifest.clone());
        let proxies = context.settings.uses_proxies();
        let place = blocking(move || {
            OAuthTarget::of(
                &of,
                &Substitution {
                    port: None,
                    plugin_dir: &folder,
                    guildhall: &own.own_binary,
                    lookup: &given,
                },
                proxies,
            )
        });
        let place = place.await.flatten().map_err(|report| report.of(member))?;
        let signer = context.signings.of(member);
        signer
            .at(place.clone())
            .await
            .map_err(|report| report.of(member))?;
        Ok(OAuthMember {
            signer,
            manifest,
            place,
        })
    }

    /// Starts a member after its sign-in, unless it is ready.
    async fn reach_signed_in(&self, member: &MemberName) {
        let Ok(handle) = self.member(member) else {
            return;
        };
        let start = |reply| MemberCommand::Start {
            by: StartedBy::Person,
            reply,
        };
        // An error of the start is visible in the member's status.
        let _ = handle.ask(start).await;
    }
}

fn ended(member: &MemberName) -> Report {
    Report::from_error(Code::SignInUnknown, &SigningError::NoneUnderWay).of(member)
}

/// Opens the address of a sign-in in the system's browser. The address must use `https`, or be on
/// this machine.
///
/// # Errors
/// `sign-in-failed` if the address is not allowed, or no browser can be started.
pub async fn open_in_browser(address: &str) -> Result<(), Report> {
    let failed =
        |why: String| Report::from_error(Code::SignInFailed, &SigningError::NoBrowser(why));
    may_be_opened(address, address).map_err(failed)?;
    let address = address.to_owned();
    let opening = tokio::task::spawn_blocking(move || guild_process::browser::open(&address));
    match opening.await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(error) => Err(failed(error.to_string())),
    }
}
