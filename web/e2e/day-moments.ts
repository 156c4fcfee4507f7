import type { Page } from '@playwright/test';
import { finishByKeys, finishByTouch, goesOn, jobAt, open, press, rejectByMacro, type Seat, tap } from './day-seats.ts';
import type { Person, Service } from './start-service.ts';

/** What happens once in the day, and what each page then says of it. */
export type Day = { service: Service; lead: Seat; phone: Seat; owner: Seat };

const written = 'Here is the half of it, with the wide';
const message = (page: Page) => page.getByLabel('Message to the customer');
const alerts = (page: Page) => page.getByRole('region', { name: 'Alerts' });
const bar = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words });

/** The maker accepts the job, starts it and has written half of the message. */
async function beginByTouch(phone: Seat, job: string): Promise<void> {
  await open(phone, `/desk/jobs/${job}`);
  await tap(phone, 'Accept');
  await tap(phone, 'Start work');
  await message(phone.page).fill(written);
  await phone.page.getByText('kept on the server').waitFor();
}

export async function cancelWhileWriting({ service, phone }: Day, job: string, customer: Person): Promise<void> {
  await beginByTouch(phone, job);
  await service.call('POST', `/api/v1/jobs/${job}/cancel`, customer.token);
  await bar(phone.page, `${customer.name} canceled this job.`).filter({ hasText: written }).waitFor();
  await tap(phone, 'Discard');
}

/** The lead goes on with what the maker wrote. */
export async function takeOver({ lead, phone }: Day, job: string): Promise<void> {
  await beginByTouch(phone, job);
  await open(lead, `/desk/jobs/${job}`);
  await lead.page.getByRole('button', { name: 'Take over' }).waitFor();
  await press(lead, 'h');
  await bar(phone.page, 'Taken over by Mira.').filter({ hasText: written }).waitFor();
  await alerts(phone.page).getByText('Taken over by Mira').waitFor();
  if ((await message(lead.page).inputValue()) !== written) throw new Error('The lead does not find the draft.');
  await finishByKeys(lead);
}

export async function handOver({ lead, phone }: Day, job: string, title: string): Promise<void> {
  const note = 'They print on kraft paper.';
  await open(lead, `/desk/jobs/${job}`);
  await lead.page.getByRole('button', { name: 'Accept' }).waitFor();
  await press(lead, 'a');
  await lead.page.getByRole('button', { name: 'Hand over' }).waitFor();
  await press(lead, 'h');
  const dialog = lead.page.getByRole('dialog');
  await lead.page.getByRole('option', { name: /Tom/ }).click();
  await dialog.getByLabel('Note for your colleague').fill(note);
  await press(lead, 'Control+Enter');
  await alerts(phone.page).getByRole('link', { name: title }).tap();
  await tap(phone, 'Start work');
  await phone.page.getByRole('button', { name: /^Story/ }).tap();
  await phone.page.getByText(note).waitFor();
  await finishByTouch(phone);
}

/** A customer cancels one of the jobs while their dates move. */
export async function moveDates({ service, lead }: Day, word: string, canceled: string, customer: Person) {
  const { page } = lead;
  await open(lead, `/desk?q=${word}`);
  const boxes = page.getByRole('checkbox', { name: new RegExp(word) });
  await boxes.nth(2).waitFor();
  for (const key of ['j', 'x', 'j', 'j', 'X', 'l']) await press(lead, key);
  const dialog = page.getByRole('dialog', { name: 'Move the due date of 3 jobs' });
  await dialog.getByRole('button', { name: '+2 days' }).click();
  await dialog.getByLabel('Reason').fill('The printer is being repaired.');
  await page.route(`**/jobs/${canceled}/reschedule`, async (route) => {
    await service.call('POST', `/api/v1/jobs/${canceled}/cancel`, customer.token);
    await route.continue();
  });
  await press(lead, 'Control+Enter');
  await bar(page, '1 job not moved by 2 days').filter({ hasText: '2 jobs moved by 2 days' }).waitFor();
  await press(lead, 'Escape');
  await bar(page, '1 job not moved').waitFor({ state: 'detached' });
}

export async function setAside({ lead }: Day, job: string): Promise<void> {
  const { page } = lead;
  await open(lead, `/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Set aside' }).waitFor();
  await press(lead, 'i');
  await page.getByRole('button', { name: '+1 day' }).click();
  await page.getByLabel('Why').fill('The paper comes tomorrow.');
  await press(lead, 'Control+Enter');
  await page.getByText(/by Mira: “The paper comes tomorrow\.”/).waitFor();
}

/** A checklist, time that is noted, and a question that stops the clock. */
export async function workWithQuestion({ service, lead }: Day, job: string, customer: Person): Promise<void> {
  const { page } = lead;
  await open(lead, `/desk/jobs/${job}`);
  await page.getByRole('button', { name: 'Accept' }).waitFor();
  await press(lead, 'a');
  await page.getByRole('button', { name: 'Start work' }).waitFor();
  await press(lead, 's');
  await page.getByRole('button', { name: 'Note time' }).click();
  await page.getByLabel('Minutes').fill('50');
  await press(lead, 'Control+Enter');
  await page.getByRole('heading', { name: 'Time noted: 50m' }).waitFor();
  await press(lead, 'm');
  await page.keyboard.type('Which of the two greens is it?');
  await press(lead, 'Control+Shift+Enter');
  const waits = page.getByText('Waits for the customer').first();
  await waits.waitFor();
  await service.call('POST', `/api/v1/jobs/${job}/messages`, customer.token, { text: 'The dark one.' });
  await waits.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Names are spelled right' }).check();
  await page.getByRole('heading', { name: 'Checklist: 1 of 1' }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await finishByKeys(lead);
}

/** Answers the job, which goes back into the queue. */
export async function giveBack({ service: { call } }: Day, worker: string, reason: string): Promise<string> {
  const { job, lease } = await call('POST', '/api/operator/v1/jobs/claim', worker, { lease_seconds: 600 });
  await call('POST', `/api/operator/v1/jobs/${job.id}/release`, worker, { lease_token: lease.token, reason });
  return job.id;
}

export async function reject({ owner }: Day, job: string): Promise<void> {
  await open(owner, `/desk/jobs/${job}`);
  await owner.page.getByRole('button', { name: 'Reject' }).waitFor();
  await rejectByMacro(owner);
  await owner.page.getByText('The customer reads:').waitFor();
}

/** All jobs of the day as a tab, once the list says how many they are. */
export async function saveToday({ owner: { page }, owner }: Day, jobs: number): Promise<void> {
  await open(owner, '/desk?tab=all');
  await page.getByRole('button', { name: /^Filter/ }).waitFor();
  await press(owner, 'f');
  const today = new Date().toISOString().slice(0, 10);
  for (const name of ['Created from', 'Created until']) await page.getByLabel(name).fill(today);
  await press(owner, 'Escape');
  await page.getByText(`${jobs} jobs`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('All of today');
  await press(owner, 'Control+Enter');
  await page.getByRole('button', { name: 'All of today' }).waitFor();
}

/** On behalf of a customer whose owner allows it. */
export async function orderForThem({ service, lead: { page }, lead }: Day, customer: Person, title: string) {
  await service.call('PUT', '/api/auth/account/studio-orders', customer.token, { allowed: true });
  await open(lead, `/desk/accounts?q=${encodeURIComponent(customer.email)}`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Order for them' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Service').selectOption('design/logo');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('In their words').fill('A round sign with an ear of rye.');
  await press(lead, 'Control+Enter');
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  return jobAt(page);
}

/** Says what the reviewer said, and leads to the work, which is done again. */
export async function doAgain(phone: Seat, jobs: readonly string[]): Promise<void> {
  const { page } = phone;
  await alerts(page).getByText('Returned to you').waitFor();
  for (const job of jobs) {
    await open(phone, '/desk?tab=mine');
    await page.getByRole('table').locator(`a[href$="${job}"]`).first().tap();
    await page.getByText('Returned by Ines.').waitFor();
    await message(page).fill('Now with files that open.');
    await goesOn(phone, () => tap(phone, 'Submit for review'));
  }
  await open(phone, '/desk');
}
