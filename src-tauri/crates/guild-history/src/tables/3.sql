-- How members' tool lists changed. Ids are never given twice: whoever has one means that change.
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    -- Tells the list from another.
    list TEXT NOT NULL,
    -- How many tools the list had.
    count INTEGER NOT NULL,
    -- What the revision takes, about.
    bytes INTEGER NOT NULL,
    -- JSON: the names that were added, removed and changed.
    diff TEXT NOT NULL,
    -- JSON: what each of these tools said before and after; nothing where that is too much.
    tools TEXT
) STRICT;

CREATE INDEX revisions_by_member ON revisions (member, id);
