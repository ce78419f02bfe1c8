-- Inserts the first legs and the events of accepted payments that are deposited at once.
--
--   _platform_id   the platform of all payments, or null if they are of several
--   _deposits      see accept_payments_v2
--
-- Returns whether a webhook or a message to another platform is now due.
create or replace function write_deposits_v2(_platform_id uuid, _made acceptance[], _deposits json) returns boolean language plpgsql as $$
declare
  changes payment_change[];
begin
  insert into legs (
    platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
    file_at, created_at
  )
  select
    l.platform_id, l.id, l.purpose, l.subject_id, l.user_id,
    case when l.purpose = 'payment_pull' then m.taken_funding_id else l.account_id end,
    l.rail, l.direction, l.cents, l.status, l.next_event, l.next_at, l.file_at, l.created_at
  from json_to_recordset(_deposits) as d (payment_id uuid, leg legs)
  join unnest(_made) m on m.payment_id = d.payment_id and m.outcome = 'accepted'
  cross join lateral (select (d.leg).*) l
  where l.id is not null;

  -- Not an assignment: Citus would send the type of the variable to a node that does not know it.
  select array_agg(row(
    p.platform_id, p.id, p.kind, p.status, p.rail, p.amount_cents, p.sender_id, p.recipient_platform_id, p.recipient_id,
    p.application_platform_id, p.application_id, p.destination_id, p.updated_at, d.event_id, d.event_body
  )::payment_change) into changes
  from json_to_recordset(_deposits) as d (platform_id uuid, payment_id uuid, event_id uuid, event_body text)
  join unnest(_made) m on m.payment_id = d.payment_id and m.outcome = 'accepted'
  left join payments p on p.platform_id = coalesce(_platform_id, d.platform_id) and p.id = d.payment_id;
  return record_payment_events_v3(_platform_id, changes);
end $$;
