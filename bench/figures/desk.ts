import { dbOn } from '../../server/db/pool.ts';
import { storeDayFigures } from '../../server/desk/figures/store-day-figures.ts';
import { showId } from '../../server/lib/id.ts';
import { createAccounts } from '../create-accounts.ts';
import { createWorkers } from '../create-workers.ts';
import { type Round, type Row, toRow } from '../figure.ts';
import { insertStudio } from '../insert-studio.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

const accounts = 200;
const small = { open: 150, ended: 50 };
const large = { open: 5_000, ended: 200_000 };

const operator = { OPERATOR_EMAIL: 'bench@bench.localhost', OPERATOR_PASSWORD: 'correct horse battery' };

/** How many times the small studio's time a reading may take with the large one. */
const [most, mostOfAll] = [3, 10];

type Desk = { service: Service; token: string; ids: Record<'account' | 'job' | 'worker' | 'request' | 'user', string> };
/** `most` compares with the small studio, `milliseconds` with a limit of its own. */
type Reading = {
  name: string;
  path: (ids: Desk['ids']) => string;
  body?: object;
} & ({ most: number } | { milliseconds: number });

/** The service gives a statement so long. */
const statementTimeout = 2_500;

const list = (name: string, query: string) => ({
  name,
  path: () => `/jobs?limit=100&${query}`,
  most,
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** What the pages of the desk read, and the filters of its lists. */
const readings: Reading[] = [
  list('To do', 'status=queued,accepted,running&parked=false&sort=due'),
  list('To do, free', 'status=queued,accepted,running&parked=false&sort=due&holder=none'),
  list('To do of a family', 'status=queued,accepted,running&parked=false&sort=due&service_family=data'),
  list('Mine', 'holder=me&sort=due'),
  list('In review', 'status=needs_review&sort=due'),
  list('With customer', 'status=ready_for_customer_review'),
  list('Waiting', 'waiting_on=customer'),
  list('Parked', 'parked=true&sort=due'),
  list('Overdue', 'overdue=true&sort=due'),
  list('All jobs', 'sort=newest'),
  list('All jobs of a family', 'sort=newest&service_family=research'),
  { name: 'Jobs of an account', path: ({ account }) => `/jobs?account_id=${account}&sort=newest&limit=50`, most },
  { name: 'Jobs of a worker', path: ({ worker }) => `/jobs?holder=${worker}&limit=10`, most },
  list('Held by workers', 'holder=worker'),
  list('Held by an operator', 'holder=me'),
  {
    name: 'Claim of a family without jobs',
    path: () => '/jobs/claim',
    body: { service_families: ['research'] },
    most,
  },
  { name: 'Counts', path: () => '/jobs/counts', most },
  {
    name: 'Alerts of an hour',
    path: () => `/alerts?raised_after=${daysAgo(1 / 24)}`,
    most,
  },
  { name: 'A job', path: ({ job }) => `/jobs/${job}`, most },
  { name: 'Accounts', path: () => '/accounts', most },
  { name: 'Accounts by a name', path: () => '/accounts?q=bench', most },
  { name: 'An account', path: ({ account }) => `/accounts/${account}`, most },
  { name: 'Operators', path: () => '/operators', most },
  { name: 'Macros', path: () => '/macros', most },
  { name: 'Worker keys', path: () => '/worker-keys', most },
  { name: 'Unread', path: () => '/messages/unread', most },
  { name: 'Payments', path: () => '/provider-events?limit=50', most },
  { name: 'Audit', path: () => '/audit?limit=50', most },
  { name: 'Audit of a job', path: ({ job }) => `/audit?limit=50&subject=${job}`, most },
  { name: 'Audit of an account', path: ({ account }) => `/audit?limit=50&account_id=${account}`, most },
  { name: 'Audit of a request', path: ({ request }) => `/audit?limit=50&request_id=${request}`, most },
  { name: 'Audit of a person', path: ({ user }) => `/audit?limit=50&created_by=${user}`, most },
  { name: 'Audit of an action', path: () => '/audit?limit=50&action=webhook_endpoint.disabled', most },
  { name: 'Audit of workers', path: () => '/audit?limit=50&actor=worker', most },
  { ...list('Search for a number', 'sort=newest&q=77'), most: mostOfAll },
  { ...list('Search for a common word', 'sort=newest&q=bakery'), most: mostOfAll },
  { ...list('Search for words', 'sort=newest&q=neighbourhood%20bakery%2077'), most: mostOfAll },
  { ...list('Search for nothing', 'sort=newest&q=zeppelin'), most: mostOfAll },
  { name: 'Search for an id', path: ({ job }) => `/jobs?limit=100&sort=newest&q=${job}`, most: mostOfAll },
  { name: 'Figures of 30 days', path: () => '/figures', most: mostOfAll },
  { name: 'Report of 30 days', path: () => '/reports/total', most: mostOfAll },
  ...['option', 'customer', 'operator', 'worker'].flatMap((per): Reading[] => [
    { name: `Report of 30 days per ${per}`, path: () => `/reports?limit=100&per=${per}`, most: mostOfAll },
    {
      name: `Report of a year per ${per}`,
      path: () => `/reports?limit=100&per=${per}&period_start=${daysAgo(365)}`,
      milliseconds: statementTimeout,
    },
  ]),
];

/** B19: readings of the desk with 5,000 open and 200,000 ended jobs, against 200 jobs. */
export const desk = ({ rounds }: Settings): Promise<Row[]> =>
  withService(
    (few) =>
      withService(async (many) => {
        const [limit, ours] = [await openDesk(few, small), await openDesk(many, large)];
        const rows: Row[] = [];
        for (const reading of readings) rows.push(await compare(reading, limit, ours, rounds));
        return rows;
      }, operator),
    operator,
  );

async function openDesk(service: Service, size: typeof small): Promise<Desk> {
  await createAccounts(service, accounts);
  await createWorkers(service, 5);
  await insertStudio(service, size);
  // As a studio of a year has them.
  await storeDayFigures(dbOn(service.database), new AbortController().signal);
  // They hold what the list of theirs shows, and claims.
  await service.database.query(
    'insert into operator_settings (user_id, held_limit) select id, 100 from people where operator',
  );
  const answer = await fetch(`${service.origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: operator.OPERATOR_EMAIL, password: operator.OPERATOR_PASSWORD }),
  });
  const { token } = (await answer.json()) as { token: string };
  return { service, token, ids: await idsOf(service) };
}

async function idsOf(service: Pick<Service, 'database'>): Promise<Desk['ids']> {
  const { rows } = await service.database.query<Record<'account' | 'job' | 'worker' | 'request' | 'person', string>>(
    `select j.account_id as account, j.id as job, (select worker_key_id from bench_workers limit 1) as worker,
       (select request_id from events v where v.account_id = j.account_id and v.job_id = j.id limit 1) as request,
       j.created_by_user as person
     from jobs j order by j.created_at offset 40 limit 1`,
  );
  const [row] = rows;
  if (!row) throw new Error('The desk has no job.');
  return {
    account: showId('acct', row.account),
    job: showId('job', row.job),
    worker: showId('wkey', row.worker),
    request: row.request,
    user: showId('user', row.person),
  };
}

/** Requests of one studio and then of the other, one after the other. */
async function compare(reading: Reading, few: Desk, many: Desk, rounds: number): Promise<Row> {
  const measured: Round[] = [];
  const limitOf = async () => ('most' in reading ? reading.most * (await timeOf(few, reading)) : reading.milliseconds);
  for (let n = 0; n < rounds; n++) measured.push({ limit: await limitOf(), ours: await timeOf(many, reading) });
  const of = 'most' in reading ? `${reading.most} times with 200 jobs` : 'the time limit of a statement';
  const { name } = reading;
  return toRow(
    { figure: 'B19', title: `${name}, 205,000 jobs`, of, goal: 1, unit: 'ms', lessIsBetter: true },
    measured,
  );
}

const requests = 10;

/** The least of several times: other work on the machine only adds to a time. */
async function timeOf({ service, token, ids }: Desk, { path, body }: Reading): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const from = performance.now();
    const answer = await fetch(`${service.origin}/api/operator/v1${path(ids)}`, {
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path(ids)} was answered ${answer.status}.`);
    times.push(performance.now() - from);
  }
  return Math.min(...times);
}
