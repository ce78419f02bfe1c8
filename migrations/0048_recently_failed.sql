-- GET /v3/attention: the payments that failed lately.
create index payments_failed_at on payments (platform_id, updated_at) where status = 'FAILED';
