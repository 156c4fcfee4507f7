import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from '../stage.ts';
import { buy, move, newBrand, newCustomer, newJob, signUpOn } from '../studio.ts';

const wish = `Our Christmas hampers go on sale soon. We need posts and stories for Instagram to say so.

They are for the families who buy at the shop on Saturdays. Hand-made, dark green and cream; no wheat ears.`;
const picture = fileURLToPath(new URL('../fixtures/rise-colour.png', import.meta.url));

const boxOf = (page: Page) => page.getByRole('region', { name: 'What do you need?' });
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'What do you need?' });

test('words become an order: what is found can be left out, Enter opens, the button orders', async ({
  service,
  openAs,
}) => {
  const ada = await newCustomer(service);
  await buy(service, ada, 'studio');
  await newBrand(service, ada);
  const page = await openAs(ada);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'What do you need?' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(fieldOf(page)).toBeFocused();
  await fieldOf(page).fill(wish);
  const box = boxOf(page);
  await expect(box.getByText('Social media set').first()).toBeVisible();
  await expect(
    box.getByRole('definition').filter({ hasText: /^the families who buy at the shop on Saturdays$/ }),
  ).toBeVisible();
  await expect(box.getByText('from your brand kit').first()).toBeVisible();
  await expect(box.locator('mark[data-requirement="Target audience"]')).toHaveText(
    'the families who buy at the shop on Saturdays',
  );
  await box.getByText('Target audience').hover();
  await expect(box.locator('mark[data-active]')).toHaveText('the families who buy at the shop on Saturdays');
  await expect(page.getByText(/Nothing is missing\. Ordering accepts what is listed here/)).toBeVisible();

  await box.getByRole('button', { name: 'Leave out Target audience' }).click();
  await expect(page.getByText('Target audience is missing.')).toBeVisible();
  await expect(box.getByRole('button', { name: 'Order with 1 open' })).toBeEnabled();

  // Shift+Enter is a new line; a reload keeps all of it; Enter opens the draft.
  await fieldOf(page).press('End');
  await fieldOf(page).press('Shift+Enter');
  await page.reload();
  await expect(fieldOf(page)).toHaveValue(new RegExp('no wheat ears'));
  await expect(box.getByText('Target audience', { exact: true })).toHaveCount(0);
  await fieldOf(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'New job' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Tell us, or paste your brief' })).toHaveValue(/no wheat ears/);
  await expect(page.getByText('Networks')).toBeVisible();

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await box.getByRole('button', { name: 'Order with 1 open' }).click();
  await expect(page).toHaveURL(/\/jobs\/job_/);
  await expect(page.getByText('Hand-made, dark green and cream; no wheat ears').first()).toBeVisible();
  await page.getByText(/^Your brand kit went along/).click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(fieldOf(page)).toHaveValue('');
});

test('words without a service offer three; those of two services show both', async ({ customer, openAs }) => {
  const page = await openAs(customer);
  await page.goto('/');
  await fieldOf(page).fill('A brass band for the opening');
  const box = boxOf(page);
  await expect(box.getByRole('heading', { name: 'Which of these?' })).toBeVisible();
  await expect(box.getByRole('button', { name: 'Order' })).toHaveCount(0);
  await box.getByRole('button', { name: /^Logo/ }).click();
  await expect(box.getByText(/^First delivery/)).toBeVisible();
  await fieldOf(page).fill('');
  await page.goto('/jobs/new');
  await fieldOf(page).fill('Posts for Instagram, and a logo');
  await expect(box.getByText(/Or .*\?/)).toBeVisible();
});

test('a file that is dropped goes along; the brand kit can be left out', async ({ service, openAs }) => {
  const ada = await newCustomer(service);
  await newBrand(service, ada);
  const page = await openAs(ada);
  await page.goto('/');
  const box = boxOf(page);
  await expect(box.getByText('goes along')).toBeVisible();
  // Anywhere on the box, not only on the words.
  const dataTransfer = await page.evaluateHandle(() => {
    const held = new DataTransfer();
    held.items.add(new File(['Bread before seven.'], 'notes.txt', { type: 'text/plain' }));
    return held;
  });
  await box.locator('.need-foot').dispatchEvent('drop', { dataTransfer });
  await expect(box.getByRole('button', { name: 'Leave out notes.txt' })).toBeVisible();
  await box.locator('input[type=file]').setInputFiles(picture);
  await expect(box.getByRole('button', { name: 'Leave out rise-colour.png' })).toBeVisible();
  await fieldOf(page).fill('A logo for our bakery');
  await box.getByRole('button', { name: 'Leave it out' }).click();
  await expect(box.getByText('Without your')).toBeVisible();
  await expect(box.getByRole('button', { name: 'Order with 4 open' })).toHaveAccessibleDescription(/.+/);
  await expect(box.getByRole('link', { name: 'See plans' })).toBeVisible();
  await box.getByRole('button', { name: 'Open the draft' }).click();
  await expect(page.getByText('Without your')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove rise-colour.png' })).toBeVisible();
});

test('a credential in the words is refused, and the words stay', async ({ customer, openAs }) => {
  const page = await openAs(customer);
  await page.goto('/');
  await fieldOf(page).fill(
    'A logo. The password of our shop is hunter2-Secret-99, token ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  );
  await expect(boxOf(page).locator('#need-found .bad')).toBeVisible();
  await expect(fieldOf(page)).toHaveValue(/^A logo\./);
});

test('words of a visitor’s search are there after signing up', async ({ openAs }) => {
  const page = await openAs(null);
  await page.goto('/catalog');
  await page.getByRole('searchbox', { name: 'Find a service' }).fill('a ship');
  await page.getByRole('link', { name: 'Say what you need' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await signUpOn(page);
  await expect(fieldOf(page)).toHaveValue('a ship');
  await page.goto('/');
  await expect(fieldOf(page)).toHaveValue('a ship');
  await page.goto('/concierge');
  await expect(page.getByLabel('In your own words')).toHaveValue('a ship');
});

test('home says what comes next for each job, and what is asked', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const question = { text: 'One colour or two?', question: true };
  await service.call('POST', `/api/operator/v1/jobs/${job}/messages`, service.operatorToken, question);
  const page = await openAs(customer);
  await page.goto('/');
  const needs = page.getByRole('region', { name: 'Needs you' });
  await expect(needs.getByText('“One colour or two?”')).toBeVisible();
  await expect(needs.getByText(/^The clock has stood still since/)).toBeVisible();
});

test('a service that another window chooses for the draft stays chosen', async ({ customer, openAs }) => {
  const page = await openAs(customer);
  await page.goto('/');
  await fieldOf(page).fill('A logo for our bakery');
  await fieldOf(page).press('Enter');
  await expect(page).toHaveURL(/draft=/);
  const draft = new URL(page.url()).searchParams.get('draft') ?? '';
  await page.goto('/');
  const head = boxOf(page).locator('.need-side strong').first();
  await expect(head).toHaveText('Logo');
  const other = await page.context().newPage();
  await other.goto(`/jobs/new?draft=${draft}&family=design&type=landing_page`);
  await expect(head).toHaveText('Landing page design');
  const patches: string[] = [];
  for (const each of [page, other])
    each.on('request', (request) => request.method() === 'PATCH' && patches.push(request.url()));
  await page.waitForTimeout(2_000);
  expect(patches).toEqual([]);
});

test('a letter that is typed and taken back does not come back', async ({ customer, openAs }) => {
  const page = await openAs(customer);
  await page.goto('/');
  await fieldOf(page).fill('A logo for our bakery');
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await stored;
  await fieldOf(page).press('End');
  await page.keyboard.type('x');
  await page.keyboard.press('Backspace');
  await page.waitForTimeout(2_000);
  await expect(fieldOf(page)).toHaveValue('A logo for our bakery');
});

test('a service that is no longer made says so above the catalog', async ({ page }) => {
  await page.goto('/jobs/new?family=design&type=unknown');
  await expect(page.getByText('The studio does not make this any more.')).toBeVisible();
});
