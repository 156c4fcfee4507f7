-- People and their accounts. The sign-in library (better-auth) reads and writes the tables of the schema
-- auth. Its account table is named credential here, because an account owns jobs.
create schema auth;

-- A person who can sign in. `operator` gives access to the desk; sign-up cannot set it.
create table auth.user (
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
create index on auth.user (created_at, id) where operator;

-- A way to sign in: a password hash, one row per provider.
create table auth.credential (
  id uuid primary key default uuidv7(),
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references auth.user (id) on delete cascade,
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
create index on auth.credential (user_id);

-- Tokens of mails, stored as SHA-256. Each works once and for one purpose. A change of address must be
-- confirmed in the session that asked for it; `email` is the new address. An undo ends everything made since
-- the change.
create table auth.mail_token (
  digest bytea primary key check (length(digest) = 32),
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'change_email', 'undo_change')),
  user_id uuid not null references auth.user (id) on delete cascade,
  session_id uuid,
  email text not null check (email = lower(email)),
  expires_at timestamptz(3) not null,
  since timestamptz(3),
  check ((purpose = 'change_email') = (session_id is not null)),
  check ((purpose = 'undo_change') = (since is not null))
);
create index on auth.mail_token (user_id);
create index on auth.mail_token (email) where purpose = 'undo_change';
create index on auth.mail_token (expires_at);

-- A person's second factor: the authenticator's secret and the remaining recovery codes, encrypted. It is
-- active once verified. used_codes are the last accepted codes, so that none works twice.
create table auth.two_factor (
  id uuid primary key default uuidv7(),
  user_id uuid not null unique references auth.user (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  confirmed_at timestamptz(3),
  failed_verification_count integer not null default 0,
  locked_until timestamptz(3),
  used_codes text[] not null default '{}'
);

-- Pending sign-ins with a second factor.
create table auth.verification (
  id uuid primary key default uuidv7(),
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on auth.verification (identifier);
-- Expired rows are looked up every hour.
create index on auth.verification (expires_at);

-- The owner of jobs, keys and plans.
create table auth.account (
  id uuid primary key default uuidv7(),
  name text not null check (name <> ''),
  slug text not null unique,
  logo text,
  metadata text,
  created_at timestamptz(3) not null default now()
);

-- A person's role in an account.
create table auth.member (
  id uuid primary key default uuidv7(),
  account_id uuid not null references auth.account (id) on delete cascade,
  user_id uuid not null references auth.user (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz(3) not null default now(),
  -- When a session last switched to the account; sign-in opens the newest. In microseconds, because one
  -- transaction may create two memberships.
  opened_at timestamptz not null default clock_timestamp(),
  unique (account_id, user_id)
);
create index on auth.member (user_id, created_at, id);
create index on auth.member (account_id, created_at, id);

-- An invitation to an e-mail address. Only its mail has the token, which proves the address; the row has the
-- SHA-256.
create table auth.invitation (
  id uuid primary key default uuidv7(),
  account_id uuid not null references auth.account (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  status text not null check (status in ('pending', 'accepted', 'declined', 'canceled')),
  inviter_id uuid not null references auth.user (id) on delete cascade,
  accepted_by uuid references auth.user (id) on delete set null,
  token_digest bytea unique check (length(token_digest) = 32),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index on auth.invitation (account_id, created_at desc, id desc);
create index on auth.invitation (email, created_at desc, id desc);

-- A session, bound to one active account. It ends at expires_at, or after 14 days without use.
create table auth.session (
  id uuid primary key default uuidv7(),
  token text not null unique,
  user_id uuid not null references auth.user (id) on delete cascade,
  account_id uuid references auth.account (id) on delete set null,
  ip_address text,
  user_agent text,
  expires_at timestamptz(3) not null,
  -- Unusable until the sign-in is recorded.
  last_used_at timestamptz(3) not null default '-infinity',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index on auth.session (user_id, last_used_at desc, id desc);
create index on auth.session (expires_at);

-- One row per account, which admission and moves lock first, in order of account id: everything counted about
-- the account depends on this lock.
create table account_counters (
  account_id uuid primary key references auth.account (id) on delete cascade,
  active_jobs integer not null default 0 check (active_jobs >= 0),
  -- The numbers of the account's newest event and of its newest deleted one.
  last_event bigint not null default 0 check (last_event >= 0),
  expired_event bigint not null default 0 check (expired_event between 0 and last_event)
);

create function auth.open_account_counters() returns trigger language plpgsql as $$
begin
  insert into public.account_counters (account_id) values (new.id);
  return null;
end $$;
create trigger open_account_counters after insert on auth.account
  for each row execute function auth.open_account_counters();

-- A trigger, because the library's after-hooks run after the commit: a sign-up and its account must be one
-- transaction.
create function auth.open_account() returns trigger language plpgsql as $$
declare
  opened uuid := uuidv7();
begin
  insert into auth.account (id, name, slug) values (opened, new.name, opened::text);
  insert into auth.member (account_id, user_id, role) values (opened, new.id, 'owner');
  return null;
end $$;
create trigger open_account after insert on auth.user
  for each row execute function auth.open_account();

create function auth.choose_account() returns trigger language plpgsql as $$
begin
  new.account_id := coalesce(
    new.account_id,
    (select m.account_id from auth.member m where m.user_id = new.user_id order by m.opened_at desc, m.id desc limit 1)
  );
  return new;
end $$;
create trigger choose_account before insert on auth.session
  for each row execute function auth.choose_account();
