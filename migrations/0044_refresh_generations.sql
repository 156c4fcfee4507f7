-- A replaced refresh token gives another pair for a minute. The pairs of that minute have the same generation.
-- Null: never presented, or issued by an earlier version.
alter table oauth_refresh_tokens add column generation integer check (generation >= 0);
-- When a refresh issued it, by the clock of the database.
alter table oauth_refresh_tokens add column paired_at timestamptz(3);
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (reference_id, generation);
