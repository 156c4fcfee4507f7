-- An app that an owner of the studio registered by hand, for hosts that have no other way. Its client id is an id, app_….
-- updated_at is null while it is active and says when it ended once it is disabled. So what deletes old apps by
-- updated_at never deletes an active one, in the version before this one too.
alter table oauth_clients
  add column registered_by uuid references people (id),
  add constraint oauth_clients_ended check (registered_by is null or disabled = (updated_at is not null));
create index on oauth_clients (created_at desc, id desc) where registered_by is not null;
create index on oauth_clients (registered_by) where registered_by is not null;

-- The grants of one app, which end with it.
create index on api_keys (app_client_id, expires_at) where app_client_id is not null and revoked_at is null;
