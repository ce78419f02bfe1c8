-- What record_payment_events_v3 did before it named the platform, for the functions of release 2.
create or replace function record_payment_events_v1(_events payment_event[]) returns boolean language plpgsql as $$
begin
  return record_payment_events_v3(null, array(
    select row(
      (h.payment).platform_id, (h.payment).id, (h.payment).kind, (h.payment).status, (h.payment).rail, (h.payment).amount_cents,
      (h.payment).sender_id, (h.payment).recipient_platform_id, (h.payment).recipient_id, (h.payment).application_platform_id,
      (h.payment).application_id, (h.payment).destination_id, (h.payment).updated_at, h.event_id, h.body
    )::payment_change
    from unnest(_events) h
  ));
end $$;
