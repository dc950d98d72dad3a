//! What a person is shown before they accept something: what a member runs, how its tools differ,
//! what looks as if it were to deceive, and what a change breaks.

mod breakage;
mod difference;
mod launch;
mod offer;
mod schemas;
mod suspicion;
mod text;

pub use breakage::{Uses, breakages};
pub use difference::difference;
pub use launch::{launch_changes, launch_view};
pub use offer::{is_offer, offer_list, offer_name, offer_spec, template_of};
pub use suspicion::{NameIndex, NameProbe, OtherTool, suspicions};
pub(crate) use text::is_hidden;
pub use text::{pieces, visible};
