-- Whether the file may still have something of calls that were removed: there is a row while a removal has
-- not come to its end.
CREATE TABLE leavings (
    one INTEGER PRIMARY KEY CHECK (one = 1)
) STRICT;
