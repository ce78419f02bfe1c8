-- The list of ended approvals, the latest end first.
create index approvals_ended on approvals (platform_id, user_id, updated_at, id) where status <> 'UNPAID';
