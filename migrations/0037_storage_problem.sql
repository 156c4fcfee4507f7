-- The latest problem that a process had with its own storage, and which process: doctor may run beside another one.
-- Null: none so far.
alter table installation
  add column storage_problem text,
  add column storage_problem_at timestamptz(3);
