import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StandingState } from '../../contract/desk/standing-states.ts';
import { newCustomer, newJob, post, setPlan, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator, type TestPerson } from '../../test/support/people.ts';
import { claim, makeWorker, moveToFamily } from '../../test/support/workers.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const day = 86_400_000;
const at = (days: number) => new Date(Math.floor(Date.now() / day) * day + days * day);
const iso = (days: number) => at(days).toISOString();

/** `periodEnd` in days from now. */
type Change = Omit<Parameters<typeof setPlan>[3], 'endsIn'> & { periodEnd?: number };
const wellUntil = (days: number): Change => ({ periodEnd: days });
const well = {
  status: 'active',
  state: 'active',
  serves_until: null,
  ends_at: null,
  collection_paused: false,
} as const;
const longGone: Change = { status: 'canceled', state: 'ended', ends_at: at(-200) };
const overdue: Change = { status: 'past_due', state: 'past_due', state_since: at(-3), ...wellUntil(9) };
const stopped: Change = { status: 'stopped', state: 'unpaid', state_since: at(-2) };
const canceled = (days: number): Change => ({ status: 'canceled', state: 'ended', ends_at: at(days) });

type Expected = { state: StandingState; since: string | null; access_until: string | null } | null;
type Case = [title: string, solo: Change | null, agent: Change | null, expected: Expected];

/** What the events of a provider leave of two plans, and what the desk says. */
const cases: Case[] = [
  ['nothing: both plans are well', {}, {}, null],
  ['nothing: one plan is well, the other has ended', canceled(-5), {}, null],
  ['overdue, and until when it can order', overdue, {}, { state: 'overdue', since: iso(-3), access_until: iso(9) }],
  [
    'overdue until the end of what was paid',
    { ...overdue, serves_until: at(4) },
    null,
    { state: 'overdue', since: iso(-3), access_until: iso(4) },
  ],
  [
    'overdue, and what was paid is over',
    { ...overdue, ...wellUntil(-1) },
    null,
    { state: 'overdue', since: iso(-3), access_until: null },
  ],
  [
    'not paid, where the provider still says active',
    { ...overdue, state: 'active' },
    null,
    { state: 'not_paid', since: iso(-3), access_until: iso(9) },
  ],
  [
    'overdue until its end: that has come',
    { ...overdue, ends_at: at(-1) },
    null,
    { state: 'ended', since: iso(-1), access_until: null },
  ],
  ['stopped', stopped, {}, { state: 'stopped', since: iso(-2), access_until: null }],
  [
    'collection paused, and until when it can order',
    { collection_paused: true, serves_until: at(6), ...wellUntil(6) },
    {},
    { state: 'collection_paused', since: null, access_until: iso(6) },
  ],
  [
    'collection paused, and the paid period is over',
    { collection_paused: true, serves_until: at(-1), ...wellUntil(-1) },
    null,
    { state: 'collection_paused', since: null, access_until: null },
  ],
  [
    'paused',
    { status: 'paused', state: 'paused', state_since: at(-4) },
    {},
    { state: 'paused', since: iso(-4), access_until: null },
  ],
  [
    'ended, with the newer end of two',
    canceled(-5),
    canceled(-2),
    { state: 'ended', since: iso(-2), access_until: null },
  ],
  ['ended, because no renewal came', wellUntil(-3), null, { state: 'ended', since: iso(-3), access_until: null }],
  [
    'the end that is set',
    { ends_at: at(7), ...wellUntil(9) },
    {},
    { state: 'ends', since: null, access_until: iso(7) },
  ],
  ['an end after the present period', { ends_at: at(20) }, null, { state: 'ends', since: null, access_until: iso(20) }],
  ['overdue before stopped', stopped, overdue, { state: 'overdue', since: iso(-3), access_until: iso(9) }],
  [
    'stopped before a payment that is paused',
    { collection_paused: true },
    stopped,
    { state: 'stopped', since: iso(-2), access_until: null },
  ],
  [
    'paused before an end',
    { ends_at: at(7) },
    { status: 'paused', state: 'paused', state_since: at(-4) },
    { state: 'paused', since: iso(-4), access_until: null },
  ],
];

/** Null for a plan that ended long ago. */
async function setPlans(person: TestPerson, solo: Change | null, agent: Change | null): Promise<void> {
  for (const [code, change] of Object.entries({ solo: solo ?? longGone, agent: agent ?? longGone })) {
    const { periodEnd = 30, ...columns } = change;
    await setPlan(studio.service, person, code, { ...well, ...columns });
    await sql`update entitlement_periods p set period_start = least(period_start, ${at(periodEnd - 1)}), period_end = ${at(periodEnd)}
      from entitlements e where e.id = p.entitlement_id and e.account_id = ${person.accountId} and e.code = ${code}`.execute(
      studio.service.context.db,
    );
  }
}

async function customer(solo: Change | null, agent: Change | null) {
  const { person } = await newCustomer(studio.service, 'solo', 'agent');
  const job = await newJob(studio.service, person.token);
  await setPlans(person, solo, agent);
  return { person, job };
}

const get = async (path: string, as = studio.operator.token) => {
  const { status, body } = await studio.service.call('GET', `/api/operator/v1${path}`, { as });
  expect(status, path).toBe(200);
  return body;
};

/** What each page of the desk says about the account, and which filters find it. */
async function shownFor({ accountId }: TestPerson, job: string, expected: Expected, as?: string) {
  const account = showId('acct', accountId);
  const found = { jobs: [] as string[], accounts: [] as string[] };
  for (const state of new Set<StandingState>([expected?.state ?? 'overdue', 'ended', 'ends'])) {
    if ((await get(`/jobs?standing=${state}&account_id=${account}`, as)).jobs.length > 0) found.jobs.push(state);
    if ((await get(`/accounts?standing=${state}&q=${account}`, as)).accounts.length > 0) found.accounts.push(state);
  }
  return {
    queue: (await get(`/jobs?id=${job}`, as)).jobs[0].account.standing,
    job: (await get(`/jobs/${job}`, as)).job.account.standing,
    accounts: (await get(`/accounts?q=${account}`, as)).accounts[0].standing,
    account: (await get(`/accounts/${account}`, as)).account.standing,
    found,
  };
}

const everywhere = (standing: Expected) => {
  const found = standing === null ? [] : [standing.state];
  return {
    queue: standing,
    job: standing,
    accounts: standing,
    account: standing,
    found: { jobs: found, accounts: found },
  };
};

describe('the desk says of an account', () => {
  let one: Awaited<ReturnType<typeof customer>>;
  beforeAll(async () => void (one = await customer({}, {})));

  test.each(cases)('%s', async (_, solo, agent, expected) => {
    const { person, job } = one;
    await setPlans(person, solo, agent);
    expect(await shownFor(person, job, expected)).toEqual(everywhere(expected));
  });

  test('suspended before all else, to a maker too', async () => {
    const { person, job } = await customer(overdue, null);
    const suspend = `/api/operator/v1/accounts/${showId('acct', person.accountId)}/suspend`;
    const { body } = await post(studio.service, studio.operator.token, suspend, { reason: 'Card stolen' });
    const { since } = body.account.suspension;
    const maker = await makeOperator(studio.service, 'maker');
    const standing: Expected = { state: 'suspended', since, access_until: null };
    expect(await shownFor(person, job, standing, maker.token)).toEqual(everywhere(standing));
  });

  test('suspended before ended, to the filters too', async () => {
    const { person, job } = await customer(null, null);
    const suspend = `/api/operator/v1/accounts/${showId('acct', person.accountId)}/suspend`;
    const { since } = (await post(studio.service, studio.operator.token, suspend, { reason: 'Spam' })).body.account
      .suspension;
    const standing: Expected = { state: 'suspended', since, access_until: null };
    expect(await shownFor(person, job, standing)).toEqual(everywhere(standing));
  });

  test('nothing where no plan ever gave access, but that a subscription has stopped', async () => {
    const { person, job } = await customer({ status: 'canceled', state: 'incomplete' }, null);
    await sql`delete from entitlement_periods where account_id = ${person.accountId}`.execute(
      studio.service.context.db,
    );
    expect(await shownFor(person, job, null)).toEqual(everywhere(null));
    await setPlan(studio.service, person, 'solo', stopped);
    const standing: Expected = { state: 'stopped', since: iso(-2), access_until: null };
    expect(await shownFor(person, job, standing)).toEqual(everywhere(standing));
  });

  test('nothing to a worker, who sees no account', async () => {
    const { job } = await customer(overdue, null);
    const worker = await makeWorker(studio);
    const { body } = await claim(studio, worker, { service_families: [await moveToFamily(studio.service, job)] });
    expect([body.job.id, body.job.account]).toEqual([job, null]);
  });
});

test('400 invalid_request: a standing that does not exist', async () => {
  for (const path of ['/jobs', '/accounts']) {
    const { status } = await studio.service.call('GET', `/api/operator/v1${path}?standing=well`, {
      as: studio.operator.token,
    });
    expect(status, path).toBe(400);
  }
});

test('200 pages of a standing are walked to the end, and another standing refuses their cursor', async () => {
  const { person } = await customer({}, {});
  await newJob(studio.service, person.token);
  await setPlans(person, stopped, {});
  const path = `/jobs?standing=stopped&account_id=${showId('acct', person.accountId)}&limit=1`;
  const first = await get(path);
  const second = await get(`${path}&cursor=${first.next_cursor}`);
  expect([first.jobs.length, second.jobs.length, second.next_cursor]).toEqual([1, 1, null]);
  const other = await studio.service.call(
    'GET',
    `/api/operator/v1${path.replace('stopped', 'paused')}&cursor=${first.next_cursor}`,
    { as: studio.operator.token },
  );
  expect(other.status).toBe(400);
  const { next_cursor } = await get('/accounts?limit=1');
  const accounts = `/api/operator/v1/accounts?standing=stopped&limit=1&cursor=${next_cursor}`;
  expect((await studio.service.call('GET', accounts, { as: studio.operator.token })).status).toBe(400);
});
