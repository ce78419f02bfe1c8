-- OAuth clients. The id is the client_id, which is unique across platforms.
create table applications (
  id                         uuid primary key,
  platform_id                uuid not null,
  name                       text not null,
  site                       text not null,
  redirect_uris              text[] not null,
  requires_pkce              boolean not null,
  rotates_refresh_tokens     boolean not null default false, -- whether each refresh returns a new token and revokes the previous one
  secret_hash                bytea not null,
  secret_sealed              bytea,                          -- the client secret, for the developer settings to show
  previous_secret_hash       bytea,                          -- still works until previous_secret_expires_at, so that clients can switch
  previous_secret_expires_at timestamptz,
  created_at                 timestamptz not null,
  deleted_at                 timestamptz
);

-- An owner's list of applications.
create index applications_platform on applications (platform_id, created_at) where deleted_at is null;

-- Permissions that owners gave to applications. Each consent creates a grant, and its tokens work as long as the grant.
create table grants (
  platform_id             uuid not null, -- of the owner who consented
  id                      uuid not null,
  application_id          uuid not null,
  application_platform_id uuid not null,
  scope                   text not null check (scope in ('check', 'single-use')),
  created_by              uuid,          -- the login that consented and bounds the grant; null: the platform's owner
  permissions             text[],        -- what the member could do at the time of the consent; null: everything
  created_at              timestamptz not null,
  last_used_at            timestamptz,
  revoked_at              timestamptz,
  spent_at                timestamptz,   -- when a single-use grant made its payment
  spent_by_key_digest     bytea,         -- the Idempotency-Key of that payment, if it had one
  primary key (platform_id, id),
  check (spent_at is null or scope = 'single-use')
);

-- An owner's list of applications that may act for the owner.
create index grants_live on grants (platform_id, created_at) where revoked_at is null and spent_at is null;

-- Deleting an application revokes its grants.
create index grants_application on grants (application_id) where revoked_at is null;

-- Authorization codes and tokens.
create table oauth_tokens (
  token_hash  bytea primary key,
  kind        text not null check (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken')),
  platform_id uuid not null,
  grant_id    uuid not null,
  payload     json not null,       -- of oidc-provider, without the token itself
  consumed_at timestamptz,         -- when a code was exchanged
  expires_at  timestamptz not null,
  kept_until  timestamptz not null -- used codes are kept as long as their tokens, to detect a second use
);

-- Worker step "sweep tokens": codes and tokens that are no longer needed.
create index oauth_tokens_kept_until on oauth_tokens (kept_until);

-- Authorization requests that wait for the owner's consent. Sealed, because they contain secrets of the browser.
create table authorization_requests (
  uid_hash       bytea primary key,
  payload_sealed bytea not null,
  expires_at     timestamptz not null
);

-- Worker step "sweep tokens": requests without an answer.
create index authorization_requests_expires_at on authorization_requests (expires_at);
