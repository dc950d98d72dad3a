//! Prepares reviews: the launch, the differences of tools, suspicious passages, and the saved
//! calls, policies and profiles that a change breaks.

mod breakage;
mod difference;
mod launch;
mod offer;
mod schemas;
mod suspicion;
mod text;

pub use breakage::{ToolUses, breakages};
pub use difference::difference;
pub use launch::{launch_changes, launch_view};
pub use offer::{is_offer, offer_list, offer_name, offer_spec, template_of};
pub use suspicion::{NameIndex, NameProbe, OtherTool, suspicions};
pub use text::{is_hidden, pieces, visible};
