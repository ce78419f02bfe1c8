-- Serves the list of one status, PENDING or FAILED. Without it, the pending deliveries of a platform were found by reading all of
-- its deliveries, or all of its backlog, depending on how many pending deliveries the other platforms had.
drop index deliveries_failed;
create index deliveries_undelivered on deliveries (platform_id, status, event_id, endpoint_id) where status <> 'DELIVERED';
