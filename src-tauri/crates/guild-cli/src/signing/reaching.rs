//! What a hall is asked about signing in.

use guild_core::wire::{OfMember, SignInAddress, SignInView};
use guild_core::{MemberName, Report};

use crate::reach::Reach;

fn of(member: &MemberName) -> OfMember {
    OfMember {
        member: member.clone(),
    }
}

impl Reach {
    /// Finds out where a person signs in to a member.
    pub(super) async fn sign_in(&self, member: &MemberName) -> Result<SignInAddress, Report> {
        match self {
            Self::Own(hall) => hall.sign_in(member).await,
            Self::Running(visit) => visit.lock().await.ask("sign_in", &of(member)).await,
        }
    }

    /// Waits until the sign-in under way has ended.
    pub(super) async fn sign_in_ended(&self, member: &MemberName) -> Result<SignInView, Report> {
        match self {
            Self::Own(hall) => hall.sign_in_ended(member).await,
            Self::Running(visit) => visit.lock().await.ask("sign_in_ended", &of(member)).await,
        }
    }

    /// Gives it up.
    pub(super) async fn cancel_sign_in(&self, member: &MemberName) -> Result<SignInView, Report> {
        match self {
            Self::Own(hall) => hall.cancel_sign_in(member).await,
            Self::Running(visit) => visit.lock().await.ask("cancel_sign_in", &of(member)).await,
        }
    }

    /// Gives a member's tokens back and forgets them.
    pub(super) async fn sign_out(&self, member: &MemberName) -> Result<SignInView, Report> {
        match self {
            Self::Own(hall) => hall.sign_out(member).await,
            Self::Running(visit) => visit.lock().await.ask("sign_out", &of(member)).await,
        }
    }
}
