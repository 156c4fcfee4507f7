import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../stage.ts';

/** The names of this machine are one place, and any other address is told where to go. */

async function signInOn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

for (const name of ['localhost', '127.0.0.1'])
  test(`at ${name} customers and operators sign in`, async ({ service, customer, openAs }) => {
    const address = service.url.replace('localhost', name);
    const page = await openAs(null);
    await page.goto(`${address}/sign-in?next=%2Fjobs`);
    await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Fjobs`);
    await signInOn(page, customer);
    await expect(page.getByRole('heading', { name: 'Jobs' })).toBeVisible();

    const desk = await openAs(null);
    await desk.goto(`${address}/desk`);
    await signInOn(desk, service.operator);
    await expect(desk.getByRole('heading', { name: 'Queue' })).toBeVisible();
    expect(desk.url().startsWith(`${service.url}/desk`)).toBe(true);
  });

test('at another address the page says which one is right', async ({ service, customer, openAs }) => {
  const other = createServer((socket) => {
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const page = await openAs(null);
  for (const path of ['/sign-in', '/sign-in?next=%2Fdesk']) {
    await page.goto(`http://localhost:${(other.address() as AddressInfo).port}${path}`);
    await signInOn(page, customer);
    await expect(page.getByRole('alert')).toContainText('The page is open at another address');
    await expect(page.getByRole('alert')).toContainText(`Open this page at ${service.url}.`);
  }
  other.close();
});
