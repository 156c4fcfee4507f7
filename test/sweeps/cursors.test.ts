import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobStatus } from '../../contract/moves.ts';
import { showId } from '../../server/lib/id.ts';
import { createJob } from '../support/jobs.ts';
import { makeKey, makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { createService, type Service } from '../support/harness.ts';
import { insertJobs, insertPlan, openAccount } from '../support/seed.ts';

let service: Service;
let ada: TestPerson;
let bob: TestPerson;
let operator: TestPerson;

beforeAll(async () => {
  service = await createService();
  ada = await signUp(service);
  bob = await signUp(service);
  operator = await makeOperator(service);
});
afterAll(() => service.close());

type Seeded = { id: string; account: string; status: JobStatus; family: string; at: number };
type Filters = {
  status?: JobStatus[];
  service_family?: string;
  account_id?: string;
  created_after?: string;
  created_before?: string;
};

const statuses = ['queued', 'running', 'needs_review', 'completed', 'canceled'] as const satisfies JobStatus[];
const families = ['design', 'writing'];
/** Jobs are a few milliseconds apart at most, and often not at all. */
const noon = Date.parse('2026-03-01T12:00:00.000Z');
const moment = fc.nat(4).map((ms) => noon + ms);

const seeds = fc.array(
  fc.record({
    status: fc.constantFrom(...statuses),
    family: fc.constantFrom(...families),
    at: moment,
    mine: fc.boolean(),
  }),
  { maxLength: 40, size: 'max' },
);
const common = {
  status: fc.option(fc.uniqueArray(fc.constantFrom<JobStatus>(...statuses), { minLength: 1 }), {
    nil: undefined,
    freq: 2,
  }),
  service_family: fc.option(fc.constantFrom(...families), { nil: undefined, freq: 2 }),
};
/** One moment is told in several ways. */
const bound = fc.option(
  fc.tuple(moment, fc.boolean()).map(([at, short]) => {
    const text = new Date(at).toISOString();
    return short ? text.replace(/\.?0*Z$/, 'Z') : text;
  }),
  { nil: undefined, freq: 2 },
);
const filtersOf = {
  customer: fc.record<Filters>({ ...common, created_after: bound, created_before: bound }),
  desk: fc.record<Filters>(common),
};
/** Each page may have another size. */
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });

type List = keyof typeof filtersOf;
const paths = { customer: '/api/v1/jobs', desk: '/api/operator/v1/jobs' };

function query(filters: Filters, rest: { limit?: number; cursor?: string }): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, ...rest }))
    if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

const page = (list: List, as: string, filters: Filters, rest: { limit?: number; cursor?: string }) =>
  service.call('GET', paths[list] + query(filters, rest), { as });

/** New accounts of Ada and Bob with jobs that were made at almost the same time; and a key of Ada's. */
async function seed(rows: readonly { status: JobStatus; family: string; at: number; mine: boolean }[]) {
  const { db } = service.context;
  const made: Seeded[] = [];
  const accounts = [];
  for (const person of [ada, bob]) {
    const { accountId } = await openAccount(service, person);
    const plan = { access_kind: 'both', status: 'active', quota: 1000, concurrency_limit: 1000, endsIn: 60 } as const;
    const inserted = await insertPlan(db, accountId, 'studio', plan);
    const own = rows.filter(({ mine }) => mine === (person === ada));
    const jobs = own.map(({ status, family, at }) => ({ status, service_family: family, created_at: new Date(at) }));
    const ids = await insertJobs(db, accountId, inserted, jobs);
    const account = showId('acct', accountId);
    accounts.push(account);
    made.push(...ids.map((id, i) => ({ ...own[i]!, id: showId('job', id), account })));
  }
  return { made, accounts, key: await makeKey(service, ada) };
}

/** The filtered list, told without a database. Ids sort as text as they do as numbers. */
function listed(jobs: readonly Seeded[], filters: Filters, order: 'newest' | 'oldest'): string[] {
  const { status, service_family, account_id, created_after, created_before } = filters;
  const kept = jobs
    .filter((job) => !status || status.includes(job.status))
    .filter((job) => !service_family || job.family === service_family)
    .filter((job) => !account_id || job.account === account_id)
    .filter((job) => !created_after || job.at >= Date.parse(created_after))
    .filter((job) => !created_before || job.at < Date.parse(created_before))
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  return order === 'newest' ? kept.toReversed() : kept;
}

/** All ids from the first page to the last; `meanwhile` happens while each of the first pages is read. */
async function walk(
  list: List,
  as: string,
  filters: Filters,
  limits: readonly number[],
  meanwhile: () => Promise<unknown>,
) {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let n = 0; n < 200; n++) {
    const limit = limits[n % limits.length]!;
    const asked = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const [{ status, body }] = await Promise.all([page(list, as, filters, asked), n < 5 && meanwhile()]);
    expect(status).toBe(200);
    ids.push(...body.jobs.map(({ id }: { id: string }) => id));
    // Every page but the last is full, and only a list without jobs has an empty one.
    expect(body.jobs.length).toBeLessThanOrEqual(limit);
    expect(body.jobs.length === limit || body.next_cursor === null).toBe(true);
    expect(body.jobs.length > 0 || cursor === undefined).toBe(true);
    if (body.next_cursor === null) return ids;
    cursor = body.next_cursor;
  }
  throw new Error('The list has no end.');
}

const ordered = ({ created_after: after, created_before: before }: Filters) =>
  !after || !before || Date.parse(after) <= Date.parse(before);

describe('walking a list by its cursors', () => {
  test('gives each job of the account that the filters keep once, newest first, whatever is created between two pages', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, filtersOf.customer, sizes, fc.boolean(), async (rows, filters, limits, busy) => {
        fc.pre(ordered(filters));
        const { made, accounts, key } = await seed(rows);
        const mine = made.filter(({ account }) => account === accounts[0]);
        const before = new Set(made.map(({ id }) => id));
        const create = () => createJob(service, key, { service_family: 'design' });
        const ids = await walk('customer', key, filters, limits, async () => busy && (await create()));
        expect(new Set(ids).size).toBe(ids.length);
        // A job that is created while the first page is read may be on it, but only as newest.
        const old = ids.filter((id) => before.has(id));
        expect(old).toEqual(listed(mine, filters, 'newest'));
        expect(ids.slice(ids.length - old.length)).toEqual(old);
      }),
      { numRuns: 60 },
    );
  });

  test('gives the desk the jobs that the filters keep once, oldest first, of one account or of all', async () => {
    const all: Seeded[] = [];
    await fc.assert(
      fc.asyncProperty(seeds, filtersOf.desk, sizes, fc.boolean(), async (rows, filters, limits, ofOne) => {
        const { made, accounts, key } = await seed(rows);
        all.push(...made);
        const asked = ofOne ? { ...filters, account_id: accounts[0]! } : filters;
        const before = new Set(all.map(({ id }) => id));
        const create = () => createJob(service, key, { service_family: 'design' });
        // All jobs of all accounts are many by now.
        const sizes = ofOne ? limits : limits.map((limit) => 100 - limit);
        const ids = await walk('desk', operator.token, asked, sizes, create);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => before.has(id))).toEqual(listed(all, asked, 'oldest'));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a cursor', () => {
  /** Three jobs of Ada and three of Bob, all alike, so that every list has a second page. */
  const alike = [true, true, true, false, false, false].map((mine) => ({
    status: 'queued' as const,
    family: 'design',
    at: noon,
    mine,
  }));

  async function cursorOf(list: List, as: string, filters: Filters = {}): Promise<string> {
    const { body } = await page(list, as, filters, { limit: 1 });
    return body.next_cursor;
  }
  const refused = { status: 400, code: 'invalid_request', location: 'cursor' };
  async function tell(list: List, as: string, filters: Filters, cursor: string) {
    const { status, body } = await page(list, as, filters, { cursor });
    return { status, code: body.error?.code, location: body.error?.details?.[0].location };
  }

  const flipped = (cursor: string) =>
    Array.from({ length: cursor.length * 8 }, (_, n) => {
      const at = Math.floor(n / 8);
      return cursor.slice(0, at) + String.fromCharCode(cursor.charCodeAt(at) ^ (1 << (n % 8))) + cursor.slice(at + 1);
    });
  const cut = (cursor: string) =>
    Array.from({ length: cursor.length }, (_, n) => [cursor.slice(0, n), cursor.slice(n + 1)]).flat();
  const grown = (cursor: string) => [
    `${cursor}A`,
    `A${cursor}`,
    `${cursor}.`,
    `${cursor}=`,
    ` ${cursor}`,
    `${cursor}\n`,
    cursor + cursor,
    `${cursor}.${cursor}`,
  ];

  test.each(['customer', 'desk'] as const)('of the %s list with any bit flipped, cut or grown is 400', async (list) => {
    const { key } = await seed(alike);
    const as = list === 'customer' ? key : operator.token;
    const cursor = await cursorOf(list, as);
    expect((await page(list, as, {}, { cursor })).status).toBe(200);
    const broken = [...flipped(cursor), ...cut(cursor), ...grown(cursor)];
    while (broken.length > 0) {
      const some = broken.splice(0, 20);
      const told = await Promise.all(some.map(async (one) => ({ one, ...(await tell(list, as, {}, one)) })));
      expect(told).toEqual(some.map((one) => ({ one, ...refused })));
    }
  });

  test.each(['customer', 'desk'] as const)('of the %s list is 400 with any other filters', async (list) => {
    const { key, accounts } = await seed(alike);
    const as = list === 'customer' ? key : operator.token;
    const all =
      list === 'customer'
        ? filtersOf.customer
        : fc.record<Filters>({ ...common, account_id: fc.constantFrom(undefined, ...accounts) });
    // Filters that keep the jobs that are there, and any others.
    const keeping = all.map((filters) => ({
      ...filters,
      status: filters.status && [...new Set([...filters.status, 'queued' as const])],
      service_family: filters.service_family && 'design',
      created_after: undefined,
      created_before: filters.created_before && new Date(noon + 60_000).toISOString(),
    }));
    const spelling = ({ status, ...rest }: Filters) =>
      JSON.stringify([
        status?.toSorted(),
        Object.entries(rest)
          .filter(([, value]) => value !== undefined)
          .toSorted(),
      ]);
    const name = fc.constantFrom(
      'all',
      'status',
      'service_family',
      ...(list === 'customer' ? (['created_after', 'created_before'] as const) : (['account_id'] as const)),
    );
    await fc.assert(
      fc.asyncProperty(keeping, all, name, async (filters, drawn, name) => {
        const others = name === 'all' ? drawn : { ...filters, [name]: drawn[name] };
        fc.pre(spelling(filters) !== spelling(others) && ordered(others));
        const cursor = await cursorOf(list, as, filters);
        expect(await tell(list, as, others, cursor)).toEqual(refused);
        // The order of the statuses is no other filter.
        const turned = filters.status ? { ...filters, status: filters.status.toReversed() } : filters;
        expect((await page(list, as, turned, { cursor })).status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  test('of another account, or of another list, is 400', async () => {
    const { key } = await seed(alike);
    const cursors = {
      ada: await cursorOf('customer', key),
      bob: await cursorOf('customer', bob.token),
      desk: await cursorOf('desk', operator.token),
    };
    expect(await tell('customer', key, {}, cursors.bob)).toEqual(refused);
    expect(await tell('customer', key, {}, cursors.desk)).toEqual(refused);
    expect(await tell('desk', operator.token, {}, cursors.ada)).toEqual(refused);
    // A session and a key of one account read one list.
    expect((await page('customer', ada.token, {}, { cursor: cursors.ada })).status).toBe(200);
  });
});
