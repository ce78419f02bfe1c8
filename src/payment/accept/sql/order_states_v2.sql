-- Reads everything that decides about the orders of a group: one row for each, in their order. The caller holds the locks.
--
--   _platform_id     the platform of all orders, or null if they are of several
--   today            the day of the order (UTC), for limits
--   early_refusal    why the order is refused before its limits are checked: a used Idempotency-Key, the grant, the sender
--   *_limit          in cents, null for no limit: the lower one of the operator's and the owner's (`effectiveLimits`)
--   day_cents        sent on that day before this group; month_cents in its month
--   funding_refusal  a missing signature, or a bank that cannot pay
--   wallet_cents     the available cents of the wallet that pays, or null if the sender has no such wallet
--   single_use_grant the grant that the order uses up
--   sender_name      shown to a payee with an account
--   reserved_numbers the numbers of the sender's checkbooks, or null
--   key_payment_id   the payment that the Idempotency-Key created in the last 24 hours, by real time
create or replace function order_states_v2(_platform_id uuid, _orders payment_order[], _payees payee[], _required sender_requirements)
returns table (
  platform_id uuid, id uuid, sender_id uuid, amount_cents bigint, number text, today date, key_payment_id uuid,
  early_refusal refusal, payment_limit bigint, day_limit bigint, month_limit bigint, day_cents bigint, month_cents bigint,
  funding_refusal refusal, is_from_wallet boolean, wallet_cents bigint, payee_refusal refusal, next_check_number bigint,
  reserved_numbers int8multirange, funding_id uuid, single_use_grant uuid, payee_platform_id uuid, payee_id uuid, expires_at timestamptz,
  is_invited boolean, application_id uuid, application_platform_id uuid, sender_name text
) language sql stable as $$
  select
    o.platform_id, o.id, o.sender_id, o.amount_cents, o.number, t.today, k.id,
    coalesce(
      case
        when k.fingerprint = any (o.fingerprints) then row('replayed', null, null)::refusal
        when k.id is not null then row('idempotency_key_reused', null, null)::refusal
        when o.grant_id is not null and (g.id is null or g.revoked_at is not null or g.spent_at is not null)
          then row('invalid_token', null, null)::refusal
      end,
      sender_refusal_v1(u.status, standing_v1(u.status, w.status), c.debt_cents, (_required).must_be_verified),
      case
        when u.dual_control or u.has_approval_policy then (
          -- A payment of a batch needs what it needs alone, and what one payment of the total would need.
          select r.refusal
          from (values (1, o.amount_cents, o.rails), (2, o.batch_cents, o.batch_rails)) x (place, cents, rails)
          cross join lateral (
            select approval_refusal_v1(
              o.platform_id, o.sender_id, o.approval_id, o.is_dry_run, x.cents, x.rails, o.source,
              payee_keys_v1(o.payee_platform_id, o.payee_id, o.recipient, o.destination_id, o.account_digests),
              case when o.payee_platform_id = o.platform_id then o.payee_id end, o.created_at
            ) as refusal
          ) r
          where x.cents is not null and not (r.refusal is null)
          order by x.place
          limit 1
        )
      end
    ),
    least(coalesce(l.payment_cents, (_required).payment_limit_cents), l.owner_payment_cents),
    least(coalesce(l.day_cents, (_required).day_limit_cents), l.owner_day_cents),
    least(coalesce(l.month_cents, (_required).month_limit_cents), l.owner_month_cents),
    case when c.sent_on = t.today then c.sent_day_cents else 0 end,
    case when date_trunc('month', c.sent_on) = date_trunc('month', t.today) then c.sent_month_cents else 0 end,
    coalesce(
      case
        when o.amount_cents > (_required).signature_above_cents and not exists (
          select from signatures s where s.platform_id = coalesce(_platform_id, o.platform_id) and s.user_id = o.sender_id
        ) then row('signature_needed', 'amount', null)::refusal
      end,
      case
        when o.funding_kind = 'bank' and b.status is distinct from 'VERIFIED' then bank_refusal_v1(
          o.funding_id, b.id, account_block_v1(o.platform_id, o.sender_id, b.account_digest, false)
        )
      end
    ),
    o.funding_kind = 'wallet', v.balance_cents - v.held_cents,
    coalesce(case when o.account_digests is not null
      then own_account_refusal_v1(o.platform_id, o.sender_id, u.external_id, o.recipient, o.account_digests) end, payee_refusal_v1(
      o.sender_id, u.external_id, u.phone, o.recipient_email, o.recipient_phone, o.is_reachable, o.destination_id,
      o.destination_kind, o.payee_id, o.payee_status, o.login_id, o.is_verified, o.account_kind, o.account_block
    )),
    c.next_check_number, c.reserved_numbers, coalesce(b.id, o.funding_id), case when g.scope = 'single-use' then g.id end, o.payee_platform_id, o.payee_id,
    o.created_at + make_interval(days => u.expiration_days),
    -- Also true for a payee with an account on another platform: it counts against the limits of mail, although it gets none.
    -- Otherwise the limits would reveal who has an account.
    o.recipient_email is not null and o.payee_platform_id is distinct from o.platform_id,
    g.application_id, g.application_platform_id, case when o.payee_id is not null then coalesce(u.business_name, u.name) end
  from rows from (unnest(_orders), unnest(_payees)) with ordinality o
  cross join lateral (select (o.created_at at time zone 'UTC')::date as today) t
  left join user_counters c on c.platform_id = coalesce(_platform_id, o.platform_id) and c.user_id = o.sender_id
  left join users u on u.platform_id = coalesce(_platform_id, o.platform_id) and u.id = o.sender_id and u.deleted_at is null
  left join users w on w.platform_id = coalesce(_platform_id, o.platform_id) and w.id = o.platform_id
  left join user_limits l on l.platform_id = coalesce(_platform_id, o.platform_id) and l.user_id = o.sender_id
  left join banks b on b.platform_id = coalesce(_platform_id, o.platform_id) and b.user_id = o.sender_id and b.deleted_at is null
    and o.funding_kind = 'bank' and case when o.funding_id is null then b.is_default else b.id = o.funding_id end
  left join wallets v on v.platform_id = coalesce(_platform_id, o.platform_id) and v.id = o.funding_id and v.user_id = o.sender_id
    and v.deleted_at is null and o.funding_kind = 'wallet'
  left join grants g on g.platform_id = coalesce(_platform_id, o.platform_id) and g.id = o.grant_id
  left join lateral payment_by_key_v1(coalesce(_platform_id, o.platform_id), o.key_digests, o.real_now) k on o.key_digests is not null
  order by o.ordinality
$$;
