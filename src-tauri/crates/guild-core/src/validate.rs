//! Placeholder until its author writes it.
