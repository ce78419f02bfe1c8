-- A leg to an account of another platform was returned, or its bank sent a correction.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('payment_created', 'payment_changed', 'audited', 'card_moved', 'account_returned', 'account_corrected'));
