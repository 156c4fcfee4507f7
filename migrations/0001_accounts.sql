-- Ids are UUIDs of version 7, which Postgres makes itself from version 18 on. On older servers this function does, with
-- microseconds behind the milliseconds. It waits for the next microsecond, so that the ids of a session sort in order of
-- creation. Postgres finds its own function before this one.
do $do$ begin
  if to_regprocedure('pg_catalog.uuidv7()') is null then
    create function uuidv7(shift interval default '0') returns uuid language plpgsql volatile as $$
    declare
      at constant timestamptz := clock_timestamp();
      microseconds constant bigint := extract(epoch from at + shift) * 1000000;
    begin
      while clock_timestamp() = at loop
      end loop;
      return (lpad(to_hex(microseconds / 1000), 12, '0')
        || '7' || lpad(to_hex(microseconds % 1000 * 4096 / 1000), 3, '0')
        || substr(gen_random_uuid()::text, 20))::uuid;
    end $$;
  end if;
end $do$;

-- All tables are made in the first schema of the search path: an installation has one (docs/decisions/0045).

-- People and their accounts. The sign-in library (better-auth) reads and writes people, credentials, two_factors,
-- verifications and sessions.

-- A person who can sign in. `operator` gives access to the desk; sign-up cannot set it.
create table people (
  id uuid primary key default uuidv7(),
  name text not null,
  -- Somebody else chose the name before the address was verified, so the person is asked for one.
  name_needed boolean not null default false,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  operator boolean not null default false,
  second_factor boolean not null default false,
  -- Whether messages about jobs are mailed.
  mail_messages boolean not null default true,
  -- Keyed hashes of networks from which the person has signed in: guesses from elsewhere do not slow sign-ins
  -- from these.
  known_networks text[] not null default '{}' check (cardinality(known_networks) <= 10),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on people (created_at, id) where operator;

-- A way to sign in: a password hash, one row per provider.
create table credentials (
  id uuid primary key default uuidv7(),
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references people (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider_id, account_id)
);
create index on credentials (user_id);

-- Tokens of mails, stored as SHA-256. Each works once and for one purpose. A change of address must be
-- confirmed in the session that asked for it; `email` is the new address. An undo ends everything made since
-- the change.
create table mail_tokens (
  digest bytea primary key check (length(digest) = 32),
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'change_email', 'undo_change')),
  user_id uuid not null references people (id) on delete cascade,
  session_id uuid,
  email text not null check (email = lower(email)),
  expires_at timestamptz(3) not null,
  since timestamptz(3),
  check ((purpose = 'change_email') = (session_id is not null)),
  check ((purpose = 'undo_change') = (since is not null))
);
create index on mail_tokens (user_id);
create index on mail_tokens (email) where purpose = 'undo_change';
create index on mail_tokens (expires_at);

-- A person's second factor: the authenticator's secret and the remaining recovery codes, encrypted. It is
-- active once verified. used_codes are the last accepted codes, so that none works twice.
create table two_factors (
  id uuid primary key default uuidv7(),
  user_id uuid not null unique references people (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  confirmed_at timestamptz(3),
  failed_verification_count integer not null default 0,
  locked_until timestamptz(3),
  used_codes text[] not null default '{}'
);

-- Pending sign-ins with a second factor.
create table verifications (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on verifications (identifier);
-- Expired rows are looked up every hour.
create index on verifications (expires_at);

-- The owner of jobs, keys and plans.
create table accounts (
  id uuid primary key default uuidv7(),
  name text not null check (name <> ''),
  slug text not null unique,
  logo text,
  metadata text,
  created_at timestamptz(3) not null default now()
);

-- A person's role in an account.
create table members (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts (id) on delete cascade,
  user_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz(3) not null default now(),
  -- When a session last switched to the account; sign-in opens the newest. In microseconds, because one
  -- transaction may create two memberships.
  opened_at timestamptz not null default clock_timestamp(),
  unique (account_id, user_id)
);
create index on members (user_id, created_at, id);
create index on members (account_id, created_at, id);

-- An invitation to an e-mail address. Only its mail has the token, which proves the address; the row has the
-- SHA-256.
create table invitations (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  status text not null check (status in ('pending', 'accepted', 'declined', 'canceled')),
  inviter_id uuid not null references people (id) on delete cascade,
  accepted_by uuid references people (id) on delete set null,
  token_digest bytea unique check (length(token_digest) = 32),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index on invitations (account_id, created_at desc, id desc);
create index on invitations (email, created_at desc, id desc);

-- A session, bound to one active account. It ends at expires_at, or after 14 days without use.
create table sessions (
  id uuid primary key default uuidv7(),
  token text not null unique,
  user_id uuid not null references people (id) on delete cascade,
  account_id uuid references accounts (id) on delete set null,
  ip_address text,
  user_agent text,
  expires_at timestamptz(3) not null,
  -- Unusable until the sign-in is recorded.
  last_used_at timestamptz(3) not null default '-infinity',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on sessions (user_id, last_used_at desc, id desc);
create index on sessions (expires_at);

-- One row per account, which admission and moves lock first, in order of account id: everything counted about
-- the account depends on this lock.
create table account_counters (
  account_id uuid primary key references accounts (id) on delete cascade,
  active_jobs integer not null default 0 check (active_jobs >= 0),
  -- The numbers of the account's newest event and of its newest deleted one.
  last_event bigint not null default 0 check (last_event >= 0),
  expired_event bigint not null default 0 check (expired_event between 0 and last_event)
);
