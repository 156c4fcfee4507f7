import { fileURLToPath } from 'node:url';
import { expect, test } from '../stage.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

test('a film that is uploaded has a frame as its poster at once, a picture and a PDF a moment later', async ({
  page,
}) => {
  await page.goto('/library?view=mine');
  const names = ['clip.webm', 'rise-colour.png', 'rise-mono.pdf'];
  await page.locator('input[type=file]').setInputFiles(names.map(fixture));
  const posterOf = (name: string) => page.getByRole('row', { name: new RegExp(name) }).locator('img');
  const isDrawn = (name: string) => posterOf(name).evaluate((image: HTMLImageElement) => image.naturalWidth > 10);
  await expect(posterOf('clip.webm')).toHaveAttribute('src', /\/storage\/posters\//);
  await expect.poll(() => isDrawn('clip.webm')).toBe(true);
  await expect(async () => {
    await page.reload();
    for (const name of names) await expect(posterOf(name)).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 }); // drawn with the lowest priority
  for (const name of names) await expect.poll(() => isDrawn(name)).toBe(true);
});
