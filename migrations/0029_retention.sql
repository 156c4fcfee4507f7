-- When the events of an ended job were deleted, because the installation keeps them no longer
-- (docs/decisions/0047).
alter table job_outcomes add column events_deleted_at timestamptz(3);
create index on job_outcomes (ended_at) where events_deleted_at is null;

-- For deleting conversations that led to no job.
create index on intake_sessions (expires_at) where status <> 'confirmed';
