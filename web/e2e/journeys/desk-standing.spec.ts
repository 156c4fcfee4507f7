import { expectNoFinding } from '../accessible.ts';
import { newOperator, operatorOf } from '../desk.ts';
import { changeSubscription } from '../provider-event.ts';
import { expect, test } from '../stage.ts';
import { buy, newCustomer, newJob } from '../studio.ts';

test('whoever works sees that a customer is overdue, at the row, in the peek and above the job @change', async ({
  service,
  openAs,
}) => {
  const name = `Solberg Cycles ${Date.now()}`;
  const customer = await newCustomer(service, name);
  await buy(service, customer, 'studio');
  const title = `Trade fair banner ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  await changeSubscription(service, customer, 'updated', 'past_due');
  const line = /Payment overdue since \d+ \w+, can order until \d+ \w+/;

  const page = await openAs(await newOperator(service, 'Mara', 'maker'));
  await page.goto(`/desk?q=${encodeURIComponent(title)}`);
  await expect(page.getByRole('row', { name: title })).toContainText('Payment overdue');
  const peek = page.getByRole('complementary', { name: 'Selected job' });
  await expect(peek.getByRole('note')).toHaveText(line);
  await expect(peek.getByRole('button', { name: 'Accept' })).toBeEnabled();
  await expectNoFinding(page, 'the queue with a standing');
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('note')).toHaveText(line);

  await page.goto(`/desk?q=${encodeURIComponent(title)}`);
  await page.getByRole('button', { name: 'Filter' }).click();
  const choose = async (option: string) => {
    await page.getByRole('combobox', { name: 'Standing' }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await choose('Stopped');
  await expect(page.getByText(/^No job matches/)).toBeVisible();
  await choose('Payment overdue');
  await expect(page.getByRole('row', { name: title })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove the filter Payment overdue' }).click();
  await expect(page).not.toHaveURL(/standing/);

  await page.goto(`/desk/accounts?q=${encodeURIComponent(name)}`);
  await page.getByRole('combobox', { name: 'Standing' }).click();
  await page.getByRole('option', { name: 'Payment overdue' }).click();
  await expect(page).toHaveURL(/standing=overdue/);
  await page.getByRole('row', { name }).getByRole('link').click();
  await expect(page.getByRole('status').filter({ hasText: 'Payment overdue' })).toHaveText(line);
  await expectNoFinding(page, 'the account with a standing');
});

test('a job of a suspended customer can be accepted, and says first that and why it is suspended', async ({
  service,
  customer,
  openAs,
}) => {
  const title = `Returns page ${Date.now()}`;
  const job = await newJob(service, customer, { customer_title: title });
  const { account } = await service.call('GET', '/api/v1/me', customer.token);
  const path = `/api/operator/v1/accounts/${account.id}/suspend`;
  await service.call('POST', path, service.operatorToken, { reason: 'Card stolen' });
  const page = await openAs(operatorOf(service));
  await page.goto(`/desk/jobs/${job}`);
  await expect(page.getByRole('note')).toHaveText(/^Suspended since .*: Card stolen$/);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Accepted' })).toBeVisible();
  await expect(page.getByRole('note'), 'it stands there while the job is open').toBeVisible();
});

test('an owner chooses how to be told of payments and finds them behind the bell, a maker does not', async ({
  service,
  openAs,
}) => {
  const owner = await newOperator(service);
  const maker = await newOperator(service, 'Mara', 'maker');
  const customer = await newCustomer(service, 'Fieldnotes Coffee');
  await buy(service, customer, 'studio');
  await newJob(service, customer);
  await changeSubscription(service, customer, 'updated', 'past_due');

  const page = await openAs(owner);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: At the desk' }).click();
  const choice = page.getByRole('radiogroup', { name: /^The plan of a customer with open jobs/ });
  await expect(choice.getByRole('radio', { name: 'Daily' })).toBeChecked();
  await page.goto('/desk');
  await page.getByRole('button', { name: /unread/ }).click();
  await page.getByRole('link', { name: /A payment is overdue.*Fieldnotes Coffee, Studio, 1 open job/ }).click();
  await expect(page.getByRole('heading', { name: 'Fieldnotes Coffee' })).toBeVisible();

  const other = await openAs(maker);
  await other.goto('/settings');
  await other.getByRole('button', { name: 'Change: At the desk' }).click();
  await expect(other.getByRole('radiogroup', { name: 'A job is overdue' })).toBeVisible();
  await expect(other.getByRole('radiogroup', { name: /^The plan of a customer/ })).toHaveCount(0);
});

for (const width of [390, 820])
  test(`the queue has room for its titles at ${width} px, for who may mark rows and who may not`, async ({
    service,
    customer,
    openAs,
  }) => {
    const title = `Eight-mail welcome sequence ${Date.now()}`;
    await newJob(service, customer, { customer_title: title });
    await changeSubscription(service, customer, 'updated', 'past_due');
    for (const role of ['maker', 'owner'] as const) {
      const page = await openAs(await newOperator(service, 'Mara', role));
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`/desk?q=${encodeURIComponent(title)}`);
      const row = page.getByRole('row', { name: title });
      const [words, due] = [row.locator('.row-title'), row.locator('.row-due')];
      await expect(row.getByText('Payment overdue'), role).toBeInViewport({ ratio: 1 });
      const [left, right] = [(await words.boundingBox())!, (await due.boundingBox())!];
      expect(left.width, role).toBeGreaterThan(width * 0.4);
      expect(left.x + left.width, `${role}: when it is due stands at the right of the title`).toBeLessThan(right.x + 1);
    }
  });
