-- Whether each refresh returns a new refresh token and revokes the previous one.
alter table applications add column rotates_refresh_tokens boolean not null default false;
