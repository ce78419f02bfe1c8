-- Whether each refresh gives a new refresh token and ends the previous one.
alter table applications add column rotates_refresh_tokens boolean not null default false;
