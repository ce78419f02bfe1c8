-- A mail about a payment brings a link of its own, and earlier ones stay good: a payment can have several.
drop index recipient_links_payment;
create index recipient_links_payment on recipient_links (platform_id, payment_id);
