-- The default card of a user. Other kinds of destinations have no default.
alter table destinations add column is_default boolean not null default false;

update destinations d
set is_default = true
where kind = 'card' and deleted_at is null and not exists (
  select 1
  from destinations o
  where o.platform_id = d.platform_id and o.user_id = d.user_id and o.kind = 'card' and o.deleted_at is null
    and (o.created_at, o.id) < (d.created_at, d.id)
);
