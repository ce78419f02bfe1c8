-- Returns the position (from 1) in a key ring of the master key that makes this database's digests. Returns null without a ring.
create or replace function digest_place_v1(_key_ids text[]) returns integer language plpgsql as $$
declare
  digest_key text;
begin
  if _key_ids is null then
    return null;
  end if;
  digest_key := current_digest_key_v1();
  if digest_key = any (_key_ids) then
    return array_position(_key_ids, digest_key);
  end if;
  raise exception 'digests are made with master key %, which this process was started without: restart it', digest_key;
end $$;
