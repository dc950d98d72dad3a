//! Tests of the gateway over real connections, with a fake backend.

mod client;
mod crowd;
mod fake;
mod hearing;
mod http;
mod legacy;
mod limits;
mod modern;
mod questions;
mod stream;
