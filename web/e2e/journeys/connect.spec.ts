import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newApp, requestOf, serveDocuments } from '../../../test/support/app-documents.ts';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';

test('an app asks, a person lets it in and ends it; a code of the command line is compared', async ({
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
  await expect(page.locator('main')).toContainText(new URL(app.clientId).host);
  await expectNoFinding(page, 'connect');
  await expectReadableInDark(page, 'connect');
  await page.getByRole('radio', { name: 'Read', exact: true }).check();
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
  await expect(row).toContainText('Ended');

  await page.goto('/connect?error=invalid_redirect&error_description=%3Cb%3Enot%20yours%3C/b%3E');
  await expect(page.locator('main')).toContainText('<b>not yours</b>');

  const body = new URLSearchParams({ client_id: 'atelier-cli' });
  const answer = await fetch(`${service.url}/api/auth/device/code`, { method: 'POST', body });
  const { user_code: code } = (await answer.json()) as { user_code: string };
  await page.goto('/device');
  await page.getByLabel('Code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('heading', { name: 'Atelier CLI asks for access' })).toBeVisible();
  await expectNoFinding(page, 'device');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('Go back to the program.')).toBeVisible();
  await page.goto('/settings');
  await expect(page.getByRole('row', { name: /Atelier CLI/ })).toContainText('read');
  documents.close();
  landed.close();
});
