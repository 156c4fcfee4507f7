import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, newJob, setPlan, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { sendEvent } from '../../../test/support/plans.ts';

let studio: Studio;
// Of its own: it counts the events and accounts of all.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const count = async (as = studio.operator.token) => studio.service.call('GET', '/api/operator/v1/money/counts', { as });

test('200: events that need a look, and accounts with open jobs whose plan does not serve', async () => {
  expect((await count()).body.counts).toEqual({ events: 0, accounts: 0 });
  const data = {
    object: { customer: 'cus_unbound', subscription: 'sub_unbound', metadata: { service_entitlement_code: 'studio' } },
  };
  await sendEvent(studio.service, { id: 'evt_look', type: 'customer.subscription.updated', livemode: false, data });
  await sendEvent(studio.service, { id: 'evt_other', type: 'customer.created', livemode: false });
  await setPlan(studio.service, studio.ada, 'studio', { status: 'past_due' });
  expect((await count()).body.counts).toEqual({ events: 1, accounts: 0 });
  await setPlan(studio.service, studio.ada, 'studio', { status: 'active' });
  await newJob(studio.service, studio.key);
  await setPlan(studio.service, studio.ada, 'studio', { status: 'past_due' });
  expect((await count()).body.counts).toEqual({ events: 1, accounts: 1 });
});

test('403 role_required: a maker does not read payments', async () => {
  const maker = await makeOperator(studio.service, 'maker');
  expect((await count(maker.token)).status).toBe(403);
});
