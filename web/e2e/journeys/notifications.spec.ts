import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { mailedLink, move, newJob } from '../studio.ts';

test('a delivery is behind the bell at once, leads to its job, and is seen then @change', async ({
  service,
  customer,
  page,
}) => {
  const job = await newJob(service, customer);
  await page.goto('/usage');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await bell.click();
  const mark = page.getByRole('button', { name: 'Mark all as seen' });
  await mark.click();
  await expect(mark).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(bell).toHaveAccessibleName('Notifications');
  await move(service, job, 'accept', 'start', 'submit', 'pass');
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');
  await bell.press('Enter');
  const list = page.getByRole('dialog', { name: /^Notifications/ });
  await expect(list.getByRole('link').first()).toContainText('Ready for your review (unread)');
  await expectNoFinding(page, 'the list behind the bell');
  await expectReadableInDark(page, 'the list behind the bell');
  await list.getByRole('link', { name: /Ready for your review/ }).click();
  await expect(page).toHaveURL(new RegExp(`/jobs/${job}`));
  await expect(bell).toHaveAccessibleName('Notifications');
});

test('a person chooses what is mailed, and one link of a mail ends its kind', async ({ service, customer, page }) => {
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: The account' }).click();
  const ofPlans = page.getByRole('radiogroup', {
    name: 'A plan began, stopped, goes on or ends, or its payment is overdue',
  });
  const daily = ofPlans.getByLabel('Daily');
  await ofPlans.getByText('Daily').click();
  await expect(daily).toBeChecked();
  await page.reload();
  await page.getByRole('button', { name: 'Change: The account' }).click();
  await expect(daily).toBeChecked();

  const job = await newJob(service, customer);
  await move(service, job, 'reject');
  let link = '';
  await expect
    .poll(async () => (link = await mailedLink(service, customer.email, '/unsubscribe').catch(() => '')))
    .not.toBe('');
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'End these mails' })).toBeEnabled();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible();
  await expect(page.getByText('Open the link of the mail again')).toBeVisible();
  await page.goto(link);
  await page.getByRole('button', { name: 'End these mails' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'No more such mails' })).toBeFocused();
  await expect(page.getByRole('listitem')).toHaveText('The studio rejected a job');
  await page.getByRole('link', { name: 'Choose what is mailed' }).click();
  await page.getByRole('button', { name: 'Change: The work' }).click();
  const rejected = page.getByRole('radiogroup', { name: 'The studio rejected a job' });
  await expect(rejected.getByLabel('Never')).toBeChecked();
});

test('choices made by arrow keys on a slow line: the last one is kept, and none is shown again', async ({ page }) => {
  const sent: string[] = [];
  await page.route('**/api/auth/notification-choices', async (route) => {
    if (route.request().method() === 'PATCH') {
      sent.push((route.request().postDataJSON() as { mail: string }).mail);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
    await route.continue();
  });
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Change: The account' }).click();
  const ofPlans = page.getByRole('radiogroup', {
    name: 'A plan began, stopped, goes on or ends, or its payment is overdue',
  });
  await ofPlans.getByLabel('Now').focus();
  await page.evaluate(() => {
    const shown: string[] = [];
    const look = () => {
      const group = document.querySelector(
        '[aria-label="A plan began, stopped, goes on or ends, or its payment is overdue"]',
      );
      const value = group?.querySelector<HTMLInputElement>('input:checked')?.value ?? 'none';
      if (shown.at(-1) !== value) shown.push(value);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { shown });
  });
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(ofPlans.getByLabel('Never')).toBeChecked();
  await expect.poll(() => sent).toEqual(['daily', 'never']);
  await page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await page.waitForLoadState('networkidle');
  const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  expect(shown.filter((value) => value !== 'daily')).toEqual(['now', 'never']);
  await page.reload();
  await page.getByRole('button', { name: 'Change: The account' }).click();
  await expect(ofPlans.getByLabel('Never')).toBeChecked();
});

test('an operator has a bell of their own, with the message of a customer', async ({ service, customer, openAs }) => {
  const job = await newJob(service, customer);
  await move(service, job, 'accept');
  const page = await openAs(operatorOf(service));
  await page.goto('/desk/macros');
  const before = await page.getByRole('button', { name: /^Notifications/ }).getAttribute('aria-label');
  await service.call('POST', `/api/v1/jobs/${job}/messages`, customer.token, { text: 'Greener, please.' });
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).not.toHaveAccessibleName(before ?? '', { timeout: 15_000 });
  await bell.click();
  await page
    .getByRole('link', { name: /New message of a customer/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/desk/jobs/${job}`));
});
