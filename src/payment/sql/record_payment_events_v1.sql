-- What record_payment_events_v2 did before it named the platform, for the functions of release 2.
create or replace function record_payment_events_v1(_events payment_event[]) returns boolean language plpgsql as $$
begin
  return record_payment_events_v2(null, _events);
end $$;
