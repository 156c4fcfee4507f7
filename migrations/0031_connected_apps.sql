-- Apps that people connect by OAuth. A grant is a row of api_keys with the client id of its app, so that scopes, rates,
-- audit and endings are those of keys (docs/decisions/0052). The secret of such a row is thrown away: it is no key.
alter table api_keys add column app_client_id text check (app_client_id <> '');
create index on api_keys (created_by) where app_client_id is not null;

-- The tables from here on are written by the sign-in library's OAuth provider; the names of the columns are its own.

-- An app. Its id is the https address of its metadata document, which was read at updated_at, or a random id of one
-- that registered itself. The name and the logo are what it claims.
create table oauth_clients (
  id uuid primary key default uuidv7(),
  client_id text not null unique check (length(client_id) between 1 and 500),
  client_secret text,
  client_discovery_id text,
  disabled boolean not null default false,
  skip_consent boolean,
  enable_end_session boolean,
  subject_type text,
  scopes jsonb,
  client_credentials_scopes jsonb,
  user_id uuid,
  name text,
  uri text,
  icon text,
  contacts jsonb,
  tos text,
  policy text,
  software_id text,
  software_version text,
  software_statement text,
  redirect_uris jsonb not null,
  post_logout_redirect_uris jsonb,
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean,
  token_endpoint_auth_method text,
  application_type text,
  jwks text,
  jwks_uri text,
  grant_types jsonb,
  response_types jsonb,
  require_pkce boolean,
  dpop_bound_access_tokens boolean default false,
  reference_id text,
  metadata jsonb,
  created_at timestamptz(3) default now(),
  updated_at timestamptz(3) default now()
);
create index on oauth_clients (user_id);

-- What tokens are for: the address of /mcp.
create table oauth_resources (
  id uuid primary key default uuidv7(),
  identifier text not null unique,
  name text not null,
  access_token_ttl integer,
  refresh_token_ttl integer,
  signing_algorithm text,
  signing_key_id text,
  allowed_scopes jsonb,
  custom_claims jsonb,
  dpop_bound_access_tokens_required boolean default false,
  disabled boolean default false,
  policy_version integer default 1,
  metadata jsonb,
  created_at timestamptz(3),
  updated_at timestamptz(3)
);

-- Refresh tokens as SHA-256. A rotated one stays until it would have expired: its second use ends the grant, which is
-- reference_id, an id of api_keys.
create table oauth_refresh_tokens (
  id uuid primary key default uuidv7(),
  token text not null unique,
  client_id text not null,
  session_id uuid,
  user_id uuid not null,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  revoked timestamptz(3),
  rotated_at timestamptz(3),
  rotation_replay_response text,
  rotation_replay_expires_at timestamptz(3),
  auth_time timestamptz(3),
  confirmation jsonb,
  scopes jsonb not null
);
create index on oauth_refresh_tokens (client_id);
create index on oauth_refresh_tokens (session_id);
create index on oauth_refresh_tokens (user_id);
create index on oauth_refresh_tokens (authorization_code_id);
create index on oauth_refresh_tokens (expires_at);

-- Access tokens as SHA-256.
create table oauth_access_tokens (
  id uuid primary key default uuidv7(),
  token text not null unique,
  client_id text not null,
  session_id uuid,
  user_id uuid,
  reference_id text,
  authorization_code_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  refresh_id uuid,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  revoked timestamptz(3),
  confirmation jsonb,
  scopes jsonb not null
);
create index on oauth_access_tokens (client_id);
create index on oauth_access_tokens (session_id);
create index on oauth_access_tokens (user_id);
create index on oauth_access_tokens (authorization_code_id);
create index on oauth_access_tokens (refresh_id);
create index on oauth_access_tokens (expires_at);

-- The library's note of a consent. It lasts for the transaction of the consent, so each connection asks the person.
create table oauth_consents (
  id uuid primary key default uuidv7(),
  client_id text not null,
  user_id uuid,
  reference_id text,
  resources jsonb,
  requested_user_info_claims jsonb,
  scopes jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index on oauth_consents (client_id);
create index on oauth_consents (user_id);

-- A pending sign-in of a program without a browser (RFC 8628). grant_id is the grant that the person made.
create table oauth_device_codes (
  id uuid primary key default uuidv7(),
  device_code text not null unique,
  user_code text not null unique,
  user_id uuid,
  expires_at timestamptz(3) not null,
  status text not null,
  last_polled_at timestamptz(3),
  polling_interval integer,
  client_id text,
  scope text,
  resources jsonb,
  oauth_client_id text,
  grant_id uuid
);
create index on oauth_device_codes (expires_at);
