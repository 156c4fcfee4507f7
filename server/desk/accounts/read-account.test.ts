import { beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { sharedStudio, newCustomer, newJob, post, type Studio } from '../../../test/support/jobs.ts';
import { addMember } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const read = (id: string) =>
  studio.service.call('GET', `/api/operator/v1/accounts/${id}`, { as: studio.operator.token });

test('200 with plans, members and how busy the account is', async () => {
  const { person, key } = await newCustomer(studio.service, 'agent');
  const member = await addMember(studio.service, person, 'admin');
  await newJob(studio.service, key);
  await post(studio.service, key, `/api/v1/jobs/${await newJob(studio.service, key)}/cancel`);
  const id = showId('acct', person.accountId);
  const { status, body } = await read(id);
  expect(status).toBe(200);
  const list = await studio.service.call('GET', `/api/operator/v1/accounts?q=${id}`, { as: studio.operator.token });
  const plans = await studio.service.call('GET', '/api/v1/entitlements', { as: person.token });
  const members = await studio.service.call('GET', '/api/auth/members', { as: person.token });
  expect(body.account).toEqual({
    ...list.body.accounts[0],
    jobs: 2,
    active_keys: 1,
    noted_minutes: 0,
    studio_orders: {
      allowed: false,
      refusals: ['studio_orders_off', 'entitlement_required'],
      plan_names: [],
      quota_left: 0,
      unit: 'job',
    },
    entitlements: plans.body.entitlements.map((plan: object) => ({
      ...plan,
      adjustable: { give_back: 0, charge: 99 },
    })),
    quota_adjustments: [],
    members: members.body.members,
    imported_people: [],
    note: null,
    brand: null,
  });
  expect(body.account).toMatchObject({ active_jobs: 1, owner_email: person.email, plan_codes: ['agent'] });
  expect(body.account.members.map((one: { user: { email: string } }) => one.user.email)).toEqual([
    person.email,
    member.email,
  ]);
});

test('404 account_not_found: an id that names nothing', async () => {
  for (const id of ['acct_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', showId('user', studio.ada.userId)]) {
    const { status, body } = await read(id);
    expect([status, body.error.code]).toEqual([404, 'account_not_found']);
  }
});
