import { sql } from 'kysely';
import { expect } from 'vitest';
import { dueIn, today } from './every-endpoint.ts';
import type { Got } from './harness.ts';
import { newJobIn, post, type Studio, uuidOf } from './jobs.ts';
import type { JobStatus } from '../../contract/moves.ts';

export const deskPath = (id: string) => `/api/operator/v1/jobs/${id}`;

export const noteTime = ({ service, operator }: Studio, id: string, changes: object = {}, key?: string): Promise<Got> =>
  post(service, operator.token, `${deskPath(id)}/times`, { minutes: 90, worked_on: today(), ...changes }, key);

/** The id of an entry of 90 minutes. */
export async function newTime(studio: Studio, id: string): Promise<string> {
  const { status, body } = await noteTime(studio, id);
  expect(status).toBe(201);
  return body.noted_time.id;
}

export const setAside = ({ service, operator }: Studio, id: string, changes: object = {}): Promise<Got> =>
  service.call('PUT', `${deskPath(id)}/set-aside`, {
    as: operator.token,
    body: { reason: 'No paper.', set_aside_until: dueIn(3), ...changes },
  });

/** As if its service had asked for these checks when it was ordered. */
export const askToCheck = ({ service }: Studio, id: string, ...checklist: string[]) =>
  sql`update jobs set checklist = ${checklist} where id = ${uuidOf('job', id)}`.execute(service.context.db);

export async function newJobToCheck(studio: Studio, status: JobStatus, ...checklist: string[]): Promise<string> {
  const id = await newJobIn(studio, status);
  await askToCheck(studio, id, ...checklist);
  return id;
}

export const tick = ({ service, operator }: Studio, id: string, item: number, ticked = true): Promise<Got> =>
  service.call('PUT', `${deskPath(id)}/checklist`, { as: operator.token, body: { item, ticked } });

export const deskJob = async ({ service }: Studio, id: string, as: string) =>
  (await service.call('GET', deskPath(id), { as })).body.job;
