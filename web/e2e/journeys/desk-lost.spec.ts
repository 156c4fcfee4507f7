import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page, Route } from '@playwright/test';
import { pastWork, writeFolder } from '../../../test/support/past-work.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { move, newJob } from '../studio.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const path = '/api/operator/v1';
const read = ({ call, operatorToken }: Service, what: string) => call('GET', `${path}/${what}`, operatorToken);
const isBusy = {
  code: 'service_unavailable',
  message: 'Busy.',
  action: 'Try again.',
  retry_after_seconds: 5,
};

/** Handles what the page writes from now on. */
async function whenWriting(page: Page, handle: (route: Route) => Promise<unknown>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(
    (url) => url.pathname.startsWith(path),
    (route) => (route.request().method() === 'GET' ? route.fallback() : handle(route)),
  );
}

const busy = (page: Page) =>
  whenWriting(page, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, json: { error: isBusy } }),
  );

const slow = (page: Page) =>
  whenWriting(page, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await route.continue();
  });

/** The service does it, but the connection is lost before the answer. */
const loseAnswers = (page: Page) =>
  whenWriting(page, async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });

async function getBack(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
}

type Save = {
  what: string;
  begin: (service: Service, customer: Person) => Promise<{ at: string; count: () => Promise<number> }>;
  /** Opens the dialog and writes into it. */
  write: (page: Page) => Promise<void>;
  submit: string;
  expectKept: (page: Page) => Promise<void>;
  expectDone: (page: Page) => Promise<void>;
};

async function newImport(service: Service) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-import-'));
  const tables = pastWork();
  writeFolder(folder, tables);
  const env = { ...process.env, DATA_DIR: service.dataDir };
  await promisify(execFile)(process.execPath, ['cli/admin.ts', 'import', folder], { env });
  return { name: tables.customers[0]?.name ?? '', email: (tables.people[0]?.email ?? '').toLowerCase() };
}

const saves: Save[] = [
  {
    what: 'noted time',
    async begin(service, customer) {
      const job = await newJob(service, customer);
      return { at: `jobs/${job}`, count: async () => (await read(service, `jobs/${job}`)).job.times.length };
    },
    async write(page) {
      await page.getByRole('button', { name: 'Note time' }).click();
      await dialog(page).getByLabel('Minutes').fill('35');
      await dialog(page).getByLabel('What was done').fill('A sketch');
    },
    submit: 'Note',
    expectKept: (page) => expect(dialog(page).getByLabel('What was done')).toHaveValue('A sketch'),
    expectDone: (page) => expect(page.getByRole('heading', { name: 'Time noted: 35m' })).toBeVisible(),
  },
  {
    what: 'a job that is set aside',
    async begin(service, customer) {
      const job = await newJob(service, customer);
      return { at: `jobs/${job}`, count: async () => ((await read(service, `jobs/${job}`)).job.set_aside ? 1 : 0) };
    },
    async write(page) {
      await page.getByRole('button', { name: 'Set aside' }).click();
      await button(page, 'Next Monday').click();
      await dialog(page).getByLabel('Why').fill('No paper.');
    },
    submit: 'Set it aside',
    expectKept: (page) => expect(dialog(page).getByLabel('Why')).toHaveValue('No paper.'),
    expectDone: (page) => expect(page.getByText('“No paper.”')).toBeVisible(),
  },
  {
    what: 'a saved view',
    async begin(service) {
      const count = async () =>
        (await read(service, 'saved-views')).saved_views.filter(({ name }: Person) => name === 'Lost view').length;
      return { at: '?tab=all&status=completed', count };
    },
    async write(page) {
      await page.getByRole('button', { name: 'Save view' }).click();
      await dialog(page).getByLabel('Name').fill('Lost view');
    },
    submit: 'Save',
    expectKept: (page) => expect(dialog(page).getByLabel('Name')).toHaveValue('Lost view'),
    expectDone: (page) => expect(page.getByText('Saved “Lost view”.')).toBeVisible(),
  },
  {
    what: 'an order for a customer',
    async begin(service, customer) {
      await service.call('PUT', '/api/auth/account/studio-orders', customer.token, { allowed: true });
      const { accounts } = await read(service, `accounts?q=${encodeURIComponent(customer.email)}`);
      const count = async () => (await read(service, `jobs?account_id=${accounts[0].id}`)).jobs.length;
      return { at: `accounts/${accounts[0].id}`, count };
    },
    async write(page) {
      await page.getByRole('button', { name: 'Order for them' }).click();
      await dialog(page).getByLabel('Service').selectOption('design/logo');
      await dialog(page).getByLabel('Title').fill('A sign');
      await dialog(page).getByLabel('In their words').fill('Round.');
    },
    submit: 'Order',
    async expectKept(page) {
      // Also once the dialog was closed, and on a page that was loaded anew.
      await getBack(page);
      await page.reload();
      await page.getByRole('button', { name: 'Order for them' }).click();
      await expect(dialog(page).getByLabel('In their words')).toHaveValue('Round.');
    },
    expectDone: (page) => expect(page.getByRole('heading', { level: 1, name: 'A sign' })).toBeVisible(),
  },
  {
    what: 'invitations of imported people',
    async begin(service) {
      const { name, email } = await newImport(service);
      const { accounts } = await read(service, `accounts?q=${encodeURIComponent(name)}`);
      const count = async () =>
        (await service.call('GET', '/sandbox/mail', null)).mails.filter(({ to }: { to: string }) => to === email)
          .length;
      return { at: `accounts/${accounts[0].id}`, count };
    },
    write: (page) => page.getByRole('button', { name: 'Invite 2 people' }).click(),
    submit: 'Send the invitations',
    expectKept: (page) => expect(button(page, 'Send the invitations')).toBeEnabled(),
    expectDone: (page) => expect(page.getByText('2 invitations sent.')).toBeVisible(),
  },
];

for (const { what, begin, write, submit, expectKept, expectDone } of saves)
  test(`${what}: a busy service, a lost answer, a slow one and a double click lose nothing and do it once`, async ({
    service,
    customer,
    openAs,
  }) => {
    test.slow();
    const { at, count } = await begin(service, customer);
    const page = await openAs(operatorOf(service));
    page.on('dialog', (warning) => void warning.accept());
    await page.goto(at.startsWith('?') ? `/desk${at}` : `/desk/${at}`);
    await write(page);
    await busy(page);
    await button(page, submit).click();
    await expect(dialog(page).getByRole('alert')).toContainText('The service is busy or restarting');
    await expect(dialog(page).getByRole('alert')).toContainText(/Try again in \d s/);
    expect(await count()).toBe(0);
    await loseAnswers(page);
    await button(page, submit).click();
    await expect(dialog(page).getByRole('alert')).toContainText('The service cannot be reached');
    await expectKept(page);
    await getBack(page);
    await slow(page);
    await button(page, submit).dblclick();
    await expectDone(page);
    await page.unrouteAll({ behavior: 'wait' });
    await expect.poll(count).toBe(1);
  });

test.describe('the catalog', () => {
  test.describe.configure({ mode: 'serial' });
  const versions = 'catalog-versions';
  const newest = async (service: Service): Promise<number> =>
    (await read(service, `${versions}?limit=1`)).catalog_versions[0].number;

  /** Other tests expect the plain studio. */
  test.afterAll(async ({ service }) => {
    const body = { expected_version: await newest(service) };
    await service.call('POST', `${path}/${versions}/1/publish`, service.operatorToken, body);
  });

  /** On a busy machine the service gives up a check after five seconds. */
  const expectNoProblems = (page: Page) =>
    expect(async () => {
      const again = page.getByRole('button', { name: 'Check again' });
      if (await again.isVisible()) await again.click();
      await expect(page.getByText('No problems.')).toBeVisible({ timeout: 8_000 });
    }).toPass();

  test('a change that could not be checked says so and is checked later, and a lost publication is made once', async ({
    service,
    openAs,
  }) => {
    test.slow();
    const page = await openAs(operatorOf(service));
    page.on('dialog', (warning) => void warning.accept());
    const before = await newest(service);
    await page.goto('/desk/studio?part=catalog');
    const hours = page.getByRole('textbox', { name: 'Hours to the first delivery' });
    await hours.fill('48');
    await expectNoProblems(page);
    await slow(page);
    await hours.fill('49');
    await expect(page.getByText('Checking…')).toBeVisible();
    await page.waitForTimeout(1_500);
    await expect(page.getByText('Checking…')).toBeVisible();
    await expectNoProblems(page);
    await busy(page);
    await hours.fill('50');
    await expect(page.getByText('It could not be checked. The service is busy or restarting.')).toBeVisible();
    await getBack(page);
    await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
    await expectNoProblems(page);
    await page.context().setOffline(true);
    await hours.fill('51');
    await expect(page.getByText('It could not be checked. The service cannot be reached.')).toBeVisible();
    await getBack(page);
    await expectNoProblems(page);

    await page.keyboard.press('Control+s');
    await dialog(page).getByLabel('Note').fill('Slower');
    await loseAnswers(page);
    await button(page, 'Publish').click();
    await expect(dialog(page).getByRole('alert')).toContainText('The service cannot be reached');
    await expect(dialog(page).getByLabel('Note')).toHaveValue('Slower');
    await getBack(page);
    await expect(page.getByText(`Version ${before + 1} is published.`)).toBeVisible();
    await expect(page.getByText('All is published.')).toBeVisible();
    await hours.fill('52');
    await page.keyboard.press('Control+s');
    await expect(button(page, 'Publish')).toBeEnabled();
    await slow(page);
    await button(page, 'Publish').dblclick();
    await expect(page.getByText(`Version ${before + 2} is published.`)).toBeVisible();
    await expect(page.getByText('All is published.')).toBeVisible();
    expect(await newest(service)).toBe(before + 2);
  });

  test('a tick that is lost is not shown as done, and is made again', async ({ service, customer, openAs }) => {
    test.slow();
    const number = await newest(service);
    const { documents } = (await read(service, `${versions}/${number}`)).catalog_version;
    const withChecklist = (text: string) =>
      text.replace('- id: logo\n', (id) => `${id}        checklist: [Spelling]\n`);
    await service.call('POST', `${path}/${versions}`, service.operatorToken, {
      documents: documents.map((each: { file: string; text: string }) =>
        each.file === 'families.yaml' ? { ...each, text: withChecklist(each.text) } : each,
      ),
      expected_version: number,
    });
    const job = await newJob(service, customer);
    await move(service, job, 'accept', 'start');
    const page = await openAs(operatorOf(service));
    await page.goto(`/desk/jobs/${job}`);
    const box = page.getByRole('checkbox', { name: 'Spelling' });
    const alert = page.getByRole('main').getByRole('alert');
    await expect(box).toBeVisible();
    await busy(page);
    await box.click();
    await expect(alert).toContainText('The service is busy or restarting');
    await expect(box).not.toBeChecked();
    await getBack(page);
    await page.context().setOffline(true);
    await box.click();
    await expect(alert).toContainText('The service cannot be reached');
    await expect(box).not.toBeChecked();
    await getBack(page);
    await slow(page);
    await box.dblclick();
    await expect(box).toBeChecked();
    await expect(page.getByRole('heading', { name: 'Checklist: 1 of 1' })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});
