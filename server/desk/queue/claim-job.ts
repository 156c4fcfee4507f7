import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { claimJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { canMove, parkedAfter } from '../../../contract/moves.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { announce, type Db, type Trx } from '../../db/pool.ts';
import type { Hub } from '../../events/hub.ts';
import type { CallerOf, Cause, Request, WorkerCaller } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { leasedTo } from '../../jobs/hold.ts';
import { readRevision, studioOf } from '../../jobs/job-comment.ts';
import { type JobChanges, type JobRow, jobUuid } from '../../jobs/job.ts';
import { applyMove, setLease } from '../../jobs/move.ts';
import { showId } from '../../lib/id.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { deskParty } from '../../talk/message.ts';
import { newestMessages } from '../../talk/thread.ts';
import { type DeskRow, findDeskRow, jobKeyOf, showDeskJob, showLease } from './desk-job.ts';
import { lockClaimant } from '../operators/operator.ts';
import { isSetAside } from './set-aside.ts';

/** Rolls the transaction back, so that the Idempotency-Key does not remember an empty queue. */
const nothingToDo = new Error('There is nothing to claim.');

/** Limit of live leases per worker key, so that one worker cannot empty the queue. */
const maxLeases = 10;

/** For so long a worker does not get a job again that it gave back. */
const giveBackSeconds = 60;

/** Least milliseconds between two looks for a job, so that not every event wakes all workers. */
const lookEvery = 250;

type Dependencies = { db: Db; graceHours: number; metrics: Metrics };

/** Leases the next free job to the caller. With `wait`, waits until there is one. */
export async function claimJob(
  dependencies: Dependencies & { hub: Hub },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { ended, body } = request;
  if (!body.wait) return claimOnce(dependencies, request);
  const waited = new AbortController();
  const stop = () => waited.abort();
  const timer = setTimeout(stop, body.wait * 1000);
  ended.addEventListener('abort', stop);
  try {
    const watch = dependencies.hub.watch(null, waited.signal);
    for (;;) {
      const claimed = await claimOnce(dependencies, request);
      if (claimed.status !== 204 || waited.signal.aborted) return claimed;
      await pause(lookEvery);
      await watch.next();
      if (ended.aborted) return claimed; // the caller has gone: do not lease a job
    }
  } finally {
    clearTimeout(timer);
    stop();
  }
}

type Claimed = Extract<AnswerOf<typeof endpoint>, { status: 200 }>;
/** The Idempotency-Key stores which job it was, and neither the token of its lease nor copies of texts. */
type Stored = Claimed | { status: 200; body: { job: { id: string }; lease: null; messages: null; revision: null } };

async function claimOnce(
  { db, graceHours, metrics }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  try {
    const answer = await withIdempotencyKey<Stored>(db, request, async (trx) => {
      const ofCaller =
        caller.method === 'worker_key'
          ? await familiesOfWorker(trx, caller)
          : await familiesOfOperator(trx, caller.userId);
      const job = await lockNextJob(trx, caller, ofCaller, body.service_families ?? null);
      if (!job) throw nothingToDo;
      const subject = showId('job', job.id);
      await appendAudit(trx, cause, { action: 'job.claimed', subject, accountId: job.account_id });
      await lease(trx, job, leasedTo(caller, body.lease_seconds ?? 300, job.locked_at), cause);
      const row = await findDeskRow(trx, job, graceHours);
      const claimed = { job: showDeskJob(row, caller), lease: showLease(row), ...(await wordsOf(trx, row, caller)) };
      const repeat = { job: { id: subject }, lease: null, messages: null, revision: null };
      return { status: 200, body: claimed, repeat, accountId: job.account_id };
    });
    const { body: claimed } = answer;
    if (claimed.lease) {
      metrics.count('atelier_claims_total');
      return { ...answer, body: claimed };
    }
    const again = await findLease(db, caller, claimed.job.id);
    const row = await findDeskRow(db, await jobKeyOf(db, claimed.job.id), graceHours);
    return { ...answer, body: { job: showDeskJob(row, caller), lease: again, ...(await wordsOf(db, row, caller)) } };
  } catch (error) {
    if (error === nothingToDo) return { status: 204, body: undefined };
    throw error;
  }
}

/** The events say whether there is a thread, so most claims read none. */
const threadOf = async (db: Db | Trx, row: DeskRow, caller: CallerOf<'desk'>) =>
  row.events.some(({ type }) => type === 'job.message_added') ? newestMessages(db, row, deskParty(caller), 100) : [];

/** What customer and studio have written to each other so far, and what the customer wants changed. */
const wordsOf = async (db: Db | Trx, row: DeskRow, caller: CallerOf<'desk'>) => ({
  messages: await threadOf(db, row, caller),
  revision: await readRevision(db, row, studioOf(caller)),
});

/** The lease that the caller still has on a job. Once it has ended, a repeat must not look like a hold. */
async function findLease(db: Db, caller: CallerOf<'desk'>, id: string): Promise<Claimed['body']['lease']> {
  const holder =
    caller.method === 'session' ? sql`operator_id = ${caller.userId}` : sql`worker_key_id = ${caller.keyId}`;
  const { rows } = await sql<Pick<JobRow, 'lease_token' | 'lease_expires_at'>>`
    select lease_token, lease_expires_at from jobs
    where id = ${jobUuid(id)} and ${holder} and lease_expires_at > now()`.execute(db);
  if (!rows[0]) throw new Refusal('lease_lost');
  return showLease(rows[0]);
}

type Families = string[] | null;

/** The families of the operator's claims, unless they hold as many jobs as they may. */
async function familiesOfOperator(trx: Trx, userId: string): Promise<Families> {
  const operator = await lockClaimant(trx, userId);
  if (!operator) throw new Refusal('unauthenticated');
  const { held_jobs, held_limit, service_families } = operator;
  if (held_jobs < held_limit) return service_families;
  throw new Refusal('limit_reached', {
    message: `You hold ${held_jobs} of ${held_limit} jobs.`,
    action: 'Submit, release or hand over one of them, or have your limit raised; then take the next.',
  });
}

/** Locks the key, so that concurrent claims count each other's leases. The count must come second. */
async function familiesOfWorker(trx: Trx, { keyId, serviceFamilies }: WorkerCaller): Promise<Families> {
  const active = await sql`
    select from worker_keys where id = ${keyId} and revoked_at is null for no key update`.execute(trx);
  if (active.rows.length === 0) throw new Refusal('unauthenticated');
  const live = await sql`
    select from jobs where lease_expires_at > now() and worker_key_id = ${keyId}`.execute(trx);
  if (live.rows.length < maxLeases) return serviceFamilies;
  throw new Refusal('limit_reached', {
    message: `The worker key holds ${live.rows.length} live leases; it may hold ${maxLeases}.`,
    action: 'Submit or release one of its jobs, or let a lease expire; then claim again.',
  });
}

/** Skips locked jobs, so that concurrent claims do not wait for each other. */
async function lockNextJob(
  trx: Trx,
  caller: CallerOf<'desk'>,
  ofCaller: Families,
  families: Families,
): Promise<(JobRow & { locked_at: Date }) | undefined> {
  const { rows } = await sql<JobRow & { locked_at: Date }>`
    select j.*, date_trunc('milliseconds', clock_timestamp()) as locked_at from jobs j
    where status in ('queued', 'accepted', 'running') and held_since is null and waiting_since is null
      and not ${isSetAside}
      and (lease_expiries < ${parkedAfter} or ${caller.method === 'session'})
      and (worker_released_at is null or worker_released_at <= now() - make_interval(secs => ${giveBackSeconds})
        or worker_key_id is distinct from ${caller.method === 'worker_key' ? caller.keyId : null}::uuid)
      and (${families}::text[] is null or service_family = any(${families}::text[]))
      and (${ofCaller}::text[] is null or service_family = any(${ofCaller}::text[]))
    order by (status = 'queued' and answered_at is null), due_at, created_at, id
    limit 1 for update of j skip locked`.execute(trx);
  return rows[0];
}

/** A queued job becomes accepted. A revision or a returned job keeps its status. */
async function lease(trx: Trx, job: JobRow, changes: JobChanges, cause: Cause): Promise<void> {
  if (canMove('accept', job.status)) await applyMove(trx, job, 'accept', cause, changes);
  else {
    await setLease(trx, job, changes);
    announce(trx, job.account_id);
  }
}
