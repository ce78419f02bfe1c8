-- The member who made a key has seen its secret. Keys of users are listed by it when the member is removed.
alter table api_keys add column made_by uuid; -- a login
create index api_keys_made_by on api_keys (platform_id, made_by) where made_by is not null;
