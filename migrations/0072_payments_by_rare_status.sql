-- `GET /v3/payment?status=REFUNDED`: the newest payments of one of these statuses, without reading those of the others.
create index payments_rare on payments (platform_id, status, id) where status in ('FAILED', 'REFUNDED', 'EXPIRED');
drop index payments_failed;
