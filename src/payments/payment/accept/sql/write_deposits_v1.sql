-- Inserts the first legs and the events of accepted payments that are deposited at once.
--
--   _platform_id   the platform of all orders, or null if they are of several
--   _deposits      see accept_payments_v1
--
-- Returns whether a webhook or a message to another platform is now due.
create or replace function write_deposits_v1(
  _platform_id uuid, _orders payment_order[], _made acceptance[], _deposits json
) returns boolean language plpgsql as $$
declare
  changes payment_change[];
begin
  insert into legs (
    platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
    file_at, created_at
  )
  select
    o.platform_id, o.leg_id, o.purpose, o.id, o.leg_user_id,
    case when o.purpose = 'payment_pull' then o.taken_funding_id else o.account_id end,
    o.leg_rail, o.direction, o.amount_cents, o.leg_status, o.next_event, o.next_at, o.file_at, o.created_at
  from rows from (
    unnest(_orders),
    unnest(_made),
    json_to_recordset(_deposits) as (
      leg_id uuid, purpose text, leg_user_id uuid, account_id uuid, leg_rail text, direction text, leg_status text, next_event text,
      next_at timestamptz, file_at timestamptz
    )
  ) o
  where o.leg_id is not null and o.outcome = 'accepted';

  -- The new rows are not read again: a statement without tables needs no node of a cluster.
  changes := array(
    select row(
      o.platform_id, o.id, o.kind, o.status, o.rail, o.amount_cents, o.sender_id, o.payee_platform_id, o.payee_id,
      o.application_platform_id, o.application_id, o.destination_id, o.created_at, o.event_id, o.event_body
    )::payment_change
    from rows from (
      unnest(_orders),
      unnest(_made),
      json_to_recordset(_deposits) as (kind text, status text, rail text, event_id uuid, event_body text)
    ) o
    where o.event_id is not null and o.outcome = 'accepted'
  );
  return record_payment_events_v1(_platform_id, changes);
end $$;
