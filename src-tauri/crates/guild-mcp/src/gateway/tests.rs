//! The gateway over real connections, with a directory that is made up.

mod fake;
mod legacy;
