-- Returns the limit that a payment would exceed, or null. All amounts are in cents, and null means no limit. The detail is the amount that
-- the sender can still send.
--
--   _day_left, _month_left   what is left of the limits for the day and the month
create or replace function limit_refusal_v1(_cents bigint, _payment_limit bigint, _day_left bigint, _month_left bigint)
returns refusal language sql immutable parallel safe as $$
  select case
    when _cents > least(_payment_limit, _day_left, _month_left) then refusal_v1(
      case
        when _cents > _payment_limit then 'payment_limit_reached'
        when _cents > _day_left then 'day_limit_reached'
        else 'month_limit_reached'
      end,
      'amount', greatest(0, least(_payment_limit, _day_left, _month_left))::text
    )
  end
$$;
