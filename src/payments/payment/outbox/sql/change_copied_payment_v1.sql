-- Applies a change of a payment from another platform: the status of the recipient's copy, and the event with its deliveries.
--
--   _platform_id   of the recipient or of the application
--   _position      of the message
--   _content       see record_payment_events_v1
--   applied        false if the change was applied before
--   is_due         whether a webhook is now due
--
-- Raises an exception if the recipient has no copy.
-- Locks: the payment on this platform (advisory), then the copy.
create or replace function change_copied_payment_v1(
  _platform_id uuid, _payment_id uuid, _position bigint, _content json, out applied boolean, out is_due boolean
) language plpgsql as $$
declare
  change record;
  recipient uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('news of ' || _platform_id::text || _payment_id::text, 0));
  select * into change
  from json_to_record(_content) as c (
    is_recipient boolean, status text, updated_at timestamptz, real_at timestamptz, event_id uuid, body text, application_id uuid
  );
  if coalesce(change.is_recipient, false) then
    applied := claim_copied_payment_v1(_platform_id, _payment_id, _position);
    update received_payments
    set status = change.status, updated_at = change.updated_at
    where applied and platform_id = _platform_id and payment_id = _payment_id
    returning user_id into recipient;
  else
    applied := not exists (select from events where platform_id = _platform_id and id = change.event_id);
  end if;
  is_due := applied and deliver_payment_news_v1(_platform_id, array[row(
    _platform_id, change.event_id, _payment_id, change.body, change.updated_at,
    change.real_at + platform_offset_v1(_platform_id),
    case when recipient is not null then array[recipient, _platform_id] end, change.application_id
  )::payment_news], 'CHECK');
end $$;
