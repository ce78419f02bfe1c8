-- Posts the transfers of accepted payments that use wallets, payment by payment. The wallets are locked.
--
--   _transfers   see accept_payments_v1
--
-- Returns whether a webhook about a balance is now due.
-- Raises: any error, such as a balance that would become negative, with the position of the payment as the hint.
create or replace function move_wallet_money_v1(_made acceptance[], _transfers json) returns boolean language plpgsql as $$
declare
  t record;
  is_due boolean := false;
  failed_constraint text;
  failed_table text;
  failed_column text;
  failed_detail text;
begin
  for t in
    select m.ordinality as place, j.*
    from unnest(_made) with ordinality m
    join json_to_recordset(_transfers) as j (platform_id uuid, payment_id uuid, created_at timestamptz, postings json)
      on j.payment_id = m.payment_id
    where m.outcome = 'accepted'
    order by m.ordinality
  loop
    is_due := post_transfers_v1(t.platform_id, t.postings, t.payment_id, null, t.created_at) or is_due;
  end loop;
  return is_due;
exception when others then
  get stacked diagnostics
    failed_constraint = constraint_name, failed_table = table_name, failed_column = column_name,
    failed_detail = pg_exception_detail;
  raise exception using
    errcode = sqlstate, message = sqlerrm, hint = coalesce(t.place::text, ''), detail = failed_detail,
    constraint = failed_constraint, table = failed_table, column = failed_column;
end $$;
