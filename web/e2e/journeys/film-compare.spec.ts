import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { operatorOf } from '../desk.ts';
import { askForChanges, deliverFiles, deliverMade, newDelivery, openReview } from '../reviewing.ts';
import { test } from '../stage.ts';
import { move, newJob } from '../studio.ts';

const films = (page: Page) =>
  page
    .locator('.film video')
    .evaluateAll((all: HTMLVideoElement[]) =>
      all.map(({ currentTime, paused, muted, readyState }) => ({ currentTime, paused, muted, readyState })),
    );

test('a film that the browser cannot decode says so, with its codec, and is heard all the same', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'films/hevc-with-sound.mov');
  await openReview(page, job, files['films/hevc-with-sound.mov']);
  await expect(page.getByText('This browser cannot play the picture of this film (H.265).')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download, / })).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press(' ');
  // A button that keys have reached is pressed instead.
  await page.getByRole('button', { name: 'Link', exact: true }).focus();
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectNoFinding(page, 'a film without a picture');
  await page.goto(`/jobs/${job}`);
  await expect(page.getByText('no picture here').first()).toBeVisible();
});

test('a film without frames, and one that has only sound, say so', async ({ service, customer, page }) => {
  const bytesOf = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
  const films = {
    'cut-off.mp4': bytesOf('clip.mp4').subarray(0, bytesOf('clip.mp4').indexOf('mdat') + 4),
    'only-sound.mov': Buffer.from(
      bytesOf('films/hevc-with-sound.mov').toString('latin1').replace('vide', 'text'),
      'latin1',
    ),
  };
  const job = await newJob(service, customer);
  await move(service, job, 'accept', 'start');
  const ids = await deliverMade(service, job, films);
  await openReview(page, job, ids['cut-off.mp4']);
  await expect(page.getByText('This browser cannot play the picture of this film (H.264).')).toBeVisible();
  await openReview(page, job, ids['only-sound.mov']);
  await expect(page.getByText('This film has no picture.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
});

test('the timecode of a film stands beside its time, and in the words of a comment', async ({
  service,
  customer,
  openAs,
  page,
}) => {
  const name = 'films/starts-at-ten-hours.mov';
  const { job, files } = await newDelivery(service, customer, name);
  await openReview(page, job, files[name]);
  const line = page.getByRole('group', { name: 'Playing' });
  await expect(line.getByText('10:00:00:00')).toBeVisible();
  await page.keyboard.press('.');
  await page.keyboard.press('.');
  await expect(line.getByText('10:00:00:02')).toBeVisible();
  const comments = [
    { file_id: files[name], text: 'Here.', at: 't=1.02&xywh=percent:10,20,30,40' },
    { file_id: files[name], text: 'And here.', at: 't=0.06' },
  ];
  await askForChanges(service, customer, job, comments);
  // The desk shows the frame of each comment.
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  await expect(desk.getByText('0:01 · 10:00:01:00')).toBeVisible();
  const frames = desk.locator('.crop video');
  await expect(frames).toHaveCount(2);
  await expect
    .poll(() => frames.evaluateAll((all: HTMLVideoElement[]) => all.map((film) => film.currentTime)))
    .toEqual([1.02, 0.06]);
  await expect(desk.locator('.crop img')).toHaveCount(0);
});

test('two films are played, stepped and heard under one line of time', async ({ service, customer, page }) => {
  const { job, files } = await newDelivery(service, customer, 'films/frames-delayed.mp4');
  await askForChanges(service, customer, job, [
    { file_id: files['films/frames-delayed.mp4'], text: 'Later.', at: 't=1.02' },
  ]);
  const second = await deliverFiles(service, job, 'films/frames-23976.mp4');
  await openReview(page, job, second['films/frames-23976.mp4'], '&compare=1');
  await expect.poll(async () => (await films(page)).map(({ readyState }) => readyState > 1)).toEqual([true, true]);
  await expect(page.getByText(/^Delivery 1 · 25 frames a second, 0:03/)).toBeVisible();
  await expect(page.getByText(/^Delivery 2 · 23\.976 frames a second, 0:03/)).toBeVisible();
  await page.keyboard.press(' ');
  await expect
    .poll(async () => {
      const [one, other] = await films(page);
      const isInStep = Math.abs(one!.currentTime - other!.currentTime) < 0.085;
      return isInStep && one!.currentTime > 0.6 && !one!.paused && !other!.paused;
    })
    .toBe(true);
  expect((await films(page)).map(({ muted }) => muted)).toEqual([true, false]);
  await page.getByRole('button', { name: 'Sound of delivery 1' }).click();
  expect((await films(page)).map(({ muted }) => muted)).toEqual([false, true]);
  // The longer film may have gone beyond the end of the other. A step pauses both.
  await page.getByRole('slider', { name: 'Time' }).fill('1');
  await page.keyboard.press('.');
  await expect.poll(async () => (await films(page)).map(({ paused }) => paused)).toEqual([true, true]);
  await expect
    .poll(async () => {
      const [one, other] = await films(page);
      return Math.abs(one!.currentTime - other!.currentTime) < 0.05;
    })
    .toBe(true);
  await page.keyboard.press('n');
  await expect.poll(async () => (await films(page)).map(({ currentTime }) => currentTime)).toEqual([1.02, 1.02]);
  await expectNoFinding(page, 'two films');
  await expectReadableInDark(page, 'two films');
});
