-- When each scheduled task is due next. The process that moves this time on runs the task. Null: no process of
-- this version has seen the task so far. The version before has its queue in a schema of its own,
-- graphile_worker or <schema>_queue, which nothing reads any more once no process of that version runs.
alter table task_runs add column due_at timestamptz(3);
