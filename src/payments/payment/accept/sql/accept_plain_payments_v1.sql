-- Accepts plain payments of a group with one statement, and leaves the others undone: accept_payments_v1, which has all rules, must
-- decide about them. A plain payment is digital, waits to be deposited, is drawn on a bank without a grant or an approval, and goes
-- to a user_id, an email address, a phone number or a name. This function accepts what it can tell at once: all payments of a
-- sender, if it is ready (plain_sender_v1), every payee is a user of the platform or has no account, and nothing is refused or
-- repeated. A test compares both functions on random groups.
--
-- Why a payment is refused is in functions that both call: sender_refusal_v1, limit_refusal_v1, payee_refusal_v1 and standing_v1. This
-- function and plain_sender_v1 repeat the rules below. Change them in both places.
--   lock_senders_v1         the rows that are locked, and their order
--   read_senders_v1         which limits, which day and which bank apply; when an Idempotency-Key was used; when a signature is needed
--   find_payees_v1          how a user_id or an address leads to a payee
--   judge_orders_v1         how the amounts of a sender add up; the check number after the largest one; who gets an invitation
--   take_from_senders_v1    the columns of a sender's counters
--   write_payments_v1       the columns of a new payment
--
--   _platform_id    the platform of all orders, or null if they are of several
--   _platform_ids   all platforms of the orders
--   _senders        JSON array of {platform_id, id}: the senders, each once, sorted by id
--   _orders         JSON array of plain_orders_v1, sorted by sender id
--   _key_ids        ids of the master keys of the caller's ring, if any order has an Idempotency-Key
--   _required       the environment's requirements for a sender
--
-- Returns the accepted payments. Raises: any error.
-- Locks, in this order: counters of the senders, owners (shared), payees (shared).
create or replace function accept_plain_payments_v1(
  _platform_id uuid, _platform_ids uuid[], _senders json, _orders json, _key_ids text[], _required sender_requirements
) returns table (payment_id uuid, number text) language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_material = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  perform 1 -- The rows are locked before anything about the senders is read, as in lock_senders_v1.
  from json_to_recordset(_senders) as s (platform_id uuid, id uuid)
  cross join lateral (
    select from user_counters c where c.platform_id = coalesce(_platform_id, s.platform_id) and c.user_id = s.id for update
  ) locked;

  return query
  with owners as materialized (
    select p.id, w.status from unnest(_platform_ids) p (id)
    cross join lateral (select u.status from users u where u.platform_id = p.id and u.id = p.id for key share) w
  ),
  judged as materialized (
    select
      o.*, o.business_day as today, p.id as payee_id, s.bank_id, s.shown_name, s.expires_at,
      s.day_cents + sum(o.amount_cents) over own as day_cents, s.month_cents + sum(o.amount_cents) over own as month_cents,
      -- After the largest check number the counter starts again at 1.
      (s.next_check_number - 2 + count(*) filter (where o.given_number is null) over own) % 100000000 + 1 as taken_number,
      (s.next_check_number - 1 + count(*) filter (where o.given_number is null) over own) % 100000000 + 1 as next_number,
      lead(o.place) over own is null as is_last_of_sender,
      array_position(_key_ids, (select k.value from settings k where k.name = 'digest_key')) as digest_place,
      s.is_ready
        and limit_refusal_v1(o.amount_cents, s.payment_limit,
          s.day_limit - s.day_cents + o.amount_cents - (sum(o.amount_cents) over own)::bigint,
          s.month_limit - s.month_cents + o.amount_cents - (sum(o.amount_cents) over own)::bigint) is null
        and payee_refusal_v1(o.sender_id, s.external_id, s.phone, o.recipient_email, o.recipient_phone, o.is_reachable,
          null, null, p.id, p.status, null, false, null, null) is null
        and (p.id is not null or o.recipient_email is null or not exists ( -- A payment to the owner of another platform is not plain.
          select from receiving_addresses r where r.email_hash = sha256(convert_to(o.recipient_email, 'UTF8'))
        )) as is_acceptable
    from plain_orders_v1(_orders) o
    join owners w on w.id = o.platform_id
    cross join lateral plain_sender_v1(
      coalesce(_platform_id, o.platform_id), o.sender_id, o.funding_id, o.amount_cents, o.created_at, o.business_day, o.key_at, o.key_digests,
      w.status, _required
    ) s
    left join lateral (
      select e.id, e.status from users e where e.platform_id = coalesce(_platform_id, o.platform_id)
        and e.external_id = o.recipient and e.deleted_at is null for key share
    ) p on true
    window own as (partition by o.sender_id order by o.place rows unbounded preceding) -- Its order and the earlier ones of the same sender.
  ),
  verdict as materialized (
    select array(
      select j.sender_id from judged j group by j.sender_id
      having min(j.today) = max(j.today) and bool_and(j.is_acceptable and (j.key_digests is null or j.digest_place is not null))
    ) as senders
  ),
  counted as (
    insert into user_counters as c (platform_id, user_id, next_check_number, sent_on, sent_day_cents, sent_month_cents)
    select j.platform_id, j.sender_id, j.next_number, j.today, j.day_cents, j.month_cents
    from verdict v, judged j
    where j.sender_id = any (v.senders) and j.is_last_of_sender
    on conflict (platform_id, user_id) do update -- A sender's counters always have a row, as in take_from_senders_v1.
    set next_check_number = excluded.next_check_number, sent_on = excluded.sent_on, sent_day_cents = excluded.sent_day_cents,
        sent_month_cents = excluded.sent_month_cents
  )
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id, recipient_id,
    sender_name, funding_kind, funding_id, description, comment, remittance_advice, deposit_options, pin_description, pin_sealed,
    status, created_at, updated_at, expires_at, invitation, key_at, key_day, key_digest, fingerprint, first_status, answer_version
  )
  select
    j.platform_id, j.id, j.sender_id, 'DIGITAL', coalesce(j.given_number, j.taken_number::text), j.number_is_text, j.amount_cents,
    j.name, j.recipient, case when j.payee_id is not null then j.platform_id end, j.payee_id,
    case when j.payee_id is not null then j.shown_name end, 'bank', j.bank_id, j.description, j.comment, j.remittance_advice,
    j.deposit_options, j.pin_description, j.pin_sealed, 'UNPAID', j.created_at, j.created_at, j.expires_at,
    case when j.recipient_email is not null and j.payee_id is null then 'DUE' end, j.key_at, j.key_day,
    j.key_digests[j.digest_place], j.fingerprints[j.digest_place], case when j.key_day is not null then 'UNPAID' end, j.answer_version
  from verdict v, judged j where j.sender_id = any (v.senders)
  returning payments.id, payments.number;
end $$;
