-- A grant does no more than the member who consented. Older grants, with null, count as the platform's owner and do everything.
alter table grants
  add column created_by  uuid,   -- a login
  add column permissions text[]; -- what the member could do at the time of the consent
