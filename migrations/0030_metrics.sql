-- What /metrics says about the state of the installation, in one row: counted by one process every 15 seconds, read by
-- all. The names in it are those of server/probes/count-state.ts.
create table state_figures (
  only_row boolean primary key check (only_row),
  figures jsonb not null check (jsonb_typeof(figures) = 'object'),
  counted_at timestamptz(3) not null
);

-- When each scheduled task last succeeded, and how long that took. A task that has not run yet counts from when a
-- process first scheduled it. Written at most every ten seconds by each process.
create table task_runs (
  task text primary key,
  succeeded_at timestamptz(3) not null,
  seconds real not null check (seconds >= 0),
  every_seconds integer not null check (every_seconds > 0)
);

-- For counting them.
create index on webhook_endpoints (disabled_reason) where disabled_reason is not null;
