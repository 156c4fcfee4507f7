import type { Page } from '@playwright/test';
import { Atelier } from '../../../client/atelier.ts';
import { newWorker, operatorOf } from '../desk.ts';
import { expect, test } from '../stage.ts';
import { handOver, move, newJob } from '../studio.ts';

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url);

/** Points at the open picture, at a share of its width and height, and keeps a comment there. */
async function pin(page: Page, file: string, [x, y]: [number, number], text: string): Promise<void> {
  const box = (await page.getByRole('img', { name: file, exact: true }).boundingBox())!;
  await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(text).first()).toBeVisible();
}

test('a job from the question to the approval: customer, operator, guest and worker @change', async ({
  service,
  customer,
  page,
  openAs,
}) => {
  test.setTimeout(240_000);
  // No other test has a job of this family that was answered or revised, which a worker would get first.
  const software = { service_family: 'software', service_type: 'web_app_prototype', customer_instructions: 'A page.' };
  const job = await newJob(service, customer, software);
  await move(service, job, 'accept', 'start');

  // The studio asks, and its clock stops.
  const desk = await openAs(operatorOf(service));
  await desk.goto(`/desk/jobs/${job}`);
  await page.goto(`/jobs/${job}`);
  await desk.getByLabel('Write to the customer').fill('Shall the wheat ear stay?');
  await desk.getByRole('button', { name: 'Ask and stop the clock' }).click();
  // The customer answers with a picture, and the desk sees it without a reload.
  const question = page.getByRole('region', { name: 'Your turn' });
  await expect(question).toContainText('Shall the wheat ear stay?');
  await question.locator('input[type=file]').setInputFiles(fixture('rise-mono.pdf').pathname);
  await expect(question.getByRole('button', { name: 'Leave out rise-mono.pdf' })).toBeVisible();
  await question.getByLabel('Your answer').fill('No, only the arcs, as in this file.');
  await question.getByLabel('Your answer').press('Control+Enter');
  await expect(desk.getByText('No, only the arcs, as in this file.').first()).toBeVisible();
  // A delivery is reviewed: three pins, and one of a guest with a link.
  await handOver(service, job, [fixture('rise-colour.png'), fixture('notes.txt')]);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('img', { name: 'rise-colour.png', exact: true })).toBeVisible();
  await pin(page, 'rise-colour.png', [0.3, 0.3], 'Make the arc warmer.');
  await pin(page, 'rise-colour.png', [0.5, 0.6], 'Thinner lines.');
  await pin(page, 'rise-colour.png', [0.7, 0.8], 'Larger letters.');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  const links = page.getByRole('dialog');
  await links.getByLabel('For whom?').fill('Sign maker');
  await links.getByRole('button', { name: 'Create a link' }).click();
  await links.getByRole('button', { name: 'Copy' }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  await links.getByRole('button', { name: 'I have saved it' }).click();
  await page.keyboard.press('Escape');
  await expect(links).toHaveCount(0);

  const guest = await openAs(null);
  await guest.goto(url);
  await guest.getByLabel('Your name').fill('Mateo Sanz');
  await guest.keyboard.press('Enter');
  await guest.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: 'rise-colour.png' }).click();
  await expect(guest.getByRole('img', { name: 'rise-colour.png', exact: true })).toBeVisible();
  await pin(guest, 'rise-colour.png', [0.5, 0.5], 'We cut this in white film.');
  // The studio reads nothing of it before the changes are asked for.
  const unsent = await service.call('GET', `/api/operator/v1/jobs/${job}/comments`, service.operatorToken);
  expect(unsent.comments).toEqual([]);
  await page
    .getByRole('button', { name: /^Ask for 4 changes/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for 4 changes' }).click();
  await expect(page.getByRole('button', { name: 'Close the review' })).toHaveCount(0);

  // The operator puts the job back. A worker claims it with its comments, does three of them, and delivers again.
  await service.call('POST', `/api/operator/v1/jobs/${job}/release`, service.operatorToken, {});
  const stop = new AbortController();
  const worker = new Atelier({ url: service.url, token: await newWorker(service, 'Cutter') });
  await worker.work(
    async ({ job: { id }, messages, revision, complete, upload }) => {
      expect([id, messages[0]?.text]).toEqual([job, 'No, only the arcs, as in this file.']);
      const comments = revision?.comments ?? [];
      expect(comments.map(({ author, text }) => [author.kind, text])).toEqual([
        ['customer', 'Make the arc warmer.'],
        ['customer', 'Thinner lines.'],
        ['customer', 'Larger letters.'],
        ['guest', 'We cut this in white film.'],
      ]);
      for (const comment of comments.slice(0, 3)) await complete(comment.id, 'As you wished.');
      await upload(fixture('rise-dark.png').pathname);
      setTimeout(() => stop.abort(), 0);
      return { message: 'Warmer, thinner, larger.' };
    },
    { families: ['software'], signal: stop.signal },
  );
  await move(service, job, 'pass');

  // Back closes a review, and the page of the job is there.
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('img', { name: 'rise-dark.png', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Close the review' })).toHaveCount(0);

  // The customer compares, and approves what was seen.
  await page.getByRole('button', { name: '3 of 4 done' }).click();
  await expect(page.getByText('As you wished.').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText('You approved delivery 2')).toBeVisible();

  // The link shows what it showed, and takes no more comments.
  await guest.reload();
  await expect(guest.getByRole('heading', { level: 1 }).first()).toBeVisible();
});
