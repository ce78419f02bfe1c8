-- When the owner of a session last gave the password or a code after signing in; null: not since.
alter table sessions add column proved_at timestamptz;

-- The client secret for the developer settings, which show it again. Null: made before, only its hash is known.
alter table applications add column secret_sealed bytea;
