import { expect, test } from '../stage.ts';
import { newPerson } from '../studio.ts';

test('whose address is not verified reads why at each button, and how', async ({ service, openAs }) => {
  const page = await openAs(await newPerson(service));
  const why = 'Verify your e-mail address first: the link is in the mail that we sent you.';
  for (const [path, name] of [
    ['/plans', 'Choose Solo'],
    ['/keys', 'New key'],
    ['/webhooks', 'New endpoint'],
    ['/members', 'Invite'],
    ['/concierge', 'Begin'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('button', { name }), path).toHaveAccessibleDescription(why);
    await expect(page.getByRole('button', { name }), path).toBeDisabled();
  }
  for (const path of ['/files', '/jobs/new?family=design&type=logo']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Choose files' }), path).toBeDisabled();
    await expect(page.getByText(why), path).toBeVisible();
  }
  await page.goto('/keys');
  await expect(page.getByText('A key lets a program order', { exact: false }), 'reading is free').toBeVisible();
  await page.getByRole('link', { name: 'How', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Send another mail' })).toBeVisible();
});
