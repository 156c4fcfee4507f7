import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import {
  ask,
  contentOf,
  credentialFor,
  createWorld,
  pathFor,
  sendTo,
  titled,
  type World,
} from '../support/every-endpoint.ts';
import { draft, newJob } from '../support/jobs.ts';
import { sweepUnchanged } from '../support/sweep.ts';

/** What is asked with is never a part of a statement: it finds nothing, breaks nothing and changes nothing. */

const injections = [
  "' or '1'='1",
  "x' or 1=1 --",
  "queued' or 'a'='a",
  "queued'||(select ''",
  "'; delete from jobs; --",
  "'); drop table jobs cascade; --",
  "' union select null, null, null --",
  "'||pg_sleep(20)--",
  '1; select pg_sleep(20)',
  '" or ""="',
  "\\' or 1=1 --",
  'design%',
  '%',
  '_esign',
  'des/**/ign',
  '$1',
  '{queued,running}',
  'null',
  "a' & !b | (c:*",
  'design\u02bc or 1=1',
];

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.service.close());

/** The rows in an answer, if it lists any. */
const rowsIn = (body: Record<string, unknown>): unknown[] => Object.values(body).filter(Array.isArray).flat();

describe('in a query: 400, 404, or a list of nothing', () => {
  sweepUnchanged(
    'each',
    () => world.service,
    titled(endpoints.filter(({ query }) => query)),
    async (endpoint) => {
      const as = credentialFor(endpoint, world);
      const wrong: string[] = [];
      for (const name of Object.keys(endpoint.query?.properties ?? {}))
        for (const text of injections) {
          const path = `${pathFor(endpoint).split('?')[0]}?${new URLSearchParams({ [name]: text })}`;
          const { status, body } = await sendTo(world.service, endpoint, path, { as });
          const nothing = status === 200 && rowsIn(body).length === 0;
          if (status !== 400 && status !== 404 && !nothing) wrong.push(`${name}=${text}: ${status}`);
        }
      expect(wrong).toEqual([]);
    },
  );

  test('there is something to find, and a statement made of the text finds it', async () => {
    const { db } = world.service.context;
    const { body } = await world.service.call('GET', '/api/v1/jobs?service_family=design', { as: world.key });
    expect(rowsIn(body).length).toBeGreaterThan(0);
    const { rows } = await sql`${sql.raw(`select id from jobs where service_family = '${injections[0]}'`)}`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('as an id: 404', () => {
  sweepUnchanged(
    'each',
    () => world.service,
    titled(endpoints.filter(({ params }) => params)),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const text of injections.flatMap((one) => [one, `${world.ids.job}${one}`])) {
        const { status } = await ask(world, endpoint, { id: encodeURIComponent(text) });
        if (status !== 404) wrong.push(`${text}: ${status}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

test('as an Idempotency-Key or a cursor: nothing but a key, and 400', async () => {
  const { service, key } = world;
  for (const text of ["';delete/**/from/**/jobs;--", "'||pg_sleep(20)||'"]) {
    const headers = { 'idempotency-key': text };
    const created = await service.call('POST', '/api/v1/jobs', { as: key, body: draft, headers });
    expect(created.status).toBe(201);
    const cursor = encodeURIComponent(`${Buffer.from(text).toString('base64url')}.${'A'.repeat(43)}`);
    expect((await service.call('GET', `/api/v1/jobs?cursor=${cursor}`, { as: key })).status).toBe(400);
  }
  expect((await contentOf(service))['public.jobs']).not.toMatch(/^0 /);
});

test('as text of a job: it is text', async () => {
  const { service, key } = world;
  for (const text of injections) {
    const words = { customer_title: `Logo ${text}`, customer_instructions: `A logo. ${text}` };
    const id = await newJob(service, key, words);
    const { body } = await service.call('GET', `/api/v1/jobs/${id}`, { as: key });
    expect(body.job).toMatchObject(words);
  }
});
