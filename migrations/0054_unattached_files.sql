-- The files of an account that belong to no job are few: their list must not read past those of all its jobs.
create index files_unattached on files (account_id, created_at desc, id desc) where job_id is null;
