/** A row of each table that no request of the sweeps writes: of the provider, of mails, and of OAuth. */
export const rowsOfNoRequest: Record<string, string> = {
  caller_idempotency_keys: `insert into caller_idempotency_keys (caller_id, account_id, key, route, fingerprint, status, answer)
      select m.user_id, m.account_id, 'k', 'r', 'f', 200, '{}' from members m limit 1`,
  comment_replies: `insert into comment_replies (account_id, job_id, comment_id, text, user_id)
      select c.account_id, c.job_id, c.id, 'Blue, too.', c.user_id from job_comments c limit 1`,
  checkouts: `insert into checkouts (account_id, code, id, price, customer, url, expires_at)
      select account_id, 'other', 'cs_1', 'price_1', customer, 'https://pay.example', now() + interval '1 day'
      from provider_customers limit 1`,
  day_figures: `insert into day_figures (day, service_family, created, delivered, on_time, revised, hours)
      values ('2020-01-01', 'design', 1, 1, 1, 0, '{1.5}')`,
  examinations: `insert into examinations (id, daily, ended_at, version, findings)
      values (uuidv7(), true, now(), '0.3.0', '[]')`,
  idempotency_keys: `insert into idempotency_keys (account_id, key, route, fingerprint, status, answer)
      select id, 'k', 'r', 'f', 201, '{}' from accounts limit 1`,
  mail_tokens: `insert into mail_tokens (digest, purpose, user_id, email, expires_at)
      select sha256('1'), 'verify_email', id, email, now() + interval '1 day' from people limit 1`,
  mails: `insert into mails (kind, user_id, expires_at)
      select 'verify_email', id, now() + interval '1 day' from people limit 1`,
  oauth_access_tokens: `insert into oauth_access_tokens (token, client_id, expires_at, created_at, scopes)
      values ('t', 'app', now(), now(), '[]')`,
  oauth_clients: `insert into oauth_clients (client_id, client_secret, redirect_uris) values ('app', 'secret', '[]')`,
  oauth_consents: `insert into oauth_consents (client_id, scopes, created_at, updated_at) values ('app', '[]', now(), now())`,
  oauth_device_codes: `insert into oauth_device_codes (device_code, user_code, expires_at, status)
      values ('d', 'u', now(), 'pending')`,
  oauth_refresh_tokens: `insert into oauth_refresh_tokens (token, client_id, user_id, expires_at, created_at, scopes)
      select 't', 'app', id, now(), now(), '[]' from people limit 1`,
  oauth_resources: `insert into oauth_resources (identifier, name) values ('r', 'r')`,
  provider_event_reviews: `insert into provider_event_reviews (event_id, reviewed_by, outcome)
      select e.id, p.id, 'processed' from provider_events e, people p limit 1`,
  stored_days: `insert into stored_days (day) values ('2020-01-01')`,
  task_runs: `insert into task_runs (task, succeeded_at, seconds, every_seconds) values ('storeDayFigures', now(), 0.1, 600)`,
  calendars: `insert into calendars (account_id, user_id, token_sha256, with_titles)
      select account_id, user_id, sha256('token'), true from members limit 1`,
  verifications: `insert into verifications (identifier, value, expires_at) values ('i', 'v', now() + interval '1 day')`,
  webhook_attempts: `insert into webhook_attempts (account_id, endpoint_id, delivery_id, attempt, at, error, ms)
      select account_id, endpoint_id, id, 1, now(), 'e', 1 from webhook_deliveries limit 1`,
};
