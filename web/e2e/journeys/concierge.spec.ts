import { expect, test } from '../stage.ts';

test('a conversation leads to a job: suggestions are accepted, an answer is changed in its field @change', async ({
  page,
}) => {
  test.slow();
  await page.goto('/concierge?family=design&type=logo');
  await page.getByLabel('In your own words').fill('We need a logo for our bakery. It is called Rise Bakery.');
  await page.getByRole('button', { name: 'Begin' }).click();
  const brief = page.getByRole('complementary', { name: 'Brief' });
  const name = brief.getByLabel('Brand name', { exact: true });
  await expect(name).toHaveValue('Rise Bakery');
  await brief.getByRole('button', { name: 'Accept Brand name' }).click();
  await expect(brief.getByText('accepted from your text')).toBeVisible();

  const answer = page.getByLabel('Your answer');
  await answer.fill('Target audience: families nearby');
  await answer.press('Enter');
  const audience = brief.getByLabel('Target audience', { exact: true });
  await expect(audience).toHaveValue('families nearby');
  await audience.fill('commuters');
  await expect(brief.getByText('Stored as a draft of your account')).toBeVisible();
  await brief.getByRole('button', { name: 'Order with 2 open' }).click();
  await page.waitForURL('**/jobs/job_*');
  await expect(page.getByRole('heading', { name: 'Logo: Rise Bakery' })).toBeVisible();
  await expect(page.getByText('Through')).toBeVisible();
});

test('the opening sentence goes along to the studio', async ({ page }) => {
  await page.goto('/concierge?family=design&type=logo');
  const opening = page.getByLabel('In your own words');
  const words = (await opening.getAttribute('placeholder')) ?? '';
  await opening.fill(words);
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('log')).toContainText(words);
  await page.getByRole('link', { name: 'Fill in the form instead' }).click();
  await expect(page.getByRole('textbox', { name: 'Tell us, or paste your brief' })).toHaveValue(words);
});

test('suggested replies are buttons, and a draft can be deleted and read again', async ({ page }) => {
  await page.goto('/concierge?family=design');
  await page.getByRole('button', { name: 'Begin' }).click();
  const replies = page.getByRole('group', { name: 'Suggested replies' }).getByRole('button');
  const words = await replies.first().innerText();
  await replies.first().click();
  await expect(page.getByRole('log').locator('.bubble.customer')).toHaveCount(1);
  expect(words).not.toBe('');
  await page.getByRole('button', { name: 'Delete the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this draft?' });
  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Your answer')).toBeVisible();
  await page.getByRole('button', { name: 'Delete the draft' }).click();
  await dialog.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('row', { name: /Ended/ }).click();
  await expect(page.getByText('This conversation was ended.')).toBeVisible();
});

test('nothing typed is lost: the first words and a half-typed answer outlive a reload', async ({ page }) => {
  await page.goto('/concierge?family=design&type=logo');
  const first = page.getByLabel('In your own words');
  await first.fill('Brand name: Rise Bakery');
  await page.reload();
  await expect(first).toHaveValue('Brand name: Rise Bakery');
  await page.getByRole('button', { name: 'Begin' }).click();
  const answer = page.getByLabel('Your answer');
  await answer.fill('Nothing too loud, and');
  await page.reload();
  await expect(answer).toHaveValue('Nothing too loud, and');
  // A suggested reply is sent by itself, and what is half typed stays.
  await page.getByRole('group', { name: 'Suggested replies' }).getByRole('button').first().click();
  await expect(page.getByRole('log').locator('.bubble.customer')).toHaveCount(2);
  await expect(answer).toHaveValue('Nothing too loud, and');
  await page.getByRole('link', { name: 'Concierge', exact: true }).first().click();
  await expect(first, 'words that were sent are no draft').toHaveValue('');
});
