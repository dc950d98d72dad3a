-- The agent's MCP session, as a digest of its id.
ALTER TABLE calls ADD COLUMN session TEXT;
