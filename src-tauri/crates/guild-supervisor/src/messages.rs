//! Messages about members: starts, calls, reviews and discovery, with an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

mod dev;
mod oauth;
mod prediction;
mod review;
mod start;

pub use self::dev::{DevTrouble, ExampleNote, WatchWrong};
pub use self::oauth::SigningTrouble;
pub use self::prediction::{
    AnswerWrong, EndpointWrong, NoPrediction, PredictionAdvice, PredictionRefusal,
    PredictionTrouble,
};
pub use self::review::{ReviewTrouble, ReviewWrong};
pub use self::start::{
    AfterConnecting, AfterCrashes, AfterExit, CacheTrouble, Circumstance, LastWords, ListAdvice,
    MemberOrigin, NotListening, OddTool, PortAddresses, StartTrouble, Who,
};

#[cfg(test)]
mod tests;
