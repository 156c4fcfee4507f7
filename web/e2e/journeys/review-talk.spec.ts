import type { Page } from '@playwright/test';
import { deliverFiles, field, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { move, newCustomer } from '../studio.ts';

const newLink = (service: Service, { token }: Person, job: string): Promise<{ url: string }> =>
  service.call('POST', `/api/v1/jobs/${job}/review-links`, token, { name: 'Sign maker', can_comment: true });

/** A verified person who has joined, and works for the account of the customer. */
async function newColleague(service: Service, customer: Person, name: string): Promise<Person> {
  const colleague = await newCustomer(service, name);
  const invited = { email: colleague.email, role: 'member' };
  const { invitation } = await service.call('POST', '/api/auth/invitations', customer.token, invited);
  await service.call('POST', `/api/auth/invitations/${invitation.id}/accept`, colleague.token, {});
  const { accounts } = await service.call('GET', '/api/auth/accounts', colleague.token);
  const shared = (accounts as { id: string; role: string }[]).find(({ role }) => role === 'member');
  await service.call('POST', `/api/auth/accounts/${shared?.id}/switch`, colleague.token, {});
  return colleague;
}

const say = (service: Service, token: string, job: string, file_id: string | undefined, text: string) =>
  service.call('POST', `/api/v1/jobs/${job}/comments`, token, { file_id, text });
const item = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text }).first();

test('a member and a guest answer each other, one comment is settled, and the studio reads the rest @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  const file = files['rise-colour.png'];
  await say(service, customer.token, job, file, 'Rounder here.');
  await say(service, customer.token, job, file, 'Never mind this.');
  const { url } = await newLink(service, customer, job);
  const guest = await openAs(null);
  await guest.goto(url);
  const name = guest.getByLabel('Your name');
  await name.fill('Mateo <b>x</b>');
  await guest.getByRole('button', { name: 'Look at it' }).click();
  await expect(guest.getByText(/^This must/)).toBeVisible();
  await name.fill('Mateo');
  await guest.getByRole('button', { name: 'Look at it' }).click();
  await openReview(page, job, file);
  await expect(page.getByText('Mateo looks, too')).toBeVisible();
  await guest.getByRole('button', { name: 'Reply to comment 1' }).click();
  await guest.getByRole('textbox', { name: 'Reply to comment 1' }).fill('And 3 mm wide.');
  await guest.keyboard.press('Control+Enter');
  const replies = page.getByRole('list', { name: 'Replies to comment 1' });
  await expect(replies).toContainText('Mateo');
  await expect(replies).toContainText('guest');
  await expect(replies).toContainText('And 3 mm wide.');
  await expect(guest.getByRole('button', { name: /^Settle/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Reply to comment 1' }).click();
  const reply = page.getByRole('textbox', { name: 'Reply to comment 1' });
  await reply.fill('Yes.');
  // A second reply does not take the place of the first.
  await item(page, 'Never mind this.').hover();
  await page.getByRole('button', { name: 'Reply to comment 2' }).click();
  await expect(reply).toBeFocused();
  await expect(reply).toHaveValue('Yes.');
  await page.keyboard.press('Control+Enter');
  await expect(replies.getByRole('listitem')).toHaveCount(2);
  await expect(replies.getByText('You', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reply to comment 1' })).toBeFocused();
  await item(page, 'Never mind this.').hover();
  await page.getByRole('button', { name: 'Settle comment 2, so that it is not sent' }).click();
  await expect(page.getByText('Settled by Ada Lovelace, not sent')).toBeVisible();

  await page.getByRole('button', { name: 'Ask for 1 change' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 settled comment stays with your account');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await dialog.getByRole('button', { name: 'Ask for 1 change' }).click();
  await expect(page.getByText('The studio has your changes.')).toBeVisible();
  const { comments } = await service.call('GET', `/api/operator/v1/jobs/${job}/comments`, service.operatorToken);
  expect(comments).toMatchObject([{ text: 'Rounder here.', replies: [{ text: 'And 3 mm wide.' }, { text: 'Yes.' }] }]);
});

test('a colleague who is asked to look gets to the review by the bell', async ({ service, customer, page, openAs }) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  const colleague = await newColleague(service, customer, 'Mira Berg');
  await openReview(page, job, files['rise-colour.png']);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('button', { name: `Ask ${colleague.name}` }).click();
  await expect(page.getByText(/^Asked/)).toBeVisible();
  const theirs = await openAs(colleague);
  await theirs.goto('/');
  await theirs.getByRole('button', { name: /^Notifications/ }).click();
  await theirs.getByText('Ada Lovelace asks you to look').click();
  await expect(theirs.getByRole('button', { name: 'Close the review' })).toBeVisible();
});

test('a comment that was not saved is tried again, and nothing is sent before without saying so', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png');
  await say(service, customer.token, job, files['rise-colour.png'], 'Stored.');
  await openReview(page, job, files['rise-colour.png']);
  await expect(page.getByText('Stored.')).toBeVisible();
  const blocked = '**/api/v1/jobs/*/comments';
  await page.route(blocked, (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  );
  await page.keyboard.press('c');
  await field(page).fill('Only here.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Not saved.', { exact: true })).toBeVisible();
  await expect(page.locator('.list-head')).toContainText('1 not saved');
  await page.getByRole('button', { name: /^Ask for 1 change/ }).click();
  await expect(page.getByRole('dialog', { name: '1 comment is not saved' })).toBeVisible();
  const again = page.getByRole('dialog').getByRole('button', { name: 'Try again' });
  await expect(again).toBeFocused();
  await again.click();
  await expect(page.getByRole('dialog', { name: '1 comment is not saved' })).toBeVisible();
  await page.unroute(blocked);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByRole('dialog', { name: 'Ask for 2 changes?' })).toBeVisible();
  expect((await comments()).map(({ text }) => text)).toEqual(['Stored.', 'Only here.']);
});

test('a comment kept for an earlier delivery is not said to be sent', async ({ service, customer, page }) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  await openReview(page, job, files['rise-colour.png']);
  await page.route('**/api/v1/jobs/*/comments', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  );
  await page.keyboard.press('c');
  await field(page).fill('Only here.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Not saved.', { exact: true })).toBeVisible();
  await service.call('POST', `/api/v1/jobs/${job}/revision`, customer.token, { customer_instructions: 'Bluer.' });
  await move(service, job, 'start');
  await deliverFiles(service, job, 'rise-colour.png');
  await expect(page.getByText('Never saved: its review has ended.')).toBeVisible();
  await expect(page.getByText('sent to the studio')).toHaveCount(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('Only here.')).toHaveCount(0);
});

test('no button that ends something has the focus, and a comment leaves the focus in the list', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'rise-colour.png');
  await say(service, customer.token, job, files['rise-colour.png'], 'Rounder.');
  await openReview(page, job, files['rise-colour.png']);
  await expect(page.getByText('Rounder.')).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Look at it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const { job: after } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  expect(after.status).toBe('ready_for_customer_review');

  await page.keyboard.press('c');
  await field(page).fill('By the pin.');
  await page.getByRole('button', { name: 'Point at a place' }).click();
  await expect(page.locator('.pin.draft')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('By the pin.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Comments on this file' })).toBeFocused();
  await expect.poll(async () => (await comments()).length).toBe(2);
  await page.keyboard.press('c');
  await field(page).press('Escape');
  await expect(page.getByRole('list', { name: 'Comments on this file' })).toBeFocused();
});

test('a newer delivery is announced while two are compared, and an approval of the older one says what happened', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'rise-colour.png');
  const next = async () => {
    await service.call('POST', `/api/v1/jobs/${job}/revision`, customer.token, { customer_instructions: 'Bluer.' });
    await move(service, job, 'start');
    return deliverFiles(service, job, 'rise-colour.png');
  };
  const second = await next();
  await openReview(page, job, second['rise-colour.png'], '&compare=1');
  await page.locator('.review-head').getByRole('button', { name: 'Approve' }).click();
  await next();
  await expect(page.locator('.review-main').getByText('Delivery 3 has come meanwhile.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Delivery 3 has come meanwhile. Nothing was approved.')).toBeVisible();
  await page.getByRole('button', { name: 'Look at it' }).click();
  await expect(page.locator('.review-head').getByText(/^Delivery 3/)).toBeVisible();
  expect(files['rise-colour.png']).not.toBe(second['rise-colour.png']);
});
