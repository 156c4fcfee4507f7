import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { askForChanges, deliverFiles, deliverMade, field, newDelivery, openReview } from '../reviewing.ts';
import { expect, test } from '../stage.ts';

test('a text is read in its own encoding, which is named, and in another that is chosen', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'prices.csv', 'notes.txt');
  await openReview(page, job, files['prices.csv']);
  const stage = page.getByTestId('stage');
  await expect(stage.getByText('Müller')).toBeVisible();
  await expect(page.getByRole('heading', { name: /prices\.csv · 3 lines · Windows-1252/ })).toBeVisible();
  await expectNoFinding(page, 'a text');
  await expectReadableInDark(page, 'a text');
  await page.getByLabel('Encoding').selectOption('UTF-8');
  await expect(stage.getByText('5 places cannot be read as UTF-8.')).toBeVisible();
  await page.getByRole('button', { name: 'Next file' }).click();
  await expect(page.getByRole('heading', { name: /notes\.txt · 3 lines · UTF-8/ })).toBeVisible();
  await page.getByRole('button', { name: 'File before' }).click();
  await expect(page.getByLabel('Encoding')).toHaveValue('utf-8');
});

test('Markdown is set, and a comment on a block is on its lines in the source', async ({ service, customer, page }) => {
  const { job, files, comments } = await newDelivery(service, customer, 'article.md');
  await openReview(page, job, files['article.md']);
  const stage = page.getByTestId('stage');
  await expect(stage.getByRole('heading', { name: 'Bread before seven' })).toBeVisible();
  await expect(stage.getByRole('link', { name: /Mill Road/ })).toHaveAttribute('rel', 'noreferrer');
  await expect(stage.getByRole('link')).toHaveCount(1);
  await expect(stage.getByText('[picture: a loaf]')).toBeVisible();
  await expect(stage.getByText('<b>No HTML</b> is run.')).toBeVisible();
  await expectNoFinding(page, 'Markdown');
  await expectReadableInDark(page, 'Markdown');

  await stage.getByRole('button', { name: 'Comment on lines 3–5' }).click();
  await field(page).fill('Shorter, please.');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await comments()).map(({ at }) => at)).toEqual(['line=2,5']);
  await page.getByText('Source', { exact: true }).click();
  await stage.getByRole('button', { name: 'Comment 1', exact: true }).click();
  await expect(stage.locator('.marked')).toHaveText([/^3Rise/, /^4at seven/, /^5and the second/]);
  await page.getByText('Set', { exact: true }).click();
  await expect(stage.locator('.marked')).toHaveText([/^3–5Rise/]);
});

test('lines have one tab stop; arrows go from line to line, and with shift over several', async ({
  service,
  customer,
  page,
}) => {
  const { job, files, comments } = await newDelivery(service, customer, 'article.md');
  await openReview(page, job, files['article.md']);
  await page.getByText('Source', { exact: true }).click();
  const lines = page.getByTestId('stage').locator('.line-number');
  await expect(lines).toHaveCount(15);
  await expect(page.getByTestId('stage').locator('.line-number[tabindex="0"]')).toHaveCount(1);
  await page.getByRole('radio', { name: 'Source' }).focus();
  const { keyboard } = page;
  await keyboard.press('Tab');
  await expect(lines.nth(0)).toBeFocused();
  await keyboard.press('End');
  await expect(lines.nth(14)).toBeFocused();
  await keyboard.press('Home');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await keyboard.press('Shift+ArrowDown');
  await expect(lines.nth(4)).toBeFocused();
  await keyboard.press('Enter');
  await field(page).fill('Shorter, please.');
  await keyboard.press('Control+Enter');
  await expect.poll(async () => (await comments()).map(({ at }) => at)).toEqual(['line=2,5']);
});

test('two deliveries of a text are compared, and the words that differ are marked', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'notes.txt');
  await askForChanges(service, customer, job, [{ file_id: files['notes.txt'], text: 'Which green?', at: 'line=2,3' }]);
  const second = await deliverFiles(service, job, 'later/notes.txt');
  await openReview(page, job, second['later/notes.txt'], '&compare=1');
  const stage = page.getByTestId('stage');
  await expect(stage.locator('del')).toHaveText('1f4a37');
  await expect(stage.locator('ins')).toHaveText(['2f5c46', 'Written on Mill Road.']);
  await expect(page.getByRole('heading', { name: /notes\.txt in both · 3 lines differ/ })).toBeVisible();
  await page.getByRole('button', { name: 'Next difference' }).click();
  await expect(stage.getByRole('button', { name: 'line 3 before, line 3 now' })).toBeFocused();
  await expect(stage.getByRole('button', { name: 'Comment 1', exact: true })).toBeVisible();
  await expectNoFinding(page, 'compared texts');
  await expectReadableInDark(page, 'compared texts');
});

test('texts are never said to be the same where they are not shown or not read', async ({
  service,
  customer,
  page,
}) => {
  const { job, files } = await newDelivery(service, customer, 'notes.txt');
  await askForChanges(service, customer, job, [{ file_id: files['notes.txt'], text: 'As JSON, please.' }]);
  const minified = (colour: string) => `{"a":"${'x'.repeat(25_000)}","colour":"${colour}","b":"${'y'.repeat(5_000)}"}`;
  const beginning = `Colours\n${'x'.repeat(2_200_000)}`;
  const submit = (colour: string) =>
    deliverMade(service, job, { 'tokens.txt': minified(colour), 'large.txt': beginning + colour });
  const first = await submit('red');
  await askForChanges(service, customer, job, [{ file_id: first['tokens.txt']!, text: 'Blue, please.' }]);
  const second = await submit('blue');
  await openReview(page, job, second['tokens.txt'], '&compare=2');
  await expect(page.getByRole('heading', { name: /tokens\.txt in both · 1 line differs/ })).toBeVisible();
  await expect(page.getByTestId('stage').locator('del')).toHaveText('…');
  await expect(page.getByTestId('stage').locator('ins')).toHaveText('…');
  await openReview(page, job, second['large.txt'], '&compare=2');
  await expect(
    page.getByRole('heading', { name: /large\.txt in both · only the first part was compared/ }),
  ).toBeVisible();
  await expect(page.getByText('no line differs')).toHaveCount(0);
});
