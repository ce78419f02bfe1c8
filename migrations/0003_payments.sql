create table payments (
  platform_id           uuid not null,
  id                    uuid not null,
  sender_id             uuid not null,
  kind                  text not null check (kind in ('DIGITAL')),
  number                text not null,
  number_is_text        boolean not null,   -- the caller's number is answered as the type it came in
  amount_cents          bigint not null check (amount_cents > 0),
  name                  text not null,
  recipient             text not null,      -- as the sender named it
  recipient_platform_id uuid,
  recipient_id          uuid,               -- when the recipient is a user here
  funding_id            uuid not null,      -- the bank it is drawn on
  destination_id        uuid,               -- the bank it is paid into
  description           text,
  comment               text,
  remittance_advice     json,
  deposit_options       text[] not null,
  pin_description       text,
  pin_sealed            bytea,
  status                text not null check (status in ('UNPAID', 'IN_PROCESS', 'PAID', 'FAILED', 'PRINTED', 'VOID', 'EXPIRED', 'MAILED', 'REFUNDED')),
  rail                  text,
  return_code           text,
  deposited_at          timestamptz,        -- when it was last said where the money goes
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  expires_at            timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/check: what a user sent, newest first.
create index payments_sender on payments (platform_id, sender_id, created_at desc, id desc);

-- Payments that expire, and nothing but them.
create index payments_expires_at on payments (expires_at) where status in ('UNPAID', 'PRINTED', 'MAILED');

-- The recipient's side of a payment, on the recipient's platform: what its lists, reads and deposits use. Only
-- change_payment_status writes it after it was made.
create table incoming (
  platform_id        uuid not null,
  user_id            uuid not null,
  payment_id         uuid not null,
  sender_platform_id uuid not null,
  sender             text not null,
  kind               text not null,
  number             text not null,
  number_is_text     boolean not null,
  amount_cents       bigint not null,
  name               text not null,
  recipient          text not null,
  description        text,
  comment            text,
  status             text not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (platform_id, payment_id)
);

-- GET /v3/check: what a user receives, newest first.
create index incoming_user on incoming (platform_id, user_id, created_at desc, payment_id desc);

create table attachments (
  platform_id uuid not null,
  payment_id  uuid not null,
  filename    text,
  pdf         bytea not null,
  primary key (platform_id, payment_id)
);

-- Writes an event of a payment and its deliveries: to the endpoints of sender, recipient and their owners, one for
-- each distinct URL and key owner (api.md 7). Returns the endpoints that now have something to do.
create function record_payment_event(_payment payments, _event_id uuid, _body text, _now timestamptz)
returns uuid[] language plpgsql as $$
declare
  due uuid[];
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select distinct party.platform_id, _event_id, 'PAYMENT', _payment.id, _body, _now
  from (values (_payment.platform_id), (_payment.recipient_platform_id)) party (platform_id)
  where party.platform_id is not null;

  with delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (e.platform_id, e.user_id, e.url)
      e.platform_id, e.id, _event_id, _payment.id, 'PENDING', _now
    from (
      values
        (_payment.platform_id, _payment.sender_id),
        (_payment.platform_id, _payment.platform_id),
        (_payment.recipient_platform_id, _payment.recipient_id),
        (_payment.recipient_platform_id, _payment.recipient_platform_id)
    ) party (platform_id, user_id)
    join endpoints e on e.platform_id = party.platform_id and e.user_id = party.user_id and e.removed_at is null
    order by e.platform_id, e.user_id, e.url, e.created_at
    returning endpoint_id
  )
  select array_agg(endpoint_id) into due from delivered;
  return coalesce(due, '{}');
end $$;

-- The one place where a payment changes its status: applies one event of the state table (payment-status.ts), on both
-- sides, and writes the event for the webhooks. `changed` is false when the payment is not in a state it may leave.
create function change_payment_status(
  _platform_id uuid, _payment_id uuid, _from text[], _to text, _rail text, _destination_id uuid, _return_code text,
  _event_id uuid, _body text, _now timestamptz,
  out changed boolean, out endpoint_ids uuid[]
) language plpgsql as $$
declare
  payment payments;
begin
  update payments
  set
    status = _to, rail = _rail, destination_id = _destination_id, return_code = _return_code, updated_at = _now,
    -- A deposit, a print-out and a check given to the printer lead here, and nothing else does.
    deposited_at = case when _to in ('IN_PROCESS', 'PRINTED') then _now else deposited_at end
  where platform_id = _platform_id and id = _payment_id and status = any (_from)
  returning * into payment;
  changed := found;
  if not changed then
    return;
  end if;
  update incoming
  set status = _to, updated_at = _now
  where platform_id = payment.recipient_platform_id and payment_id = _payment_id;
  endpoint_ids := record_payment_event(payment, _event_id, _body, _now);
end $$;

-- Accepts a payment: one call, which returns its outcome and raises nothing for a refusal. All checks come first, under
-- the sender's lock; nothing is written unless all of them held (design.md, "Commit together").
create function accept_payment(
  -- idempotency; a null digest means that the request carried no key
  _key_digest bytea, _fingerprint bytea, _lock bigint, _real_now timestamptz,
  -- who sends, from what
  _platform_id uuid, _sender_id uuid, _funding_id uuid,
  -- to whom: a user here by id or user_id, an owner by e-mail, or somebody outside
  _recipient text, _recipient_id uuid, _recipient_email text, _is_reachable boolean, _destination_id uuid,
  -- what
  _id uuid, _kind text, _number text, _number_is_text boolean, _amount_cents bigint, _name text, _description text,
  _comment text, _remittance_advice json, _deposit_options text[], _pin_description text, _pin_sealed bytea,
  _attachment_name text, _attachment bytea, _now timestamptz,
  -- the answer around the number, which is known under the lock only
  _answer_head text, _answer_tail text,
  -- the event of a deposit in the same transaction
  _rail text, _event_id uuid, _event_body text,
  out outcome text, out answer text, out endpoint_ids uuid[]
) language plpgsql as $$
declare
  claim record;
  sender record;
  bank record;
  payee record;
  payee_platform_id uuid;
  payee_id uuid;
  payment payments;
begin
  endpoint_ids := '{}';

  if _key_digest is not null then
    claim := claim_idempotency_key(_platform_id, _key_digest, _fingerprint, _lock, _real_now);
    if claim.outcome <> 'new' then
      outcome := claim.outcome;
      answer := claim.answer;
      return;
    end if;
  end if;

  -- Locked before anything of the sender is read: who changes its status or its banks locks this row too.
  perform 1
  from user_counters c
  where c.platform_id = _platform_id and c.user_id = _sender_id
  for update;

  select u.status, u.expiration_days, coalesce(u.business_name, u.name) as display_name, c.next_check_number
  into sender
  from users u
  join user_counters c on c.platform_id = u.platform_id and c.user_id = u.id
  where u.platform_id = _platform_id and u.id = _sender_id and u.deleted_at is null;
  if not found then
    outcome := 'unauthorized';
    return;
  end if;
  if sender.status in ('SUSPENDED', 'CLOSED') then
    outcome := 'user_not_active';
    return;
  end if;

  select b.id, b.status into bank
  from banks b
  where b.platform_id = _platform_id and b.user_id = _sender_id and b.deleted_at is null
    and case when _funding_id is null then b.is_default else b.id = _funding_id end;
  if not found then
    outcome := case when _funding_id is null then 'no_verified_bank' else 'bank_not_found' end;
    return;
  end if;
  if bank.status <> 'VERIFIED' then
    outcome := case when _funding_id is null then 'no_verified_bank' else 'bank_not_verified' end;
    return;
  end if;

  -- The recipient: a user of the platform, then an owner anywhere here, then somebody outside (api.md 5).
  select u.platform_id, u.id into payee_platform_id, payee_id
  from users u
  where u.platform_id = _platform_id and u.deleted_at is null
    and (u.external_id = _recipient or (_recipient_id is not null and u.id = _recipient_id))
  order by u.external_id is distinct from _recipient
  limit 1;
  if payee_id is null and _destination_id is not null then
    outcome := 'recipient_not_found';
    return;
  end if;
  if payee_id is null and _recipient_email is not null then
    select l.platform_id, l.platform_id into payee_platform_id, payee_id
    from logins l
    where l.email = _recipient_email and l.email_verified_at is not null;
  end if;
  if payee_id is null and not _is_reachable then
    outcome := 'invalid_recipient';
    return;
  end if;
  if payee_id = _sender_id then
    outcome := 'own_recipient';
    return;
  end if;
  if payee_id is not null then
    -- Held: the user cannot be suspended or deleted before this payment to it is there.
    select u.status into payee
    from users u
    where u.platform_id = payee_platform_id and u.id = payee_id and u.deleted_at is null
    for key share;
    if not found or payee.status in ('SUSPENDED', 'CLOSED') then
      outcome := 'recipient_not_active';
      return;
    end if;
  end if;
  if _destination_id is not null then
    -- Held: the bank cannot be deleted before this payment into it is there.
    perform 1
    from banks b
    where b.platform_id = payee_platform_id and b.id = _destination_id and b.user_id = payee_id and b.deleted_at is null
    for key share;
    if not found then
      outcome := 'destination_not_found';
      return;
    end if;
  end if;

  if _number is null then
    update user_counters c
    set next_check_number = c.next_check_number % 100000000 + 1 -- it begins again after the largest
    where c.platform_id = _platform_id and c.user_id = _sender_id;
  end if;
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_id, description, comment, remittance_advice, deposit_options, pin_description, pin_sealed,
    status, created_at, updated_at, expires_at
  )
  values (
    _platform_id, _id, _sender_id, _kind, coalesce(_number, sender.next_check_number::text), _number_is_text,
    _amount_cents, _name, _recipient, payee_platform_id, payee_id, bank.id, _description, _comment,
    _remittance_advice, _deposit_options, _pin_description, _pin_sealed, 'UNPAID', _now, _now,
    _now + make_interval(days => sender.expiration_days)
  )
  returning * into payment;
  if payee_id is not null then
    insert into incoming (
      platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name,
      recipient, description, comment, status, created_at, updated_at
    )
    values (
      payee_platform_id, payee_id, _id, _platform_id, sender.display_name, _kind, payment.number, _number_is_text,
      _amount_cents, _name, _recipient, _description, _comment, 'UNPAID', _now, _now
    );
  end if;
  if _attachment is not null then
    insert into attachments (platform_id, payment_id, filename, pdf)
    values (_platform_id, _id, _attachment_name, _attachment);
  end if;
  if _destination_id is not null then
    endpoint_ids := (
      change_payment_status(
        _platform_id, _id, array['UNPAID'], 'IN_PROCESS', _rail, _destination_id, null, _event_id, _event_body, _now
      )
    ).endpoint_ids;
  end if;

  outcome := 'accepted';
  answer := _answer_head || case when _number_is_text then to_json(payment.number)::text else payment.number end || _answer_tail;
  if _key_digest is not null then
    perform record_idempotent_answer(_platform_id, _key_digest, _fingerprint, 201, answer, null, _real_now);
  end if;
end $$;
