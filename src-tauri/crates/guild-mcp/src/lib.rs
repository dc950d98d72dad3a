//! guild-mcp
