import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectNoFinding } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { deliverFiles, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { deliver, move, newJob } from '../studio.ts';

const locked = 'needs-a-password.pdf';
const names = readdirSync(new URL('../fixtures/pdf', import.meta.url)).filter((name) => name.endsWith('.pdf'));
const drawn = names.filter((name) => name !== locked);

/** How far the first page is from its poster: 0 is the same, 1 a blank page. By the ink in each of 16 × 16 fields. */
const apart = (page: Page, poster: string): Promise<number> =>
  page.evaluate(async (address) => {
    const sheet = document.querySelector<HTMLCanvasElement>('canvas[aria-label^="Page 1 of"]')!;
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const side = 512;
    const inkOf = (source: HTMLCanvasElement | HTMLImageElement) => {
      const context = new OffscreenCanvas(side, side).getContext('2d')!;
      context.fillStyle = '#fff';
      context.fillRect(0, 0, side, side);
      context.imageSmoothingQuality = 'high';
      context.drawImage(source, 0, 0, side, side);
      const fields = Array.from({ length: 256 }, () => 0);
      context.getImageData(0, 0, side, side).data.forEach((value, at) => {
        const [x, y] = [(at >> 2) % side, (at >> 2) / side];
        if (at % 4 < 3) fields[(y >> 5) * 16 + (x >> 5)]! += 255 - value;
      });
      return fields;
    };
    const [own, other] = [inkOf(sheet), inkOf(picture)];
    const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
    return sum(own.map((ink, at) => Math.abs(ink - other[at]!))) / sum(own.map((ink, at) => Math.max(ink, other[at]!)));
  }, poster);

test('the first page of a PDF looks like its poster, whatever it was made with', async ({
  service,
  customer,
  page,
}) => {
  test.slow();
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const files = await deliverFiles(service, job, ...drawn.map((name) => `pdf/${name}`));
  for (const [name, id] of Object.entries(files)) {
    const read = async () => (await service.call('GET', `/api/v1/files/${id}`, customer.token)).file;
    let poster = '';
    await expect(async () => {
      poster = (await read()).poster ?? '';
      expect(poster).toMatch(/^\S/);
    }).toPass({ timeout: 120_000 }); // drawn with the lowest priority
    await openReview(page, job, id);
    await expect(page.getByRole('img', { name: /^Page 1 of/ })).toBeVisible();
    await expect
      .poll(async () => `${name}: ${(await apart(page, poster)) < 0.3 ? 'alike' : await apart(page, poster)}`)
      .toBe(`${name}: alike`);
    await expect(page.getByText('could not be drawn')).toHaveCount(0);
  }
});

test('a PDF that cannot be shown, or not whole, says so and offers the download', async ({
  service,
  customer,
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-pdf-'));
  writeFileSync(join(folder, 'damaged.pdf'), '%PDF-1.7 and nothing else');
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const damaged = await deliver(service, job, join(folder, 'damaged.pdf'));
  rmSync(folder, { recursive: true });
  const fixture = (name: string) => deliver(service, job, new URL(`../fixtures/${name}`, import.meta.url));
  const [password, scan, attached, text] = [
    await fixture(`pdf/${locked}`),
    await fixture('pdf/jbig2-picture.pdf'),
    await fixture('pdf/attached-file.pdf'),
    await fixture('notes.txt'),
  ];
  const file_ids = [damaged, password, scan, attached, text];
  await move(service, job, { submit: { file_ids, message: 'Here it is.' } }, 'pass');
  const stage = page.locator('.review-main');
  await openReview(page, job, password);
  await expect(stage.getByText('This PDF needs a password.')).toBeVisible();
  await expect(stage.getByRole('link', { name: /^Download, / })).toBeVisible();
  await expectNoFinding(page, 'review of a PDF with a password');
  await openReview(page, job, damaged);
  await expect(stage.getByText('This PDF is damaged')).toBeVisible();
  await openReview(page, job, attached);
  await expect(stage.getByRole('note')).toHaveText(/A file is attached inside this PDF/);
  await openReview(page, job, scan);
  await expect(page.getByRole('img', { name: 'Page 1 of 1' })).toBeVisible();
  await expect(stage.getByRole('note')).toHaveCount(0);
  // Without its decoder.
  await page.context().route('**/assets/pdfjs-*/*', (route) => route.abort('connectionrefused'));
  await page.reload();
  await expect(stage.getByRole('note')).toHaveText(/A part of this page could not be drawn/);
  await expect(stage.getByRole('note').getByRole('link', { name: 'Download the file' })).toBeVisible();
  await expectNoFinding(page, 'review of a PDF without a picture');
});

test('a PDF that does not come says so, and is drawn when the connection is back', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const files = await deliverFiles(service, job, 'rise-mono.pdf', 'notes.txt');
  await openReview(page, job, files['rise-mono.pdf']);
  const sheet = page.getByRole('img', { name: 'Page 1 of 1' });
  await expect(sheet).toBeVisible();
  const choose = (name: string) =>
    page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name }).click();
  await choose('notes.txt');
  await expect(sheet).toHaveCount(0);
  await page.context().setOffline(true);
  await choose('rise-mono.pdf');
  await expect(page.locator('.review-main').getByText('The service cannot be reached')).toBeVisible();
  await expect(page.locator('.review-main').getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(sheet).toBeVisible();
});

test('the large preview shows a PDF page by page', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await deliverFiles(service, job, 'pdf/mixed-pages.pdf');
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  await desk.getByRole('button', { name: 'Open mixed-pages.pdf' }).first().click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: 'Page 5 of 5' })).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Download' })).toBeVisible();
  await expectNoFinding(desk, 'large preview of a PDF');
});
