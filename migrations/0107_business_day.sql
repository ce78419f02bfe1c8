-- The day of the business on which an order counts against the limits of its sender. Null: the day in UTC, for the program of the
-- release before.
alter type payment_order add attribute business_day date;
