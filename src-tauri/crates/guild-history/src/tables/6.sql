-- Which agent may read the call's result again: the random part of its handle, its client and its endpoint.
ALTER TABLE calls ADD COLUMN reader TEXT;
