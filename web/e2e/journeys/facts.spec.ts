import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { newDelivery } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { mailedLink, move, newCustomer, newJob } from '../studio.ts';

async function join({ call, ...service }: Service, owner: Person, name: string): Promise<Person> {
  const person = await newCustomer({ call, ...service }, name);
  await call('POST', '/api/auth/invitations', owner.token, { email: person.email, role: 'member' });
  const link = new URL(await mailedLink({ call, ...service }, person.email, '/invitations/'));
  await call('POST', `/api/auth${link.pathname}/accept`, person.token, {});
  return person;
}

const answerOf = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: label }) })
    .locator('dd');

test('an answer of two lines stands under its question, for customer and desk @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const { intake_session: session } = await service.call('POST', '/api/v1/intake/sessions', customer.token, {
    service_family: 'design',
    service_type: 'logo',
  });
  const path = `/api/v1/intake/sessions/${session.id}`;
  const set = (field: object) => service.call('POST', `${path}/answers`, customer.token, field);
  const style = 'Hand-made, dark green.\nTarget audience: not for us to say.\nNo ears.';
  await set({ requirement: 'Brand name', answer: 'Rise' });
  await set({ requirement: 'Style preferences', answer: style });
  for (const requirement of ['Target audience', 'Where it will be used', 'Existing brand assets'])
    await set({ requirement, open: true });
  const { job } = await service.call('POST', `${path}/confirm`, customer.token, {});
  await page.goto(`/jobs/${job.id}`);
  await expect(answerOf(page, 'Style preferences')).toHaveText(style, { useInnerText: true });
  await expect(answerOf(page, 'Target audience')).toHaveText('left to the studio');
  await expect(page.getByText('In the customer’s own words')).toHaveCount(0);
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job.id}`);
  await expect(answerOf(desk, 'Style preferences')).toHaveText(style, { useInnerText: true });
  await expect(answerOf(desk, 'Target audience')).toHaveText('not answered');
});

test('a colleague who approves is named to others, and is “You” to themselves @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const noor = await join(service, customer, 'Noor Haddad');
  const { job } = await newDelivery(service, customer, 'rise-colour.png');
  await service.call('POST', `/api/v1/jobs/${job}/approve`, noor.token);
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('Noor Haddad approved the work')).toBeVisible();
  await expect(page.getByText('You ordered the job')).toBeVisible();
  const other = await openAs(noor);
  await other.goto(`/jobs/${job}`);
  await expect(other.getByText('You approved the work')).toBeVisible();
  await expect(other.getByText('Ada Lovelace ordered the job')).toBeVisible();
});

test('the bell has a line a job with its newest words, and looking at the job clears it in every tab @change', async ({
  service,
  customer,
  page,
}) => {
  const noor = await join(service, customer, 'Noor Haddad');
  await page.goto('/usage');
  const bell = (tab: Page) => tab.getByRole('button', { name: /^Notifications/ });
  await bell(page).click();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await page.keyboard.press('Escape');
  const { job } = await newDelivery(service, customer, 'rise-colour.png');
  await service.call('POST', `/api/v1/jobs/${job}/messages`, noor.token, { text: 'Is the ear\nwarm enough?' });
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread');
  await bell(page).click();
  const list = page.getByRole('dialog', { name: /^Notifications/ });
  const line = list.getByRole('link', { name: /New message of a colleague/ });
  await expect(line).toContainText('Noor Haddad: Is the ear warm enough?');
  await expect(list.getByRole('link', { name: /Ready for your review/ })).toHaveCount(0);
  await expect(line).toHaveCSS('font-size', '14px');
  await expectNoFinding(page, 'the bell with words');
  await page.keyboard.press('Escape');

  const tab = await page.context().newPage();
  await tab.goto(`/jobs/${job}`);
  await expect(bell(tab)).toHaveAccessibleName('Notifications');
  await expect(bell(page)).toHaveAccessibleName('Notifications', { timeout: 5_000 });
  // What comes while one looks is seen, too.
  await service.call('POST', `/api/v1/jobs/${job}/messages`, noor.token, { text: 'Or warmer?' });
  await expect(tab.getByText('Or warmer?')).toBeVisible();
  await expect(bell(tab)).toHaveAccessibleName('Notifications');
});

test('a job has four boxes at most, two ways on, its followers, and links in words', async ({
  service,
  customer,
  page,
}) => {
  const noor = await join(service, customer, 'Noor Haddad');
  const { job } = await newDelivery(service, customer, 'rise-colour.png');
  await service.call('POST', `/api/operator/v1/jobs/${job}/messages`, service.operatorToken, {
    text: 'See https://rise.example/a.',
  });
  await service.call('PUT', `/api/v1/jobs/${job}/following`, noor.token, { following: true });
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('Noor Haddad', { exact: true })).toBeVisible();
  const story = page.getByRole('region', { name: 'Story' });
  await expect(story.getByRole('link', { name: 'https://rise.example/a' })).toHaveAttribute('target', '_blank');
  const boxes = () =>
    page
      .locator('main .panel')
      .evaluateAll((panels) => panels.filter((panel) => getComputedStyle(panel).borderLeftWidth !== '0px').length);
  expect(await boxes()).toBeLessThanOrEqual(4);
  await expect(page.getByRole('button', { name: 'Ask for changes' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Brief' })).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
  const fresh = await newJob(service, customer);
  await move(service, fresh, 'accept', 'start');
  await page.goto(`/jobs/${fresh}`);
  await expect(page.getByRole('region', { name: 'Brief' })).toBeVisible();
  expect(await boxes()).toBeLessThanOrEqual(4);
});
