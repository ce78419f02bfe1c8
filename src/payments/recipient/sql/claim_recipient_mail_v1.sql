-- Counts a mail to a recipient, and decides what happens to it.
--
--   _now                                  real time; days are UTC
--   _max_new, _max_each, _max_address     per day: new recipients of a platform, mails of a platform to one recipient, mails
--                                         of all platforms with unverified owners to one recipient
--   _trusts_verified                      whether a VERIFIED owner may mail any number of recipients
--   is_first      this is the first mail that a limit of the platform delays on this day
--   is_verified   the owner is VERIFIED, and that status is trusted
--
-- Outcomes:
--   send
--   limited      a limit of the platform is reached: the mail waits, and the owner may learn this
--   delayed      the recipient gets too much mail from other platforms: the mail waits, and nobody learns this
--   suppressed   the recipient refuses mail: counted as if sent
-- Locks: the platform's row in mail_senders, then the rows of the address.
create or replace function claim_recipient_mail_v1(
  _platform_id uuid, _email_digest bytea, _now timestamptz,
  -- limits per day, see above
  _max_new integer, _max_each integer, _max_address integer,
  -- whether a VERIFIED owner may mail any number of recipients
  _trusts_verified boolean,
  out outcome text, out is_first boolean, out is_verified boolean
) language plpgsql as $$
declare
  today date := (_now at time zone 'UTC')::date;
  sender mail_senders;
  known mail_recipients;
  is_new boolean;
begin
  is_first := false;
  is_verified := _trusts_verified and exists (
    select 1
    from users u
    where u.platform_id = _platform_id and u.id = _platform_id and u.status = 'VERIFIED'
  );
  insert into mail_senders as s (platform_id, day, new_recipients, is_reported)
  values (_platform_id, today, 0, false)
  on conflict (platform_id) do update
  set day = today,
      new_recipients = case when s.day = today then s.new_recipients else 0 end,
      is_reported = s.day = today and s.is_reported
  returning * into sender;

  select * into known
  from mail_recipients r
  where r.platform_id = _platform_id and r.email_digest = _email_digest;
  is_new := not found;
  if (is_new and not is_verified and sender.new_recipients >= _max_new)
    or (not is_new and known.day = today and known.mail_count >= _max_each)
  then
    outcome := 'limited';
    is_first := not sender.is_reported;
    update mail_senders s
    set is_reported = true
    where s.platform_id = _platform_id;
    return;
  end if;

  if not is_verified then
    insert into mail_addresses as a (email_digest, day, mail_count)
    values (_email_digest, today, 1)
    on conflict (email_digest) do update
    set day = today, mail_count = case when a.day = today then a.mail_count + 1 else 1 end
    where a.day <> today or a.mail_count < _max_address;
    if not found then
      outcome := 'delayed';
      return;
    end if;
  end if;
  insert into mail_recipients as r (platform_id, email_digest, day, mail_count)
  values (_platform_id, _email_digest, today, 1)
  on conflict (platform_id, email_digest) do update
  set day = today, mail_count = case when r.day = today then r.mail_count + 1 else 1 end;
  if is_new then
    update mail_senders s
    set new_recipients = s.new_recipients + 1
    where s.platform_id = _platform_id;
  end if;

  perform 1
  from mail_suppressions x
  where x.email_digest = _email_digest;
  outcome := case when found then 'suppressed' else 'send' end;
end $$;
