import { expectNoFinding } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { deliver, logo, move, newCustomer, newJob } from '../studio.ts';
import type { Person, Service } from '../start-service.ts';

/** A colleague of the customer with this role, whose session acts for the customer's account. */
async function colleague({ call }: Service, owner: Person, person: Person, role: string): Promise<string> {
  const { invitation } = await call('POST', '/api/auth/invitations', owner.token, { email: person.email, role });
  await call('POST', `/api/auth/invitations/${invitation.id}/accept`, person.token, {});
  const { members } = await call('GET', '/api/auth/members', owner.token);
  return members.find((one: { user: { email: string } }) => one.user.email === person.email).id;
}

test('@change what a member orders waits, an owner confirms it, and the member sees the job', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  const maker = await newCustomer(service, 'Mateo Sanz');
  await colleague(service, customer, maker, 'member');
  await page.goto('/members');
  const waits = page.getByRole('switch', { name: 'Orders of Mateo Sanz wait for an owner or admin' });
  await waits.click();
  await expect(waits).toBeChecked();
  // A change of role that ends what they made says so first.
  await page.getByRole('combobox', { name: 'Role of Mateo Sanz' }).click();
  await page.getByRole('option', { name: 'Reviewer' }).click();
  const question = page.getByRole('dialog', { name: 'Make Mateo Sanz a reviewer?' });
  await expect(question).toContainText('invitations that they made end at once');
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(question).toHaveCount(0);

  const theirs = await openAs(maker);
  await theirs.goto('/jobs/new?family=design&type=logo');
  await theirs.getByLabel('Brand name').fill('Stollen, three ways');
  await expect(theirs.getByText(`What you order waits for ${customer.name}, for seven days.`)).toBeVisible();
  await theirs.getByRole('button', { name: 'Send to be confirmed' }).click();
  await expect(theirs).toHaveURL(/\/orders\/ord_/);
  await expect(theirs.getByRole('status').filter({ hasText: `Waits for ${customer.name} until` })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Confirm the order' })).toHaveCount(0);
  await expectNoFinding(theirs, 'the order of the maker');

  await page.goto(new URL(theirs.url()).pathname);
  await expect(page.getByRole('heading', { name: /Stollen, three ways/ })).toBeVisible();
  await expectNoFinding(page, 'the order of whoever decides');
  await page.getByRole('button', { name: 'Confirm the order' }).click();
  await expect(page).toHaveURL(/\/jobs\/job_/);
  await expect(page.getByText('You confirmed the order')).toBeVisible();

  await theirs.reload();
  await theirs.getByRole('button', { name: 'Look at the job' }).click();
  await expect(theirs).toHaveURL(/\/jobs\/job_/);
});

test('an owner declines with words, which the member reads', async ({ customer, openAs, page, service }) => {
  const maker = await newCustomer(service, 'Mateo Sanz');
  const id = await colleague(service, customer, maker, 'member');
  await service.call('PATCH', `/api/auth/members/${id}`, customer.token, { orders: 'confirmed' });
  const kept = await fetch(`${service.url}/api/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${maker.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(logo),
  });
  const { error } = (await kept.json()) as { error: { details: { url: string }[] } };
  const path = new URL(error.details[0]?.url ?? '').pathname;
  await page.goto(path);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('Why? Mateo Sanz reads it.').fill('The old logo is fine.');
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('status').filter({ hasText: `${customer.name} declined it` })).toBeVisible();
  const theirs = await openAs(maker);
  await theirs.goto(path);
  await expect(theirs.getByText('“The old logo is fine.”')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Change it and order again' })).toBeVisible();
});

test('a reviewer sees work and people, approves, and is told whom to ask for the rest', async ({
  customer,
  openAs,
  service,
}) => {
  const reviewer = await newCustomer(service, 'Vera Lind');
  await colleague(service, customer, reviewer, 'reviewer');
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await deliver(service, job, new URL('../fixtures/rise-colour.png', import.meta.url));
  await move(service, job, 'submit', 'pass');
  const page = await openAs(reviewer);
  await page.goto('/jobs');
  const nav = page.getByRole('navigation').first();
  await expect(nav.getByRole('link', { name: 'Members' })).toBeVisible();
  for (const name of ['Plans', 'Usage', 'API keys', 'Webhooks', 'Concierge', 'Templates', 'Brand'])
    await expect(nav.getByRole('link', { name })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New job' })).toHaveCount(0);
  for (const path of ['/plans', '/usage', '/keys', '/webhooks', '/jobs/new', '/concierge', '/templates', '/brand']) {
    await page.goto(path);
    await expect(page.getByRole('note')).toContainText(`Ask an owner: ${customer.name}.`);
  }
  await expectNoFinding(page, 'not for reviewers');
  await page.goto(`/jobs/${job}`);
  await expect(page.getByRole('link', { name: 'Order again' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Approve/ })
    .click();
  await expect(page.getByText('Completed').first()).toBeVisible();
});
