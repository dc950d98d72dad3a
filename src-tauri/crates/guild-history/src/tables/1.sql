-- What a list shows of each call. Ids are never given twice: whoever has one means that call.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    caller TEXT NOT NULL,
    member TEXT NOT NULL,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT,
    duration_ms INTEGER NOT NULL,
    size INTEGER NOT NULL,
    summary TEXT NOT NULL,
    -- What the call takes in all tables together, about.
    bytes INTEGER NOT NULL
) STRICT;

CREATE INDEX calls_by_time ON calls (at_ms);

-- The large part of each call, apart, so that a list never reads it.
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,
    -- JSON: the places that were masked.
    masked TEXT NOT NULL,
    -- A digest of the tool's input schema.
    schema TEXT,
    -- The MCP result as JSON text, where there is one.
    result TEXT,
    truncated INTEGER NOT NULL,
    -- JSON: why there is no result.
    failure TEXT
) STRICT;

-- Which words each call has. The words themselves stand nowhere else; see `tokens.rs`.
CREATE VIRTUAL TABLE words USING fts5 (
    of_call,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii',
    prefix = '1 2 3 4'
);

-- One row: how much there is, so that nobody has to count.
CREATE TABLE totals (
    calls INTEGER NOT NULL,
    bytes INTEGER NOT NULL
) STRICT;

INSERT INTO totals (calls, bytes) VALUES (0, 0);

CREATE TABLE saved_calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member TEXT NOT NULL,
    tool TEXT NOT NULL,
    name TEXT NOT NULL,
    arguments TEXT NOT NULL,
    masked TEXT NOT NULL,
    saved_at_ms INTEGER NOT NULL,
    UNIQUE (member, tool, name)
) STRICT;

CREATE TABLE drafts (
    member TEXT NOT NULL,
    tool TEXT NOT NULL,
    draft TEXT NOT NULL,
    kept_at_ms INTEGER NOT NULL,
    UNIQUE (member, tool)
) STRICT;
