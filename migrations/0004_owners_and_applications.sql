-- When a key was last used, to within a minute.
alter table api_keys add column last_used_at timestamptz;

-- Two-factor of a login. A seed counts once a code of it was given; a code counts once.
alter table logins
  add column totp_sealed bytea,
  add column totp_pending_sealed bytea,
  add column totp_last_step bigint not null default 0;

-- Instead of a code from the app, each once.
create table recovery_codes (
  platform_id uuid not null,
  code_digest bytea not null,
  primary key (platform_id, code_digest)
);

-- A browser in which an owner is signed in. The cookie holds what the hash is made of.
create table sessions (
  token_hash   bytea primary key,
  platform_id  uuid not null,
  id           uuid not null,               -- names it in the list of sessions
  address      text not null,
  user_agent   text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,        -- to within a minute
  expires_at   timestamptz not null         -- unless it is used meanwhile
);

-- The sessions of an owner.
create index sessions_platform on sessions (platform_id, last_seen_at);

-- The sweep of sessions that have ended.
create index sessions_expires_at on sessions (expires_at);

-- What waits for a code that was sent by e-mail. The browser that began it holds what the hash is made of: the code
-- alone finishes nothing.
create table verifications (
  token_hash     bytea primary key,
  purpose        text not null check (purpose in ('sign_up', 'password', 'email')),
  email          text not null,
  platform_id    uuid,                      -- the owner; null for a sign-up and an unknown e-mail
  details_sealed bytea,                     -- name and password hash of a sign-up
  code_digest    bytea not null,
  wrong_tries    integer not null default 0,
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);

-- The sweep of verifications that nobody finished.
create index verifications_expires_at on verifications (expires_at);

-- What ends with a change of the password or the e-mail.
create index verifications_platform on verifications (platform_id) where platform_id is not null;

-- How often something was tried in vain of late: a login or an address, by its HMAC.
create table tries (
  subject_digest bytea primary key,
  count          integer not null,
  allowed_at     timestamptz not null,      -- the next try
  forgotten_at   timestamptz not null
);

-- The sweep of what is forgotten.
create index tries_forgotten_at on tries (forgotten_at);

-- E-mail on its way, or kept to be looked at where there is no mail server. It may hold a code: sealed.
create table mails (
  id              uuid primary key,
  recipient       text not null,
  content_sealed  bytea not null,           -- subject and text
  status          text not null check (status in ('KEPT', 'PENDING', 'SENT', 'FAILED')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  created_at      timestamptz not null,
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- What is due to be sent.
create index mails_due on mails (next_attempt_at) where status = 'PENDING';

-- The list of what is kept, and the sweep of old ones.
create index mails_created_at on mails (created_at, id);

-- Who did what, when and from where.
create table audit_entries (
  platform_id uuid not null,
  id          uuid not null,
  action      text not null,
  actor       text not null,                -- 'owner', 'api_key', 'application', 'operator', 'anonymous'
  actor_id    text,                         -- the session, the key or the application
  user_id     uuid,                         -- the user in whose name
  subject     text,                         -- what it was done to
  address     text,
  user_agent  text,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/audit, newest first.
create index audit_entries_created_at on audit_entries (platform_id, created_at desc, id desc);

-- An OAuth client. Looked up by its id, which is the client_id, across platforms.
create table applications (
  id                         uuid primary key,
  platform_id                uuid not null,
  name                       text not null,
  site                       text not null,
  redirect_uris              text[] not null,
  requires_pkce              boolean not null,
  secret_hash                bytea not null,
  previous_secret_hash       bytea,         -- works until the time beside it: secrets are changed without a gap
  previous_secret_expires_at timestamptz,
  created_at                 timestamptz not null,
  deleted_at                 timestamptz
);

-- The applications of an owner.
create index applications_platform on applications (platform_id, created_at) where deleted_at is null;

-- What an owner allowed an application to do. Each consent is a grant of its own, and tokens live and die with it.
create table grants (
  platform_id             uuid not null,    -- of the owner who consented
  id                      uuid not null,
  application_id          uuid not null,
  application_platform_id uuid not null,
  scope                   text not null check (scope in ('check', 'single-use')),
  created_at              timestamptz not null,
  last_used_at            timestamptz,
  revoked_at              timestamptz,
  spent_at                timestamptz,      -- a single-use grant made its payment
  spent_by_key_digest     bytea,            -- with this Idempotency-Key, if with any
  primary key (platform_id, id),
  check (spent_at is null or scope = 'single-use')
);

-- Applications that may act for an owner.
create index grants_live on grants (platform_id, created_at) where revoked_at is null and spent_at is null;

-- The grants of an application that is deleted.
create index grants_application on grants (application_id) where revoked_at is null;

-- Codes and tokens, looked up by their hash.
create table oauth_tokens (
  token_hash  bytea primary key,
  kind        text not null check (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')),
  platform_id uuid not null,
  grant_id    uuid not null,
  payload     json not null,                -- of oidc-provider, without the token itself
  consumed_at timestamptz,                  -- a code was exchanged
  expires_at  timestamptz not null,
  kept_until  timestamptz not null          -- a consumed code is known as such as long as its tokens may live
);

-- The sweep of codes and tokens that are of no use any more.
create index oauth_tokens_kept_until on oauth_tokens (kept_until);

-- Authorization requests that wait for their owner. They hold the browser's secrets: sealed.
create table authorization_requests (
  uid_hash       bytea primary key,
  payload_sealed bytea not null,
  expires_at     timestamptz not null
);

-- The sweep of requests that nobody answered.
create index authorization_requests_expires_at on authorization_requests (expires_at);

-- A payment names the application that made it, and the grant that allowed it.
alter table payments
  add column application_id uuid,
  add column application_platform_id uuid,
  add column grant_id uuid;

-- GET /v3/check with a token: what its grant made.
create index payments_grant on payments (platform_id, grant_id, created_at desc, id desc) where grant_id is not null;

-- The URL of an application hears of the payments that it made.
alter table endpoints add column application_id uuid;
alter table endpoints drop constraint endpoints_kind_check;
alter table endpoints add constraint endpoints_kind_check check (kind in ('webhook_uri', 'application'));
drop index endpoints_webhook_uri;

-- A user has one webhook_uri; the endpoints of the parties of a payment.
create unique index endpoints_webhook_uri on endpoints (platform_id, user_id)
where kind = 'webhook_uri' and removed_at is null;

-- An application has one URL.
create unique index endpoints_application on endpoints (platform_id, application_id)
where kind = 'application' and removed_at is null;

-- Writes an event of a payment and its deliveries: to the endpoints of sender, recipient and their owners, and to that of
-- the application which made it, or else its owner's; one for each distinct URL and key owner (api.md 7). Returns the
-- endpoints that now have something to do.
create or replace function record_payment_event(_payment payments, _event_id uuid, _body text, _now timestamptz)
returns uuid[] language plpgsql as $$
declare
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
    select distinct on (l.platform_id, l.user_id, l.url) l.platform_id, l.id, _event_id, _payment.id, 'PENDING', _now
    from listening l
    order by l.platform_id, l.user_id, l.url, l.created_at
    returning endpoint_id
  )
  select array_agg(endpoint_id) into due from delivered;
  return coalesce(due, '{}');
end $$;

-- As in 0003, with the grant of an application.
drop function accept_payment;

-- Accepts a payment: one call, which returns its outcome and raises nothing for a refusal. All checks come first, under
-- the locks of the grant and the sender; nothing is written unless all of them held (design.md, "Commit together").
create function accept_payment(
  -- idempotency; a null digest means that the request carried no key
  _key_digest bytea, _fingerprint bytea, _lock bigint, _real_now timestamptz,
  -- who sends, from what; the grant of the application that acts for the sender, if one does
  _platform_id uuid, _sender_id uuid, _funding_id uuid, _grant_id uuid,
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
  allowed grants;
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
    application_id, application_platform_id, grant_id, status, created_at, updated_at, expires_at
  )
  values (
    _platform_id, _id, _sender_id, _kind, coalesce(_number, sender.next_check_number::text), _number_is_text,
    _amount_cents, _name, _recipient, payee_platform_id, payee_id, bank.id, _description, _comment,
    _remittance_advice, _deposit_options, _pin_description, _pin_sealed,
    allowed.application_id, allowed.application_platform_id, _grant_id, 'UNPAID', _now, _now,
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
