import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';

/** The rows of a file as RFC 4180 has them, the heads first. Fails without the mark of UTF-8. */
export async function rowsOf(download: Download): Promise<string[][]> {
  const text = readFileSync(await download.path(), 'utf8');
  if (!text.startsWith('\uFEFF') || !text.endsWith('\r\n')) throw new Error('This is no CSV of ours.');
  return text
    .slice(1, -2)
    .split('\r\n"')
    .map((line, at) => (at === 0 ? line : `"${line}`))
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')));
}

/** Presses the button and answers the rows as objects. */
export async function saveAsCsv(page: Page): Promise<Record<string, string>[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const [heads = [], ...rows] = await rowsOf(await download);
  return rows.map((cells) => Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ''])));
}
