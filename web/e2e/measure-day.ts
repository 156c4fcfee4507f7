import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium as playwright } from '@playwright/test';
import { chromium } from './chromium.ts';
import * as moments from './day-moments.ts';
import { faults, open, openAs, reviewAll, type Seat, workByApi, workByKeys, workByTouch } from './day-seats.ts';
import { newMacros, newOperator, newWorker, operatorOf } from './desk.ts';
import { type Person, type Service, startService } from './start-service.ts';
import { buy, newCustomer, newJob } from './studio.ts';

/**
 * A day of 60 jobs at the desk in four roles: a lead works by keys, a maker by touch on a phone, a reviewer passes
 * and returns by keys, the owner of the studio rejects, and a worker uses the API. Fails if a page does not say what
 * happened to its job, if a job does not end as intended, or if the database contradicts itself. Reports the keys per
 * job and per review, and how soon a colleague sees a move.
 */
const byKeys = 20;
const byTouch = 13;
const byWorker = 20;
const returned = 3;
/** Each has its own moment of the day; the others are routine. */
const special = [
  'Canceled',
  'Taken over',
  'Handed over',
  'Printed 1',
  'Printed 2',
  'Printed 3',
  'Rests',
  'Asked',
  'No',
];
const onBehalf = 'Sign for the bakery';

/** Milliseconds until the colleague's queue shows a move of this job by somebody else. */
async function seenAfter({ page }: Seat, title: string, words: string, move: () => Promise<void>): Promise<number> {
  const shown = page.getByRole('row', { name: title }).filter({ hasText: words }).waitFor();
  const began = performance.now();
  await move();
  await shown;
  return performance.now() - began;
}

async function actsOf<T>(seat: Seat, work: (seat: Seat) => Promise<T>): Promise<[acts: number, T]> {
  const before = seat.acts;
  const result = await work(seat);
  return [seat.acts - before, result];
}

const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;
const row = (numbers: number[], goal: number | null) => ({
  median: Math.round(median(numbers)),
  most: Math.round(Math.max(...numbers)),
  goal,
});

const checklist = 'checklist: [Names are spelled right]';

async function addChecklist({ call, operatorToken }: Service): Promise<void> {
  const path = '/api/operator/v1/catalog-versions';
  const { catalog_version: version } = await call('GET', `${path}/1`, operatorToken);
  const documents = (version.documents as { text: string | null }[]).map((document) =>
    document.text === null
      ? document
      : { ...document, text: document.text.replace('- id: social_set\n', (id) => `${id}        ${checklist}\n`) },
  );
  await call('POST', path, operatorToken, { documents, expected_version: 1 });
}

const service = await startService();
const browser = await playwright.launch(chromium);
try {
  const customers: Person[] = [];
  for (const name of ['Rise Bakery', 'Kiln & Clay', 'Paper Swan']) {
    const customer = await newCustomer(service, name);
    await buy(service, customer, 'studio');
    customers.push(customer);
  }
  const [bakery, kiln] = customers as [Person, Person, Person];
  await addChecklist(service);
  await newMacros(service);
  /** The status in which each job should end. */
  const intended = new Map<string, string>();
  const order = async (number: number, customer_title: string, service_type = 'logo') => {
    const job = await newJob(service, customers[number % 3]!, { customer_title, service_type });
    intended.set(job, 'ready_for_customer_review');
    return job;
  };
  const ids = new Map<string, string>();
  for (const [number, title] of special.entries())
    ids.set(title, await order(number, title, title === 'Asked' ? 'social_set' : 'logo'));
  const jobOf = (title: string) => ids.get(title)!;
  // The one on behalf and the two whose dates move are routine, too.
  const routine = byKeys + byTouch + byWorker - 3;
  for (let number = 1; number <= routine; number++) await order(number, `Job ${number} of the day`);
  const jobs = special.length + routine + 1;
  const makers = [
    await newOperator(service, 'Mira', 'lead'),
    await newOperator(service, 'Tom', 'maker'),
    await newOperator(service, 'Ines', 'reviewer'),
  ] as const;
  const [lead, phone, reviewer, owner] = [
    await openAs(browser, service, makers[0]),
    await openAs(browser, service, makers[1], true),
    await openAs(browser, service, makers[2]),
    await openAs(browser, service, operatorOf(service)),
  ];
  const day: moments.Day = { service, lead, phone, owner };
  const began = performance.now();
  const worker = await newWorker(service, 'press robot');

  intended.set(await moments.orderForThem(day, bakery, onBehalf), 'ready_for_customer_review');
  await moments.cancelWhileWriting(day, jobOf('Canceled'), bakery);
  await moments.takeOver(day, jobOf('Taken over'));
  await moments.handOver(day, jobOf('Handed over'), 'Handed over');
  await moments.moveDates(day, 'Printed', jobOf('Printed 2'), kiln);
  await moments.setAside(day, jobOf('Rests'));
  await moments.workWithQuestion(day, jobOf('Asked'), kiln);
  await moments.reject(day, jobOf('No'));
  const reason = 'The source file cannot be read.';
  const givenBack = await moments.giveBack(day, worker, reason);
  for (const title of ['Canceled', 'Printed 2']) intended.set(jobOf(title), 'canceled');
  intended.set(jobOf('No'), 'rejected');
  intended.set(jobOf('Rests'), 'queued');

  for (let number = 0; number < byWorker; number++) await workByApi(service, worker);
  const taps: number[] = [];
  const ofMaker: string[] = [];
  await open(phone, '/desk');
  for (let number = 0; number < byTouch; number++) {
    const [acts, job] = await actsOf(phone, workByTouch);
    taps.push(acts);
    ofMaker.push(job);
  }
  await open(phone, '/desk');
  const keys: number[] = [];
  await open(lead, '/desk');
  for (let number = 0; number < byKeys; number++) keys.push((await actsOf(lead, workByKeys))[0]);
  await open(lead, '/desk');

  const again = ofMaker.slice(0, returned);
  const reviews = await reviewAll(reviewer, again);
  await moments.doAgain(phone, again);
  const last = await reviewAll(reviewer, []);
  const passes = [...reviews.passes, ...last.passes];
  await moments.saveToday(day, jobs);

  for (const [id, status] of intended) {
    const { job } = await service.call('GET', `/api/operator/v1/jobs/${id}`, service.operatorToken);
    if (job.status !== status) throw new Error(`“${job.customer_title}” is ${job.status}, not ${status}.`);
    if (job.deliveries.length !== (status === 'ready_for_customer_review' ? 1 : 0))
      throw new Error(`“${job.customer_title}” has ${job.deliveries.length} deliveries.`);
    if (id === givenBack && !job.notes.some(({ body }: { body: string }) => body === reason))
      throw new Error('The reason of the worker is lost.');
  }
  if (intended.size !== jobs || reviews.returns.length !== returned) throw new Error('A job or a return is missing.');

  const seen: number[] = [];
  for (let number = 0; number < 10; number++) {
    const title = `Seen ${number} of the day`;
    const job = await order(number, title);
    await open(lead, `/desk?q=${title}`);
    await open(phone, `/desk/jobs/${job}`);
    await lead.page.getByRole('row', { name: title }).waitFor();
    const accept = phone.page.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    seen.push(await seenAfter(lead, title, 'Accepted', () => accept.tap()));
  }
  const env = { ...process.env, DATA_DIR: service.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['cli/admin.ts', 'check'], { env });
  if (faults.length > 0) throw new Error(`Pages wrote to their console:\n${faults.join('\n')}`);
  console.table({
    'keys per routine job': row(keys, 5),
    'taps per routine job on a phone': row(taps, null),
    'keys per pass': row(passes, 2),
    'keys per return with a macro': row(reviews.returns, null),
    'ms until a colleague sees a move': row(seen, 1_000),
  });
  console.log(
    `${jobs} jobs, ${passes.length} passes in ${Math.round((performance.now() - began) / 1000)} s. ${stdout.trim()}`,
  );
} finally {
  await browser.close();
  await service.stop();
}
