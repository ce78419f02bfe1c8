-- The user that the recipient of an approval was when it was prepared or edited. A release that would pay another one is refused.
alter table approvals
  add column payee_platform_id uuid,
  add column payee_id          uuid,                          -- null: somebody without a user
  add column editors           uuid[] not null default '{}';  -- everybody who edited it
update approvals set editors = array[edited_by];
-- contract: no release has used it
alter table approvals drop column edited_by;
