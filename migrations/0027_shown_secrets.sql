-- When the owner last confirmed the session by password or code after signing in.
alter table sessions add column proved_at timestamptz;

-- The client secret, for the developer settings to show. Null: the application is older than this column, and only the
-- hash is stored.
alter table applications add column secret_sealed bytea;
