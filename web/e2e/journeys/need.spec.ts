import { expect, test } from '../stage.ts';
import { buy, newCustomer } from '../studio.ts';

const wish = `Our Christmas hampers go on sale on Saturday. We need posts and stories for Instagram to say so.

They are for the families who buy at the shop on Saturdays. The style should be hand-made, dark green and cream.`;

const box = 'What do you need?';

test('shots', async ({ service, openAs }) => {
  const ada = await newCustomer(service, 'Ada Lovelace');
  const facts = [
    { label: 'Brand name', text: 'Rise Bakery' },
    { label: 'Colours', text: 'Green #1f4d3a, cream #f3ead7' },
  ];
  await service.call('PUT', '/api/v1/brand', ada.token, { facts, file_ids: [] });
  await buy(service, ada, 'studio');
  for (const width of [1440, 390]) {
    const page = await openAs(ada);
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const field = page.getByRole('textbox', { name: box });
    await field.waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `/tmp/h/shots/home-${width}-rest.png` });
    await field.fill(wish);
    await page.waitForTimeout(3000);
    await page.screenshot({ path: `/tmp/h/shots/home-${width}-open.png`, fullPage: true });
    await field.fill('A brass band for the opening');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/h/shots/home-${width}-none.png`, fullPage: true });
    await page.goto('/jobs/new');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/h/shots/new-${width}.png` });
    await page.goto('/jobs/new?family=design&type=logo');
    await page.waitForTimeout(2500);
    await page.screenshot({ path: `/tmp/h/shots/order-${width}.png` });
    await page.goto('/');
    await field.fill('');
    await page.waitForTimeout(1500);
    await page.close();
  }
});
