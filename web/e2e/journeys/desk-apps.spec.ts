import { newApp, redirectUri, requestOf } from '../../../test/support/app-documents.ts';
import { expectAccessible, expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';

test('an owner registers an app, a customer sees who set it up and lets it in, and the owner ends it @change', async ({
  service,
  customer,
  openAs,
}) => {
  const desk = await openAs(operatorOf(service));
  await desk.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await expectAccessible(desk, '/desk/apps');
  await desk
    .getByRole('button', { name: /^(Register an app|New app)/ })
    .first()
    .click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Name').fill('House agent');
  await dialog.getByLabel('Redirect addresses').fill(`${redirectUri}\nhttp://elsewhere.example/`);
  await dialog.getByRole('button', { name: 'Register the app' }).click();
  await expect(dialog.getByText(/http:\/\/elsewhere\.example\/: This must begin with https:\/\/, or/)).toBeVisible();
  await expectNoFinding(desk, 'a new app');
  await dialog.getByLabel('Redirect addresses').fill(redirectUri);
  await dialog.getByRole('button', { name: 'Register the app' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const clientId = await desk.evaluate(() => navigator.clipboard.readText());
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = desk.getByRole('row', { name: /House agent/ });
  await expect(row).toContainText(clientId);
  await expectNoFinding(desk, 'the list of apps');
  await expectReadableInDark(desk, 'the list of apps');

  const query = { ...requestOf(newApp(clientId)), resource: `${service.url}/mcp` };
  const page = await openAs(customer);
  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`);
  await expect(page.getByRole('heading', { name: 'House agent asks for access' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Set up by this studio');
  await expect(page.locator('main')).not.toContainText('Anybody can choose this name');
  await page.route(`${redirectUri}*`, (route) => route.fulfill({ body: 'back in the app' }));
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('back in the app')).toBeVisible();
  await page.goto('/settings');
  const connected = page.getByRole('group', { name: 'Connected apps' });
  await expect(connected).toContainText('House agent');
  await connected.getByRole('button').click();
  await expect(page.getByRole('row', { name: /House agent/ })).toContainText('set up by this studio');

  await desk.reload();
  await row.getByRole('button', { name: 'End House agent' }).click();
  await expect(dialog).toContainText('One connection is cut at once');
  await dialog.getByRole('button', { name: 'End the app' }).click();
  await expect(row).toContainText('ended');
  await page.reload();
  await connected.getByRole('button').click();
  await expect(page.getByRole('row', { name: /House agent/ })).toContainText('ended');
  await page.goto(`/api/auth/oauth2/authorize?${new URLSearchParams(query)}`);
  await expect(page.locator('main')).toContainText('The studio has ended it.');
});
