import type { Page } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';

const order = '/jobs/new?family=design&type=logo';
const paragraph =
  'We are opening a second shop in March. We are called Rise Bakery, and the old drawing on the window will not do. ' +
  'It is meant for families nearby. The style is hand-made, dark green and cream. ' +
  'It will be used on the shop sign and on paper bags.';

const box = (page: Page) => page.getByRole('textbox', { name: 'Tell us, or paste your brief' });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function paste(page: Page, text: string): Promise<void> {
  await box(page).focus();
  await page.keyboard.insertText(text);
  await expect(page.getByText(/answers? found\./)).toBeVisible({ timeout: 30_000 });
}

test('a logo from one pasted paragraph: one paste, two corrections, one click @change', async ({
  service,
  customer,
  page,
}) => {
  test.slow();
  await page.goto(order);
  await paste(page, paragraph);
  await expect(page).toHaveURL(/draft=ise_/);
  await expectNoFinding(page, 'the order page with suggestions');
  await expectReadableInDark(page, 'the order page with suggestions');

  await page.keyboard.press('Control+Shift+Enter');
  await expect(field(page, 'Brand name')).toHaveValue('Rise Bakery');
  await expect(page.getByText('accepted from your text').first()).toBeVisible();
  await field(page, 'Brand name').fill('Rise Bakery & Sons');
  await field(page, 'Existing brand assets').fill('None yet.');
  await expect(page.getByText('Ready to order')).toBeVisible();
  await page.getByRole('button', { name: 'Order job' }).click();
  await page.waitForURL('**/jobs/job_*');
  const { job } = await service.call('GET', `/api/v1${new URL(page.url()).pathname}`, customer.token);
  expect(job.customer_title).toBe('Logo: Rise Bakery & Sons');
  expect(job.customer_instructions).toContain('Brand name: Rise Bakery & Sons\n');
  expect(job.customer_instructions).toContain('Target audience: families nearby\n');
  expect(job.customer_instructions).toContain(paragraph);
});

test('a draft that is stored after its page was left does not change the address of the next page', async ({
  page,
}) => {
  await page.goto(order);
  const stored = page.waitForResponse((response) => response.url().endsWith('/intake/sessions'));
  await field(page, 'Title').fill('Typed and left');
  await page.getByRole('link', { name: 'Plans' }).click();
  await stored;
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  await page.waitForTimeout(500);
  expect(new URL(page.url()).search).toBe('');
});

test('a draft is talked through and back, reloaded, found in the list, undone by key, and deleted', async ({
  page,
}) => {
  test.slow();
  await page.goto(order);
  await paste(page, paragraph);
  await page.getByRole('button', { name: 'Accept Brand name' }).click();
  await expect(page.getByText('accepted from your text')).toHaveCount(1);
  await field(page, 'Style preferences').press('Escape');
  await expect(field(page, 'Style preferences')).toHaveValue('');
  await field(page, 'Title').fill('A logo for the second shop');
  // What was just typed is stored before the conversation opens.
  await page.getByRole('link', { name: 'Talk it through instead' }).click();
  const brief = page.getByRole('complementary', { name: 'Brief' });
  await expect(brief.getByLabel('Brand name', { exact: true })).toHaveValue('Rise Bakery');
  await expectNoFinding(page, 'the conversation with suggestions');
  await brief.getByRole('button', { name: 'Accept Target audience' }).click();
  await expect(brief.getByText('accepted from your text')).toHaveCount(2);
  await page.getByRole('link', { name: 'Fill in the form instead' }).click();
  await expect(field(page, 'Title')).toHaveValue('A logo for the second shop');
  await page.reload();
  await expect(box(page)).toHaveValue(paragraph);
  await expect(page.getByText('accepted from your text')).toHaveCount(2);

  await field(page, 'Where it will be used').press('Enter');
  await expect(page.getByText('accepted from your text')).toHaveCount(3);
  await page.getByRole('heading', { name: 'Files' }).click();
  await field(page, 'Where it will be used').blur();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('accepted from your text')).toHaveCount(2);
  await expect(field(page, 'Where it will be used')).toHaveValue('on the shop sign and on paper bags');

  await page.goto('/jobs');
  const drafts = page.getByRole('region', { name: 'Drafts' });
  await drafts.getByRole('link', { name: 'A logo for the second shop' }).click();
  await expect(field(page, 'Title')).toHaveValue('A logo for the second shop');
  await page.goto('/jobs/new');
  await drafts.getByRole('button', { name: 'Delete the draft A logo for the second shop' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(drafts).toHaveCount(0);
});

test('another service keeps the words; a text that names one offers it; a key in the text is refused', async ({
  page,
}) => {
  await page.goto(order);
  await paste(page, `${paragraph} Perhaps a social media set as well.`);
  await page.getByRole('button', { name: 'Change to Social media set' }).click();
  await expect(page.getByText('Design · Social media set')).toBeVisible();
  await page.getByRole('link', { name: 'Another service' }).click();
  await page.getByRole('link', { name: /^Proofreading/ }).click();
  await expect(page.getByText('· Proofreading')).toBeVisible();
  await expect(box(page)).toHaveValue(/Perhaps a social media set/);
  await box(page).fill(['Our key is AKIA', 'QWERTYUIOPASDFGH, thanks.'].join(''));
  await expect(page.locator('.brief-box .bad')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Order/ })).toBeDisabled();
});

test.describe('390 px', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('on a phone the verdict is a line over the button and opens upwards', async ({ page }) => {
    await page.goto(order);
    await paste(page, paragraph);
    const line = page.getByRole('button', { name: /^by / });
    await expect(page.getByText('of your Studio plan')).toBeHidden();
    await line.click();
    await expect(page.getByText('of your Studio plan')).toBeVisible();
    await expectNoFinding(page, 'the open verdict on a phone');
    await line.click();
    await expect(page.getByText('of your Studio plan')).toBeHidden();
    await page.getByRole('button', { name: 'Order with 4 open' }).click();
    await page.waitForURL('**/jobs/job_*');
  });
});
