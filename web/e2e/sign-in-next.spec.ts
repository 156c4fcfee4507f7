import { expect, test } from './stage.ts';
import { newCustomer, signUpOn } from './studio.ts';

/** Parsed, its path names a host. Which addresses are followed is tested beside `ownAddress`. */
const elsewhere = '%2F.%2F%2Fevil.example%2Fphish';

const redirecting = encodeURIComponent('/api/auth/oauth2/authorize?client_id=https://evil.example/d.json&prompt=none');

for (const next of [elsewhere, redirecting])
  test(`signing in goes to no other site: ${next}`, async ({ service, openAs }) => {
    const { email, password } = await newCustomer(service);
    const page = await openAs(null);
    await page.goto(`/sign-in?next=${next}`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    expect(page.url()).toBe(`${service.url}/`);
  });

test('signing up goes to no other site', async ({ service, openAs }) => {
  const page = await openAs(null);
  await page.goto(`/sign-up?next=${elsewhere}`);
  await signUpOn(page);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  expect(page.url()).toBe(`${service.url}/`);
});
