-- A recipient of a payment to several can be a user of another platform.
alter table payment_recipients add column user_platform_id uuid; -- of `user_id`, if it is another one
