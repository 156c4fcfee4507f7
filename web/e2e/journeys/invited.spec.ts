import { expect, test } from '../stage.ts';
import { mailedLink, newCustomer, newPerson } from '../studio.ts';
import type { Person, Service } from '../start-service.ts';

const invite = ({ call }: Service, { token }: Person, email: string) =>
  call('POST', '/api/auth/invitations', token, { email, role: 'member' });

test('a colleague without an account signs up from the mail and is in the inviting account', async ({
  customer,
  openAs,
  service,
}) => {
  const email = `jonas-${Date.now()}@example.com`;
  await invite(service, customer, email);
  const page = await openAs(null);
  await page.goto(await mailedLink(service, email, '/invitations/'));
  await expect(page.getByText('Ada Lovelace invites you to join Ada Lovelace as member.')).toBeVisible();
  await expect(page).not.toHaveURL(/token/);
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await expect(page.getByLabel('E-mail')).toHaveAttribute('readonly');
  await page.getByLabel('Your name').fill('Jonas Weber');
  await page.getByLabel('Password', { exact: true }).fill('seven green bicycles');
  await page.getByRole('button', { name: 'Sign up and join' }).click();
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ada Lovelace Studio plan' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'First steps' })).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('seven green bicycles');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Ada Lovelace Studio plan' }), 'the next sign-in, too').toBeVisible();
});

test('a colleague with an account signs in from the mail, with the address filled in, and joins by the button', async ({
  customer,
  openAs,
  service,
}) => {
  const colleague = await newCustomer(service, 'Jonas Weber');
  await invite(service, customer, colleague.email);
  const page = await openAs(null);
  await page.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await expect(page.getByLabel('E-mail')).toHaveValue(colleague.email);
  await page.getByLabel('Password', { exact: true }).fill(colleague.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: 'Ada Lovelace Studio plan' })).toBeVisible();
});

test('a person who has not verified their address joins by the link of the invitation alone', async ({
  customer,
  openAs,
  service,
}) => {
  const colleague = await newPerson(service, 'Jonas Weber');
  await invite(service, customer, colleague.email);
  const page = await openAs(colleague);
  await page.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: 'Ada Lovelace Studio plan' })).toBeVisible();
  await expect(page.getByText('Verify your e-mail address to order')).toHaveCount(0);
});

test('whoever verifies by the other mail goes on to the invitation, and finds it at home', async ({
  customer,
  openAs,
  service,
}) => {
  const colleague = await newPerson(service, 'Jonas Weber');
  await invite(service, customer, colleague.email);
  const page = await openAs(colleague);
  await page.goto(await mailedLink(service, colleague.email, '/verify-email'));
  await page.getByRole('button', { name: 'This address is mine' }).click();
  await page.getByRole('link', { name: 'Continue to your invitation' }).click();
  await expect(page.getByRole('button', { name: 'Join the account' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Jonas Weber no plan One invitation' })).toBeVisible();
  const panel = page.locator('section', { hasText: 'Ada Lovelace invites you to Ada Lovelace' });
  await panel.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('button', { name: 'Ada Lovelace Studio plan' })).toBeVisible();
});

test('an invitation for another address: signing out leads to the form with that address', async ({
  customer,
  openAs,
  service,
}) => {
  const email = `other-${Date.now()}@example.com`;
  await invite(service, customer, email);
  const page = await openAs(await newCustomer(service, 'Somebody Else'));
  await page.goto(await mailedLink(service, email, '/invitations/'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await expect(page.getByRole('button', { name: 'Sign up and join' })).toBeVisible();
});

test('a canceled invitation says that it is not open', async ({ customer, openAs, service }) => {
  const email = `gone-${Date.now()}@example.com`;
  const { invitation } = await invite(service, customer, email);
  const link = await mailedLink(service, email, '/invitations/');
  await service.call('DELETE', `/api/auth/invitations/${invitation.id}`, customer.token);
  const page = await openAs(null);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This invitation is not open' })).toBeVisible();
});
