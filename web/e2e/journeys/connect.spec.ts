import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newApp, requestOf, serveDocuments } from '../../../test/support/app-documents.ts';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { newUserCode, signUpOn } from '../studio.ts';

test('an app asks, a person lets it in and ends it; a code of the command line is compared @change', async ({
  page,
  service,
}) => {
  const documents = await serveDocuments();
  const landed = createServer((_, response) => response.end('back in the app'));
  await new Promise<void>((resolve) => landed.listen(0, '127.0.0.1', resolve));
  const { port } = landed.address() as AddressInfo;
  const app = newApp(documents.at('painter.json'));
  const query = {
    ...requestOf(app),
    resource: `${service.url}/mcp`,
    redirect_uri: `http://127.0.0.1:${port}/callback`,
    scope: 'api:read api:write',
  };
  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`);
  await expect(page.getByRole('heading', { name: 'Painter asks for access' })).toBeVisible();
  await expect(page.locator('main')).toContainText(`${new URL(app.clientId).host}, address checked`);
  await expect(page.locator('main')).toContainText('Afterwards your browser goes to a program on this computer.');
  await expectNoFinding(page, 'connect');
  await expectReadableInDark(page, 'connect');
  await expect(page.getByRole('radio', { name: 'Read', exact: true })).toBeChecked();
  await page.getByText('7 days').click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('back in the app')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();

  await page.goto('/keys');
  const row = page.getByRole('row', { name: /Painter/ });
  await expect(row).toContainText('read');
  await expectNoFinding(page, '/keys');
  await row.getByRole('button', { name: 'End the access of Painter' }).click();
  await page.getByRole('button', { name: 'End the access', exact: true }).click();
  await expect(row).toContainText('ended');

  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams({ ...query, scope: 'admin' })}`);
  await expect(page.getByRole('heading', { name: 'This app cannot be connected' })).toBeVisible();
  await expect(page.locator('main')).toContainText('It asks for a right that does not exist here.');
  await expect(page.locator('main')).toContainText(new URL(app.clientId).host);
  await expectNoFinding(page, 'connect, refused');
  await expectReadableInDark(page, 'connect, refused');
  await page.getByRole('button', { name: 'Back to the program on this computer' }).click();
  await expect(page.getByText('back in the app')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_scope');

  await page.goto('/connect?error=invalid_redirect&error_description=Call%20us');
  await expect(page.locator('main')).toContainText(
    'It wants your browser back at an address that is not registered for it.',
  );
  await expect(page.locator('main')).not.toContainText('Call us');

  const editor = documents.at('editor.json');
  const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
  documents.at('editor.json', { client_id: editor, client_name: 'Cursor', redirect_uris: [redirect_uri] });
  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams({ ...query, client_id: editor, redirect_uri })}`);
  await expect(page.locator('main')).toContainText(
    'Afterwards your browser goes to cursor://anysphere.cursor-mcp, a program on this computer.',
  );
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: 'The program is connected' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'open it' })).toHaveAttribute('href', /^cursor:.+code=/);
  await expectNoFinding(page, 'connect, of an editor');

  const code = await newUserCode(service);
  await page.goto('/device');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('heading', { name: 'Atelier CLI asks for access' })).toBeVisible();
  await expectNoFinding(page, 'device');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('heading', { name: 'The program is connected' })).toBeFocused();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: Connected apps' }).click();
  await expect(page.getByRole('row', { name: /Atelier CLI/ })).toContainText('read');

  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`);
  await page.getByRole('button', { name: 'Not you?' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to connect an app' })).toBeVisible();
  documents.close();
  landed.close();
});

test('a denied command line is told to nobody as connected; a wrong code can be corrected', async ({
  page,
  service,
}) => {
  const code = await newUserCode(service);
  await page.goto(`/device?user_code=${code.slice(0, 7)}`);
  await expect(page.getByText('No program waits with this code.')).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue(code.slice(0, 7));
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeFocused();
});

test('who comes signed out to an app signs in, and is back with the app that asks', async ({
  customer,
  openAs,
  service,
}) => {
  const documents = await serveDocuments();
  const query = { ...requestOf(newApp(documents.at('painter.json'))), resource: `${service.url}/mcp` };
  const page = await openAs(null);
  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`);
  await expect(page.getByRole('heading', { name: 'Sign in to connect an app' })).toBeVisible();
  expect(documents.asked).toEqual([]);
  await page.getByLabel('E-mail').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Painter asks for access' })).toBeVisible();
  documents.close();
});

test('who is new and comes with a code creates an account, and is back with the program that asks', async ({
  openAs,
  service,
}) => {
  const code = await newUserCode(service);
  const page = await openAs(null);
  await page.goto(`/device?user_code=${code}`);
  await expect(page.getByRole('heading', { name: 'Sign in to connect a program' })).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await signUpOn(page);
  await expect(page.getByRole('heading', { name: 'Atelier CLI asks for access' })).toBeVisible();
});
