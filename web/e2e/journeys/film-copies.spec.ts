import { writeFileSync } from 'node:fs';
import { openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';
import { startService } from '../start-service.ts';
import { buy, deliver, move, newCustomer, newJob } from '../studio.ts';

const clip = new URL('../fixtures/clip.mp4', import.meta.url).pathname;
/** Stands in for ffmpeg, which not every machine has: each film is H.265, and its copy takes some seconds. */
const program = `#!/bin/sh
case "$*" in
*'-f null'*)
  printf '  Duration: 00:00:02.00\\n  Stream #0:0: Video: hevc (Main), yuv420p(tv), 320x180 [SAR 1:1]\\n' >&2 ;;
*copy.mp4) sleep 8; cp ${clip} copy.mp4 ;;
*) exit 1 ;;
esac
`;

test('a film that no browser plays is shown by its copy, also one that is made while its stage is open', async ({
  browser,
}) => {
  const path = (name: string) => test.info().outputPath(name);
  writeFileSync(path('ffmpeg'), program, { mode: 0o755 });
  writeFileSync(path('reel.mkv'), Buffer.from('\x1a\x45\xdf\xa3 of the camera', 'latin1'));
  writeFileSync(path('phone.mov'), Buffer.from('\0\0\0\x08ftyp of a phone', 'latin1'));
  const service = await startService({ FFMPEG: path('ffmpeg') });
  try {
    const customer = await newCustomer(service);
    await buy(service, customer, 'studio');
    const job = await newJob(service, customer);
    await move(service, job, 'accept', 'start');
    const file_ids: string[] = [];
    for (const name of ['reel.mkv', 'phone.mov']) file_ids.push(await deliver(service, job, path(name)));
    await move(service, job, { submit: { file_ids, message: 'Here it is.' } }, 'pass');
    const context = await browser.newContext({ baseURL: service.url });
    const { email, password } = customer;
    await context.request.post('/api/auth/sign-in/email', {
      data: { email, password },
      headers: { origin: service.url },
    });
    const page = await context.newPage();
    const film = page.getByTestId('stage').locator('video');
    await openReview(page, job, file_ids[0]);
    await expect(page.getByText('No browser plays this kind of film. A copy for viewing is being made.')).toBeVisible();
    await openReview(page, job, file_ids[1]);
    await expect(page.getByText('This browser cannot play this film. A copy for viewing is being made.')).toBeVisible();
    await expect(film).toHaveAttribute('src', /\?copy=viewing$/, { timeout: 90_000 });
    await expect(page.getByText(/phone\.mov · Copy for viewing · 320 × 180/)).toBeVisible();
    await openReview(page, job, file_ids[0]);
    await expect(page.getByText(/reel\.mkv · Copy for viewing · 320 × 180/)).toBeVisible();
    await expect(film).toHaveAttribute('src', /\?copy=viewing$/);
    await context.close();
  } finally {
    await service.stop();
  }
});
