-- What write_deposits_v2 did before it named the platform, for the functions of release 2.
create or replace function write_deposits_v1(_made acceptance[], _deposits json) returns boolean
language plpgsql as $$
begin
  return write_deposits_v2(null, _made, _deposits);
end $$;
