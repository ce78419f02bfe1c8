-- For the list of what a platform received from payers without an account, newest first.
create index payments_of_invoices on payments (platform_id, id) where invoice_id is not null;
