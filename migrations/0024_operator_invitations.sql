-- An invitation to become an operator, until it is accepted, canceled or replaced, or its inviter may not invite any
-- more; then the row is deleted. Only its mail has the token; the row has the SHA-256. Families and limit become those
-- of operator_settings.
create table operator_invitations (
  id uuid primary key default uuidv7(),
  email text not null unique check (email = lower(email)),
  role text not null check (role in ('maker', 'reviewer', 'lead', 'owner')),
  service_families text[] check (cardinality(service_families) between 1 and 100),
  held_limit smallint not null check (held_limit between 1 and 100),
  inviter_id uuid not null references people (id) on delete cascade,
  token_digest bytea unique check (length(token_digest) = 32),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index on operator_invitations (created_at desc, id desc);
create index on operator_invitations (inviter_id);
