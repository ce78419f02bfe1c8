-- An approval can be of a payment to several recipients. Its pin_sealed holds their PINs as JSON.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('DIGITAL', 'PHYSICAL', 'MULTI')) not valid;
alter table approvals validate constraint approvals_kind_check;
