import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pastWork, writeFolder } from '../../../test/support/past-work.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { mailedLink } from '../studio.ts';

test('an operator invites who was imported, and they find their past work, marked, to save and to order again', async ({
  service,
  openAs,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-import-'));
  const tables = pastWork();
  writeFolder(folder, tables);
  const env = { ...process.env, DATA_DIR: service.dataDir };
  await promisify(execFile)(process.execPath, ['cli/admin.ts', 'import', folder], { env });
  const name = tables.customers[0]?.name ?? '';
  const email = (tables.people[0]?.email ?? '').toLowerCase();

  const desk = await openAs(operatorOf(service));
  await desk.goto('/desk/accounts');
  await desk.getByRole('link', { name }).first().click();
  await expect(desk.getByText('They cannot sign in until')).toBeVisible();
  await desk.getByRole('button', { name: 'Invite 2 people' }).click();
  await desk.getByRole('button', { name: 'Send the invitations' }).click();
  await expect(desk.getByText('2 invitations sent.')).toBeVisible();
  await expect(desk.getByText('invited until')).toHaveCount(2);

  const person = { name: 'Ada', email, password: 'ten characters, and more' };
  const invitation_token = new URL(await mailedLink(service, email, '/invitations/')).searchParams.get('token');
  const { token } = await service.call('POST', '/api/auth/sign-up/email', null, { ...person, invitation_token });
  const page = await openAs({ ...person, token });
  await page.goto('/jobs');
  await expect(page.getByRole('row', { name: /Past logo/ }).first()).toContainText('Imported');
  await page
    .getByRole('link', { name: /Past logo/ })
    .first()
    .click();
  await expect(page.getByText('The job was imported and takes no messages.')).toBeVisible();
  await expect(page.getByText('Here you are.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Approve|Ask for changes/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Order again' }).click();
  await expect(page).toHaveURL(/from=job_/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await desk.reload();
  await expect(desk.getByRole('button', { name: 'Invite Ada' })).toHaveCount(0);
});
