import { expectNoFinding } from '../accessible.ts';
import { deliverFiles, field, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { move } from '../studio.ts';

test('a PDF is shown page by page, and its library is fetched only then', async ({ service, customer, page }) => {
  const { job, files, comments } = await newDelivery(service, customer, 'notes.txt', 'rise-mono.pdf');
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await openReview(page, job, files['notes.txt']);
  await expect(page.getByTestId('stage').getByText('Green 1f4a37')).toBeVisible();
  expect(fetched.filter((path) => /\/pdf[.-]/.test(path))).toEqual([]);
  await page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: 'rise-mono.pdf' }).click();
  const sheet = page.getByRole('img', { name: 'Page 1 of 1' });
  await expect(sheet).toBeVisible();
  const isDrawn = () =>
    sheet.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value !== 0 && value !== 255);
    });
  await expect.poll(isDrawn).toBe(true);
  const box = (await sheet.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + 100);
  await field(page).fill('Bolder.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await comments())[0]?.at).toMatch(/^page=1&xywh=percent:(49|50)/);
  await expectNoFinding(page, 'review of a PDF');
});

test('a film is played by keys and commented at a time', async ({ service, customer, page }) => {
  const { job, files, comments } = await newDelivery(service, customer, 'clip.webm', 'jingle.wav');
  await openReview(page, job, files['clip.webm']);
  const film = page.locator('.film video');
  await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.readyState)).toBeGreaterThan(1);
  await page.keyboard.press(' ');
  await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(0.1);
  await page.keyboard.press('c');
  await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.paused)).toBe(true);
  await page.keyboard.type('A second longer here.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await comments())[0]?.at).toMatch(/^t=[01](\.\d+)?$/);
  await page.keyboard.press('.');
  await expectNoFinding(page, 'review of a film');
  await page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: 'jingle.wav' }).click();
  await expect(page.getByRole('slider', { name: 'Time' })).toBeVisible();
  await expectNoFinding(page, 'review of a sound');
});

test('a delivery that comes meanwhile is not approved unseen', async ({ service, customer, page }) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  await openReview(page, job, files['rise-colour.png']);
  const words = { customer_instructions: 'Darker, please.', round: 0 };
  await service.call('POST', `/api/v1/jobs/${job}/revision`, customer.token, words);
  await move(service, job, 'start');
  await deliverFiles(service, job, 'rise-dark.png');
  await expect(page.getByRole('status').filter({ hasText: 'Delivery 2 has come meanwhile.' })).toBeVisible();
  await expect(page.locator('.review-head').getByRole('button', { name: 'Approve' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByRole('button', { name: 'Look at it' }).click();
  await expect(page.getByRole('img', { name: 'rise-dark.png' })).toBeVisible();
  await expect(page.locator('.review-head').getByRole('button', { name: 'Approve' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
