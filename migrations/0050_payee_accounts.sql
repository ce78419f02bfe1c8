-- An order can bring the account of a payee without a user along: a saved payee, or an account number in the request.
alter type payment_order add attribute account_digests bytea[]; -- of that account, by the master keys of the caller's ring; {} for a card
