//! The gateway over real connections, with a backend that is made up.

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
