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
create or replace function order_states_v1(_platform_id uuid, _orders payment_order[], _payees payee[], _required sender_requirements)
returns table (
  platform_id uuid, id uuid, sender_id uuid, amount_cents bigint, number text, today date, key_payment_id uuid,
  early_refusal refusal, payment_limit bigint, day_limit bigint, month_limit bigint, day_cents bigint, month_cents bigint,
  funding_refusal refusal, is_from_wallet boolean, wallet_cents bigint, payee_refusal refusal, next_check_number bigint,
  reserved_numbers int8multirange, funding_id uuid, single_use_grant uuid, payee_platform_id uuid, payee_id uuid, expires_at timestamptz,
  is_invited boolean, application_id uuid, application_platform_id uuid, sender_name text
) language sql stable as $$
  select
    o.platform_id, o.id, o.sender_id, o.amount_cents, o.number, o.today, o.key_payment_id,
    coalesce(
      o.sender_refusal,
      case
        when o.needs_approval then (
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
    o.payment_limit, o.day_limit, o.month_limit, o.day_cents, o.month_cents,
    coalesce(
      case when o.needs_signature then refusal_v1('signature_needed', 'amount') end,
      case
        when o.funding_kind = 'bank' and o.bank_status is distinct from 'VERIFIED' then bank_refusal_v1(
          o.funding_id, o.bank_id, account_block_v1(o.platform_id, o.sender_id, o.bank_digest, false)
        )
      end
    ),
    o.funding_kind = 'wallet', o.wallet_cents,
    coalesce(
      case
        when o.is_own_account then refusal_v1('own_recipient', 'recipient.account')
        when o.is_own_address or o.account_digests is not null and lower(o.recipient) = lower(o.external_id)
          then refusal_v1('own_recipient', 'recipient')
      end,
      payee_refusal_v1(
        o.sender_id, o.external_id, o.phone, o.recipient_email, o.recipient_phone, o.is_reachable, o.destination_id,
        o.destination_kind, o.payee_id, o.payee_status, o.login_id, o.is_verified, o.account_kind, o.account_block
      )
    ),
    o.next_check_number, o.reserved_numbers, coalesce(o.bank_id, o.funding_id), o.single_use_grant, o.payee_platform_id, o.payee_id,
    o.expires_at,
    -- It is also true for a payee with an account on another platform: it counts against the limits of mail, although it gets none.
    -- Otherwise the limits would reveal who has an account.
    o.recipient_email is not null and o.payee_platform_id is distinct from o.platform_id,
    o.application_id, o.application_platform_id, case when o.payee_id is not null then o.sender_name end
  from rows from (
    unnest(_orders),
    unnest(_payees),
    read_senders_v1(_platform_id, _orders, _required),
    own_accounts_v1(_platform_id, _orders)
  ) with ordinality o
  order by o.ordinality
$$;
