-- The payees of an approval when a person approved it: see payee_state_v1. Null: before this was recorded.
alter table approval_votes add column payee_state text;
