-- What has expired is looked for every hour.
create index on auth.session (expires_at);
create index on auth.verification (expires_at);
