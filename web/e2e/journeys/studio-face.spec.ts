import { expect, test } from '@playwright/test';
import { rmSync } from 'node:fs';
import { catalogWith } from '../../../test/support/catalog.ts';
import { madeUpStudio } from '../../../test/support/studio.ts';
import { startService } from '../start-service.ts';

test('a studio with a face of its own: its name, marks and accent in both schemes, and nothing from elsewhere', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const dir = catalogWith([], madeUpStudio);
  const service = await startService({ CATALOG_DIR: dir });
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => request.url().startsWith(service.url) || faults.push(request.url()));
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  const mark = page.locator('.brand img');
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${service.url}/sign-in`);
    await expect(page).toHaveTitle('Sign in · Wintergarten & Söhne, Werkstatt für Zeichnung, Satz und Film');
    await expect(page.getByRole('link', { name: /^Wintergarten & Söhne/ })).toBeVisible();
    await expect(button).toHaveCSS('background-color', 'rgb(140, 29, 107)');
    const light = await mark.getAttribute('src');
    expect(await mark.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(page.getByRole('link', { name: 'Imprint' })).toHaveAttribute(
      'href',
      'https://wintergarten.example/imprint',
    );
    await expect(page.getByText('Runs on Atelier')).toBeVisible();

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await expect(button).not.toHaveCSS('background-color', 'rgb(140, 29, 107)');
    expect(await mark.getAttribute('src')).not.toBe(light);
    expect(faults).toEqual([]);
  } finally {
    await service.stop();
    rmSync(dir, { recursive: true });
  }
});
