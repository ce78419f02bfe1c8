-- Filters of the list of payments that a member keeps under a name.
create table payment_views (
  platform_id uuid not null,
  login_id    uuid not null,                -- the member; nobody else sees it
  id          uuid not null,
  name        text not null,
  filters     jsonb not null,               -- of GET /v3/payment
  primary key (platform_id, login_id, id)
);
