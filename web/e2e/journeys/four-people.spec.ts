import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { handOver, move, newBrand, newCustomer } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

/** A colleague of the owner, whose session acts for the owner's account. */
async function join({ call }: Service, owner: Person, name: string, role: 'admin' | 'member'): Promise<Person> {
  const person = await newCustomer({ call } as Service, name);
  const { invitation } = await call('POST', '/api/auth/invitations', owner.token, { email: person.email, role });
  await call('POST', `/api/auth/invitations/${invitation.id}/accept`, person.token, {});
  const { accounts } = await call('GET', '/api/auth/accounts', person.token);
  const shared = (accounts as { id: string; role: string }[]).find((account) => account.role === role);
  await call('POST', `/api/auth/accounts/${shared?.id}/switch`, person.token, {});
  return person;
}

async function comment(page: Page, [x, y]: [number, number], text: string): Promise<void> {
  const box = (await page.getByRole('img', { name: 'rise-colour.png', exact: true }).boundingBox())!;
  await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(text).first()).toBeVisible();
}

const review = (page: Page) => page.getByRole('button', { name: 'Review', exact: true }).click();
const isSeen = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();

test('an owner, an admin, a member on a phone and a guest work on one job at once', async ({
  service,
  customer: ada,
  page: ownerPage,
  openAs,
  browser,
}) => {
  test.setTimeout(120_000);
  ownerPage.setDefaultTimeout(20_000);
  const context: BrowserContext = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await newBrand(service, ada);
  const [noor, lin] = [await join(service, ada, 'Noor Haddad', 'admin'), await join(service, ada, 'Lin Qu', 'member')];
  await context.request.post('/api/auth/sign-in/email', {
    data: { email: lin.email, password: lin.password },
    headers: { origin: service.url },
  });
  const [adminPage, phone, guest] = [await openAs(noor), await context.newPage(), await openAs(null)];

  // The member orders on the phone: answers of several lines stay under their own heading.
  await phone.goto('/jobs/new?family=design&type=logo');
  await phone.getByRole('textbox', { name: 'Brand name', exact: true }).fill('Rise Bakery');
  await phone
    .getByRole('textbox', { name: 'Target audience', exact: true })
    .fill('Families nearby.\nStyle preferences: none of ours.\n\nBakers, too.');
  await phone.getByRole('button', { name: /^Order with \d open/ }).click();
  await expect(phone).toHaveURL(/\/jobs\/job_/);
  const job = /job_\w+/.exec(phone.url())![0];
  await ownerPage.goto(`/jobs/${job}`);
  await isSeen(ownerPage, 'Lin Qu ordered the job');
  const brief = ownerPage.getByRole('region', { name: 'Brief' });
  await expect(brief.getByRole('definition').filter({ hasText: 'Families nearby.' })).toContainText('Bakers, too.');
  await expect(ownerPage.getByText(/brand kit went along/i).first()).toBeVisible();

  // Three rounds: both colleagues and the guest speak before the owner sends.
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture('rise-colour.png')]);
  await review(ownerPage);
  await expect(ownerPage.getByRole('img', { name: 'rise-colour.png', exact: true })).toBeVisible();
  await comment(ownerPage, [0.3, 0.3], 'Make the arc warmer.');
  const link = { name: 'Mateo', can_comment: true };
  const { url } = await service.call('POST', `/api/v1/jobs/${job}/review-links`, ada.token, link);
  await guest.goto(url);
  await guest.getByLabel('Your name').fill('Mateo');
  await guest.getByRole('button', { name: 'Look at it' }).click();
  await guest.getByRole('button', { name: 'Reply to comment 1' }).click();
  await guest.getByRole('textbox', { name: 'Reply to comment 1' }).fill('As on the shop sign.');
  await guest.keyboard.press('Control+Enter');
  await isSeen(ownerPage, 'As on the shop sign.');
  await adminPage.goto(`/jobs/${job}`);
  await review(adminPage);
  await isSeen(adminPage, 'Mateo');
  await comment(adminPage, [0.6, 0.6], 'Thinner lines.');
  await isSeen(ownerPage, 'Thinner lines.');

  // The connection of the owner is away while a comment is written.
  await ownerPage.context().setOffline(true);
  await ownerPage.keyboard.press('c');
  await ownerPage.keyboard.type('Larger letters.');
  await ownerPage.keyboard.press('Control+Enter');
  await isSeen(ownerPage, 'Not saved.');
  await ownerPage.context().setOffline(false);
  await expect(ownerPage.getByText('Not saved.')).toHaveCount(0, { timeout: 30_000 });
  await isSeen(adminPage, 'Larger letters.');
  await ownerPage.getByRole('button', { name: /^Ask for 3 changes/ }).click();
  await ownerPage.getByRole('dialog').getByRole('button', { name: 'Ask for 3 changes' }).click();
  await isSeen(ownerPage, 'The studio has your changes.');

  await phone.goto(`/jobs/${job}`);
  await phone.getByRole('button', { name: /^Story/ }).click();
  await expect(phone.getByText(/Ada Lovelace asked for changes, round 1 of 3/).first()).toBeVisible();
  for (const round of [2, 3]) {
    await move(service, job, 'start');
    await handOver(service, job, [fixture('rise-colour.png')], `Round ${round - 1}.`);
    if (round === 3) break;
    await ownerPage.goto(`/jobs/${job}`);
    await expect(ownerPage.getByRole('heading', { name: `Delivery ${round}` })).toBeVisible();
    await ownerPage.keyboard.press('r');
    await ownerPage.getByLabel('What should change?').fill('A little warmer still.');
    await ownerPage.getByRole('button', { name: 'Send the changes' }).click();
    await isSeen(ownerPage, 'You asked for changes, round 2 of 3');
  }

  // The admin approves; everybody else hears by whom.
  await adminPage.goto(`/jobs/${job}`);
  await adminPage.getByRole('button', { name: 'Approve' }).click();
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(adminPage.getByRole('main').getByRole('status').first()).toHaveText('Completed');
  await isSeen(ownerPage, 'Noor Haddad approved delivery 3');
  await isSeen(phone, 'Noor Haddad approved delivery 3');
  const desk = await service.call('GET', `/api/operator/v1/jobs/${job}`, service.operatorToken);
  expect(JSON.stringify(desk)).toContain('Noor Haddad');

  // The link of the guest ends; the work is in the library of all.
  const { review_links: links } = await service.call('GET', `/api/v1/jobs/${job}/review-links`, ada.token);
  await service.call('POST', `/api/v1/jobs/${job}/review-links/${links[0].id}/revoke`, ada.token);
  await guest.reload();
  await expect(guest.getByText('As on the shop sign.')).toHaveCount(0);
  await phone.goto('/library');
  await isSeen(phone, 'Logo: Rise Bakery');
  await context.close();
});
