-- As before, but an owner that is stopped stops the users of its platform too. Its row is held: of a suspension and a
-- payment at the same time, one comes first. The row is read once, because a recipient is on the same platform or is an
-- owner itself.
create or replace function accept_payments_v1(
  _orders json,
  -- what the environment asks of a sender: null or false where it asks nothing
  _payment_limit bigint, _day_limit bigint, _month_limit bigint, _signature_above bigint, _must_be_verified boolean
)
-- `left_cents`: what the limits leave, where one refused it; `is_due`: there is something for the webhooks to do
returns table (payment_id uuid, outcome text, answer text, left_cents bigint, is_due boolean) language plpgsql
-- Otherwise PostgreSQL plans the statements of a small group anew each time, which takes as long as they do.
set plan_cache_mode = force_generic_plan
as $$
declare
  asked record;
  place integer := 0;
  payment payments;
  today date;
  claim record;
  allowed grants;
  counter record;
  sender record;
  wallet record;
  payee record;
  login_id uuid;
  login_verified_at timestamptz;
  leg legs;
  outcomes acceptance[];
  accepted payments[];
  new_legs legs[];
  new_events payment_event[];
  new_answers idempotency_records[];
begin
  is_due := false;
  for asked in
    select *
    from json_to_recordset(_orders) o (
      -- the row, as far as it is known before the locks
      payment json,
      -- idempotency; a null digest means that the request carried no key
      key_digest bytea, fingerprint bytea, lock bigint, real_now timestamptz,
      -- to whom, beside what the row says: a user here by its id, an owner by e-mail; or somebody outside
      recipient_id uuid, recipient_email text, recipient_phone text, is_reachable boolean,
      -- the answer around the number, which is known under the lock only
      answer_head text, answer_tail text,
      -- when it is deposited at once: its event and its first leg
      event_id uuid, event_body text, leg json,
      -- what it does to wallets: the rows of the posting rules, or null
      postings json,
      -- a PDF in base64
      attachment_name text, attachment text
    )
  loop
    place := place + 1;
    payment := json_populate_record(null::payments, asked.payment);
    payment_id := payment.id;
    today := (payment.created_at at time zone 'UTC')::date;
    allowed := null;
    login_id := null;
    answer := null;
    left_cents := null;
    <<checks>>
    begin
      if asked.key_digest is not null then
        claim := claim_idempotency_key_v1(
          payment.platform_id, asked.key_digest, asked.fingerprint, asked.lock, asked.real_now
        );
        if claim.outcome <> 'new' then
          outcome := claim.outcome;
          answer := claim.answer;
          exit checks;
        end if;
      end if;

      -- Locked until the payment is there: it cannot be revoked meanwhile, and makes one payment at a time.
      if payment.grant_id is not null then
        select g.* into allowed
        from grants g
        where g.platform_id = payment.platform_id and g.id = payment.grant_id
        for no key update;
        if not found or allowed.revoked_at is not null or allowed.spent_at is not null then
          outcome := 'invalid_token';
          exit checks;
        end if;
      end if;

      -- Locked before anything of the sender is read: who changes its status or its banks locks this row too.
      select
        c.next_check_number, c.debt_cents,
        case when c.sent_on = today then c.sent_day_cents else 0 end as day_cents,
        case when date_trunc('month', c.sent_on) = date_trunc('month', today) then c.sent_month_cents else 0 end
          as month_cents
      into counter
      from user_counters c
      where c.platform_id = payment.platform_id and c.user_id = payment.sender_id
      for update;

      select
        u.status, standing_v1(u.status, o.status) as standing, u.external_id, u.phone, u.expiration_days,
        coalesce(l.payment_cents, _payment_limit) as payment_limit,
        coalesce(l.day_cents, _day_limit) as day_limit, coalesce(l.month_cents, _month_limit) as month_limit,
        b.id as bank_id, b.status as bank_status, b.account_digest
      into sender
      from users u
      join users o on o.platform_id = u.platform_id and o.id = u.platform_id
      left join user_limits l on l.platform_id = u.platform_id and l.user_id = u.id
      left join banks b on payment.funding_kind = 'bank' and b.platform_id = u.platform_id and b.user_id = u.id
        and b.deleted_at is null
        and case when payment.funding_id is null then b.is_default else b.id = payment.funding_id end
      where u.platform_id = payment.platform_id and u.id = payment.sender_id and u.deleted_at is null
      for key share of o;
      if not found then
        outcome := 'unauthorized';
        exit checks;
      end if;
      if sender.standing <> 'ACTIVE' then
        outcome := 'user_not_active';
        exit checks;
      end if;

      if counter.debt_cents > 0 then
        outcome := 'debt_open ' || counter.debt_cents;
        exit checks;
      end if;
      if _must_be_verified and sender.status <> 'VERIFIED' then
        outcome := 'user_not_verified';
        exit checks;
      end if;
      outcome := case -- a limit that is null refuses nothing
        when payment.amount_cents > sender.payment_limit then 'payment_limit'
        when counter.day_cents + payment.amount_cents > sender.day_limit then 'day_limit'
        when counter.month_cents + payment.amount_cents > sender.month_limit then 'month_limit'
      end;
      if outcome is not null then
        left_cents := greatest(0, least(
          sender.payment_limit, sender.day_limit - counter.day_cents, sender.month_limit - counter.month_cents
        ));
        exit checks;
      end if;
      if payment.amount_cents > _signature_above then
        perform 1
        from signatures g
        where g.platform_id = payment.platform_id and g.user_id = payment.sender_id;
        if not found then
          outcome := 'signature_needed';
          exit checks;
        end if;
      end if;

      if payment.funding_kind = 'wallet' then
        -- Both wallets of a payment between two, always in the same order: two such payments cannot wait for each
        -- other.
        perform 1
        from wallets w
        where w.platform_id = payment.platform_id and w.id in (payment.funding_id, payment.destination_id)
        order by w.id
        for update;
        select w.id, w.balance_cents - w.held_cents as available_cents into wallet
        from wallets w
        where w.platform_id = payment.platform_id and w.id = payment.funding_id and w.user_id = payment.sender_id
          and w.deleted_at is null;
        if not found then
          outcome := 'bank_not_found';
          exit checks;
        end if;
        if wallet.available_cents < payment.amount_cents then
          outcome := 'insufficient_funds';
          exit checks;
        end if;
      else
        if sender.bank_id is null then
          outcome := case when payment.funding_id is null then 'no_verified_bank' else 'bank_not_found' end;
          exit checks;
        end if;
        if sender.bank_status <> 'VERIFIED' then
          outcome := coalesce(
            'bank_blocked ' || account_block_v1(payment.platform_id, payment.sender_id, sender.account_digest, false),
            case when payment.funding_id is null then 'no_verified_bank' else 'bank_not_verified' end
          );
          exit checks;
        end if;
        payment.funding_id := sender.bank_id;
      end if;

      -- The recipient: a user of the platform, then an owner anywhere here, then somebody outside (api.md 5). Who is
      -- found is held: it cannot be suspended or deleted before this payment to it is there.
      select u.platform_id, u.id, u.status into payee
      from users u
      where u.platform_id = payment.platform_id and u.external_id = payment.recipient and u.deleted_at is null
      for key share;
      if not found and asked.recipient_id is not null then
        select u.platform_id, u.id, u.status into payee
        from users u
        where u.platform_id = payment.platform_id and u.id = asked.recipient_id and u.deleted_at is null
        for key share;
      end if;
      payment.recipient_platform_id := payee.platform_id;
      payment.recipient_id := payee.id;
      if payment.recipient_id is null and payment.destination_id is not null then
        outcome := 'recipient_not_found';
        exit checks;
      end if;
      if payment.recipient_id is null and asked.recipient_email is not null then
        select l.platform_id, l.email_verified_at into login_id, login_verified_at
        from logins l
        where l.email = asked.recipient_email;
        if login_verified_at is not null then
          payment.recipient_platform_id := login_id;
          payment.recipient_id := login_id;
        end if;
        select u.platform_id, u.id, u.status into payee
        from users u
        where u.platform_id = payment.recipient_platform_id and u.id = payment.recipient_id and u.deleted_at is null
        for key share;
      end if;
      if payment.recipient_id is null and not asked.is_reachable then
        outcome := 'invalid_recipient';
        exit checks;
      end if;
      -- The one rule for paying oneself: by id, or by a user_id, phone or e-mail address of the sender in any notation
      -- that nobody else here has. Numbers are compared in E.164, addresses in lower case.
      if payment.recipient_id = payment.sender_id
        or payment.recipient_id is null and (
          asked.recipient_phone in (sender.phone, sender.external_id)
          or asked.recipient_email = lower(sender.external_id)
          or login_id = payment.sender_id
        )
      then
        outcome := 'own_recipient';
        exit checks;
      end if;
      if payment.recipient_id is not null and (payee.id is null or payee.status in ('SUSPENDED', 'CLOSED')) then
        outcome := 'recipient_not_active';
        exit checks;
      end if;
      if payment.destination_id is not null then
        outcome := destination_refusal_v1(
          payment.recipient_platform_id, payment.recipient_id, payment.destination_kind, payment.destination_id
        );
        if outcome is not null then
          exit checks;
        end if;
      end if;
      outcome := 'accepted';
    end checks;

    if outcome = 'accepted' then
      update user_counters c
      set
        -- The counter begins again after the largest number.
        next_check_number =
          case when payment.number is null then c.next_check_number % 100000000 + 1 else c.next_check_number end,
        sent_on = today,
        sent_day_cents = counter.day_cents + payment.amount_cents,
        sent_month_cents = counter.month_cents + payment.amount_cents
      where c.platform_id = payment.platform_id and c.user_id = payment.sender_id;
      -- The grant of one payment is spent in the transaction of that payment, so of two racing requests one wins.
      if allowed.scope = 'single-use' then
        update grants g
        set spent_at = asked.real_now, spent_by_key_digest = asked.key_digest
        where g.platform_id = payment.platform_id and g.id = payment.grant_id;
      end if;
      if asked.postings is not null then
        is_due := post_transfers_v1(payment.platform_id, asked.postings, payment.id, null, payment.created_at) or is_due;
      end if;

      payment.number := coalesce(payment.number, counter.next_check_number::text);
      payment.application_id := allowed.application_id;
      payment.application_platform_id := allowed.application_platform_id;
      payment.expires_at := payment.created_at + make_interval(days => sender.expiration_days);
      if payment.recipient_id is null and asked.recipient_email is not null then
        payment.invitation := 'DUE';
      end if;
      accepted := accepted || payment;
      if asked.event_id is not null then
        new_events := new_events || row(payment, asked.event_id, asked.event_body)::payment_event;
      end if;
      if asked.leg is not null then
        leg := json_populate_record(null::legs, asked.leg);
        leg.account_id := case when leg.purpose = 'payment_pull' then payment.funding_id else leg.account_id end;
        new_legs := new_legs || leg;
      end if;
      if asked.attachment is not null then
        insert into attachments (platform_id, payment_id, filename, pdf)
        values (payment.platform_id, payment.id, asked.attachment_name, decode(asked.attachment, 'base64'));
      end if;
      answer := asked.answer_head
        || case when payment.number_is_text then to_json(payment.number)::text else payment.number end
        || asked.answer_tail;
      if asked.key_digest is not null then
        new_answers := new_answers || row(
          payment.platform_id, asked.key_digest, asked.fingerprint, 201, answer, null, asked.real_now
        )::idempotency_records;
      end if;
    end if;
    outcomes := outcomes || row(payment_id, outcome, answer, left_cents)::acceptance;
  end loop;

  place := null;
  if accepted is not null then
    insert into payments select p.* from unnest(accepted) p;
    insert into incoming (
      platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name,
      recipient, description, comment, status, created_at, updated_at
    )
    select
      p.recipient_platform_id, p.recipient_id, p.id, p.platform_id, coalesce(u.business_name, u.name), p.kind, p.number,
      p.number_is_text, p.amount_cents, p.name, p.recipient, p.description, p.comment, p.status, p.created_at,
      p.updated_at
    from unnest(accepted) p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where p.recipient_id is not null;
  end if;
  if new_legs is not null then
    insert into legs select l.* from unnest(new_legs) l;
  end if;
  if new_events is not null then
    is_due := cardinality(record_payment_events_v1(new_events)) > 0 or is_due;
  end if;
  if new_answers is not null then
    perform record_idempotent_answers_v1(new_answers);
  end if;
  return query
  select r.payment_id, r.outcome, r.answer, r.left_cents, is_due
  from unnest(outcomes) r;
exception when others then
  raise exception using errcode = sqlstate, message = sqlerrm, hint = coalesce(place::text, '');
end $$;
