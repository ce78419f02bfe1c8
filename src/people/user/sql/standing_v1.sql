-- Returns the standing of a user: ACTIVE (may send, receive and change anything), SUSPENDED or CLOSED. A stopped owner stops its whole
-- platform.
--
--   _own, _owner   the status of the user, and of the owner of its platform
create or replace function standing_v1(_own text, _owner text) returns text language sql immutable parallel safe as $$
  select case
    when 'CLOSED' in (_own, _owner) then 'CLOSED'
    when 'SUSPENDED' in (_own, _owner) then 'SUSPENDED'
    else 'ACTIVE'
  end
$$;
