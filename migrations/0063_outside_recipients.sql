-- Several recipients can include people without an account. Each gets its own mail and its own link.
-- invitation: null for a user of the platform; invite_at: when a delayed mail is due.
alter table payment_recipients alter column user_id drop not null;
alter table payment_recipients add column invitation text check (invitation in ('DUE', 'SENT')), add column invite_at timestamptz;
alter table payment_recipients
  add constraint payment_recipients_invitation_user check (num_nulls(user_id, invitation) = 1) not valid;
alter table payment_recipients validate constraint payment_recipients_invitation_user;

-- Mails that are due.
create index payment_recipients_due on payment_recipients (platform_id, payment_id) where invitation = 'DUE';

-- A link can be of one of several recipients.
alter table recipient_links add column position integer not null default 0;
