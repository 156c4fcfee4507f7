import { newOperator, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, newCustomer, newJob } from '../studio.ts';
import type { Person, Service } from '../start-service.ts';

const password = 'seven green bicycles';

const invite = ({ call, operatorToken }: Service, email: string, role = 'maker') =>
  call('POST', '/api/operator/v1/operator-invitations', operatorToken, { email, role });

test('an owner invites an operator, who signs up from the mail and works at the desk until they are removed @change', async ({
  service,
  customer,
  openAs,
}) => {
  test.slow();
  const email = `mara-${Date.now()}@example.com`;
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/operators');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('radio', { name: 'Reviewer' }).check();
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  const open = page.getByRole('region', { name: 'Open invitations' });
  await expect(open.getByRole('row', { name: new RegExp(email) })).toContainText('Reviewer');

  const desk = await openAs(null);
  await desk.goto(await mailedLink(service, email, '/operator-invitation'));
  await expect(desk.getByText(`invites ${email} to become an operator of Atelier, as reviewer.`)).toBeVisible();
  await expect(desk).not.toHaveURL(/token/);
  await desk.getByLabel('Your name').fill('Mara Lindt');
  await desk.getByLabel('Password', { exact: true }).fill(password);
  await desk.getByRole('button', { name: 'Sign up and open the desk' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Queue' })).toBeVisible();
  const places = desk.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(places).toHaveText([/^Queue/, 'Accounts', 'Macros', 'Figures', 'Reports', 'Studio']);
  const job = await newJob(service, customer);
  await desk.goto(`/desk/jobs/${job}`);
  await desk.getByRole('button', { name: 'Accept' }).click();
  await expect(desk.getByRole('button', { name: 'Start work' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('row', { name: /Mara Lindt/ })).toContainText('Reviewer');
  await expect(open).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove Mara Lindt' }).click();
  await expect(dialog).toContainText('1 job that they hold goes back to the queue.');
  await dialog.getByRole('button', { name: 'Remove the operator' }).click();
  await expect(page.getByText('Removed Mara Lindt. 1 job back in the queue.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Mara Lindt/ })).toHaveCount(0);
  const again = desk.getByRole('dialog', { name: 'Please sign in again' });
  await expect(again).toBeVisible({ timeout: 20_000 });
  await again.getByLabel('Password', { exact: true }).fill(password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toHaveCount(0);
  await desk.goto('/desk');
  await expect(desk.getByText('This is the desk of the studio, for its operators.')).toBeVisible();
});

test('a customer accepts with their password, although they are signed in; a wrong one is said at the field', async ({
  service,
  openAs,
}) => {
  const person = await newCustomer(service, 'Noor Haddad');
  await invite(service, person.email, 'lead');
  const page = await openAs(person);
  await page.goto(await mailedLink(service, person.email, '/operator-invitation'));
  const field = page.getByLabel('Your password');
  await field.fill('not their password');
  await page.getByRole('button', { name: 'Accept and open the desk' }).click();
  await expect(page.getByText('This is not the password of this address.')).toBeVisible();
  await field.fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit log' })).toBeVisible();
  await expect(page).toHaveURL(/\/desk$/);
});

test('in the session of somebody else the invitation says so, and signing out leads on', async ({
  service,
  openAs,
}) => {
  const email = `jo-${Date.now()}@example.com`;
  await invite(service, email);
  const other: Person = await newCustomer(service, 'Somebody Else');
  const page = await openAs(other);
  await page.goto(await mailedLink(service, email, '/operator-invitation'));
  await expect(page.getByText(`You are signed in as ${other.email}.`)).toBeVisible();
  await expect(page.getByLabel('Your name')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name')).toBeVisible();
});

test('a canceled invitation is gone from the page and from its link; the last owner cannot be removed', async ({
  service,
  openAs,
}) => {
  const email = `gone-${Date.now()}@example.com`;
  await invite(service, email);
  const link = await mailedLink(service, email, '/operator-invitation');
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/operators');
  await page.getByRole('button', { name: `Cancel the invitation of ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the invitation' }).click();
  await expect(page.getByText(email)).toHaveCount(0);
  const visitor = await openAs(null);
  await visitor.goto(link);
  await expect(visitor.getByRole('heading', { name: 'This invitation is not open' })).toBeVisible();
  const me = page.getByRole('row', { name: new RegExp(service.operator.email) });
  await expect(me).toContainText('you');
  await expect(me.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
});

test('a lead does not see the page of the operators', async ({ service, openAs }) => {
  const page = await openAs(await newOperator(service, 'Lena', 'lead'));
  await page.goto('/desk/operators');
  await expect(page.getByText('This needs an owner of the studio.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite' })).toHaveCount(0);
});
