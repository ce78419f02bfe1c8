-- The total of a user's list leaves out scanned checks, of which the user is the sender in the books only.
create index payments_scanned on payments (platform_id, sender_id) where kind = 'SCANNED';
