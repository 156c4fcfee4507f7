-- What doctor found: the service examines itself each hour and when an owner of the studio asks, and `doctor --daily` adds
-- its own. The sentences hold neither secrets nor texts of customers.
create table examinations (
  id uuid primary key,
  daily boolean not null default false,
  requested_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  version text,
  findings jsonb check (jsonb_typeof(findings) = 'array'),
  check ((ended_at is null) = (findings is null)),
  check ((ended_at is null) = (version is null))
);
-- One at a time.
create unique index examinations_open on examinations ((ended_at is null)) where ended_at is null;
create index on examinations (ended_at);
