import { expect, test } from '../stage.ts';
import { handOver, logo, move, newJob } from '../studio.ts';

const picture = new URL('../fixtures/rise-colour.png', import.meta.url);

test('Latin letters are our own, others those of the system', async ({ page }) => {
  await page.goto('/jobs');
  const loaded = () =>
    page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family);
    });
  await expect.poll(loaded).toContain('Inter');
  const isInter = (text: string) => page.evaluate((text) => document.fonts.check('14px Inter', text), text);
  // Outside of its range nothing has to be loaded, whatever the file has.
  expect(await page.evaluate(() => document.fonts.load('14px Inter', 'Ψωμί面包خبز').then(({ length }) => length))).toBe(
    0,
  );
  expect(await isInter('Łukasz Žižek, Ève')).toBe(true);
});

test('a page without the file stands as it is with it', async ({ page }) => {
  await page.goto('/sign-in');
  const widths = () =>
    page.locator('h1').evaluate((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      return range.getBoundingClientRect().width;
    });
  await expect.poll(() => page.evaluate(() => document.fonts.check('600 20px Inter'))).toBe(true);
  const ours = await widths();
  await page.route('**/*.woff2', (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(Math.abs((await widths()) / ours - 1)).toBeLessThan(0.04);
});

test('rows of jobs show the work, an empty tile, or the letter of a key; no file is fetched', async ({
  customer,
  page,
  service,
}) => {
  const delivered = await newJob(service, customer, { customer_title: 'Shop front' });
  await move(service, delivered, 'accept', 'start');
  await handOver(service, delivered, [picture]);
  await newJob(service, customer, { customer_title: 'Nothing yet' });
  const { plaintext_key } = await service.call('POST', '/api/v1/api-keys', customer.token, {
    name: 'Content pipeline',
  });
  await service.call('POST', '/api/v1/jobs', plaintext_key, { ...logo, customer_title: 'Stollen' });
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await page.goto('/jobs');
  const image = page.getByRole('row', { name: /Shop front/ }).locator('img');
  await expect(image).toHaveAttribute('src', /\/storage\/posters\//, { timeout: 120_000 }); // drawn with the lowest priority
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(10);
  expect(await image.evaluate((one) => [one.clientWidth + 2, one.clientHeight + 2])).toEqual([58, 44]);
  await expect(
    page
      .getByRole('row', { name: /Stollen/ })
      .locator('[aria-hidden]')
      .first(),
  ).toHaveText('C');
  await expect(
    page
      .getByRole('row', { name: /Nothing yet/ })
      .locator('[aria-hidden]')
      .first(),
  ).toHaveText('');
  expect(fetched.filter((path) => path.endsWith('/download'))).toEqual([]);
});

test('canceled jobs have their own chip, and are found by words', async ({ customer, page, service }) => {
  const canceled = await newJob(service, customer, { customer_title: 'Window sign' });
  await newJob(service, customer, { customer_title: 'Shop front' });
  await service.call('POST', `/api/v1/jobs/${canceled}/cancel`, customer.token, {});
  await page.goto('/jobs');
  const row = page.getByRole('link', { name: /Window sign/ });
  await expect(page.getByRole('link', { name: /Shop front/ })).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'All 1' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Canceled 1' }).click();
  await expect(row).toBeVisible();
  await page.goto('/jobs?q=window');
  await expect(row).toBeVisible();
});

test('a hint shows with the focus, moves nothing, and describes its field all the time', async ({ page }) => {
  await page.goto('/jobs/new?family=design&type=logo');
  const field = page.getByLabel('Target audience');
  const hint = page.getByText('Who should feel addressed, as concretely as you can.');
  await expect(field).toHaveAccessibleDescription('Who should feel addressed, as concretely as you can.');
  await expect(hint).toBeHidden();
  const below = page.getByLabel('Style preferences');
  const before = await below.boundingBox();
  await field.focus();
  await expect(hint).toBeVisible();
  expect(await below.boundingBox()).toEqual(before);
  await expect(page.getByLabel('Title')).toHaveAccessibleDescription('A few words that name the job.');
});
