import { newOperator } from '../desk.ts';
import { expect, test } from '../stage.ts';

test('a lead orders for a customer whose owner allows it, and the customer sees by whom', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const desk = await openAs(await newOperator(service, 'Kim Lee', 'lead'));
  await desk.goto('/desk/accounts');
  await desk.getByLabel('Find an account').fill(customer.email);
  await expect(desk.getByRole('row')).toHaveCount(2);
  await desk.getByRole('row').last().click();
  const order = desk.getByRole('button', { name: 'Order for them' });
  await expect(order).toHaveAccessibleDescription(/has not allowed it/);

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: Orders by the studio' }).click();
  await page.getByLabel('The studio can order for this account').click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('group', { name: 'Orders by the studio' })).toContainText('Allowed');

  await desk.reload();
  await order.click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Service').selectOption('design/logo');
  await dialog.getByLabel('Title').fill('Sign for the bakery');
  await dialog.getByLabel('In their words').fill('A round sign with an ear of rye.');
  await desk.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await order.click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Sign for the bakery');
  await expect(dialog.getByText(/^1 job of their Studio plan, 500 left\./)).toBeVisible();
  await dialog.getByRole('button', { name: 'Order', exact: true }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Sign for the bakery' })).toBeVisible();

  await page.goto('/jobs');
  await expect(page.getByText(/ordered for you by Kim Lee, Atelier/)).toBeVisible();
  await page.getByRole('link', { name: /Sign for the bakery/ }).click();
  await expect(page.getByText('ordered the job for you')).toBeVisible();
});
