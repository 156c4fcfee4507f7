import { expect, type Page } from '@playwright/test';
import { field, newDelivery, openReview } from '../reviewing.ts';
import { test } from '../stage.ts';

/**
 * The frames of these films carry their number as a row of eight white or black squares, 24 pixels wide. Made with
 * ffmpeg: `-c:v libx264 -crf 23 -g 48` with B-frames; the variable ones last 20, 40, 60 and 100 ms in turn.
 */
async function numberOn(page: Page): Promise<number> {
  // A film that was sent somewhere shows it a moment later.
  await page.waitForFunction(() => {
    const film = document.querySelector<HTMLVideoElement>('.film video');
    return film !== null && film.readyState > 1 && film.paused && !film.seeking;
  });
  return page.evaluate(async () => {
    const film = document.querySelector<HTMLVideoElement>('.film video')!;
    for (let wait = 0; wait < 4; wait++) await new Promise(requestAnimationFrame);
    const canvas = Object.assign(document.createElement('canvas'), { width: 192, height: 112 });
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(film, 0, 0);
    const isWhite = (bit: number) => (context.getImageData(bit * 24 + 12, 16, 1, 1).data[0] ?? 0) > 128;
    return [0, 1, 2, 3, 4, 5, 6, 7].reduce((number, bit) => number * 2 + (isWhite(bit) ? 1 : 0), 0);
  });
}

const all = [
  { name: 'frames-23976.mp4', last: 71 },
  { name: 'frames-25.mp4', last: 74 },
  { name: 'frames-2997-drop.mov', last: 89 },
  { name: 'frames-5994.mp4', last: 119 },
  { name: 'frames-60.mp4', last: 119 },
  { name: 'frames-variable.mp4', last: 59 },
  { name: 'frames-variable.webm', last: 59 },
  // The first frame comes after half a second, with sound from the beginning.
  { name: 'frames-delayed.mp4', last: 74 },
];
/** A film takes two long tests. `.ci/full` tries all of them, as it does the sweeps. */
const films =
  process.env.SWEEP === 'all' ? all : all.filter(({ name }) => /-(23976|variable|delayed)\.mp4$/.test(name));

for (const { name, last } of films) {
  test(`a comment on ${name} comes back on its frame, twelve of twelve`, async ({ service, customer, page }) => {
    const { job, files, comments } = await newDelivery(service, customer, `films/${name}`);
    await openReview(page, job, files[`films/${name}`]);
    await numberOn(page);
    const seen: number[] = [];
    for (let count = 0; count < 12; count++) {
      const play = page.getByRole('button', { name: 'Play', exact: true });
      await page.getByRole('slider', { name: 'Time' }).fill(String(0.6 + 0.11 * count));
      await play.click();
      await page.waitForTimeout(150 + 37 * count);
      // By the key alone, or paused before.
      if (count % 2 === 0) await page.keyboard.press(' ');
      await page.keyboard.press('c');
      await field(page).fill(`At frame ${count}`);
      seen.push(await numberOn(page));
      await page.keyboard.press('Control+Enter');
      await expect.poll(async () => (await comments()).length).toBe(count + 1);
    }
    const again: number[] = [];
    for (let count = 0; count < 12; count++) {
      await page.locator('.comment').nth(count).getByRole('button', { pressed: false }).first().click();
      again.push(await numberOn(page));
    }
    expect(again).toEqual(seen);
    expect(new Set(seen).size).toBeGreaterThan(6);
  });

  test(`${name} goes on and back by exactly one frame, 24 times each`, async ({ service, customer, page }) => {
    const { job, files } = await newDelivery(service, customer, `films/${name}`);
    await openReview(page, job, files[`films/${name}`]);
    const first = await numberOn(page);
    const seen = [first];
    for (const key of ['.', ','])
      for (let step = 0; step < 24; step++) {
        await page.keyboard.press(key);
        // Without an index, a step looks for its frame.
        await page.waitForTimeout(name.endsWith('.webm') ? 1_200 : 60);
        seen.push(await numberOn(page));
      }
    const on = Array.from({ length: 25 }, (_, step) => step);
    expect(seen).toEqual([...on, ...on.toReversed().slice(1)]);
    // Faster than the film can follow, and not beyond its end.
    for (let step = 0; step < 5; step++) await page.keyboard.press('.');
    await expect.poll(() => numberOn(page)).toBe(5);
    await page.getByRole('slider', { name: 'Time' }).press('End');
    await page.keyboard.press('.');
    await expect.poll(() => numberOn(page)).toBe(last);
  });
}
