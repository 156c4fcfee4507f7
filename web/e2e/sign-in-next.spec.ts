import { ownAddress } from '../ui/page/address.ts';
import { expect, test } from './stage.ts';
import { newCustomer } from './studio.ts';

const origin = 'https://atelier.example';
const elsewhere = [
  '//evil.example/phish',
  '/\t/evil.example/phish',
  '/\n/evil.example/phish',
  '/\r/evil.example/phish',
  '/\t\\evil.example/phish',
  '\\\\evil.example/phish',
  'https://evil.example/phish',
  ' //evil.example',
  'javascript:alert(1)',
  '/\\evil.example',
  'data:text/html,x',
  '/.//evil.example',
  '/x/..//evil.example',
];

test('the page after signing in is one of this site', () => {
  for (const next of elsewhere) expect([next, ownAddress(next, origin)]).toEqual([next, '/']);
  expect(ownAddress(undefined, origin)).toBe('/');
  expect(ownAddress('/jobs/new?family=design&type=logo', origin)).toBe(`${origin}/jobs/new?family=design&type=logo`);
});

for (const [sign, next] of [
  ['a tab', '%2F%09%2Fevil.example%2Fphish'],
  ['a newline', '%2F%0A%2Fevil.example%2Fphish'],
  ['a path that becomes a host', '%2F.%2F%2Fevil.example%2Fphish'],
] as const) {
  test(`signing in goes to no other site by ${sign}`, async ({ service, openAs }) => {
    const { email, password } = await newCustomer(service);
    const page = await openAs(null);
    await page.goto(`/sign-in?next=${next}`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    expect(page.url()).toBe(`${service.url}/`);
  });

  test(`signing up goes to no other site by ${sign}`, async ({ service, openAs }) => {
    const page = await openAs(null);
    await page.goto(`/sign-up?next=${next}`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail').fill(`ada-${crypto.randomUUID()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('ten characters, and more');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    expect(page.url()).toBe(`${service.url}/`);
  });
}
