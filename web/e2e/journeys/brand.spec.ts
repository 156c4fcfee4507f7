import { fileURLToPath } from 'node:url';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, newBrand, newCustomer, newJob } from '../studio.ts';

const picture = fileURLToPath(new URL('../fixtures/rise-colour.png', import.meta.url));

test('facts and a file are kept, and the desk reads them at the next job', async ({
  customer,
  openAs,
  page,
  service,
}) => {
  test.slow();
  await page.goto('/brand');
  await expect(page.getByText(/^Write down once what every order asks again/)).toBeVisible();
  await page.getByLabel('Label of fact 1').fill('Colours');
  await page.getByLabel('Text of Colours', { exact: true }).fill('Dark green and cream');
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Label of fact 2').fill('colours');
  await page.getByLabel('Text of colours', { exact: true }).fill('Again');
  await page.getByRole('button', { name: 'Save the facts' }).click();
  await expect(page.getByLabel('Label of fact 2')).toHaveAccessibleDescription('This repeats an earlier label.');
  await page.getByRole('button', { name: 'Remove colours', exact: true }).click();

  // An upload is saved at once, and what was typed stays.
  await page.locator('input[type=file]').setInputFiles(picture);
  await expect(page.getByRole('button', { name: 'Remove rise-colour.png' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Save the facts' }).click();
  await expect(page.getByText('The facts are saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Text of Colours', { exact: true })).toHaveValue('Dark green and cream');

  const job = await newJob(service, customer);
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  const panel = desk.locator('section', { has: desk.getByRole('heading', { name: 'Brand', exact: true }) });
  await expect(panel).toContainText('Dark green and cream');
  await expect(panel.getByRole('button', { name: 'Open rise-colour.png' })).toBeVisible();

  await page.getByRole('button', { name: 'Remove rise-colour.png' }).click();
  await expect(page.getByText('0 of 20')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Colours', exact: true }).click();
  await page.getByRole('button', { name: 'Save the facts' }).click();
  await expect(page.getByText(/^Write down once/)).toBeVisible();
  await desk.reload();
  await expect(panel).toContainText('Dark green and cream');
});

test('what somebody else saved meanwhile is not overwritten unseen', async ({ customer, page, service }) => {
  await newBrand(service, customer);
  await page.goto('/brand');
  await page.getByLabel('Text of Colours', { exact: true }).fill('Red');
  const { brand } = await service.call('GET', '/api/v1/brand', customer.token);
  const facts = [{ label: 'Colours', text: 'Blue' }];
  await service.call('PUT', '/api/v1/brand', customer.token, { facts, file_ids: brand.file_ids });
  await page.getByRole('button', { name: 'Save the facts' }).click();
  await expect(page.getByText('Somebody else changed the brand kit')).toBeVisible();
  await expect(page.getByLabel('Text of Colours', { exact: true })).toHaveValue('Red');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Text of Colours', { exact: true })).toHaveValue('Blue');
});

test('a member reads the kit and why it cannot be changed; the palette finds the page', async ({
  customer,
  openAs,
  service,
}) => {
  await newBrand(service, customer);
  const colleague = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: colleague.email, role: 'member' });
  const page = await openAs(colleague);
  await page.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Pages, actions, jobs').fill('Brand');
  await page.getByRole('dialog').getByRole('button', { name: 'Brand', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Brand', level: 1 })).toBeVisible();
  await expect(page.getByText('Ask an owner: Ada Lovelace.', { exact: false })).toBeVisible();
  await expect(page.getByText('Warm and plain.', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open rise-colour.png' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save the facts' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
});
