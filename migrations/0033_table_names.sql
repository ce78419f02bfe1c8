-- Names that say what a row is.
alter table incoming rename to received_payments;
alter table received_payments rename constraint incoming_pkey to received_payments_pkey;
alter index incoming_user rename to received_payments_user;

alter table attempts rename to delivery_attempts;
alter table delivery_attempts rename constraint attempts_pkey to delivery_attempts_pkey;
alter table delivery_attempts rename constraint attempts_outcome_check to delivery_attempts_outcome_check;
