-- A payment to a recipient of the same platform has no copy: the recipient reads the row of the payment.
alter table payments add column sender_name text; -- when it was sent; null for a payee without an account
alter type acceptance add attribute sender_name text;
update payments p
set sender_name = r.sender
from received_payments r
where r.sender_platform_id = p.platform_id and r.payment_id = p.id;
delete from received_payments where platform_id = sender_platform_id;

-- GET /v3/check: payments received from the same platform, newest first.
create index payments_recipient on payments (platform_id, recipient_id, created_at desc, id desc)
  where recipient_platform_id is not distinct from platform_id;
