-- Limits that the owner of a platform sets for its users. They can only lower those of the operator.
alter table user_limits
  add owner_payment_cents bigint constraint user_limits_owner_payment_cents_check check (owner_payment_cents > 0),
  add owner_day_cents bigint constraint user_limits_owner_day_cents_check check (owner_day_cents > 0),
  add owner_month_cents bigint constraint user_limits_owner_month_cents_check check (owner_month_cents > 0);
