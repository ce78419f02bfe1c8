-- Returns the email address of a platform's first owner, who gets the mail about the platform. Returns null for a platform without members.
create or replace function owner_email_v1(_platform_id uuid) returns text language plpgsql stable as $$
begin
  return (
    select l.email
    from members m
    join logins l on l.id = m.login_id
    where m.platform_id = _platform_id and m.role = 'owner'
    order by m.joined_at, m.login_id
    limit 1
  );
end $$;
