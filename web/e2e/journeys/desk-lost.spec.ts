import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { pastWork, writeFolder } from '../../../test/support/past-work.ts';
import { busy, getBack, loseAnswers, slow } from '../connection.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { newJob } from '../studio.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const path = '/api/operator/v1';
const read = ({ call, operatorToken }: Service, what: string) => call('GET', `${path}/${what}`, operatorToken);
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
