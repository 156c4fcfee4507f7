import { type OperatorRight, operatorRoles, rolesWith } from '../../contract/desk/operator-roles.ts';
import { expectAccessible, expectNoFinding, longWords, oneWord } from './accessible.ts';
import { newOperator, newQueue, newWorker, openOnceSent, operatorOf } from './desk.ts';
import { expectLaidOut } from './geometry.ts';
import { expect, test } from './stage.ts';
import { deliver, move, newJob } from './studio.ts';

const fixture = (name: string) => new URL(`fixtures/${name}`, import.meta.url);
const paths: Partial<Record<OperatorRight, string[]>> = {
  work: [
    '/desk',
    '/desk?tab=mine',
    '/desk?tab=overdue',
    '/desk?q=nothing-like-it',
    '/desk/macros',
    '/desk/studio',
    '/desk/studio?part=catalog',
    '/desk/studio?part=catalog&view=yaml',
    '/desk/studio?part=catalog&view=yaml&file=pictures',
    '/desk/studio?part=plans',
    '/desk/studio?part=versions',
    '/desk/studio?part=versions&version=1',
  ],
  read_accounts: ['/desk/accounts'],
  read_figures: ['/desk/figures', '/desk/reports', '/desk/reports?per=worker&range=week'],
  read_records: ['/desk/workers', '/desk/money', '/desk/payments', '/desk/payments?outcome=all', '/desk/audit'],
  manage_studio: ['/desk/operators', '/desk/apps', '/desk/health'],
};
const widths = [390, 820, 1440];

for (const role of operatorRoles)
  test(`pages of the desk are accessible and laid out at every width for a ${role}`, async ({
    service,
    customer,
    openAs,
  }) => {
    test.setTimeout(600_000);
    await newQueue(service, customer, longWords, oneWord, 'Menu');
    const worker = await newWorker(service, 'press robot');
    for (let held = 0; held < 3; held++)
      await service.call('POST', '/api/operator/v1/jobs/claim', worker, { lease_seconds: 600 });
    await newQueue(service, customer, longWords, oneWord);
    const running = await newJob(service, customer, { customer_title: longWords });
    await move(service, running, 'accept', 'start');
    await deliver(service, running, fixture('rise-colour.png'));
    const reviewed = await newJob(service, customer, { customer_title: oneWord });
    await move(service, reviewed, 'accept', 'start');
    const file = await deliver(service, reviewed, fixture('rise-mono.pdf'));
    await move(service, reviewed, { submit: { file_ids: [file], message: 'For a look.' } });
    const query = `/api/operator/v1/accounts?q=${customer.email}`;
    const { accounts } = await service.call('GET', query, service.operatorToken);
    const page = await openAs(await newOperator(service, `The ${role}`, role));
    const open = Object.entries(paths).flatMap(([right, some]) =>
      rolesWith(right as OperatorRight).includes(role) ? some : [],
    );
    for (const path of [
      ...open,
      `/desk/jobs/${running}`,
      `/desk/jobs/${reviewed}`,
      `/desk/accounts/${accounts[0].id}`,
    ]) {
      await expectAccessible(page, path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await expectLaidOut(page, `${path} at ${width} px`);
        if (width === 390) await expectNoFinding(page, `${path} at ${width} px`);
      }
    }
  });

test('a desk shift without a mouse: accept, start, write, submit, pass, next', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow(); // it waits twice until the page sends what can be undone
  const title = `By keys ${Date.now()}`;
  const [job = ''] = await newQueue(service, customer, title, 'Not this one');
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await page.goto('/desk');
  await expect(page.getByRole('row', { name: new RegExp(title) })).toBeVisible();
  await keyboard.press('/');
  // At once, as by pasting: what is found by half of it makes way for what the whole finds.
  await keyboard.insertText(title);
  await expect(page.getByRole('table').getByRole('link')).toHaveCount(1);
  await keyboard.press('Escape');
  await keyboard.press('j');
  await keyboard.press('a');
  await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('Accepted');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Start work' })).toBeVisible();
  await keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Submit for review' })).toBeVisible();
  await keyboard.press('d');
  await keyboard.type('Here it is.');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toContainText('No file is attached');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Submit for review' })).toBeFocused();
  await keyboard.press('Enter');
  await openOnceSent(page, job);
  await expect(page.getByRole('button', { name: 'Pass', exact: true })).toBeVisible();
  await keyboard.press('p');
  await openOnceSent(page, job);
  await expect(page.getByRole('status')).toContainText('With customer');
  await keyboard.press('g');
  await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible();
  await keyboard.press('4');
  await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('With customer');
});

test('mod+Enter in a note adds the note, in a dialog sends it once it is complete, and never the page below', async ({
  service,
  customer,
  openAs,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await deliver(service, job, fixture('rise-colour.png'));
  const page = await openAs(operatorOf(service));
  const { keyboard } = page;
  await page.goto(`/desk/jobs/${job}`);
  await page.getByLabel('Message to the customer').fill('Ready to go out.');
  await expect(page.getByRole('button', { name: 'Submit for review' })).toBeEnabled();
  await keyboard.press('Escape');
  await keyboard.press('n');
  await keyboard.type('Cream, not white.');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Cream, not white.' })).toBeVisible();
  await keyboard.press('Escape');
  await keyboard.press('R');
  await expect(page.getByRole('dialog').getByLabel('Message to the customer')).toBeFocused();
  await keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('status')).toContainText('In work');
  const { job: now } = await service.call('GET', `/api/operator/v1/jobs/${job}`, service.operatorToken);
  expect(now.status).toBe('running');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.press('R');
  await page.getByRole('dialog').getByLabel('Message to the customer').fill('We do not make shop signs.');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('status')).toContainText('Rejected');
});
