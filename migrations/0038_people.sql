-- A login is a person. A member is a person on a platform. A session belongs to both.
-- Each owner becomes a login with the id of its platform, because its recovery codes are bound to that id.
alter table logins
  add column id   uuid,
  add column name text;
update logins l
set id = l.platform_id,
  name = coalesce((select u.name from users u where u.platform_id = l.platform_id and u.id = l.platform_id), '');

-- The login of an email address, by its SHA-256.
create table login_emails (
  email_hash bytea not null primary key,
  login_id   uuid  not null
);
insert into login_emails (email_hash, login_id)
select sha256(convert_to(email, 'UTF8')), id from logins;

-- The platform that receives payments to an email address: the first owner's. Only a verified address receives.
create table receiving_addresses (
  email_hash  bytea not null primary key,
  platform_id uuid  not null,
  login_id    uuid  not null,
  verified_at timestamptz
);
create unique index receiving_addresses_platform on receiving_addresses (platform_id);
insert into receiving_addresses (email_hash, platform_id, login_id, verified_at)
select sha256(convert_to(email, 'UTF8')), platform_id, id, email_verified_at from logins;

create table members (
  platform_id uuid        not null,
  login_id    uuid        not null,
  role        text        not null check (role in ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer')),
  joined_at   timestamptz not null,
  primary key (platform_id, login_id)
);
insert into members (platform_id, login_id, role, joined_at)
select platform_id, id, 'owner', created_at from logins;

-- The platforms of a person. A person who signs in enters the one that was used last.
create table login_platforms (
  login_id    uuid        not null,
  platform_id uuid        not null,
  used_at     timestamptz not null,
  primary key (login_id, platform_id)
);
insert into login_platforms (login_id, platform_id, used_at)
select id, platform_id, created_at from logins;

-- One row for each platform with members. Its checks keep the last owner, and the size of a team.
create table teams (
  platform_id         uuid    not null primary key,
  owner_count         integer not null constraint teams_last_owner check (owner_count > 0),
  member_count        integer not null constraint teams_size check (member_count <= 200),
  requires_two_factor boolean not null default false
);
insert into teams (platform_id, owner_count, member_count)
select platform_id, 1, 1 from logins;

-- Found by the token in the mail. An address has one open invitation for each platform.
create table invitations (
  token_hash  bytea       not null primary key,
  platform_id uuid        not null,
  id          uuid        not null,
  email       text        not null,
  role        text        not null check (role in ('owner', 'admin', 'preparer', 'approver', 'developer', 'viewer')),
  invited_by  uuid        not null, -- a login
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);
create unique index invitations_platform on invitations (platform_id, id);
create unique index invitations_email on invitations (platform_id, email);
-- the sweep of expired invitations
create index invitations_expires_at on invitations (expires_at);

alter table logins
  drop constraint logins_pkey,
  drop constraint logins_platform_id_key,
  drop column platform_id,
  alter column id set not null,
  alter column name set not null,
  add constraint logins_pkey primary key (id);

alter table recovery_codes rename column platform_id to login_id;

alter table sessions add column login_id uuid;
update sessions set login_id = platform_id;
alter table sessions alter column login_id set not null;
drop index sessions_platform;
-- the list of a person's sessions
create index sessions_login on sessions (login_id, last_seen_at);

alter table verifications rename column platform_id to login_id;
alter index verifications_platform rename to verifications_login;

-- The person who acted; null for a program, the operator and the service.
alter table audit_entries add column login_id uuid;

alter table api_keys
  add column created_by  uuid,   -- a login; null for keys of the API, and for keys of platform users
  add column permissions text[]; -- null: everything
