import { expect, test } from '../stage.ts';
import { buy, newCustomer, newPerson } from '../studio.ts';

test('whose address is not verified reads why at each button, and how', async ({ service, openAs }) => {
  const page = await openAs(await newPerson(service));
  const why = 'Verify your e-mail address first: the link is in the mail that we sent you.';
  for (const [path, name] of [
    ['/plans', 'Choose Solo'],
    ['/keys', 'New key'],
    ['/webhooks', 'New endpoint'],
    ['/members', 'Invite'],
    ['/concierge', 'Begin'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('button', { name }), path).toHaveAccessibleDescription(why);
    await expect(page.getByRole('button', { name }), path).toBeDisabled();
  }
  for (const path of ['/library?view=mine', '/jobs/new?family=design&type=logo']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Choose files' }), path).toBeDisabled();
    await expect(page.getByText(why).filter({ visible: true }), path).toBeVisible();
  }
  await page.goto('/keys');
  await expect(page.getByText('A key lets a program order', { exact: false }), 'reading is free').toBeVisible();
  await page.getByRole('link', { name: 'How', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Send another mail' })).toBeVisible();
});

test('a plan for programs leads to a key, and the order form says why people cannot order', async ({
  service,
  openAs,
}) => {
  const person = await newCustomer(service);
  await buy(service, person, 'agent');
  const page = await openAs(person);
  await page.goto('/');
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByText('order your first job')).toHaveCount(0);
  await steps.getByRole('link', { name: 'make an API key' }).click();
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  await page.goto('/jobs/new?family=design&type=logo');
  await expect(
    page.getByText('Your plan is for programs. Order with a key, or choose a plan for people.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Order job' })).toHaveAccessibleDescription(
    'Your plan is for programs',
  );
  await expect(page.getByText('0 of 0')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible();
  await service.call('POST', '/api/v1/api-keys', person.token, { name: 'Of the tests' });
  await page.goto('/');
  await expect(steps.getByRole('link', { name: 'review what the studio made' })).toBeVisible();
  await expect(steps.getByRole('link', { name: 'make an API key' })).toHaveCount(0);
});
