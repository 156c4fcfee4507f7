import type { Browser } from '@playwright/test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdf } from '../../test/support/pictures.ts';
import type { Person, Service } from './start-service.ts';
import { deliver, move, newJob } from './studio.ts';

const pages = 50;

/** Fifty pages of text. */
function fiftyPages(): Buffer {
  const line = 'Rise Bakery bakes bread before seven for everybody on Mill Road.';
  const content = `BT /F1 14 Tf 16 TL 50 750 Td ${`(${line}) Tj T* `.repeat(42)}ET`;
  const first = 4; // the objects before the pages
  const kids = Array.from({ length: pages }, (_, index) => `${first + 2 * index} 0 R`);
  const sheets = kids.flatMap((_, index) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${first + 2 * index + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
    { content },
  ]);
  return pdf(
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...sheets,
  );
}

/** Milliseconds from opening the review of a PDF of 50 pages, on a fresh browser, until its first page is drawn. */
export async function measurePdf(browser: Browser, service: Service, person: Person, runs: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-pdf-'));
  const path = join(folder, 'fifty.pdf');
  writeFileSync(path, fiftyPages());
  const job = await newJob(service, person);
  await move(service, job, 'accept', 'start');
  const file = await deliver(service, job, path);
  rmSync(folder, { recursive: true });
  await move(service, job, { submit: { file_ids: [file], message: 'Here it is.' } }, 'pass');
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1_440, height: 900 } });
    const { email, password } = person;
    const headers = { origin: service.url };
    await context.request.post('/api/auth/sign-in/email', { data: { email, password }, headers });
    const page = await context.newPage();
    await page.goto(`/jobs/${job}?review=${file}`, { waitUntil: 'commit' });
    const drawn = await page.waitForFunction((label) => {
      const sheet = document.querySelector<HTMLCanvasElement>(`canvas[aria-label="${label}"]`);
      if (!sheet?.width) return null;
      const { data } = sheet.getContext('2d')!.getImageData(0, 0, sheet.width, sheet.height);
      return data.some((value) => value !== 0 && value !== 255) ? performance.now() : null;
    }, `Page 1 of ${pages}`);
    times.push((await drawn.jsonValue())!);
    await context.close();
  }
  return times;
}
