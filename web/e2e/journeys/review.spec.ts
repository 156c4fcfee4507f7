import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);
const films = ['clip.webm', 'clip.mp4', 'clip.mov'];
const files = ['rise-colour.png', 'rise-mono.pdf', 'notes.txt', 'jingle.wav', ...films].map(fixture);

test('a delivery appears in an open window by itself, with previews of each kind @change', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole('status')).toHaveText('Queued');

  await move(service, job, 'accept', 'start');
  await expect(page.getByRole('status')).toHaveText('In work');
  await handOver(service, job, files, 'The ear is warmer now.');
  await expect(page.getByRole('status')).toHaveText('Ready for you');
  await expect(page.getByText('The ear is warmer now.')).toBeVisible();

  const image = page.getByRole('button', { name: 'Open rise-colour.png' }).locator('img');
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(900);
  await expect(page.getByRole('button', { name: 'Open notes.txt' })).toContainText('Green 1f4a37');
  await expect(page.getByRole('button', { name: 'Open jingle.wav' })).toContainText('0:01');
  for (const name of films) {
    const film = page.getByRole('button', { name: `Open ${name}` }).locator('video');
    await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.videoWidth), name).toBe(160);
  }
  await page.getByRole('button', { name: 'Open notes.txt' }).click();
  await expect(page).toHaveURL(/\?review=file_/);
  await expect(page.locator('#root')).toHaveAttribute('inert', '');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/review=/);
  await page.keyboard.press('v');
  await expect(page).toHaveURL(/\?review=file_/);
});

test('changes are asked for, come back as a second delivery, and the job is approved @change', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture('rise-colour.png')]);
  await page.goto(`/jobs/${job}`);

  await expect(page.getByRole('button', { name: 'Review' })).toBeVisible();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('round 1 of 3');
  await dialog.getByLabel('What should change?').fill('Make the ear warmer.');
  // Nothing typed is lost.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Review' })).toBeVisible();
  await page.keyboard.press('r');
  await expect(dialog.getByLabel('What should change?')).toHaveValue('Make the ear warmer.');
  await dialog.getByRole('button', { name: 'Send the changes' }).click();
  await expect(page.getByText('You asked for changes, round 1 of 3')).toBeVisible();
  await expect(page.getByText('“Make the ear warmer.”')).toBeVisible();

  await move(service, job, 'start');
  await handOver(service, job, [fixture('rise-dark.png')], 'Warmer now.');
  await expect(page.getByRole('heading', { name: 'Delivery 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText('Completed');
  await expect(page.getByRole('button', { name: 'Ask for changes' })).toHaveCount(0);
});

test('approving asks first while comments were not sent', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture('rise-colour.png')]);
  const { job: delivered } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  const [file_id] = delivered.deliveries[0].file_ids;
  await service.call('POST', `/api/v1/jobs/${job}/comments`, customer.token, { file_id, text: 'Warmer, please.' });
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('1 comment waits to be sent.')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 comment has not been sent');
  await dialog.getByRole('button', { name: 'Look at it' }).click();
  await expect(page).toHaveURL(/\?review=file_/);
  await expect(page.locator('#root')).toHaveAttribute('inert', '');
  // Half a comment is not sent either.
  await page.keyboard.press('c');
  await page.getByLabel(/^Comment \d/).fill('And larger.');
  await page.goto(`/jobs/${job}`);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('dialog', { name: '1 comment is not saved' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Go on without it' }).click();
  // A colleague is faster.
  await service.call('POST', `/api/v1/jobs/${job}/approve`, customer.token);
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText('Completed');
  await dialog.getByRole('button', { name: 'Approve without it' }).click();
  await expect(page.getByText('The work was approved meanwhile. Nothing was approved.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('a second round of changes goes out from the page that asked for the first, with other words or the same', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start', 'submit', 'pass');
  await page.goto(`/jobs/${job}`);
  // The dialogs are on the page some time after the first paint, and stay there between the rounds.
  await page.waitForTimeout(2_000);
  const rounds = ['Make the ear warmer.', 'Still not warm.', 'Still not warm.'];
  for (const [index, words] of rounds.entries()) {
    await page.getByRole('button', { name: 'Ask for changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What should change?').fill(words);
    await dialog.getByRole('button', { name: 'Send the changes' }).click();
    await expect(page.getByText(`You asked for changes, round ${index + 1} of 3`)).toBeVisible();
    const read = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
    expect(read.job.revisions.used).toBe(index + 1);
    await move(service, job, 'start', 'submit', 'pass');
  }
});

test('a job that nobody began is canceled and given back to the quota', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await page.goto(`/jobs/${job}`);
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await expect(page.getByRole('dialog')).toContainText('is returned to your quota');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
  await expect(page.getByText('You canceled the job')).toBeVisible();
  const { usage } = await service.call('GET', '/api/v1/usage', customer.token);
  expect(usage.totals.remaining).toBe(usage.totals.quota);
});

test('a rejection tells its reason', async ({ service, customer, page }) => {
  const job = await newJob(service, customer);
  await page.goto('/jobs');
  await move(service, job, 'reject');
  await expect(page.getByRole('row', { name: /Logo for a neighbourhood bakery/ })).toContainText('Out of scope');
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('We do not make shop signs.').first()).toBeVisible();
});
