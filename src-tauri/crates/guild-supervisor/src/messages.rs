//! Messages about members: starts, calls, reviews and discovery, with an enum for each subject.

#![expect(missing_docs, reason = "the messages document the variants")]

mod dev;
mod oauth;
mod prediction;
mod review;
mod start;

pub use self::dev::{DevError, ExampleNote, WatchProblem};
pub use self::oauth::SigningError;
pub use self::prediction::{
    AnswerProblem, EndpointProblem, NoPrediction, PredictionAdvice, PredictionError,
    PredictionRefusal,
};
pub use self::review::{ReviewError, ReviewProblem};
pub use self::start::{
    AfterConnecting, AfterCrashes, AfterExit, CacheError, Circumstance, LastWords, ListAdvice,
    MemberOrigin, NotListening, OddTool, PortAddresses, StartError, Who,
};

#[cfg(test)]
mod tests;
