import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { field, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';

test('pins and regions are placed by mouse, kept, changed and sent with a request for changes @change', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png', 'notes.txt');
  await openReview(page, job, files['rise-colour.png']);
  const picture = page.getByRole('img', { name: 'rise-colour.png' });
  await expect(picture).toBeVisible();
  const box = (await picture.boundingBox())!;
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;

  await page.mouse.click(...at(0.25, 0.5));
  await field(page).fill('Warmer here.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: '1: a point at the left, at half height' }).first()).toBeVisible();

  await page.mouse.move(...at(0.5, 0.5));
  await page.mouse.down();
  await page.mouse.move(...at(0.8, 0.9), { steps: 4 });
  await page.mouse.up();
  await field(page).fill('Too dark.');
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('2 in this round')).toBeVisible();
  await expect.poll(async () => (await comments()).map(({ text }) => text)).toEqual(['Warmer here.', 'Too dark.']);
  const [point, region] = (await comments()).map((comment) => comment.at);
  expect(point).toMatch(/^xywh=percent:(24\.\d+|25(\.\d+)?),(49\.\d+|50(\.\d+)?),0,0$/);
  expect(region).toMatch(/^xywh=percent:[\d.]+,[\d.]+,(29|30|31)(\.\d+)?,(39|40|41)(\.\d+)?$/);

  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Change comment 1' }).click();
  await field(page).fill('Much warmer here.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Much warmer here.')).toBeVisible();
  await expectNoFinding(page, 'review');
  await expectReadableInDark(page, 'review');

  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Ask for 2 changes?');
  await dialog.getByRole('button', { name: 'Ask for 2 changes' }).click();
  await expect(page.getByRole('button', { name: 'Close the review' })).toHaveCount(0);
  const { job: revised } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  expect(revised.revisions.used).toBe(1);
  const { comments: sent } = await service.call('GET', `/api/operator/v1/jobs/${job}/comments`, service.operatorToken);
  expect(sent.map(({ text }: { text: string }) => text)).toEqual(['Much warmer here.', 'Too dark.']);
});

test('without a mouse: files, a comment, its place by arrow keys, and approving', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png', 'rise-dark.png');
  const { keyboard } = page;
  await openReview(page, job, files['rise-colour.png']);
  await expect(page.locator('.review h1')).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('img', { name: 'rise-dark.png' })).toBeVisible();
  await keyboard.press('ArrowLeft');
  await expect(page.getByRole('img', { name: 'rise-colour.png' })).toBeVisible();

  await keyboard.press('c');
  await expect(field(page)).toBeFocused();
  // Letters are words now.
  await keyboard.type('can it be larger?');
  await keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Point at a place' })).toBeFocused();
  await keyboard.press('Enter');
  const pin = page.getByRole('button', { name: /^Place of comment 1: a point in the middle/ });
  await expect(pin).toBeFocused();
  await keyboard.press('ArrowLeft');
  await keyboard.press('Shift+ArrowUp');
  await field(page).focus();
  await keyboard.press('Control+Enter');
  await expect
    .poll(async () => (await comments()).map(({ text, at }) => [text, at]))
    .toEqual([['can it be larger?', 'xywh=percent:49,40,0,0']]);

  await keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 comment has not been sent');
  await keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await keyboard.press('a');
  await dialog.getByRole('button', { name: 'Approve without it' }).click();
  await expect(page.getByText('You approved the work')).toBeVisible();
});

test('a comment that was begun survives a reload, and Escape closes the innermost', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'notes.txt');
  await openReview(page, job, files['notes.txt']);
  await page.getByRole('button', { name: 'Comment on line 2' }).click();
  await field(page).fill('Which green?');
  await page.reload();
  await expect(field(page)).toHaveValue('Which green?');
  await expect(page.getByText('line 2')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('1 in this round')).toBeVisible();
  await page.keyboard.press('c');
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`/jobs/${job}$`));
});

test('a comment that could not be saved stays in the list, and is saved once the service takes it', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'notes.txt');
  await openReview(page, job, files['notes.txt']);
  const isOfComments = (url: URL) => url.pathname.endsWith('/comments');
  await page.route(isOfComments, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  await page.keyboard.press('c');
  await page.keyboard.type('Which green?');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Not saved.')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Not saved.')).toBeVisible();
  await page.unroute(isOfComments);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('Not saved.')).toHaveCount(0);
  await expect.poll(async () => (await comments()).map(({ text }) => text)).toEqual(['Which green?']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('a long press places a point, the list is a sheet, and other files are at the name', async ({
    service,
    customer,
    page,
  }) => {
    const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png', 'notes.txt');
    await openReview(page, job, files['rise-colour.png']);
    const picture = page.getByRole('img', { name: 'rise-colour.png' });
    await expect(picture).toBeVisible();
    const box = (await picture.boundingBox())!;
    const devtools = await page.context().newCDPSession(page);
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 4 }];
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await expect(field(page)).toBeVisible();
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await field(page).fill('Warmer here.');
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect
      .poll(async () => (await comments())[0]?.at)
      .toMatch(/^xywh=percent:(49|50)(\.\d+)?,(24|25)(\.\d+)?,0,0$/);
    await expectNoFinding(page, 'review on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

    await page.getByRole('button', { name: /^1 comment the list is half open/ }).click();
    await page.getByRole('button', { name: /^1 comment the list is open/ }).click();
    await page.getByRole('button', { name: /^1 comment the list is closed/ }).click();
    await expect(page.getByText('Warmer here.')).toBeVisible();
    await page.getByRole('button', { name: 'Next file' }).click();
    await expect(page.getByTestId('stage').getByText('Green 1f4a37')).toBeVisible();
    await page.getByRole('button', { name: 'Ask for 1 change' }).click();
    await expect(page.getByRole('dialog')).toContainText('Ask for 1 change?');
  });
});
