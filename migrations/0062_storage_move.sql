-- The files are moved to another storage since then: {"from": …, "to": …, "since": …, "switched_at": …}. Both
-- storages are places without credentials. `switched_at`: since when every process names the new one. Null: no move.
alter table installation add column move jsonb check (jsonb_typeof(move) = 'object');
