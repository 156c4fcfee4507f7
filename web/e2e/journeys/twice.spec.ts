import type { Locator, Page } from '@playwright/test';
import { operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';

/** As fast as a hand: the answer of the first click may be there before the second. */
async function clickTwice(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error('There is nothing to click.');
  const { mouse } = button.page();
  await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await button.page().waitForTimeout(150);
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

/** How often the page has posted to a path so far. */
function countPosts(page: Page): (ending: string) => number {
  const paths: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && paths.push(new URL(request.url()).pathname));
  return (ending) => paths.filter((path) => path.endsWith(ending)).length;
}

for (const [how, twice] of [
  ['at once', (button: Locator) => button.dblclick()],
  ['as fast as a hand', clickTwice],
] as const) {
  test(`a double click ${how} makes one key, endpoint and invitation, and shows the secrets`, async ({ page }) => {
    const posts = countPosts(page);
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Make the first key' }).click();
    await page.getByLabel('Name').fill('Pressed twice');
    await page.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    await twice(page.getByRole('button', { name: 'Make the key' }));
    await expect(page.getByRole('dialog', { name: 'Key “Pressed twice”' })).toBeVisible();
    expect(posts('/api-keys')).toBe(1);

    await page.goto('/webhooks');
    await page.getByRole('button', { name: 'Add the first endpoint' }).click();
    await page.getByLabel('Address').fill('https://hooks.example.com/atelier');
    await twice(page.getByRole('button', { name: 'Add the endpoint' }));
    await expect(page.getByRole('dialog', { name: 'Secret of the endpoint' })).toBeVisible();
    expect(posts('/webhook-endpoints')).toBe(1);

    await page.goto('/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('twice@example.com');
    await twice(page.getByRole('button', { name: 'Send the invitation' }));
    await expect(page.getByRole('row', { name: /twice@example.com/ })).toBeVisible();
    expect(posts('/invitations')).toBe(1);
  });

  test(`a double click ${how} begins one conversation and says a thing once`, async ({ page }) => {
    const posts = countPosts(page);
    await page.goto('/concierge?family=design');
    await page.getByLabel('In your own words').fill('Something for our bakery.');
    await twice(page.getByRole('button', { name: 'Begin' }));
    await page.waitForURL('**/concierge/*');
    await page.getByLabel('Your answer').fill('It is called Rise Bakery');
    expect(posts('/sessions')).toBe(1);
    await twice(page.getByRole('button', { name: 'Send' }));
    const heard = page.getByRole('log').locator('.bubble.concierge');
    await expect(heard).toHaveCount(2);
    expect(posts('/messages')).toBe(1);
    await twice(page.getByRole('group', { name: 'Suggested replies' }).getByRole('button').first());
    await expect(heard).toHaveCount(3);
    expect(posts('/messages')).toBe(2);
  });

  test(`a double click ${how} makes one worker key, and shows it`, async ({ service, openAs }) => {
    const page = await openAs(operatorOf(service));
    const posts = countPosts(page);
    await page.goto('/desk/workers');
    await page.getByRole('button', { name: 'New worker key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Render bot');
    await twice(page.getByRole('button', { name: 'Make the key' }));
    await expect(page.getByRole('button', { name: 'I have saved it' })).toBeVisible();
    expect(posts('/worker-keys')).toBe(1);
  });
}
