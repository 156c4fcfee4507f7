import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, newCustomer, newTemplate } from '../studio.ts';

const picture = fileURLToPath(new URL('../fixtures/rise-colour.png', import.meta.url));
const order = '/jobs/new?family=design&type=logo';
const row = (page: Page, name: string) => page.getByRole('table', { name: 'Templates' }).getByRole('row', { name });

async function save(page: Page, name: string, button = 'Save'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Save as template' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}

test('an order is saved as a template with its file, and a draft starts from it @change', async ({
  customer,
  page,
  service,
}) => {
  test.slow();
  await page.goto(order);
  await expect(page.getByRole('button', { name: 'Save as template' })).toBeDisabled();
  await page.getByLabel('Title').fill('Spring logo');
  await page.getByLabel('Brand name').fill('Rise Bakery');
  await page.getByLabel('Tell us, or paste your brief').fill('As always.');
  await page.locator('input[type=file]').last().setInputFiles(picture);
  await expect(page.getByRole('button', { name: 'Remove rise-colour.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Save as template' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Spring logo');
  await expectNoFinding(page, 'the dialog that saves a template');
  await expectReadableInDark(page, 'the dialog that saves a template');
  await save(page, 'A new shop');
  await expect(page.getByText('The template “A new shop” is saved.')).toBeVisible();

  // The draft still has its own file.
  await page.getByRole('button', { name: /^Order with/ }).click();
  await page.waitForURL('**/jobs/job_*');

  await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
  await expect(row(page, 'A new shop')).toContainText('Logo');
  await expect(row(page, 'A new shop')).toContainText('Ada Lovelace');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Brand name')).toHaveValue('Rise Bakery');
  await expect(page.getByText('copied', { exact: true })).toHaveCount(1);
  await expect(page.getByLabel('Tell us, or paste your brief')).toHaveValue('As always.');
  await expect(page.getByLabel('Files of the draft')).toContainText('rise-colour.png');
  await page.waitForURL(/draft=ise_/);
  const id = new URL(page.url()).searchParams.get('draft');
  const { intake_session: draft } = await service.call('GET', `/api/v1/intake/sessions/${id}`, customer.token);
  expect(draft.answers).toEqual([{ requirement: 'Brand name', answer: 'Rise Bakery', source: 'copied' }]);

  // What is typed instead is no copy any more.
  await page.getByLabel('Brand name').fill('Rise Bakery & Sons');
  await expect(page.getByText('copied', { exact: true })).toHaveCount(0);
});

test('a template is replaced by the draft, renamed and deleted; a name is taken once', async ({
  customer,
  page,
  service,
}) => {
  test.slow();
  await newTemplate(service, customer, 'Old sign');
  await newTemplate(service, customer, 'Leaflet');
  await page.goto(order);
  await page.getByLabel('Brand name').fill('Rise Bakery');
  await page.getByRole('button', { name: 'Save as template' }).click();
  await save(page, 'old SIGN');
  await expect(page.getByText('This is the name of another template.')).toBeVisible();
  await page.getByLabel('Save it').selectOption('In place of “Old sign”');
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Old sign');
  await save(page, 'New sign', 'Replace');
  await expect(page.getByText('The template “New sign” is saved.')).toBeVisible();
  const { templates } = await service.call('GET', '/api/v1/templates', customer.token);
  expect(templates).toMatchObject([
    { name: 'Leaflet' },
    { name: 'New sign', answers: [{ requirement: 'Brand name', answer: 'Rise Bakery' }], words: '' },
  ]);

  await page.goto('/templates');
  await row(page, 'New sign').getByRole('button', { name: 'Rename New sign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the template' });
  await dialog.getByLabel('Name').fill('leaflet');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is the name of another template.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Sign');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Delete Sign', exact: true })).toBeVisible();
  for (const name of ['Sign', 'Leaflet']) {
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await expectNoFinding(page, 'the dialog that deletes a template');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect(page.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0);
  }
  await expect(page.getByText('No template yet.')).toBeVisible();
});

test('members share templates; a new job offers them, and one that is gone says so', async ({
  customer,
  openAs,
  service,
}) => {
  test.slow();
  const template = await newTemplate(service, customer, 'Window sign');
  const colleague = await newCustomer(service, 'Jonas Weber');
  await service.call('POST', '/api/auth/invitations', customer.token, { email: colleague.email, role: 'member' });
  const page = await openAs(colleague);
  await page.goto(await mailedLink(service, colleague.email, '/invitations/'));
  await page.getByRole('button', { name: 'Join the account' }).click();
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();

  await page.goto('/jobs/new');
  await page.getByRole('region', { name: 'Templates' }).getByRole('link', { name: 'Window sign' }).click();
  await expect(page.getByLabel('Brand name')).toHaveValue('Rise Bakery, “Bread before seven”');
  await page.goto('/jobs?status=drafts');
  await expect(page.getByRole('region', { name: 'Drafts' })).toContainText('by you');
  const own = await openAs(customer);
  await own.goto('/jobs?status=drafts');
  await expect(own.getByRole('region', { name: 'Drafts' })).toContainText('by Jonas Weber');

  await service.call('DELETE', `/api/v1/templates/${template}`, customer.token);
  await page.goto(`/jobs/new?template=${template}`);
  await expect(page.getByRole('alert')).toContainText('There is no such template');
});

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('on a phone files are tiles with a way to remove them, and the button says the price', async ({ page }) => {
    await page.goto(order);
    const tiles = page.getByLabel('Files of the draft');
    await expect(tiles.getByText('Drop, paste or')).toBeHidden();
    await page.locator('input[type=file]').last().setInputFiles(picture);
    const remove = page.getByRole('button', { name: 'Remove rise-colour.png' });
    await expect(remove).toBeVisible();
    const { width, height } = (await remove.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await page.getByLabel('Brand name').fill('Rise Bakery');
    await expect(page.getByRole('button', { name: /^Order with 3 open for 1 job, then \d+ left$/ })).toBeEnabled();
    await expectNoFinding(page, 'the order page with a file on a phone');
    await remove.click();
    await expect(remove).toHaveCount(0);
  });
});
