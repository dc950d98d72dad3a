-- The id of the call's trace (W3C Trace Context).
ALTER TABLE calls ADD COLUMN trace_id TEXT;
