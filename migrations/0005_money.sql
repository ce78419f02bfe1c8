-- The time of a platform, where it can be moved: so many milliseconds ahead of the real one. While it is on its way it
-- stands at what fell due last.
create table platform_clocks (
  platform_id  uuid primary key,
  offset_ms    bigint not null default 0 check (offset_ms >= 0),
  advancing_to timestamptz
);

-- Platforms whose clock is on its way.
create index platform_clocks_advancing on platform_clocks (advancing_to) where advancing_to is not null;

create function platform_offset(_platform_id uuid) returns interval language sql stable as $$
  select coalesce(
    (select make_interval(secs => c.offset_ms / 1000.0) from platform_clocks c where c.platform_id = _platform_id),
    interval '0'
  )
$$;

-- Money that a user holds here: the only stored balances. Never below zero, and what is held is there.
create table wallets (
  platform_id   uuid not null,
  id            uuid not null,
  user_id       uuid not null,
  name          text not null,
  balance_cents bigint not null default 0 check (balance_cents >= 0),
  held_cents    bigint not null default 0 check (held_cents >= 0),
  created_at    timestamptz not null,
  deleted_at    timestamptz,
  primary key (platform_id, id),
  check (held_cents <= balance_cents)
);

-- The wallets of a user.
create index wallets_user on wallets (platform_id, user_id, created_at) where deleted_at is null;

-- Where a user can be paid beside banks and wallets. Of a number only the last four digits are kept, or it is sealed.
create table destinations (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  kind           text not null check (kind in ('card', 'paypal', 'venmo', 'interac', 'wire')),
  details        json not null,
  account_sealed bytea,
  created_at     timestamptz not null,
  deleted_at     timestamptz,
  primary key (platform_id, id)
);

-- The destinations of a user.
create index destinations_user on destinations (platform_id, user_id, kind, created_at) where deleted_at is null;

-- Double entry: cents go from the debited ledger account to the credited one. A pending transfer is a hold; it is posted
-- or voided, and nothing else is ever changed. A ledger account is a text: 'wallet:ID', 'payable', 'clearing:RAIL',
-- 'micro_deposits', 'receivable:USER', 'world'.
create table transfers (
  platform_id uuid not null,
  id          uuid not null,
  debit       text not null,
  credit      text not null,
  cents       bigint not null check (cents > 0),
  status      text not null check (status in ('PENDING', 'POSTED', 'VOIDED')),
  reason      text not null,                -- the row of the posting rules
  payment_id  uuid,
  leg_id      uuid,
  created_at  timestamptz not null,
  ended_at    timestamptz,                  -- a pending one was posted or voided
  primary key (platform_id, id),
  check (debit <> credit),
  check (status <> 'PENDING' or ended_at is null)
);

-- The transfers of a payment.
create index transfers_payment on transfers (platform_id, payment_id) where payment_id is not null;

-- What happened to a wallet, newest first.
create index transfers_debit on transfers (platform_id, debit, created_at desc, id desc) where debit like 'wallet:%';
create index transfers_credit on transfers (platform_id, credit, created_at desc, id desc) where credit like 'wallet:%';

-- One movement over one rail: a debit pulls, a credit pushes. `next_event` is what its rail does at `next_at`.
create table legs (
  platform_id  uuid not null,
  id           uuid not null,
  purpose      text not null check (purpose in ('payment_pull', 'payment_push', 'payment_refund', 'micro_deposit')),
  subject_id   uuid not null,               -- the payment, or the bank
  user_id      uuid not null,               -- whose account it is
  account_id   uuid,                        -- bank or destination; null for paper
  rail         text not null,
  direction    text not null check (direction in ('debit', 'credit')),
  cents        bigint not null check (cents > 0),
  status       text not null check (status in ('WAITING', 'SENT', 'SETTLED', 'TRUSTED', 'RETURNED', 'CANCELLED')),
  next_event   text check (next_event in ('send', 'settle', 'trust', 'return')),
  next_at      timestamptz,
  fate         text check (fate in ('slow', 'corrected', 'returned', 'returned_late')), -- what the sandbox lets happen to it
  return_code  text,                        -- with which it comes back, or came back
  file_at      timestamptz,                 -- the cut-off for which it waits to be put into a file
  created_at   timestamptz not null,
  sent_at      timestamptz,
  settled_at   timestamptz,
  returned_at  timestamptz,
  primary key (platform_id, id),
  check ((next_event is null) = (next_at is null))
);

-- What falls due on a platform, in order; and the platforms on which something does.
create index legs_next_at on legs (platform_id, next_at, id) where next_at is not null;
create index legs_due on legs (next_at) where next_at is not null;

-- What waits for a file.
create index legs_file_at on legs (rail, file_at) where file_at is not null;

-- The legs of a payment or a bank.
create index legs_subject on legs (platform_id, subject_id);

-- NACHA files for the bank, for all platforms: they go together into few files. The bytes are sealed, and committed with
-- the entries before anything is written.
create table ach_files (
  id             uuid primary key,
  name           text not null unique,
  creation_date  date not null,             -- with the modifier, how the bank tells files apart
  modifier       text not null,
  effective_date date not null,
  sent_before    bigint not null,           -- entries of all files before this one: the trace numbers count on
  entry_count    bigint not null,
  content_sealed bytea not null,
  created_at     timestamptz not null,
  written_at     timestamptz,               -- it lay, whole, in the folder
  unique (creation_date, modifier)
);

-- The last file; and those that are not written yet.
create unique index ach_files_sent_before on ach_files (sent_before);
create index ach_files_unwritten on ach_files (sent_before) where written_at is null;

-- Which leg an entry stands for; none, when it balances its batch. A leg is in one file, once.
create table ach_entries (
  file_id      uuid not null references ach_files,
  trace_number text not null,
  platform_id  uuid,
  leg_id       uuid,
  primary key (file_id, trace_number),
  unique (platform_id, leg_id)
);

-- What a return or a notification of change is about: trace numbers begin anew some day, the last one counts.
create index ach_entries_trace_number on ach_entries (trace_number);

-- What the bank sent. Nothing is taken twice from one content, whatever its name.
create table ach_inbound_files (
  id           uuid primary key,
  name         text not null,
  content_hash bytea not null,
  kind         text check (kind in ('nacha', 'acknowledgement')), -- null: it could not be read
  is_used      boolean not null,
  report       text,                        -- what was set aside, and why; without account numbers
  read_at      timestamptz not null,
  unique (content_hash, name)
);

create unique index ach_inbound_files_used on ach_inbound_files (content_hash) where is_used;

-- Entries that nobody but a person can use.
create table ach_set_aside (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,
  trace_number    text,
  reason          text not null,
  primary key (inbound_file_id, line)
);

-- Notifications of change: what is right from now on, sealed.
create table ach_corrections (
  inbound_file_id  uuid not null references ach_inbound_files,
  line             integer not null,
  platform_id      uuid not null,
  leg_id           uuid not null,
  change_code      text not null,
  corrected_sealed bytea not null,
  is_applied       boolean not null,
  primary key (inbound_file_id, line)
);

-- What became of files at the bank, in the order of its reports.
create table ach_acknowledgements (
  inbound_file_id uuid not null references ach_inbound_files,
  position        integer not null,
  file_id         uuid not null references ach_files,
  outcome         text not null check (
    outcome in ('accepted', 'accepted_with_errors', 'pending', 'duplicate', 'rejected')
  ),
  errors          json not null,
  primary key (inbound_file_id, position)
);

-- Files about checks: for the printer their PDF and a list of them, for the bank a list of those that are stopped. The
-- bytes are sealed, and committed with what they are about before anything is written.
create table print_files (
  id          uuid primary key,
  kind        text not null check (kind in ('print', 'stop')),
  pdf_sealed  bytea,
  list_sealed bytea not null,
  created_at  timestamptz not null,
  written_at  timestamptz,                  -- it lay, whole, in the folder
  check ((kind = 'print') = (pdf_sealed is not null))
);

-- Those that are not written yet.
create index print_files_unwritten on print_files (created_at, id) where written_at is null;

-- What the bank sent about paid checks. Nothing is taken twice from one content, whatever its name.
create table paid_files (
  id           uuid primary key,
  name         text not null,
  content_hash bytea not null,
  is_used      boolean not null,
  report       text,                        -- what was set aside, and why; without account numbers
  read_at      timestamptz not null,
  unique (content_hash, name)
);

create unique index paid_files_used on paid_files (content_hash) where is_used;

-- Checks on the operator's account that are out, or were. What became of one is the status of its leg.
create table paper_checks (
  platform_id    uuid not null,
  leg_id         uuid not null,
  payment_id     uuid not null,
  account_digest bytea not null,            -- HMAC of the account number
  account_last4  text not null,
  number         text not null,             -- without leading zeros, as banks differ in them
  cents          bigint not null check (cents > 0),
  print_file_id  uuid references print_files, -- null: whoever got it printed it
  stopped_at     timestamptz,
  stop_file_id   uuid references print_files deferrable initially deferred, -- the list is known when they are taken
  paid_file_id   uuid references paid_files,
  paid_line      integer,
  paid_on        date,
  primary key (platform_id, leg_id),
  check ((paid_file_id is null) = (paid_on is null)),
  check (stop_file_id is null or stopped_at is not null)
);

-- Which check a paid item is about.
create index paper_checks_number on paper_checks (account_digest, number);

-- What the next stop file lists.
create index paper_checks_to_stop on paper_checks (stopped_at) where stopped_at is not null and stop_file_id is null;

-- In the order of their platform, as due work is done.
create index payments_platform_expires_at on payments (platform_id, expires_at)
where status in ('UNPAID', 'PRINTED', 'MAILED');

-- A failed payment whose money is here goes back to its sender when nobody deposits it anew.
alter table payments
  add column funding_kind text not null default 'bank' check (funding_kind in ('bank', 'wallet')),
  add column destination_kind text
    check (destination_kind in ('bank', 'wallet', 'card', 'paypal', 'venmo', 'interac', 'wire')),
  add column refund_at timestamptz;

create index payments_refund_at on payments (platform_id, refund_at) where refund_at is not null;

-- Paper goes to an address.
alter table payments
  add column address json,
  add column mail_type text check (mail_type in ('USPS_FIRST_CLASS', 'OVERNIGHT', 'TWO_DAY', 'USPS_CERTIFIED'));
alter table payments drop constraint payments_kind_check;
alter table payments add constraint payments_kind_check check (kind in ('DIGITAL', 'PHYSICAL'));

-- Somebody outside is told of a payment by e-mail. Accepting a payment only marks it; a background step makes the link and
-- writes the mail.
alter table payments add column invitation text check (invitation in ('DUE', 'SENT'));

-- The payments of a platform whose recipient is still to be told.
create index payments_invitation on payments (platform_id, id) where invitation = 'DUE';

-- The link in that e-mail, one of each payment: whoever has it can say where the money goes.
create table recipient_links (
  token_hash   bytea primary key,           -- SHA-256 of the token
  platform_id  uuid not null,
  payment_id   uuid not null,
  wrong_pins   integer not null default 0,
  locked_until timestamptz,                 -- after wrong PINs
  sent_at      timestamptz[] not null,      -- when it was sent, and those before it, lately
  expires_at   timestamptz not null         -- with the payment
);

-- The link of a payment, which a new one replaces.
create unique index recipient_links_payment on recipient_links (platform_id, payment_id);

-- Links that are too old to show even what became of the payment.
create index recipient_links_expires_at on recipient_links (expires_at);

-- Limits that the operator set for a user; where one is null, or without a row, that of the environment holds.
create table user_limits (
  platform_id   uuid not null,
  user_id       uuid not null,
  payment_cents bigint check (payment_cents > 0),
  day_cents     bigint check (day_cents > 0),
  month_cents   bigint check (month_cents > 0),
  primary key (platform_id, user_id)
);

-- What a user sent on the day of its last payment and in that month (GMT), for the limits: kept under the lock that every
-- payment takes. A payment that is voided stays counted: limits that voiding refills would limit nothing.
alter table user_counters
  add column sent_on date,
  add column sent_day_cents bigint not null default 0,
  add column sent_month_cents bigint not null default 0;

-- Posts rows of the posting rules (ledger/posting-rules.ts) and keeps the balances of wallets, which the caller has locked.
-- A wallet that cannot cover a row raises: the check constraints of wallets are the last word.
create function post_transfers(_platform_id uuid, _postings json, _payment_id uuid, _leg_id uuid, _now timestamptz)
returns void language plpgsql as $$
declare
  posting record;
  moved bigint;
begin
  for posting in
    select *
    from json_to_recordset(_postings) as p (id uuid, mode text, debit text, credit text, cents bigint, reason text)
  loop
    moved := posting.cents;
    if posting.mode in ('hold', 'post') then
      insert into transfers (
        platform_id, id, debit, credit, cents, status, reason, payment_id, leg_id, created_at
      )
      values (
        _platform_id, posting.id, posting.debit, posting.credit, moved,
        case posting.mode when 'hold' then 'PENDING' else 'POSTED' end, posting.reason, _payment_id, _leg_id, _now
      );
    else
      update transfers
      set status = case posting.mode when 'post_held' then 'POSTED' else 'VOIDED' end, ended_at = _now
      where platform_id = _platform_id and payment_id = _payment_id and debit = posting.debit
        and credit = posting.credit and status = 'PENDING'
      returning cents into strict moved;
    end if;
    if posting.debit like 'wallet:%' then
      update wallets
      set
        balance_cents = balance_cents - case when posting.mode in ('post', 'post_held') then moved else 0 end,
        held_cents = held_cents
          + case posting.mode when 'hold' then moved when 'post' then 0 else -moved end
      where platform_id = _platform_id and id = substr(posting.debit, 8)::uuid;
    end if;
    if posting.credit like 'wallet:%' and posting.mode in ('post', 'post_held') then
      -- What comes back late to a wallet that was deleted meanwhile must not be out of sight.
      update wallets
      set balance_cents = balance_cents + moved, deleted_at = null
      where platform_id = _platform_id and id = substr(posting.credit, 8)::uuid;
    end if;
  end loop;
end $$;

-- Keeps what a payment is paid into from being deleted until the end of the transaction.
create function hold_destination(_platform_id uuid, _user_id uuid, _kind text, _id uuid)
returns boolean language plpgsql as $$
begin
  case _kind
    when 'bank' then
      perform 1 from banks
      where platform_id = _platform_id and id = _id and user_id = _user_id and deleted_at is null
      for key share;
    when 'wallet' then
      perform 1 from wallets
      where platform_id = _platform_id and id = _id and user_id = _user_id and deleted_at is null
      for key share;
    else
      perform 1 from destinations
      where platform_id = _platform_id and id = _id and user_id = _user_id and kind = _kind and deleted_at is null
      for key share;
  end case;
  return found;
end $$;

-- As in 0004; a delivery is due at once by the clock of its own platform.
create or replace function record_payment_event(_payment payments, _event_id uuid, _body text, _now timestamptz)
returns uuid[] language plpgsql as $$
declare
  real_now timestamptz := _now - platform_offset(_payment.platform_id);
  due uuid[];
begin
  insert into events (platform_id, id, type, subject_id, body, created_at)
  select distinct party.platform_id, _event_id, 'PAYMENT', _payment.id, _body, _now
  from (
    values (_payment.platform_id), (_payment.recipient_platform_id), (_payment.application_platform_id)
  ) party (platform_id)
  where party.platform_id is not null;

  with listening as (
    select e.platform_id, e.user_id, e.url, e.created_at, e.id
    from (
      values
        (_payment.platform_id, _payment.sender_id),
        (_payment.platform_id, _payment.platform_id),
        (_payment.recipient_platform_id, _payment.recipient_id),
        (_payment.recipient_platform_id, _payment.recipient_platform_id)
    ) party (platform_id, user_id)
    join endpoints e on e.platform_id = party.platform_id and e.user_id = party.user_id
      and e.kind = 'webhook_uri' and e.removed_at is null
    union all
    select e.platform_id, e.user_id, e.url, e.created_at, e.id
    from (
      select platform_id, user_id, url, created_at, id
      from endpoints
      where platform_id = _payment.application_platform_id and removed_at is null
        and (
          (kind = 'application' and application_id = _payment.application_id)
          or (kind = 'webhook_uri' and user_id = _payment.application_platform_id)
        )
      order by kind = 'webhook_uri'
      limit 1
    ) e
  ),
  delivered as (
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select distinct on (l.platform_id, l.user_id, l.url)
      l.platform_id, l.id, _event_id, _payment.id, 'PENDING', real_now + platform_offset(l.platform_id)
    from listening l
    order by l.platform_id, l.user_id, l.url, l.created_at
    returning endpoint_id
  )
  select array_agg(endpoint_id) into due from delivered;
  return coalesce(due, '{}');
end $$;

drop function accept_payment;
drop function change_payment_status;

-- The one place where a payment changes its status: applies one event of the state table (payment-status.ts), on both
-- sides, and writes the event for the webhooks. `changed` is false when the payment is not in a state it may leave.
create function change_payment_status(
  _platform_id uuid, _payment_id uuid, _from text[], _to text, _rail text, _destination_kind text,
  _destination_id uuid, _return_code text, _refund_at timestamptz, _event_id uuid, _body text, _now timestamptz,
  out changed boolean, out endpoint_ids uuid[]
) language plpgsql as $$
declare
  payment payments;
begin
  update payments
  set
    status = _to, rail = _rail, destination_kind = _destination_kind, destination_id = _destination_id,
    return_code = _return_code, refund_at = _refund_at, updated_at = _now,
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
-- the locks of the grant, the sender and its wallet; nothing is written unless all of them held (design.md, "Commit
-- together").
create function accept_payment(
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
  sender record;
  funding_id uuid := _funding_id;
  bank record;
  wallet record;
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
  perform 1
  from user_counters c
  where c.platform_id = _platform_id and c.user_id = _sender_id
  for update;

  select
    u.status, u.expiration_days, coalesce(u.business_name, u.name) as display_name, c.next_check_number,
    case when c.sent_on = (_now at time zone 'UTC')::date then c.sent_day_cents else 0 end as day_cents,
    case
      when date_trunc('month', c.sent_on) = date_trunc('month', (_now at time zone 'UTC')::date) then c.sent_month_cents
      else 0
    end as month_cents,
    coalesce(l.payment_cents, _payment_limit) as payment_limit, coalesce(l.day_cents, _day_limit) as day_limit,
    coalesce(l.month_cents, _month_limit) as month_limit
  into sender
  from users u
  join user_counters c on c.platform_id = u.platform_id and c.user_id = u.id
  left join user_limits l on l.platform_id = u.platform_id and l.user_id = u.id
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
    when sender.day_cents + _amount_cents > sender.day_limit then 'day_limit'
    when sender.month_cents + _amount_cents > sender.month_limit then 'month_limit'
  end;
  if outcome is not null then
    left_cents := greatest(
      least(sender.payment_limit, sender.day_limit - sender.day_cents, sender.month_limit - sender.month_cents), 0
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
    funding_id := bank.id;
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
    if not hold_destination(payee_platform_id, payee_id, _destination_kind, _destination_id) then
      outcome := 'destination_not_found';
      return;
    end if;
  end if;

  update user_counters c
  set
    -- The counter begins again after the largest number.
    next_check_number = case when _number is null then c.next_check_number % 100000000 + 1 else c.next_check_number end,
    sent_on = (_now at time zone 'UTC')::date,
    sent_day_cents = sender.day_cents + _amount_cents,
    sent_month_cents = sender.month_cents + _amount_cents
  where c.platform_id = _platform_id and c.user_id = _sender_id;
  insert into payments (
    platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
    recipient_id, funding_kind, funding_id, description, comment, remittance_advice, deposit_options, pin_description, pin_sealed,
    address, mail_type, application_id, application_platform_id, grant_id, status, created_at, updated_at, expires_at,
    invitation
  )
  values (
    _platform_id, _id, _sender_id, _kind, coalesce(_number, sender.next_check_number::text), _number_is_text,
    _amount_cents, _name, _recipient, payee_platform_id, payee_id, _funding_kind, funding_id,
    _description, _comment,
    _remittance_advice, _deposit_options, _pin_description, _pin_sealed,
    _address, _mail_type, allowed.application_id, allowed.application_platform_id, _grant_id, 'UNPAID', _now, _now,
    _now + make_interval(days => sender.expiration_days),
    case when payee_id is null and _recipient_email is not null then 'DUE' end
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
    insert into legs select * from json_populate_record(null::legs, _leg);
    update legs set account_id = payment.funding_id
    where platform_id = _platform_id and id = (_leg ->> 'id')::uuid and purpose = 'payment_pull';
  end if;

  -- The grant of one payment is spent in the transaction of that payment, so of two racing requests one wins.
  if allowed.scope = 'single-use' then
    update grants g
    set spent_at = _real_now, spent_by_key_digest = _key_digest
    where g.platform_id = _platform_id and g.id = _grant_id;
  end if;

  outcome := 'accepted';
  answer := _answer_head || case when _number_is_text then to_json(payment.number)::text else payment.number end || _answer_tail;
  if _key_digest is not null then
    perform record_idempotent_answer(_platform_id, _key_digest, _fingerprint, 201, answer, null, _real_now);
  end if;
end $$;
