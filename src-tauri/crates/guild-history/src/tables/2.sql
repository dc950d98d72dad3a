-- Which of several agents asked for a call, by the name that a person knows it by.
ALTER TABLE calls ADD COLUMN client TEXT;
