-- Money that moved outside of the service, as the operator recorded it: a debt that was paid (in), or a payment that the operator paid by
-- wire or check (out). A reference is recorded once for each subject, so that a repeated command records nothing again.
create table outside_payments (
  platform_id uuid not null,
  direction text not null check (direction in ('IN', 'OUT')),
  subject_id uuid not null, -- the debtor, or the payment
  reference text not null, -- in lower case, without surrounding or repeated spaces
  way text,
  cents bigint not null check (cents > 0),
  created_at timestamptz not null,
  primary key (platform_id, direction, subject_id, reference)
);
