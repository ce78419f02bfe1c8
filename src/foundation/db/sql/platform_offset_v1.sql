-- Returns how far the clock of a platform is ahead of real time. It is zero unless the clock was moved in the sandbox.
create or replace function platform_offset_v1(_platform_id uuid) returns interval language plpgsql stable as $$
begin
  return coalesce(
    (select make_interval(secs => c.offset_ms / 1000.0) from platform_clocks c where c.platform_id = _platform_id),
    interval '0'
  );
end $$;
