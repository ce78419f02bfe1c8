-- What deliver_payment_news_v2 did before invoices had events, for the functions of release 2.
create or replace function deliver_payment_news_v1(_news payment_news[]) returns boolean language plpgsql as $$
begin
  return deliver_payment_news_v2(null, _news, 'CHECK');
end $$;
