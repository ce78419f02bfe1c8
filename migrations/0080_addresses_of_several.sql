-- People without an account among several recipients, for whoever verifies the address later. PINs keep them for their links.
insert into recipient_addresses (email_hash, platform_id, subject_id, kind, due)
select sha256(convert_to(lower(recipient), 'UTF8')), platform_id, payment_id, 'payment', 0
from payment_recipients
where user_id is null and pin_sealed is null
on conflict do nothing;
update receiving_addresses set is_new = true where verified_at is not null;
