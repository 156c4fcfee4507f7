import type { Page } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { askForChanges, complete, deliverFiles, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';

test('two deliveries are compared, with the answers to what was asked for, and one is asked for again @change', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png');
  const changes = [
    { file_id: files['rise-colour.png'], text: 'Make the arc warmer', at: 'xywh=percent:50,30,0,0' },
    { file_id: files['rise-colour.png'], text: 'Thinner lines' },
  ];
  const [arc] = await askForChanges(service, customer, job, changes);
  await complete(service, job, arc, 'It is the brown of your bags.');
  const second = await deliverFiles(service, job, 'rise-dark.png', 'notes.txt');
  await openReview(page, job, second['rise-dark.png'], '&compare=1');
  await expect(page.getByText('1 of 2 done').last()).toBeVisible();
  await expect(page.getByText('It is the brown of your bags.')).toBeVisible();
  await expect(page.getByText('1 of 1 pair · 1 file is new')).toBeVisible();

  const slider = page.getByRole('slider', { name: 'Divider between the deliveries' });
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuenow', '52');
  await page.keyboard.press('n');
  await expect(page.getByRole('button', { name: /^Shown: 1, / })).toBeVisible();
  await expectNoFinding(page, 'comparison');
  await expectReadableInDark(page, 'comparison');

  await page.getByRole('button', { name: 'Ask again: 1' }).click();
  await expect
    .poll(async () => (await comments()).at(-1))
    .toMatchObject({ text: 'Make the arc warmer', at: 'xywh=percent:50,30,0,0', file_id: second['rise-dark.png'] });
  await expect(page.getByRole('button', { name: /^Ask for 1 change/ }).first()).toBeVisible();
});

/** Three deliveries of one picture; each round of changes had a comment, and both were answered. */
async function newThreeDeliveries(service: Service, customer: Person) {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png', 'notes.txt');
  const point = { text: 'Make the arc warmer', at: 'xywh=percent:20,30,0,0' };
  const [first] = await askForChanges(service, customer, job, [{ ...point, file_id: files['rise-colour.png'] }]);
  await complete(service, job, first, 'Warmer now.');
  const second = await deliverFiles(service, job, 'rise-colour.png');
  const region = { text: 'Thinner lines', at: 'xywh=percent:60,60,20,20' };
  const [other] = await askForChanges(service, customer, job, [{ ...region, file_id: second['rise-colour.png'] }]);
  await complete(service, job, other, 'Two millimetres.');
  const third = await deliverFiles(service, job, 'rise-colour.png', 'notes.txt');
  return { job, file: third['rise-colour.png'] };
}

const deliveryAt = (page: Page, which: 'Earlier' | 'Later') =>
  page.getByRole('combobox', { name: `${which} delivery` });
const expectCompared = async (page: Page, earlier: string, later: string) => {
  await expect(page.getByRole('img', { name: `rise-colour.png, ${earlier}` })).toBeVisible();
  await expect(page.getByRole('img', { name: `rise-colour.png, ${later}` })).toBeVisible();
};

test('any two of three deliveries are compared, with all that was asked for between them', async ({
  service,
  customer,
  page,
}) => {
  const { job, file } = await newThreeDeliveries(service, customer);
  await openReview(page, job, file);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expectCompared(page, 'Delivery 2', 'Delivery 3');
  await expect(page.getByText('Two millimetres.')).toBeVisible();
  await expect(page.getByText('Warmer now.')).toHaveCount(0);

  await deliveryAt(page, 'Earlier').selectOption('Delivery 1');
  await expectCompared(page, 'Delivery 1', 'Delivery 3');
  await expect(page.getByText('rounds 1 and 2').last()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Round 2' }).getByText('Two millimetres.')).toBeVisible();
  // A change of the round between shows its pin, too, when it is selected.
  await page.keyboard.press('n');
  await expect(page.getByRole('button', { name: /^Shown: 1, a point/ })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByRole('button', { name: /^Shown: 1, a region/ })).toBeVisible();
  await expect(page.getByTestId('stage').getByRole('button', { name: '1: a region' })).toBeVisible();
  await expectNoFinding(page, 'comparison of any two');
  await page.reload();
  await expectCompared(page, 'Delivery 1', 'Delivery 3');

  await deliveryAt(page, 'Later').selectOption('Delivery 2');
  await expectCompared(page, 'Delivery 1', 'Delivery 2');
  await expect(page.getByText('Warmer now.')).toBeVisible();
  await expect(page.locator('.review-head').getByRole('button', { name: 'Approve' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/review=/);
});

test('a guest compares any two deliveries, without what was asked for between them', async ({
  service,
  customer,
  openAs,
}) => {
  const { job } = await newThreeDeliveries(service, customer);
  const body = { name: 'Sign maker', can_comment: true, expires_in_days: 14 };
  const { url } = await service.call('POST', `/api/v1/jobs/${job}/review-links`, customer.token, body);
  const guest = await openAs(null);
  await guest.goto(url);
  await guest.getByLabel('Your name').fill('Mateo Sanz');
  await guest.keyboard.press('Enter');
  await guest.getByRole('button', { name: 'Compare' }).click();
  await expectCompared(guest, 'Delivery 2', 'Delivery 3');
  await deliveryAt(guest, 'Earlier').selectOption('Delivery 1');
  await expectCompared(guest, 'Delivery 1', 'Delivery 3');
  await expect(guest.getByText('1 of 2 pairs')).toBeVisible();
  await expect(guest.getByText('Make the arc warmer')).toHaveCount(0);
  await expectNoFinding(guest, 'comparison of a guest');
  await guest.getByRole('button', { name: 'Review delivery 3' }).click();
  await expect(guest.getByRole('img', { name: 'rise-colour.png', exact: true })).toBeVisible();
  await expect(guest.getByRole('textbox', { name: 'Comment without a place' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true });

  test('the deliveries are chosen above the pictures', async ({ service, customer, page }) => {
    const { job, file } = await newThreeDeliveries(service, customer);
    await openReview(page, job, file, '&compare=2');
    await deliveryAt(page, 'Earlier').selectOption('Delivery 1');
    await expectCompared(page, 'Delivery 1', 'Delivery 3');
    await expectNoFinding(page, 'comparison on a phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
