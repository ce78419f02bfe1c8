-- What accept_payments_v2 did before it named the platform, for the program of release 2.
create or replace function accept_payments_v1(
  _orders json, _payments json, _deposits json, _transfers json, _attachments json, _grant_ids uuid[], _key_ids text[],
  _required sender_requirements
)
returns table (payment_id uuid, outcome text, field text, detail text, number text, is_due boolean)
language plpgsql as $$
begin
  return query
  select *
  from accept_payments_v2(null, _orders, _payments, _deposits, _transfers, _attachments, _grant_ids, _key_ids, _required);
end $$;
