import { expect, type Page, test } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorOf } from '../desk.ts';
import { type Person, type Service, startService } from '../start-service.ts';
import { buy, newCustomer } from '../studio.ts';

/** The least that a start takes: a family that is not offered, and one plan. */
const files = {
  'families.yaml': `# Nothing is offered yet.
families:
  - id: none
    name: Nothing
    description: Nothing yet.
    retired: true
    options:
      - { id: none, name: Nothing, description: Nothing yet., turnaround_hours: 1, auto_approval_hours: 1 }
    intake_requirements:
      - { label: Wish, hint: What it is., example: A flyer }
    quality_signals: [Nothing]
`,
  'plans.yaml': `plans:
  - code: studio
    name: Studio
    access_kind: both
    unit: job
    quota: 20
    concurrency_limit: 5
    price: { id: price_studio, product: prod_studio, unit_amount: 19900, currency: eur, interval: month }
`,
  'file-types.yaml': 'file_types: []\n',
};

async function signedIn(page: Page, { url }: Service, { email, password }: Person): Promise<void> {
  await page.context().request.post(`${url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: url },
  });
}

/** Counts what the owner presses. */
function countClicks(page: Page) {
  let clicks = 0;
  return {
    press: async (name: string | RegExp) => {
      clicks += 1;
      await page.getByRole('button', { name, exact: true }).click();
    },
    fill: async (name: string, text: string) => {
      clicks += 1;
      await page.getByRole('textbox', { name, exact: true }).fill(text);
    },
    count: (more = 0) => (clicks += more),
  };
}

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100"><rect width="160" height="100" fill="#1f4a38"/></svg>`;

test('an owner sets up a studio from nothing without YAML, and a customer orders from it', async ({ browser }) => {
  test.setTimeout(240_000);
  const dir = mkdtempSync(join(tmpdir(), 'atelier-nothing-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const service = await startService({ CATALOG_DIR: dir });
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await signedIn(page, service, operatorOf(service));
    await page.goto('/desk/studio');
    const began = performance.now();
    const { press, fill, count } = countClicks(page);
    await press('Catalog');
    await press('New family');
    await fill('Name of the family', 'Print');
    await fill('Its first service', 'Flyer');
    await press('Create');
    await fill('Description', 'A flyer of two pages, ready for the printer.');
    await fill('Hours to the first delivery', '48');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Add the picture')]);
    await chooser.setFiles({ name: 'flyer.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(picture) });
    await press('Add a question');
    await fill('Label', 'Format');
    await fill('Hint', 'The size on paper.');
    await fill('Example', 'A5');
    await page.getByRole('combobox', { name: 'Kind of “Format”' }).selectOption('choice');
    await fill('Choices', 'A4\nA5\nA6');
    count(1);
    await page.getByRole('button', { name: /^Print: description/ }).click();
    await fill('Description', 'Everything on paper.');
    count(1);
    await expect(page.getByText('No problems.')).toBeVisible();
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('New family')).toBeVisible();
    await dialog.getByLabel('Note').press('Control+Enter');
    await expect(page.getByText('Version 2 is published.')).toBeVisible();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    test.info().annotations.push({ type: 'measured', description: `${seconds} s and ${count(2)} clicks or keys` });

    const customer = await newCustomer(service);
    await buy(service, customer, 'studio');
    const visitor = await browser.newContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } });
    const shop = await visitor.newPage();
    await signedIn(shop, service, customer);
    await shop.goto('/catalog');
    await expect(shop.getByRole('heading', { name: 'Nothing' })).toHaveCount(0);
    await shop.getByRole('link', { name: /^Flyer/ }).click();
    await shop.getByLabel('Title').fill('Flyer for the opening');
    await shop.getByLabel(/^What it is for/).fill('The opening of our second shop');
    await shop.getByLabel(/^Format/).selectOption('A5');
    await shop.getByRole('button', { name: /^Order/ }).click();
    await expect(shop.getByRole('heading', { name: 'Flyer for the opening' })).toBeVisible();
    await visitor.close();
  } finally {
    await context.close();
    await service.stop();
    rmSync(dir, { recursive: true });
  }
});
