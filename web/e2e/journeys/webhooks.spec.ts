import { startReceiver } from '../receiver.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, newCustomer, newJob } from '../studio.ts';

test('an endpoint is added, told of a job, paused, resumed, rotated, replayed and deleted @change', async ({
  customer,
  page,
  service,
}) => {
  const receiver = await startReceiver();
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add the first endpoint' }).click();
  await page.getByLabel('Address').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await expect(page.getByLabel('Address')).toHaveAccessibleDescription(/This .+\./);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByLabel('What it is for').fill('Our build server');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  const once = page.getByRole('dialog', { name: 'Secret of the endpoint' });
  await expect(once).toContainText('whsec_');
  await once.getByRole('button', { name: 'I have saved it' }).click();
  await page
    .getByRole('row', { name: /Our build server/ })
    .getByRole('link')
    .click();

  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('row', { name: /Test.*Delivered/ })).toBeVisible();
  receiver.answer(500);
  await newJob(service, customer);
  const row = page.getByRole('row', { name: /Job ordered/ });
  await expect(row).toContainText('Tried again soon');
  await row.getByRole('link').click();
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  await expect(drawer).toContainText('answered 500');
  await expect(drawer).toContainText('not today');
  receiver.answer(204);
  await drawer.getByRole('button', { name: 'Deliver once more' }).click();
  await expect(drawer).toContainText('answered 204');
  await page.keyboard.press('Escape');
  // The one that failed no longer waits for its next attempt.
  await expect(row.filter({ hasText: 'Delivered' })).toHaveCount(2);
  await expect(row.filter({ hasText: 'Tried again soon' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Nothing is sent here while it is paused.')).toBeVisible();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Nothing is sent here while it is paused.')).toHaveCount(0);

  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await row.filter({ hasText: 'Delivered' }).first().getByRole('link').click();
  await drawer.getByRole('button', { name: 'Deliver once more' }).click();
  await expect.poll(() => receiver.received.at(-1)?.signatures).toBe(2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Deliver again' }).click();
  await page.getByRole('combobox', { name: 'Which events' }).click();
  await page.getByRole('option', { name: 'All after a certain event' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver again' }).click();
  await expect(page.getByText(/^Queued again: \d+\.$/)).toBeVisible();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the endpoint' }).click();
  await expect(page.getByRole('button', { name: 'Add the first endpoint' })).toBeVisible();
  receiver.stop();
});

test('members see endpoints and may not change them', async ({ customer, openAs, service }) => {
  const colleague = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: colleague.email, role: 'member' });
  const page = await openAs(colleague);
  await page.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await page.goto('/webhooks');
  await expect(page.getByRole('button', { name: 'New endpoint' })).toBeDisabled();
});
