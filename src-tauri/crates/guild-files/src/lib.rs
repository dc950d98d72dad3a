//! Files and folders: atomic writes, watching, the members folder, the trash and sample members.

pub mod blocking;
pub mod clock;
pub mod editor;
pub mod files;
pub mod members_folder;
pub mod messages;
pub mod own_program;
pub mod removed;
pub mod samples;
