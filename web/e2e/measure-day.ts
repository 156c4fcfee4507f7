import { fileURLToPath } from 'node:url';
import { type Browser, chromium as playwright, devices, type Page } from '@playwright/test';
import { chromium } from './chromium.ts';
import { newOperator, newWorker } from './desk.ts';
import { type Person, type Service, startService } from './start-service.ts';
import { buy, newCustomer, newJob } from './studio.ts';

/**
 * A day of 60 jobs at the desk: an operator by keys, another by touch on a phone, a worker by the API, and a
 * colleague who reviews by keys. Reports the keys per job and per review, and how soon a colleague sees a move.
 */
const byKeys = 25;
const byTouch = 15;
const byWorker = 20;
const picture = fileURLToPath(new URL('fixtures/rise-colour.png', import.meta.url));

/** A window that counts what a person does in it. */
type Seat = { page: Page; acts: number };

async function openAs(browser: Browser, service: Service, { email, password }: Person, phone = false): Promise<Seat> {
  const context = await browser.newContext({
    ...(phone ? devices['Pixel 7'] : { viewport: { width: 1440, height: 900 } }),
    baseURL: service.url,
  });
  await context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: service.url },
  });
  return { page: await context.newPage(), acts: 0 };
}

async function press(seat: Seat, key: string): Promise<void> {
  seat.acts++;
  await seat.page.keyboard.press(key);
}

async function tap(seat: Seat, button: string | RegExp): Promise<void> {
  seat.acts++;
  await seat.page.getByRole('button', { name: button }).tap();
}

/** Chromium hands its dialog over only a moment after it was told to, so this tries again and counts once. */
async function chooseFile(seat: Seat, choose: () => Promise<void>): Promise<void> {
  const { page, acts } = seat;
  const chosen = page.waitForEvent('filechooser');
  const tries = setInterval(() => void choose().catch(() => {}), 500);
  await choose();
  const chooser = await chosen.finally(() => clearInterval(tries));
  seat.acts = acts + 1;
  await chooser.setFiles(picture);
  await page.getByRole('link', { name: 'rise-colour.png' }).waitFor();
}

const isAtQueue = (page: Page) => new URL(page.url()).pathname === '/desk';

/** One routine job: take it, start it, add the file, hand it in. The page goes on to the next job by itself. */
async function workByKeys(seat: Seat): Promise<void> {
  const { page } = seat;
  if (isAtQueue(page)) {
    await page.getByRole('button', { name: /^Take next/ }).waitFor();
    await press(seat, 't');
  } else {
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await press(seat, 'a');
  }
  await page.getByRole('button', { name: 'Start work' }).waitFor();
  await press(seat, 's');
  await page.getByLabel('Message to the customer').waitFor();
  await chooseFile(seat, () => press(seat, 'u'));
  const before = page.url();
  await press(seat, 'Control+Enter');
  await page.waitForURL((url) => url.href !== before);
}

async function workByTouch(seat: Seat): Promise<void> {
  const { page } = seat;
  await tap(seat, isAtQueue(page) ? /^Take next/ : 'Accept');
  await tap(seat, 'Start work');
  await page.getByLabel('Message to the customer').waitFor();
  await chooseFile(seat, () => tap(seat, /^Choose files/));
  const before = page.url();
  await tap(seat, /^(Submit for review|Deliver)/);
  await page.waitForURL((url) => url.href !== before);
}

async function workByApi({ call }: Service, key: string): Promise<void> {
  const { job, lease } = await call('POST', '/api/operator/v1/jobs/claim', key, { lease_seconds: 600 });
  const { id } = job;
  const lease_token = lease.token;
  await call('POST', `/api/operator/v1/jobs/${id}/start`, key, { lease_token });
  await call('POST', `/api/operator/v1/jobs/${id}/submit`, key, { lease_token, message: 'Here it is.' });
}

/** Each review is a look at the newest delivery and one key; the page goes on to the next job by itself. */
async function reviewAll(seat: Seat): Promise<number> {
  const { page } = seat;
  await page.goto('/desk?tab=review');
  const rows = page.getByRole('table').locator('tbody tr:not(.group)');
  await rows.first().waitFor();
  const count = await rows.count();
  await press(seat, 'o');
  for (let done = 0; done < count; done++) {
    await page.getByRole('button', { name: 'Pass', exact: true }).waitFor();
    const before = page.url();
    await press(seat, 'p');
    await page.waitForURL((url) => url.href !== before);
  }
  return count;
}

/** Milliseconds until the colleague's queue shows a move of this job by somebody else. */
async function seenAfter(colleague: Page, title: string, words: string, move: () => Promise<void>): Promise<number> {
  const shown = colleague.getByRole('row', { name: title }).filter({ hasText: words }).waitFor();
  const began = performance.now();
  await move();
  await shown;
  return performance.now() - began;
}

async function actsOf(seat: Seat, work: (seat: Seat) => Promise<void>): Promise<number> {
  const before = seat.acts;
  await work(seat);
  return seat.acts - before;
}

const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;

const service = await startService();
const browser = await playwright.launch(chromium);
try {
  const customers: Person[] = [];
  for (const name of ['Rise Bakery', 'Kiln & Clay', 'Paper Swan']) {
    const customer = await newCustomer(service, name);
    await buy(service, customer, 'studio');
    customers.push(customer);
  }
  const order = (number: number, customer_title: string) =>
    newJob(service, customers[number % customers.length]!, { customer_title });
  const jobs = byKeys + byTouch + byWorker;
  for (let number = 1; number <= jobs; number++) {
    await order(number, `Job ${number} of the day`);
  }
  const [mira, tom, ines] = await Promise.all(['Mira', 'Tom', 'Ines'].map((name) => newOperator(service, name)));
  if (!mira || !tom || !ines) throw new Error('An operator is missing.');
  const [desk, phone, second] = [
    await openAs(browser, service, mira),
    await openAs(browser, service, tom, true),
    await openAs(browser, service, ines),
  ];
  const keys: number[] = [];
  const taps: number[] = [];
  const began = performance.now();
  const worker = await newWorker(service, 'press robot');
  for (let number = 0; number < byWorker; number++) await workByApi(service, worker);
  await phone.page.goto('/desk');
  for (let number = 0; number < byTouch; number++) taps.push(await actsOf(phone, workByTouch));
  await desk.page.goto('/desk');
  for (let number = 0; number < byKeys; number++) keys.push(await actsOf(desk, workByKeys));
  await desk.page.waitForTimeout(10_000); // the last submission is held back for 8 s
  const reviewed = await reviewAll(second);
  await second.page.waitForTimeout(10_000);

  const seen: number[] = [];
  for (let number = 0; number < 10; number++) {
    const title = `Seen ${number} of the day`;
    const job = await order(number, title);
    await desk.page.goto(`/desk?q=${title}`);
    await phone.page.goto(`/desk/jobs/${job}`);
    await desk.page.getByRole('row', { name: title }).waitFor();
    await phone.page.getByRole('button', { name: 'Accept' }).waitFor();
    const accept = phone.page.getByRole('button', { name: 'Accept' });
    seen.push(await seenAfter(desk.page, title, 'Accepted', () => accept.tap()));
  }
  const { counts } = await service.call('GET', '/api/operator/v1/jobs/counts', service.operatorToken);
  if (counts.with_customer !== jobs) throw new Error(`${counts.with_customer} of ${jobs} jobs reached the customer.`);
  console.table({
    'keys per routine job': { median: median(keys), most: Math.max(...keys), goal: 5 },
    'taps per routine job on a phone': { median: median(taps), most: Math.max(...taps), goal: null },
    'keys per review': { median: second.acts / reviewed, most: null, goal: 2 },
    'ms until a colleague sees a move': {
      median: Math.round(median(seen)),
      most: Math.round(Math.max(...seen)),
      goal: 1_000,
    },
  });
  console.log(`${jobs} jobs, ${reviewed} reviews in ${Math.round((performance.now() - began) / 1000)} s.`);
} finally {
  await browser.close();
  await service.stop();
}
