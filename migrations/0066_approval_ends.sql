-- How prepared payments end, and who made a payment.
alter table approvals add column expires_at timestamptz;                   -- null: it has ended
alter table approvals add column outcome    text check (outcome in ('RELEASED', 'VOIDED', 'REJECTED', 'EXPIRED'));
alter table approvals add column ended_by   uuid;
alter table approvals add column reason     text;                          -- of a rejection
update approvals set expires_at = created_at + interval '30 days' where status = 'UNPAID';

-- The approvals that expire next, of a platform and of all.
create index approvals_expires on approvals (platform_id, expires_at) where expires_at is not null;
create index approvals_expires_at on approvals (expires_at) where expires_at is not null;

alter table payments add column prepared_by uuid;                          -- null: nobody prepared it
alter table payments add column released_by uuid;
alter table payments add column batch_id    uuid;
