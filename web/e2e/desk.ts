import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import type { Person, Service } from './start-service.ts';
import type { OperatorRole } from '../../contract/desk/operator-roles.ts';
import { newJob } from './studio.ts';

/** The operator that the service was started with. */
export const operatorOf = ({ operator, operatorToken }: Service): Person => ({
  ...operator,
  name: 'Operator',
  token: operatorToken,
});

let made = 0;

/** Another operator, made as the studio makes one: by the command line, beside the running service. */
export async function newOperator(service: Service, name = 'Operator', role: OperatorRole = 'owner'): Promise<Person> {
  const email = `colleague-${++made}@example.com`;
  const password = 'a colleague of the tests';
  await promisify(execFile)(
    process.execPath,
    ['cli/admin.ts', 'operator', 'create', '--email', email, '--name', name, '--role', role],
    {
      env: { ...process.env, DATA_DIR: service.dataDir, OPERATOR_PASSWORD: password },
    },
  );
  const { token } = await service.call('POST', '/api/auth/sign-in/email', null, { email, password });
  return { name, email, password, token };
}

/** The plaintext of a new worker key. */
export async function newWorker({ call, operatorToken }: Service, name: string): Promise<string> {
  return (await call('POST', '/api/operator/v1/worker-keys', operatorToken, { name })).plaintext_key;
}

/** Chooses files with the key of the delivery. Chromium hands its dialog over only after it was told to, a moment later. */
export async function chooseFiles(page: Page, ...paths: string[]): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await expect(async () => {
    await page.keyboard.press('u');
    await Promise.race([chosen, new Promise((_, reject) => setTimeout(reject, 500))]);
  }).toPass();
  await (await chosen).setFiles(paths);
}

/** Waits until the page has sent what it held back for undoing, then opens the job again. */
export async function openOnceSent(page: Page, job: string): Promise<void> {
  await expect(page.getByText(/^(Delivered to|Submitted for review)|was returned to/)).toBeVisible();
  await page.goto(`/desk/jobs/${job}`);
}

/** A queue of a day: jobs of this customer under these titles, the first one oldest. */
export async function newQueue(service: Service, customer: Person, ...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const customer_title of titles) ids.push(await newJob(service, customer, { customer_title }));
  return ids;
}

/** Those that another test has made stay. */
export async function newMacros({ call, operatorToken }: Service): Promise<void> {
  const { macros } = await call('GET', '/api/operator/v1/macros?limit=100', operatorToken);
  const names = (macros as { name: string }[]).map(({ name }) => name);
  for (const [name, text] of Object.entries({
    'First sketch': 'Hello {customer},\n\nthe first sketch of “{title}” is near. You get it this week.',
    'Files are missing': 'Hello {customer}, could you send us the files again? They cannot be opened here.',
    'Delivered again': 'Here is delivery {round} of “{title}”, with everything that you asked for.',
    'Out of scope': 'We are sorry, {customer}: this is nothing that we make.',
  }))
    if (!names.includes(name)) await call('POST', '/api/operator/v1/macros', operatorToken, { name, text });
}
