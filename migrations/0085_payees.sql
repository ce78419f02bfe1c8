-- Whoever signs up from the link of a payment wants to be paid, and sees the menu of a payee until the platform is set up.
alter table teams add column is_payee boolean not null default false;
