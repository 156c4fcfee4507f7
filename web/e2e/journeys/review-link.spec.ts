import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';
import { handOver, move, newJob } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

async function newDelivery(service: Service, customer: Person): Promise<string> {
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  await handOver(service, job, [fixture('rise-colour.png'), fixture('notes.txt')]);
  return job;
}

const newLink = async (service: Service, customer: Person, job: string, can_comment: boolean) => {
  const body = { name: 'Sign maker', can_comment, expires_in_days: 14 };
  return service.call('POST', `/api/v1/jobs/${job}/review-links`, customer.token, body);
};

test('a member creates a link; a guest without an account looks, comments, and takes a comment back @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  const job = await newDelivery(service, customer);
  const { job: read } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/jobs/${job}?review=${read.deliveries[0].file_ids[0]}`);
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For whom?').fill('Sign maker');
  await expectNoFinding(page, 'links');
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(url).toContain('/review#');
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(dialog.getByText('Sign maker')).toBeVisible();

  const guest = await openAs(null);
  const cookies: string[] = [];
  // Those of a request that the end of the test cuts off are never known.
  const ignore = () => {};
  guest.on('request', (request) => {
    void request.allHeaders().then(({ cookie = '' }) => cookies.push(cookie), ignore);
  });
  await guest.goto(url);
  await expect(guest.getByRole('heading', { level: 1, name: 'Logo for a neighbourhood bakery' })).toBeVisible();
  // The token is in no address, and a reload works without it there.
  expect(guest.url()).toBe(`${service.url}/review`);
  await guest.reload();
  await expect(guest.getByText('Ada Lovelace asks you to look')).toBeVisible();
  await expect(guest.getByRole('img', { name: 'rise-colour.png' })).toBeVisible();
  await expectNoFinding(guest, 'review link');
  await expectReadableInDark(guest, 'review link');

  await guest.getByLabel('Your name').fill('Mateo Sanz');
  await guest.keyboard.press('Enter');
  await expect(guest.getByText('Your comments go to Ada Lovelace').first()).toBeVisible();
  await expect(guest.getByRole('button', { name: /Approve|Ask for/ })).toHaveCount(0);
  await guest.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: 'rise-colour.png' }).click();
  const picture = guest.getByRole('img', { name: 'rise-colour.png' });
  await expect(picture).toBeVisible();
  const box = (await picture.boundingBox())!;
  await guest.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await guest.keyboard.type('We cut this in white film.');
  await guest.keyboard.press('Control+Enter');
  await expect(guest.getByRole('button', { name: '1: a point in the middle' }).first()).toBeVisible();
  await expectNoFinding(guest, 'review of a guest');

  // The member sees it at once, marked as a guest's.
  await page.keyboard.press('Escape');
  await expect(
    page
      .getByText('We cut this in white film.')
      .or(page.getByText(/1 (more )?on/))
      .first(),
  ).toBeVisible();
  const { comments } = await service.call('GET', `/api/v1/jobs/${job}/comments`, customer.token);
  expect(comments[0].author).toEqual({ kind: 'guest', name: 'Mateo Sanz' });

  await guest.keyboard.press('n');
  await guest.getByRole('button', { name: 'Delete comment 1' }).click();
  await guest.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(guest.getByText('Nobody has commented yet.')).toBeVisible();
  expect(cookies.filter(Boolean)).toEqual([]);
  expect(await guest.context().cookies()).toEqual([]);
});

test('a link without comments asks for no name', async ({ service, customer, openAs }) => {
  const job = await newDelivery(service, customer);
  const { url } = await newLink(service, customer, job, false);
  const guest = await openAs(null);
  await guest.setViewportSize({ width: 390, height: 844 });
  await guest.goto(url);
  await expect(guest.getByRole('button', { name: 'Look at it' })).toBeVisible();
  await expect(guest.getByLabel('Your name')).toHaveCount(0);
  await expectNoFinding(guest, 'review link on a phone');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await guest.getByRole('button', { name: 'Look at it' }).click();
  await expect(guest.locator('.review')).toBeVisible();
  await expect(guest.getByRole('textbox', { name: 'Comment without a place' })).toHaveCount(0);
  await expectNoFinding(guest, 'review of a guest on a phone');
});

test('a member revokes a link and deletes what its guests wrote', async ({ service, customer, page }) => {
  const job = await newDelivery(service, customer);
  const { token } = await newLink(service, customer, job, true);
  const { job: read } = await service.call('GET', `/api/v1/jobs/${job}`, customer.token);
  const [file_id] = read.deliveries[0].file_ids;
  for (const text of ['Buy now!', 'Buy more!']) {
    const headers = { authorization: `Review ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Mallory', file_id, text });
    const answer = await fetch(`${service.url}/api/v1/review/comments`, { method: 'POST', headers, body });
    expect(answer.status).toBe(201);
  }
  await page.goto(`/jobs/${job}?review=${file_id}`);
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Revoke Sign maker' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the link for Sign maker?' });
  await expectNoFinding(page, 'revoking a link');
  await dialog.getByRole('button', { name: 'Revoke and delete its 2 comments' }).click();
  await expect(page.getByLabel('For whom?')).toBeVisible();
  await expect(page.getByText('Sign maker')).toHaveCount(0);
  const { comments } = await service.call('GET', `/api/v1/jobs/${job}/comments`, customer.token);
  expect(comments).toEqual([]);
});

test('a dead link says the same for every reason', async ({ service, customer, openAs }) => {
  const job = await newDelivery(service, customer);
  const { url, review_link: link } = await newLink(service, customer, job, true);
  await service.call('POST', `/api/v1/jobs/${job}/review-links/${link.id}/revoke`, customer.token);
  for (const address of [url, `${url.slice(0, -4)}aaaa`, `${service.url}/review`]) {
    const guest = await openAs(null);
    await guest.goto(address);
    await expect(guest.getByRole('heading', { name: 'This link does not open anything any more.' })).toBeVisible();
    await expectNoFinding(guest, 'a dead link');
  }
});
