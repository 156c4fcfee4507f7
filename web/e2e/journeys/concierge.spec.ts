import { expect, test } from '../stage.ts';

test('a conversation leads to a job: suggestions are clicked, a reading is corrected, the brief is confirmed', async ({
  page,
}) => {
  test.slow();
  await page.goto('/concierge?family=design&type=logo');
  await page.getByLabel('In your own words').fill('We need a logo for our bakery. It is called Rise Bakery.');
  await page.getByRole('button', { name: 'Begin' }).click();
  const brief = page.getByRole('complementary', { name: 'Brief' });
  await expect(brief.getByText('Rise Bakery')).toBeVisible();
  const confirm = brief.getByRole('button', { name: 'Confirm the order' });
  await expect(confirm).toBeDisabled();

  const answer = page.getByLabel('Your answer');
  await answer.fill('Target audience: families nearby');
  await answer.press('Enter');
  await expect(brief.getByText('families nearby')).toBeVisible();
  // What was understood is said again with one click.
  await page.getByRole('button', { name: /Target audience families nearby/ }).click();
  await expect(answer).toHaveValue('Target audience: families nearby');
  await answer.fill('Target audience: commuters');
  await answer.press('Enter');
  await expect(brief.getByText('commuters')).toBeVisible();
  await expect(brief.getByText('families nearby')).toHaveCount(0);

  await answer.fill('skip the rest');
  await answer.press('Enter');
  await expect(confirm).toBeEnabled();
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'What happened' })).toBeVisible();
  await expect(page.getByText('Through')).toBeVisible();
});

test('the opening sentence is kept for the studio, and the name is asked for', async ({ page }) => {
  await page.goto('/concierge?family=design&type=logo');
  const opening = page.getByLabel('In your own words');
  await opening.fill((await opening.getAttribute('placeholder')) ?? '');
  await page.getByRole('button', { name: 'Begin' }).click();
  const brief = page.getByRole('complementary', { name: 'Brief' });
  await expect(brief.getByText('0 of 5 answered')).toBeVisible();
  const answer = page.getByLabel('Your answer');
  await answer.fill('It is called Rise Bakery.');
  await answer.press('Enter');
  await expect(brief.getByText('Rise Bakery', { exact: true })).toBeVisible();
  await answer.fill('skip the rest');
  await answer.press('Enter');
  await expect(brief.getByText('Logo: Rise Bakery', { exact: true })).toBeVisible();
});

test('suggested replies are buttons, and a conversation can be ended and found again', async ({ page }) => {
  await page.goto('/concierge?family=design');
  await page.getByRole('button', { name: 'Begin' }).click();
  const replies = page.getByRole('group', { name: 'Suggested replies' }).getByRole('button');
  const words = await replies.first().innerText();
  await replies.first().click();
  await expect(page.getByRole('log').locator('.bubble.customer')).toHaveCount(1);
  expect(words).not.toBe('');
  await page.getByRole('button', { name: 'End without ordering' }).click();
  const asked = page.getByRole('dialog', { name: 'End this conversation?' });
  await asked.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Your answer')).toBeVisible();
  await page.getByRole('button', { name: 'End without ordering' }).click();
  await asked.getByRole('button', { name: 'End it' }).click();
  await expect(page.getByRole('row', { name: /Ended/ })).toBeVisible();
});

test('nothing typed is lost: the first words outlive a reload, and a pencil writes below a half-typed answer', async ({
  page,
}) => {
  await page.goto('/concierge?family=design&type=logo');
  const first = page.getByLabel('In your own words');
  await first.fill('Brand name: Rise Bakery');
  await page.reload();
  await expect(first).toHaveValue('Brand name: Rise Bakery');
  await page.getByRole('button', { name: 'Begin' }).click();
  const answer = page.getByLabel('Your answer');
  await answer.fill('Nothing too loud, and');
  await page.getByRole('button', { name: 'Say Brand name yourself' }).click();
  await expect(answer).toBeFocused();
  await expect(answer).toHaveValue('Nothing too loud, and\nBrand name: Rise Bakery');
  await page.getByRole('button', { name: /^Brand name Rise Bakery/ }).click();
  await expect(answer, 'what stands there is not written twice').toHaveValue(
    'Nothing too loud, and\nBrand name: Rise Bakery',
  );
  // A suggestion is sent by itself, and what is half typed stays.
  await page.getByRole('group', { name: 'Suggested replies' }).getByRole('button').first().click();
  await expect(page.getByRole('log').locator('.bubble.customer')).toHaveCount(2);
  await expect(answer).toHaveValue('Nothing too loud, and\nBrand name: Rise Bakery');
  await page.getByRole('link', { name: 'Concierge', exact: true }).first().click();
  await expect(first, 'words that were sent are no draft').toHaveValue('');
});
