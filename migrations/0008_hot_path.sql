-- The age is looked at after the row was found by its key. In the condition it offers the index of the ages as a second
-- way, which a plan made while the table was small takes, and then reads the records of a whole day for each request.
create or replace function claim_idempotency_key(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _lock bigint, _now timestamptz,
  out outcome text, out status smallint, out answer text, out answer_sealed bytea
) language plpgsql as $$
declare
  known record;
begin
  if not pg_try_advisory_xact_lock(_lock) then
    outcome := 'in_flight';
    return;
  end if;
  select r.fingerprint, r.status, r.answer, r.answer_sealed, r.created_at
  into known
  from idempotency_records r
  where r.platform_id = _platform_id and r.key_digest = _key_digest;
  if not found or known.created_at <= _now - interval '24 hours' then
    outcome := 'new';
    return;
  end if;
  outcome := case when known.fingerprint = _fingerprint then 'replayed' else 'mismatch' end;
  status := known.status;
  answer := known.answer;
  answer_sealed := known.answer_sealed;
end $$;

-- As before, with a statement for each lock and none for what is known already: the recipient is looked for by one name
-- at a time, each by its index, and held as it is found.
-- Accepts a payment: one call, which returns its outcome and raises nothing for a refusal. All checks come first, under
-- the locks of the grant, the sender and its wallet; nothing is written unless all of them held (design.md, "Commit
-- together").
create or replace function accept_payment(
  -- idempotency; a null digest means that the request carried no key
  _key_digest bytea, _fingerprint bytea, _lock bigint, _real_now timestamptz,
  -- who sends, from what; the grant of the application that acts for the sender, if one does
  _platform_id uuid, _sender_id uuid, _funding_kind text, _funding_id uuid, _grant_id uuid,
  -- what the environment asks of a sender: null or false where it asks nothing
  _payment_limit bigint, _day_limit bigint, _month_limit bigint, _signature_above bigint, _must_be_verified boolean,
  -- to whom: a user here by id or user_id, an owner by e-mail, or somebody outside
  _recipient text, _recipient_id uuid, _recipient_email text, _is_reachable boolean,
  _destination_kind text, _destination_id uuid,
  -- what
  _id uuid, _kind text, _number text, _number_is_text boolean, _amount_cents bigint, _name text, _description text,
  _comment text, _remittance_advice json, _deposit_options text[], _pin_description text, _pin_sealed bytea,
  _attachment_name text, _attachment bytea, _address json, _mail_type text, _now timestamptz,
  -- the answer around the number, which is known under the lock only
  _answer_head text, _answer_tail text,
  -- a deposit in the same transaction: the status it leads to, its event, its first leg
  _status text, _rail text, _event_id uuid, _event_body text, _leg json,
  -- what it does to wallets: the rows of the posting rules, or null
  _postings json,
  -- `left_cents`: what the limits leave, where one refused it
  out outcome text, out answer text, out endpoint_ids uuid[], out left_cents bigint
) language plpgsql as $$
declare
  claim record;
  allowed grants;
  today date := (_now at time zone 'UTC')::date;
  counter record;
  sender record;
  funding_id uuid := _funding_id;
  wallet record;
  payee record;
  payee_platform_id uuid;
  payee_id uuid;
  number_text text;
  leg legs;
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

  -- Locked until the payment is there: it cannot be revoked meanwhile, and makes one payment at a time.
  if _grant_id is not null then
    select g.* into allowed
    from grants g
    where g.platform_id = _platform_id and g.id = _grant_id
    for no key update;
    if not found or allowed.revoked_at is not null or allowed.spent_at is not null then
      outcome := 'invalid_token';
      return;
    end if;
  end if;

  -- Locked before anything of the sender is read: who changes its status or its banks locks this row too.
  select
    c.next_check_number,
    case when c.sent_on = today then c.sent_day_cents else 0 end as day_cents,
    case when date_trunc('month', c.sent_on) = date_trunc('month', today) then c.sent_month_cents else 0 end as month_cents
  into counter
  from user_counters c
  where c.platform_id = _platform_id and c.user_id = _sender_id
  for update;

  select
    u.status, u.expiration_days, coalesce(u.business_name, u.name) as display_name,
    coalesce(l.payment_cents, _payment_limit) as payment_limit, coalesce(l.day_cents, _day_limit) as day_limit,
    coalesce(l.month_cents, _month_limit) as month_limit, b.id as bank_id, b.status as bank_status
  into sender
  from users u
  left join user_limits l on l.platform_id = u.platform_id and l.user_id = u.id
  left join banks b on _funding_kind = 'bank' and b.platform_id = u.platform_id and b.user_id = u.id
    and b.deleted_at is null and case when _funding_id is null then b.is_default else b.id = _funding_id end
  where u.platform_id = _platform_id and u.id = _sender_id and u.deleted_at is null;
  if not found then
    outcome := 'unauthorized';
    return;
  end if;
  if sender.status in ('SUSPENDED', 'CLOSED') then
    outcome := 'user_not_active';
    return;
  end if;

  if _must_be_verified and sender.status <> 'VERIFIED' then
    outcome := 'user_not_verified';
    return;
  end if;
  outcome := case -- a limit that is null refuses nothing
    when _amount_cents > sender.payment_limit then 'payment_limit'
    when counter.day_cents + _amount_cents > sender.day_limit then 'day_limit'
    when counter.month_cents + _amount_cents > sender.month_limit then 'month_limit'
  end;
  if outcome is not null then
    left_cents := greatest(
      least(sender.payment_limit, sender.day_limit - counter.day_cents, sender.month_limit - counter.month_cents), 0
    );
    return;
  end if;
  if _amount_cents > _signature_above then
    perform 1
    from signatures g
    where g.platform_id = _platform_id and g.user_id = _sender_id;
    if not found then
      outcome := 'signature_needed';
      return;
    end if;
  end if;

  if _funding_kind = 'wallet' then
    -- Both wallets of a payment between two, always in the same order: two such payments cannot wait for each other.
    perform 1
    from wallets w
    where w.platform_id = _platform_id and w.id in (_funding_id, _destination_id)
    order by w.id
    for update;
    select w.id, w.balance_cents - w.held_cents as available_cents into wallet
    from wallets w
    where w.platform_id = _platform_id and w.id = _funding_id and w.user_id = _sender_id and w.deleted_at is null;
    if not found then
      outcome := 'bank_not_found';
      return;
    end if;
    if wallet.available_cents < _amount_cents then
      outcome := 'insufficient_funds';
      return;
    end if;
  else
    if sender.bank_id is null then
      outcome := case when _funding_id is null then 'no_verified_bank' else 'bank_not_found' end;
      return;
    end if;
    if sender.bank_status <> 'VERIFIED' then
      outcome := case when _funding_id is null then 'no_verified_bank' else 'bank_not_verified' end;
      return;
    end if;
    funding_id := sender.bank_id;
  end if;

  -- The recipient: a user of the platform, then an owner anywhere here, then somebody outside (api.md 5). Who is found
  -- is held: it cannot be suspended or deleted before this payment to it is there.
  select u.platform_id, u.id, u.status into payee
  from users u
  where u.platform_id = _platform_id and u.external_id = _recipient and u.deleted_at is null
  for key share;
  if not found and _recipient_id is not null then
    select u.platform_id, u.id, u.status into payee
    from users u
    where u.platform_id = _platform_id and u.id = _recipient_id and u.deleted_at is null
    for key share;
  end if;
  payee_platform_id := payee.platform_id;
  payee_id := payee.id;
  if payee_id is null and _destination_id is not null then
    outcome := 'recipient_not_found';
    return;
  end if;
  if payee_id is null and _recipient_email is not null then
    select l.platform_id, l.platform_id into payee_platform_id, payee_id
    from logins l
    where l.email = _recipient_email and l.email_verified_at is not null;
    select u.platform_id, u.id, u.status into payee
    from users u
    where u.platform_id = payee_platform_id and u.id = payee_id and u.deleted_at is null
    for key share;
  end if;
  if payee_id is null and not _is_reachable then
    outcome := 'invalid_recipient';
    return;
  end if;
  if payee_id = _sender_id then
    outcome := 'own_recipient';
    return;
  end if;
  if payee_id is not null and (payee.id is null or payee.status in ('SUSPENDED', 'CLOSED')) then
    outcome := 'recipient_not_active';
    return;
  end if;
  if _destination_id is not null then
    if not hold_destination(payee_platform_id, payee_id, _destination_kind, _destination_id) then
      outcome := 'destination_not_found';
      return;
    end if;
  end if;

  update user_counters c
  set
    -- The counter begins again after the largest number.
    next_check_number = case when _number is null then c.next_check_number % 100000000 + 1 else c.next_check_number end,
    sent_on = today,
    sent_day_cents = counter.day_cents + _amount_cents,
    sent_month_cents = counter.month_cents + _amount_cents
  where c.platform_id = _platform_id and c.user_id = _sender_id;
  number_text := coalesce(_number, counter.next_check_number::text);
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_kind, funding_id, description, comment, remittance_advice, deposit_options, pin_description, pin_sealed,
    address, mail_type, application_id, application_platform_id, grant_id, status, created_at, updated_at, expires_at,
    invitation
  )
  values (
    _platform_id, _id, _sender_id, _kind, number_text, _number_is_text,
    _amount_cents, _name, _recipient, payee_platform_id, payee_id, _funding_kind, funding_id,
    _description, _comment,
    _remittance_advice, _deposit_options, _pin_description, _pin_sealed,
    _address, _mail_type, allowed.application_id, allowed.application_platform_id, _grant_id, 'UNPAID', _now, _now,
    _now + make_interval(days => sender.expiration_days),
    case when payee_id is null and _recipient_email is not null then 'DUE' end
  );
  if payee_id is not null then
    insert into incoming (
      platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name,
      recipient, description, comment, status, created_at, updated_at
    )
    values (
      payee_platform_id, payee_id, _id, _platform_id, sender.display_name, _kind, number_text, _number_is_text,
      _amount_cents, _name, _recipient, _description, _comment, 'UNPAID', _now, _now
    );
  end if;
  if _attachment is not null then
    insert into attachments (platform_id, payment_id, filename, pdf)
    values (_platform_id, _id, _attachment_name, _attachment);
  end if;
  if _postings is not null then
    perform post_transfers(_platform_id, _postings, _id, null, _now);
  end if;
  if _status is not null then
    endpoint_ids := (
      change_payment_status(
        _platform_id, _id, array['UNPAID'], _status, _rail, _destination_kind, _destination_id, null, null, _event_id,
        _event_body, _now
      )
    ).endpoint_ids;
  end if;
  if _leg is not null then
    leg := json_populate_record(null::legs, _leg);
    leg.account_id := case when leg.purpose = 'payment_pull' then funding_id else leg.account_id end;
    insert into legs select leg.*;
  end if;

  -- The grant of one payment is spent in the transaction of that payment, so of two racing requests one wins.
  if allowed.scope = 'single-use' then
    update grants g
    set spent_at = _real_now, spent_by_key_digest = _key_digest
    where g.platform_id = _platform_id and g.id = _grant_id;
  end if;

  outcome := 'accepted';
  answer := _answer_head || case when _number_is_text then to_json(number_text)::text else number_text end || _answer_tail;
  if _key_digest is not null then
    perform record_idempotent_answer(_platform_id, _key_digest, _fingerprint, 201, answer, null, _real_now);
  end if;
end $$;
