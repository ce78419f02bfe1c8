-- One row for each platform with members. Its checks keep the last owner, and limit the size of a team.
create table teams (
  platform_id         uuid primary key,
  owner_count         integer not null constraint teams_last_owner check (owner_count > 0),
  member_count        integer not null constraint teams_size check (member_count <= 200),
  requires_two_factor boolean not null default false,
  is_payee            boolean not null default false -- signed up from the link of a payment, to be paid
);

-- A member is a person on a platform.
create table members (
  platform_id uuid not null,
  login_id    uuid not null,
  role        text not null check (role in ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer')),
  joined_at   timestamptz not null,
  primary key (platform_id, login_id)
);

-- The platforms of a person. A person who signs in enters the one that was used last.
create table login_platforms (
  login_id    uuid not null,
  platform_id uuid not null,
  used_at     timestamptz not null,
  primary key (login_id, platform_id)
);

-- Found by the token in the mail.
create table invitations (
  token_hash  bytea primary key,
  platform_id uuid not null,
  id          uuid not null,
  email       text not null,
  role        text not null check (role in ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer')),
  invited_by  uuid not null, -- a login
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);

-- The invitations of a platform, and one of them by its id.
create unique index invitations_platform on invitations (platform_id, id);

-- A new invitation: an address has one open invitation for each platform.
create unique index invitations_email on invitations (platform_id, email);

-- The sweep of expired invitations.
create index invitations_expires_at on invitations (expires_at);
