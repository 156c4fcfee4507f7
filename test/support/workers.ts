import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { MoveName } from '../../contract/moves.ts';
import { expireLeases } from '../../server/desk/queue/expire-leases.ts';
import { bodies, makeMoves, newJob, pathOf, post, readJob, type Studio, unknownJob, uuidOf } from './jobs.ts';
import { untilBlocked } from './locks.ts';
import { makeOperator } from './people.ts';
import type { Got, Service } from './harness.ts';

/** The plaintext of a new worker key, for all families by default. */
export async function makeWorker({ service, operator }: Studio, service_families?: string[]): Promise<string> {
  const body = { name: 'robot', ...(service_families ? { service_families } : {}) };
  const made = await post(service, operator.token, '/api/operator/v1/worker-keys', body);
  expect(made.status).toBe(201);
  return made.body.plaintext_key;
}

export const claim = ({ service }: Studio, as: string, body: object = {}, idempotencyKey?: string): Promise<Got> =>
  post(service, as, '/api/operator/v1/jobs/claim', body, idempotencyKey);

export const heartbeat = ({ service }: Studio, as: string, id: string, lease_token: string): Promise<Got> =>
  post(service, as, `/api/operator/v1/jobs/${id}/heartbeat`, { lease_token });

/** Makes a move under a lease. */
export const moveAs = (
  { service }: Studio,
  as: string,
  id: string,
  move: MoveName,
  lease_token?: string,
): Promise<Got> =>
  post(service, as, pathOf(move, id), {
    ...(move === 'submit' ? bodies.submit : {}),
    ...(lease_token === undefined ? {} : { lease_token }),
  });

/** A job in a family of its own, so that it can be claimed whatever else is queued. */
export async function lonelyJob({ service, key }: Studio, family: string = randomUUID()) {
  const id = await newJob(service, key);
  return { id, family: await moveToFamily(service, id, family) };
}

/** Moves a job to a family of its own. */
export async function moveToFamily({ context: { db } }: Service, id: string, family: string = randomUUID()) {
  await db.updateTable('jobs').set({ service_family: family }).where('id', '=', uuidOf('job', id)).execute();
  return family;
}

/** A new job that the worker, or the operator, holds under a lease: accepted, or running. */
export async function leasedJob(studio: Studio, as: string, status: 'accepted' | 'running' = 'accepted', own?: string) {
  const { id, family } = await lonelyJob(studio, own);
  const { status: answered, body } = await claim(studio, as, { service_families: [family] });
  expect([answered, body.job.id]).toEqual([200, id]);
  const token: string = body.lease.token;
  if (status === 'running') expect((await moveAs(studio, as, id, 'start', token)).status).toBe(200);
  return { id, family, token };
}

/** Makes the lease end now; no task has handled that yet. */
export const runOut = ({ service }: Studio, id: string) =>
  sql`update jobs set lease_expires_at = clock_timestamp() - interval '1 ms' where id = ${uuidOf('job', id)}`.execute(
    service.context.db,
  );

/** Expires leases, as a task does every few seconds. */
export const sweep = ({ service: { context } }: Studio) =>
  expireLeases(context.db, context.log, new AbortController().signal);

/** Rules that all moves of a holder share. */
export function fence(studio: () => Studio, move: 'start' | 'submit' | 'release') {
  const status = move === 'submit' ? 'running' : 'accepted';
  const refused = async (worker: string, id: string, token: string) => {
    const before = await readJob(studio().service, studio().key, id);
    const answer = await moveAs(studio(), worker, id, move, token);
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'lease_lost']);
    expect(await readJob(studio().service, studio().key, id)).toEqual(before);
  };

  return {
    /** Refuses an unknown token, that of another worker or job, and a malformed one. */
    keepsStrangersOut: async () => {
      const [worker, other] = [await makeWorker(studio()), await makeWorker(studio())];
      const { id, token } = await leasedJob(studio(), worker, status);
      const elsewhere = await leasedJob(studio(), worker, status);
      await refused(other, id, token);
      await refused(worker, id, elsewhere.token);
      for (const no of [randomUUID(), 'x', `${token} `]) await refused(worker, id, no);
      await refused(studio().operator.token, id, token);
      expect((await moveAs(studio(), worker, id, move, token)).status).toBe(200);
    },

    /** Refuses the move after the lease ended, also if the same worker has claimed the job again. */
    keepsTheLateOut: async () => {
      const worker = await makeWorker(studio());
      const { id, family, token } = await leasedJob(studio(), worker, status);
      await runOut(studio(), id);
      await refused(worker, id, token);
      await sweep(studio());
      await refused(worker, id, token);
      const { body } = await claim(studio(), worker, { service_families: [family] });
      if (status === 'running') await moveAs(studio(), worker, id, 'start', body.lease.token);
      await refused(worker, id, token);
      expect((await moveAs(studio(), worker, id, move, body.lease.token)).status).toBe(200);
    },

    /** The lease ends while the request waits for a lock on the job. */
    keepsOutWhoWaitedTooLong: async () => {
      const { db } = studio().service.context;
      const worker = await makeWorker(studio());
      const { id, token } = await leasedJob(studio(), worker, status);
      const waiting = await db.transaction().execute(async (trx) => {
        await sql`update jobs set lease_expires_at = clock_timestamp() + interval '700 ms'
          where id = ${uuidOf('job', id)}`.execute(trx);
        const moved = moveAs(studio(), worker, id, move, token);
        await untilBlocked(db);
        await sql`select pg_sleep(0.8)`.execute(trx);
        return { moved };
      });
      const answer = await waiting.moved;
      expect([answer.status, answer.body.error?.code]).toEqual([409, 'lease_lost']);
      await makeMoves(studio(), id, 'cancel'); // gives back its slot of the plan
    },

    needsAToken: async () => {
      const worker = await makeWorker(studio());
      const { id } = await leasedJob(studio(), worker, status);
      const answer = await moveAs(studio(), worker, id, move);
      expect([answer.status, answer.body.error.details[0].location]).toEqual([422, '/lease_token']);
      expect((await moveAs(studio(), worker, unknownJob, move, 'x')).body.error.code).toBe('job_not_found');
    },

    /** An operator's move without a token ends the worker's lease. */
    yieldsToAnOperator: async () => {
      const [worker, operator] = [await makeWorker(studio()), await makeOperator(studio().service)];
      const { id, token } = await leasedJob(studio(), worker, status);
      expect((await moveAs(studio(), operator.token, id, move)).status).toBe(200);
      expect((await heartbeat(studio(), worker, id, token)).body.error.code).toBe('lease_lost');
      await refused(worker, id, token);
    },
  };
}
