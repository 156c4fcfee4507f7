import { fileURLToPath } from 'node:url';
import { type Browser, devices, type Page } from '@playwright/test';
import type { Person, Service } from './start-service.ts';

const picture = fileURLToPath(new URL('fixtures/rise-colour.png', import.meta.url));

/** A window that counts what a person does in it. */
export type Seat = { page: Page; acts: number };

/** What pages wrote to their console, besides answers that the day provokes. */
export const faults: string[] = [];
const provoked = /Failed to load resource: the server responded with a status of 409/;

export async function openAs(browser: Browser, service: Service, person: Person, phone = false): Promise<Seat> {
  const context = await browser.newContext({
    ...(phone
      ? { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }
      : { viewport: { width: 1440, height: 900 } }),
    baseURL: service.url,
  });
  const { email, password } = person;
  await context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: service.url },
  });
  const page = await context.newPage();
  page.on('filechooser', () => {});
  page.on('pageerror', (error) => faults.push(`${person.name}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !provoked.test(message.text())) faults.push(`${person.name}: ${message.text()}`);
  });
  return { page, acts: 0 };
}

export async function press(seat: Seat, key: string): Promise<void> {
  seat.acts++;
  await seat.page.keyboard.press(key);
}

export async function tap(seat: Seat, button: string | RegExp): Promise<void> {
  seat.acts++;
  await seat.page.getByRole('button', { name: button }).tap();
}

/** Leaves the page once it has sent what it holds back for undoing. */
export async function open({ page }: Seat, path: string): Promise<void> {
  const goesOut = page.getByRole('region', { name: 'Going out' }).locator('.toast');
  await goesOut.first().waitFor({ state: 'detached' });
  await page.goto(path);
}

/** Chromium hands its dialog over only a moment after it was told to, so this tries again and counts once. */
export async function chooseFile(seat: Seat, choose: () => Promise<void>): Promise<void> {
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
export const jobAt = (page: Page) => page.url().split('/').at(-1)?.split('?')[0] ?? '';

/** Goes on to the next job, or to the queue, by itself. */
export async function goesOn({ page }: Seat, act: () => Promise<void>): Promise<void> {
  const before = page.url();
  await act();
  await page.waitForURL((url) => url.href !== before);
}

/** The file, and then to the review. */
export async function finishByKeys(seat: Seat): Promise<void> {
  await seat.page.getByLabel('Message to the customer').waitFor();
  await chooseFile(seat, () => press(seat, 'u'));
  await goesOn(seat, () => press(seat, 'Control+Enter'));
}

export async function finishByTouch(seat: Seat): Promise<void> {
  await seat.page.getByLabel('Message to the customer').waitFor();
  await chooseFile(seat, () => tap(seat, /^Choose files/));
  await goesOn(seat, () => tap(seat, /^(Submit for review|Deliver)/));
}

/** One routine job: take it, start it, add the file, hand it in. */
export async function workByKeys(seat: Seat): Promise<void> {
  const { page } = seat;
  const fromQueue = isAtQueue(page);
  await page.getByRole('button', { name: fromQueue ? /^Take next/ : 'Accept' }).waitFor();
  await press(seat, fromQueue ? 't' : 'a');
  await page.getByRole('button', { name: 'Start work' }).waitFor();
  await press(seat, 's');
  await finishByKeys(seat);
}

export async function workByTouch(seat: Seat): Promise<string> {
  const { page } = seat;
  await tap(seat, isAtQueue(page) ? /^Take next/ : 'Accept');
  await tap(seat, 'Start work');
  await page.getByLabel('Message to the customer').waitFor();
  const job = jobAt(page);
  await finishByTouch(seat);
  return job;
}

export async function workByApi({ call }: Service, key: string): Promise<void> {
  const { job, lease } = await call('POST', '/api/operator/v1/jobs/claim', key, { lease_seconds: 600 });
  const { id } = job;
  const lease_token = lease.token;
  await call('POST', `/api/operator/v1/jobs/${id}/start`, key, { lease_token });
  await call('POST', `/api/operator/v1/jobs/${id}/submit`, key, { lease_token, message: 'Here it is.' });
}

/** Inserts the macro that these letters find, and submits the dialog. */
async function submitMacro(seat: Seat, key: string, letters: string): Promise<void> {
  const { page } = seat;
  await press(seat, key);
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (const letter of `/${letters}`) await press(seat, letter);
  await page.getByRole('listbox', { name: 'Macros' }).getByRole('option').waitFor();
  await press(seat, 'Enter');
  await press(seat, 'Control+Enter');
  await dialog.waitFor({ state: 'detached' });
}

export const rejectByMacro = (seat: Seat) => submitMacro(seat, 'R', 'out');

/** From the queue to the first job that is not on its way out already. */
async function openReview(seat: Seat): Promise<void> {
  const { page } = seat;
  await page.getByRole('table').locator('tbody tr:not(.group)').first().waitFor();
  await press(seat, 'o');
  const pass = page.getByRole('button', { name: 'Pass', exact: true });
  const passed = page.getByText('It goes to');
  await pass.or(passed).first().waitFor();
  if (await passed.isVisible()) await goesOn(seat, () => press(seat, ']'));
  await pass.waitFor();
}

/** Passes what waits for review but for some jobs, which a macro returns. Answers the acts of each pass and return. */
export async function reviewAll(seat: Seat, returned: readonly string[]) {
  const { page } = seat;
  const passes: number[] = [];
  const returns: number[] = [];
  await open(seat, '/desk?tab=review');
  const rows = page.getByRole('table').locator('tbody tr:not(.group)');
  await rows.first().waitFor();
  const count = await rows.count();
  await openReview(seat);
  for (let done = 1; done <= count; done++) {
    const before = seat.acts;
    await page.getByRole('button', { name: 'Pass', exact: true }).waitFor();
    const job = jobAt(page);
    if (!returned.includes(job)) {
      await goesOn(seat, () => press(seat, 'p'));
      passes.push(seat.acts - before);
      continue;
    }
    await submitMacro(seat, 'r', 'files');
    await goesOn(seat, () => press(seat, 'g'));
    await page.getByRole('table').locator(`a[href$="${job}"]`).first().waitFor({ state: 'detached' });
    if (done < count) await openReview(seat);
    returns.push(seat.acts - before);
  }
  await open(seat, '/desk');
  return { passes, returns };
}
