-- The bytes of each file that a version of the catalog has. Versions share equal files.
create table catalog_files (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bytea not null check (sha256 = encode(sha256(bytes), 'hex'))
);

-- Publications of the catalog and face of the studio. All processes serve the newest. Rows never
-- change, so there are no foreign keys: to lock a row for one, Postgres needs the right to change it.
create table catalog_versions (
  number integer primary key check (number > 0),
  -- The sha256 of each file, by its name.
  files jsonb not null check (jsonb_typeof(files) = 'object'),
  note text check (char_length(note) between 1 and 500),
  -- Null: published from files, at a start or by the command line.
  created_by uuid,
  republished_from integer check (republished_from < number),
  created_at timestamptz(3) not null default now()
);
create index on catalog_versions (created_by) where created_by is not null;

revoke update, delete, truncate on catalog_files, catalog_versions from current_user;
