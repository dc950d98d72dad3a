//! What the command line says to people. Answers in JSON are for programs and the same everywhere;
//! what went wrong is said as the engine says it, in English, by its code.

mod de;
pub(crate) mod help;
