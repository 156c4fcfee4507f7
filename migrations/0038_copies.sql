-- Whether this installation reaches nothing outside: 'copy' since `restore --as-copy` made it from a backup,
-- 'setting' since a process started with OUTBOUND=off. Null: it does.
alter table installation add column outbound_off text check (outbound_off in ('copy', 'setting'));
