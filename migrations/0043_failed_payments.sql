-- GET /v3/payment by a status that few payments have, and what needs attention.
create index payments_failed on payments (platform_id, id) where status in ('FAILED', 'REFUNDED', 'EXPIRED');
