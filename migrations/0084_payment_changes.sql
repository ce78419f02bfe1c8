-- The new status of a payment, and the event about it. It has no row of a table: another node of a cluster does not know the type of the
-- row.
create type payment_change as (
  platform_id             uuid,
  id                      uuid,
  kind                    text,
  status                  text,
  rail                    text,
  amount_cents            bigint,
  sender_id               uuid,
  recipient_platform_id   uuid,
  recipient_id            uuid,
  application_platform_id uuid,
  application_id          uuid,
  destination_id          uuid,
  updated_at              timestamptz,
  event_id                uuid,
  body                    text         -- of the webhook, byte for byte
);
