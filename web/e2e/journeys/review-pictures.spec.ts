import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { askForChanges, deliverFiles, deliverMade, field, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { move, newJob } from '../studio.ts';

/** A PNG of more than ten megabytes: its upper half cannot be packed. */
function noise(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  randomFillSync(pixels, 0, Math.ceil(pixels.length / 2));
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><circle cx="9" cy="10" r="7" fill="#1f4d3a"/></svg>',
);
const tif = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c9a227' } })
    .tiff()
    .toBuffer();
const psd = Buffer.from('8BPS\0\x01');

/** Delivers these files and waits until what can be drawn is drawn. Answers the ids by name. */
async function deliverBytes(service: Service, customer: Person, job: string, files: Record<string, Buffer>) {
  const ids = await deliverMade(service, job, files);
  const pending = async () => {
    const { job: read } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
    return read.files.filter((file: { poster_status: string }) => file.poster_status === 'pending').length;
  };
  await expect.poll(pending, { timeout: 90_000 }).toBe(0);
  return ids;
}

async function newStartedJob(service: Service, customer: Person): Promise<string> {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  return job;
}

const head = (page: Page) => page.locator('.file-line');

test('a picture of more than ten megabytes is shown with all of its pixels, and differences are of true sizes', async ({
  service,
  customer,
  page,
}) => {
  const job = await newStartedJob(service, customer);
  const first = await deliverBytes(service, customer, job, { 'photo.png': await noise(2_600, 2_600) });
  await askForChanges(service, customer, job, [{ file_id: first['photo.png'], text: 'Wider, please.' }]);
  const second = await deliverBytes(service, customer, job, { 'photo.png': await noise(3_400, 2_600) });
  await openReview(page, job, second['photo.png']);
  await expect(head(page)).toContainText('3,400 × 2,600');
  const picture = page.getByRole('img', { name: 'photo.png', exact: true });
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3_400);
  await page.getByRole('button', { name: '100 %' }).click();
  await expect(page.getByRole('group', { name: 'Zoom' })).toContainText('100 %');
  expect((await picture.boundingBox())?.width).toBe(3_400);

  await openReview(page, job, second['photo.png'], '&compare=1');
  await expect(head(page)).toContainText('800 px wider than before');
});

test('an SVG and a TIFF are drawn, pointed at and compared, and a PSD that cannot be drawn names its programs', async ({
  service,
  customer,
  page,
}) => {
  const job = await newStartedJob(service, customer);
  const first = await deliverBytes(service, customer, job, { 'mark.svg': svg, 'print.tif': await tif(1_600, 1_200) });
  await openReview(page, job, first['print.tif']);
  await expect(head(page)).toContainText(/a drawing.* · first page/);
  await openReview(page, job, first['mark.svg']);
  await expect(head(page)).toContainText(/mark\.svg · a drawing of [12],0(24|48) × /);
  await page.getByRole('button', { name: 'Dark ground' }).click();
  const box = (await page.getByRole('img', { name: 'mark.svg' }).boundingBox())!;
  await page.mouse.click(box.x + 60, box.y + 60);
  await field(page).fill('Rounder here.');
  await page.getByRole('button', { name: /^Keep/ }).click();
  await expect(page.getByTestId('stage').getByRole('button', { name: /^1: a point/ })).toBeVisible();
  await expectNoFinding(page, 'drawing of a picture');
  await expectReadableInDark(page, 'drawing of a picture');

  await askForChanges(service, customer, job, []);
  const files = { 'mark.svg': svg, 'print.tif': await tif(1_200, 1_200), 'poster.psd': psd };
  const second = await deliverBytes(service, customer, job, files);
  await openReview(page, job, second['mark.svg'], '&compare=1');
  await expect(page.getByRole('slider', { name: 'Divider between the deliveries' })).toBeVisible();
  await expect(page.getByText('Delivery 2, a drawing', { exact: true })).toBeVisible();
  await expect(head(page)).not.toContainText('than before');
  await expectNoFinding(page, 'comparison of drawings');

  await openReview(page, job, second['poster.psd']);
  await expect(page.getByText(/cannot.*Open it in Adobe Photoshop, Affinity Photo or GIMP\./)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download, / })).toBeVisible();
});

test('a picture or sound that does not come says so, and is shown when the connection is back', async ({
  service,
  customer,
  page,
}) => {
  const job = await newStartedJob(service, customer);
  const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
  const files = await deliverBytes(service, customer, job, {
    'notes.txt': fixture('notes.txt'),
    // The page fetches the first picture before it is opened.
    'rise-colour.png': fixture('rise-colour.png'),
    'photo.png': await sharp({ create: { width: 2_600, height: 1_300, channels: 3, background: '#c9a227' } })
      .png()
      .toBuffer(),
    'jingle.wav': fixture('jingle.wav'),
  });
  const stage = page.locator('.review-main');
  const choose = (name: string) =>
    page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name }).click();
  const picture = stage.getByRole('img', { name: 'photo.png', exact: true });
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  const lost = (what: string) => stage.getByText(`The connection broke off while the ${what} was loading`);
  const again = stage.getByRole('button', { name: 'Try again' });
  const time = stage.getByRole('slider', { name: 'Time' });
  await openReview(page, job, files['jingle.wav']);
  await expect(time).toHaveAttribute('aria-valuetext', /of 0:01/);
  await choose('notes.txt');
  await expect(stage.getByText('Green 1f4a37')).toBeVisible();
  await page.context().setOffline(true);
  await choose('photo.png');
  await expect(lost('picture')).toBeVisible();
  await expect(again).toBeVisible();
  await expect(stage.getByText('This browser cannot')).toHaveCount(0);
  await expectNoFinding(page, 'a picture that does not come');
  await choose('jingle.wav');
  await expect(lost('sound')).toBeVisible();
  await expect(again).toBeVisible();
  await page.context().setOffline(false);
  await expect(time).toHaveAttribute('aria-valuetext', /of 0:01/);

  await page.route(`**/files/${files['photo.png']}/download`, (route) => route.fulfill({ status: 429 }));
  await choose('photo.png');
  await expect(lost('picture')).toBeVisible();
  await page.unrouteAll();
  await again.click();
  await expect.poll(width).toBe(2_600);
  await expect(lost('picture')).toHaveCount(0);
});

test('a picture that does not come while two are compared is not called reduced', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  await askForChanges(service, customer, job, [{ file_id: files['rise-colour.png'], text: 'Darker, please.' }]);
  const second = await deliverFiles(service, job, 'rise-dark.png');
  await page.route(`**/files/${files['rise-colour.png']}/download`, (route) => route.fulfill({ status: 503 }));
  await openReview(page, job, second['rise-dark.png'], '&compare=1');
  await expect(page.getByText('Delivery 1, not loaded', { exact: true })).toBeVisible();
  await expectNoFinding(page, 'comparison with a picture that does not come');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Delivery 1', { exact: true })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('a picture of many megabytes is reduced until all of its pixels are asked for', async ({
    service,
    customer,
    page,
  }) => {
    const job = await newStartedJob(service, customer);
    const files = await deliverBytes(service, customer, job, { 'photo.png': await noise(3_400, 2_600) });
    await openReview(page, job, files['photo.png']);
    await expect(page.getByText(/reduced to 1,024 × 783/).last()).toBeVisible();
    await expectNoFinding(page, 'reduced picture on a phone');
    await page.getByRole('button', { name: /^Show all pixels \(\d+ MB\)$/ }).click();
    const picture = page.getByRole('img', { name: 'photo.png', exact: true });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3_400);
    await expect(page.getByText(/reduced to/)).toHaveCount(0);
  });
});
