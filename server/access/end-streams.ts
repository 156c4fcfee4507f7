import type { FastifyInstance, FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { type CallerOf, isReviewer } from '../http/request.ts';
import type { Streams } from '../http/event-stream.ts';
import type { Waits } from '../http/waits.ts';
import type { Loops } from '../lib/loops.ts';
import { workerKeyEnd } from '../keys/worker-key.ts';

type Caller = CallerOf<'caller' | 'desk'>;
type Dependencies = {
  db: Db;
  streams: Streams;
  waits: Waits;
  log: FastifyBaseLogger;
  loops: Loops;
  state: { draining: boolean };
};

const askEvery = 5_000;

/** Ends streams and waits within 5 seconds of their credential, and all of them when the process stops. */
export function endStreams(app: FastifyInstance, { db, streams, waits, log, loops, state }: Dependencies): void {
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'could not check the credentials of open streams and waits');
  const succeeded = () => loops.succeeded('credentials');
  succeeded();
  const timer = setInterval(() => void endWithAuthority(db, [streams, waits]).then(succeeded, warn), askEvery).unref();
  app.addHook('preClose', async () => {
    clearInterval(timer);
    state.draining = true;
    streams.close();
    waits.close();
  });
}

/** One statement checks all credentials in use. */
async function endWithAuthority(db: Db, open: (Streams | Waits)[]): Promise<void> {
  const callers = new Map(open.flatMap((group) => group.callers()).map((caller) => [keyOf(caller), caller]));
  if (callers.size === 0) return;
  const lost = await lostCredentials(db, [...callers.values()]);
  if (lost.size > 0) for (const group of open) group.end((caller) => lost.has(keyOf(caller)));
}

/** A session can switch accounts, and some events are hidden from reviewers: the key has both. */
const keyOf = (caller: Caller): string =>
  caller.method === 'session'
    ? `${caller.sessionId} ${caller.accountId} ${caller.operatorRole} ${caller.secondFactor} ${isReviewer(caller)}`
    : caller.method === 'api_key'
      ? `${caller.keyId} ${caller.app?.until.getTime() ?? ''} ${isReviewer(caller)}`
      : caller.keyId;

/** Credentials that ended, and those of people who have lost a right or become a reviewer. */
async function lostCredentials(db: Db, callers: readonly Caller[]): Promise<Set<string>> {
  const used = callers.map((caller) => ({
    key: keyOf(caller),
    method: caller.method,
    id: caller.method === 'session' ? caller.sessionId : caller.keyId,
    account_id: caller.accountId,
    operator_role: caller.method === 'session' ? caller.operatorRole : null,
    second_factor: caller.method === 'session' && caller.secondFactor,
    until: caller.method === 'api_key' ? (caller.app?.until ?? null) : null,
    reviewer: caller.method !== 'worker_key' && isReviewer(caller),
  }));
  const { rows } = await sql<{ key: string }>`
    select used.key
    from json_to_recordset(${JSON.stringify(used)}::json) as used
      (key text, method text, id uuid, account_id uuid, operator_role text, second_factor boolean, until timestamptz,
        reviewer boolean)
    where not case used.method
      when 'api_key' then exists (select from api_keys k
        left join members m on k.app_client_id is not null and m.account_id = k.account_id and m.user_id = k.created_by
        where k.id = used.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
          and (used.until is null or used.until > now())
          and coalesce(m.role = 'reviewer', false) = used.reviewer)
      when 'worker_key' then exists (select from worker_keys k where k.id = used.id and ${workerKeyEnd} is null)
      else exists (select from sessions s
        join people u on u.id = s.user_id
        left join members m on m.user_id = s.user_id and m.account_id = s.account_id
        where s.id = used.id and s.expires_at > now()
          and m.account_id is not distinct from used.account_id
          and coalesce(m.role = 'reviewer', false) = used.reviewer
          and (used.operator_role is null or u.operator_role is not distinct from used.operator_role)
          and (u.second_factor or not used.second_factor)) end`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
