-- When the sender asked for another mail about an invoice, in real time. They count for a day.
alter table invoices add column requested_at timestamptz[] not null default '{}';
