-- The calls of an agent, in the order of their ends.
CREATE INDEX calls_of_agents ON calls (client, session, id) WHERE caller = 'agent';
