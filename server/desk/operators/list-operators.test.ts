import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { createStudio, newJobIn, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
// Of its own: it lists all operators.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

test('200 lists the operators and how much they hold, and nobody else', async () => {
  const colleague = await makeOperator(studio.service);
  for (const status of ['accepted', 'running', 'needs_review', 'queued'] as const) await newJobIn(studio, status);
  const { status, body } = await studio.service.call('GET', '/api/operator/v1/operators', {
    as: studio.operator.token,
  });
  expect(status).toBe(200);
  const expected = [
    {
      id: showId('user', studio.operator.userId),
      name: expect.any(String),
      email: studio.operator.email,
      role: 'owner',
      held_jobs: 2,
      held_limit: 10,
      service_families: null,
      second_factor: false,
    },
    {
      id: showId('user', colleague.userId),
      name: expect.any(String),
      email: colleague.email,
      role: 'owner',
      held_jobs: 0,
      held_limit: 10,
      service_families: null,
      second_factor: false,
    },
  ];
  expect(body.operators).toHaveLength(2);
  expect(body.operators).toEqual(expect.arrayContaining(expected));
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await studio.service.call('GET', `/api/operator/v1/operators?${query}`, {
    as: studio.operator.token,
  });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});

test('200 says only to owners of the studio who has a second factor', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  const { body } = await studio.service.call('GET', '/api/operator/v1/operators', { as: lead.token });
  expect(body.operators.length).toBeGreaterThan(1);
  for (const operator of body.operators) expect(operator).not.toHaveProperty('second_factor');
});
