import { URI } from 'otpauth';
import { expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, newCustomer, newJob, newPerson, signUpOn } from '../studio.ts';

test('a key is made, copied once, works, and is revoked', async ({ customer, page, service }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/keys');
  await page.getByRole('button', { name: 'Make the first key' }).click();
  await page.getByLabel('Name').fill('Website order form');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key “Website order form”' });
  await dialog.getByRole('button', { name: 'Copy' }).first().click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  // The screen never shows it whole.
  await expect(page.locator('body')).not.toContainText(key);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await newJob(service, { ...customer, token: key });
  await expect(page.getByRole('row', { name: /Website order form/ })).toContainText('Active');

  await page.getByRole('button', { name: 'Revoke Website order form' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(page.getByRole('row', { name: /Website order form/ })).toContainText('Revoked');
  await expect(service.call('GET', '/api/v1/me', key)).rejects.toThrow('401');
  await page.goto('/usage');
  await expect(page.getByRole('row', { name: /Website order form/ })).toContainText('1');
});

test('canceling an invitation and ending a session say what follows, and ask first', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  const email = 'canceled@example.com';
  await service.call('POST', '/api/auth/invitations', customer.token, { email, role: 'member' });
  await page.goto('/members');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: `Cancel the invitation of ${email}` }).click();
  await expect(dialog).toContainText('The link in their mail stops working at once.');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(email);
  await page.getByRole('button', { name: `Cancel the invitation of ${email}` }).click();
  await dialog.getByRole('button', { name: 'Cancel the invitation' }).click();
  await expect(page.getByText(email)).toHaveCount(0);

  await (await openAs(customer)).goto('/');
  await page.goto('/settings#security');
  await page.getByRole('button', { name: 'Change: Signed in' }).click();
  const end = page.getByRole('button', { name: /^End the session of/ });
  await expect(end, 'the second window, and the one that signed up').toHaveCount(2);
  await end.first().click();
  await expect(dialog).toContainText('It is signed out at once.');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(end).toHaveCount(2);
  await end.first().click();
  await dialog.getByRole('button', { name: 'End the session' }).click();
  await expect(end).toHaveCount(1);
});

test('closing the dialog of a key that was not copied asks first', async ({ page }) => {
  await page.goto('/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Forgotten');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await expect(page.getByRole('dialog', { name: 'Key “Forgotten”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('You have not copied it yet.')).toBeVisible();
});

test('a key is replaced: the new one connects an agent, the old one goes on for its grace @change', async ({
  customer,
  page,
  service,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const old = (await service.call('POST', '/api/v1/api-keys', customer.token, { name: 'Agent' })).plaintext_key;
  await page.goto('/keys');
  await page.getByRole('button', { name: 'Replace Agent' }).click();
  await page.getByRole('button', { name: 'Make the new key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key “Agent”' });
  await dialog.getByText('MCP client').click();
  await dialog.getByRole('button', { name: 'Copy' }).last().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { atelier } = JSON.parse(copied).mcpServers;
  expect(atelier.url).toBe(`${service.url}/mcp`);
  const token = atelier.headers.Authorization.replace('Bearer ', '');
  await service.call('GET', '/api/v1/me', old);
  const id = await newJob(service, { ...customer, token });
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByRole('row', { name: /Agent.*until/ })).toHaveCount(1);
  await page.goto('/jobs');
  await expect(page.getByRole('row', { name: /ordered by the key “Agent”/ })).toBeVisible();
  await page.goto(`/jobs/${id}`);
  await expect(page.getByRole('definition').filter({ hasText: 'the key “Agent”' })).toBeVisible();
});

test('a colleague is invited, joins as a member, and is told what members may not do', async ({
  openAs,
  page,
  service,
}) => {
  const colleague = await newCustomer(service, 'Jonas Weber');
  await page.goto('/members');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('E-mail').fill(`Jonas Weber <${colleague.email}>; `);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText(`An invitation is on its way to ${colleague.email}.`)).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(colleague.email) })).toBeVisible();

  const theirs = await openAs(colleague);
  await theirs.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await theirs.getByRole('button', { name: 'Join the account' }).click();
  await expect(theirs.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await theirs.goto('/keys');
  await expect(theirs.getByRole('note').getByText('Only owners and admins of the account can do this')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'New key' })).toBeDisabled();

  await page.reload();
  const row = page.getByRole('row', { name: /Jonas Weber/ });
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const)
  test(`a squatter's names are gone after a reset, and the first sign-in asks for others, ${width} px`, async ({
    openAs,
    service,
  }) => {
    const squatter = await newPerson(service, 'Mal');
    await service.call('POST', '/api/auth/request-password-reset', null, { email: squatter.email });
    const page = await openAs(null);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(await mailedLink(service, squatter.email, '/reset-password'));
    await page.getByLabel('New password').fill('seven green bicycles');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(squatter.email);
    await page.getByLabel('Password', { exact: true }).fill('seven green bicycles');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'What is your name?' })).toBeVisible();
    await expectNoFinding(page, 'choosing a name');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Name of the account').fill('Rise Bakery');
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
    await expect(page.locator('body')).not.toContainText('Mal');
    if (width > 1000) await expect(page.getByRole('button', { name: /^Rise Bakery/ })).toBeVisible();
  });

test('a forgotten password is set again by the mailed link @change', async ({ customer, openAs, service }) => {
  const page = await openAs(null);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('E-mail').fill(customer.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('a mail with a link is on its way')).toBeVisible();
  await page.goto(await mailedLink(service, customer.email, '/reset-password'));
  await expect(page).not.toHaveURL(/token/);
  await page.getByLabel('New password').fill('another password of hers');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill('another password of hers');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
});

test('the address of the list of files leads to the library, which leads on if nothing is approved', async ({
  page,
}) => {
  await page.goto('/files');
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.getByText('Nothing is approved yet.')).toBeVisible();
  await page.getByRole('button', { name: 'See your jobs' }).click();
  await expect(page).toHaveURL(/\/jobs$/);
});

test('what is wrong in a form is said once, at its field, in words for people', async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: Password' }).click();
  const password = page.getByRole('group', { name: 'Password' });
  await password.getByLabel('Current password').fill('not the password of hers');
  await password.getByLabel('New password').fill('another password of hers');
  await password.getByRole('button', { name: 'Change the password' }).click();
  await expect(password.getByText('This is not your password.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a name that is none says at its field what a name is, without signs of code', async ({ openAs }) => {
  const page = await openAs(null);
  await page.goto('/sign-up');
  await signUpOn(page, { name: 'https://example.com' });
  await expect(page.getByText(/without a slash or a link such as www\.example\.com\.$/)).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('`');
});

test('a mailed link that was used or has expired says so, and leads to another one', async ({ openAs }) => {
  const page = await openAs(null);
  await page.goto('/reset-password?token=of-last-year-of-last-year');
  await page.getByLabel('New password').fill('another password of hers');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('heading', { name: 'This link was used or has expired' })).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.goto('/verify-email?token=of-last-year-of-last-year');
  await page.getByRole('button', { name: 'This address is mine' }).click();
  await expect(page.getByRole('heading', { name: 'This link was used or has expired' })).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Verify your e-mail address' })).toBeVisible();
});

test('429: signing in too often tells the seconds to wait', async ({ openAs }) => {
  const page = await openAs(null);
  await page.route('**/api/auth/sign-in/email', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '30' },
      json: { error: { code: 'rate_limit_exceeded', message: 'x', action: 'x', request_id: 'req_of_the_test' } },
    }),
  );
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not a password of anybody');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText(/Try again in 2\d s/)).toBeVisible();
});

test('codes and an address are taken as a person types them', async ({ customer, page, openAs }) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Set up: Second factor' }).click();
  const panel = page.getByRole('group', { name: 'Second factor' });
  await panel.getByLabel('Current password').fill(customer.password);
  await panel.getByRole('button', { name: 'Set it up' }).click();
  const phone = URI.parse((await panel.getByRole('link', { name: 'open it in the app' }).getAttribute('href')) ?? '');
  const recovery = (await panel.getByText(/^\w{5}-\w{5}\n/).innerText()).split('\n')[0] ?? '';
  await panel.getByLabel('3. The six digits').fill(phone.generate().replace(/^.{3}/, '$& '));
  await panel.getByRole('button', { name: 'Switch it on' }).click();
  await expect(panel.getByRole('button', { name: 'Switch it off' })).toBeVisible();

  const other = await openAs(null);
  await other.goto('/sign-in');
  await other.getByLabel('E-mail').fill(`"${customer.name}" <${customer.email}>`);
  await other.getByLabel('Password', { exact: true }).fill(customer.password);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByLabel('Code').fill(recovery.toUpperCase().replace('-', ' – '));
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other).toHaveURL((url) => url.pathname !== '/sign-in');
});
