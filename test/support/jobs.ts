import { sql, type Updateable } from 'kysely';
import { expect } from 'vitest';
import { type JobStatus, type MoveName, moves } from '../../contract/moves.ts';
import { readId } from '../../server/lib/id.ts';
import type { Entitlements } from '../../server/tables.ts';
import { makeKey, makeOperator, signUp, type TestPerson } from './people.ts';
import { grant } from './plans.ts';
import { type As, type Got, createService, type Service, sharedService } from './harness.ts';

/** A draft that `createJob` accepts, although its brief is incomplete. */
export const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions: 'A round sign with an ear of rye.',
};

/** A service with an operator and a customer on the studio plan, which allows sessions and keys. */
export type Studio = { service: Service; ada: TestPerson; key: string; operator: TestPerson };

export async function createStudio(
  env: Record<string, string> = {},
  terms: Parameters<typeof createService>[1] = {},
): Promise<Studio> {
  return studioOf(await createService(env, terms));
}

/** The shared service with an operator and a customer of its own. */
export const sharedStudio = async (): Promise<Studio> => studioOf(await sharedService());

/** The same desk with a customer who has nothing yet. */
export const withNewCustomer = async ({ service, operator }: Studio): Promise<Studio> => ({
  ...(await customerOf(service)),
  service,
  operator,
});

async function studioOf(service: Service): Promise<Studio> {
  return { service, ...(await customerOf(service)), operator: await makeOperator(service) };
}

async function customerOf(service: Service) {
  const { person: ada, key } = await newCustomer(service, 'studio');
  return { ada, key };
}

/** A new person with an account, these plans and an API key. */
export async function newCustomer(service: Service, ...tiers: ('solo' | 'agent' | 'studio')[]) {
  const person = await signUp(service);
  for (const tier of tiers) await grant(service, person, tier);
  return { person, key: await makeKey(service, person) };
}

export const post = (service: Service, as: As, path: string, body?: unknown, idempotencyKey?: string): Promise<Got> =>
  service.call('POST', path, {
    as,
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });

export const createJob = (service: Service, as: As, changes: object = {}, idempotencyKey?: string) =>
  post(service, as, '/api/v1/jobs', { ...draft, ...changes }, idempotencyKey);

/** The id of a new job. */
export async function newJob(service: Service, as: As, changes: object = {}): Promise<string> {
  const { status, body } = await createJob(service, as, changes);
  expect(status).toBe(201);
  return body.job.id;
}

export const bodies: Partial<Record<MoveName, object>> = {
  submit: { message: 'The first version.' },
  return: { note: 'internal note' },
  reject: { code: 'out_of_scope', message: 'We do not take this on.' },
  revision: { customer_instructions: 'Rounder, please.' },
};

export const pathOf = (move: MoveName, id: string) =>
  (moves[move].by as readonly string[]).includes('customer')
    ? `/api/v1/jobs/${id}/${move}`
    : `/api/operator/v1/jobs/${id}/${move}`;

/** Requests a move as the customer (API key) or the operator (session), whichever may make it. */
export const tryMove = ({ service, key, operator }: Studio, id: string, move: MoveName) =>
  post(service, pathOf(move, id).includes('operator') ? operator.token : key, pathOf(move, id), bodies[move]);

/** Makes these moves in order and returns the job after the last one. */
export async function makeMoves(studio: Studio, id: string, ...names: MoveName[]) {
  let job;
  for (const name of names) {
    const { status, body } = await tryMove(studio, id, name);
    expect(status, name).toBe(200);
    job = body.job;
  }
  return job;
}

/** The moves that lead to each status. */
export const waysTo: Record<JobStatus, MoveName[]> = {
  queued: [],
  accepted: ['accept'],
  running: ['accept', 'start'],
  needs_review: ['accept', 'start', 'submit'],
  ready_for_customer_review: ['accept', 'start', 'submit', 'pass'],
  completed: ['accept', 'start', 'submit', 'pass', 'approve'],
  rejected: ['reject'],
  canceled: ['cancel'],
};

/** The id of a new job of the studio's customer, in this status. */
export async function newJobIn(studio: Studio, status: JobStatus, changes: object = {}): Promise<string> {
  const id = await newJob(studio.service, studio.key, changes);
  await makeMoves(studio, id, ...waysTo[status]);
  return id;
}

export const readJob = async (service: Service, as: As, id: string) =>
  (await service.call('GET', `/api/v1/jobs/${id}`, { as })).body;

type PlanChange = Updateable<
  Pick<
    Entitlements,
    | 'quota'
    | 'concurrency_limit'
    | 'status'
    | 'state'
    | 'state_since'
    | 'serves_until'
    | 'ends_at'
    | 'paid_until'
    | 'collection_paused'
  >
> & {
  /** The end of the period, in hours from now; negative if it is over. */
  endsIn?: number;
  /** Starts a new period now. */
  renewed?: true;
};

/** What the provider usually says then. */
const statesOf = {
  active: 'active',
  past_due: 'past_due',
  paused: 'paused',
  stopped: 'unpaid',
  canceled: 'ended',
} as const;

/** Changes a granted plan in the database, as a later provider event or the passage of time would. */
export async function setPlan(service: Service, { accountId }: TestPerson, code: string, change: PlanChange) {
  const { db } = service.context;
  const { endsIn, renewed, ...facts } = change;
  const columns = facts.status && !facts.state ? { ...facts, state: statesOf[facts.status] } : facts;
  const plan = (row: { account_id: string; code: string }) => row;
  const where = plan({ account_id: accountId, code });
  const { id } = await db
    .selectFrom('entitlements')
    .select('id')
    .where((row) => row.and(where))
    .executeTakeFirstOrThrow();
  if (Object.keys(columns).length > 0) await db.updateTable('entitlements').set(columns).where('id', '=', id).execute();
  if (endsIn !== undefined)
    await sql`
      update entitlement_periods p set period_end = t.at, period_start = least(period_start, t.at - interval '1 hour')
      from (select now() + make_interval(secs => ${endsIn * 3600}::float) as at) t
      where entitlement_id = ${id}`.execute(db);
  if (renewed)
    await sql`update entitlement_periods set period_start = now(), used = 0 where entitlement_id = ${id}`.execute(db);
}

/** `used` of each plan of an account. Expects that the counters equal ledger and adjustments. */
export async function usedOf(service: Service, { accountId }: TestPerson): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; used: number; sum: number }>`
    select e.code, p.used, (select coalesce(sum(l.quantity), 0)::int from (
        select entitlement_id, period_start, quantity from usage_ledger
        union all select entitlement_id, period_start, quantity from quota_adjustments) l
      where l.entitlement_id = e.id and l.period_start = p.period_start) as sum
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId}`.execute(service.context.db);
  for (const { code, used, sum } of rows) expect(used, `counter and ledger of ${code}`).toBe(sum);
  return Object.fromEntries(rows.map(({ code, used }) => [code, used]));
}

/** The account's counter of active jobs. */
export async function activeJobsOf(service: Service, { accountId }: TestPerson): Promise<number> {
  const { db } = service.context;
  const row = db.selectFrom('account_counters').select('active_jobs').where('account_id', '=', accountId);
  return (await row.executeTakeFirstOrThrow()).active_jobs;
}

export const uuidOf = (prefix: 'job' | 'key' | 'acct' | 'file', id: string): string => readId(prefix, id) ?? '';
export const unknownJob = 'job_01jd3vsh8xe7rtx1zqbdnzc4v0';
