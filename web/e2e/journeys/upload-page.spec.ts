import { readFile } from 'node:fs/promises';
import { expectNoFinding, expectReadableInDark } from '../accessible.ts';
import { expect, test } from '../stage.ts';
import type { Person, Service } from '../start-service.ts';

const photo = new URL('../fixtures/rise-colour.png', import.meta.url);

/** An agent asks for a file that its user has. */
async function askForFile(service: Service, { token }: Person) {
  const { plaintext_key: key } = await service.call('POST', '/api/v1/api-keys', token, { name: 'Editor (MCP)' });
  const wish = { purpose: 'job_source', content_type: 'text/plain', file_name: 'your logo', size_bytes: 1 };
  const { file, page } = await service.call('POST', '/api/v1/files/presign', key, wish);
  return { key, id: file.id as string, url: page.url as string };
}

/** Drops files of these names on the area, as a person does with a mouse. */
const drop = (names: string[], content: string) => `(() => {
  const transfer = new DataTransfer();
  for (const name of ${JSON.stringify(names)}) transfer.items.add(new File([${JSON.stringify(content)}], name));
  document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
})()`;

for (const width of [390, 1440])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 }, isMobile: width === 390 });

    test('somebody without an account sends one file by keyboard, and the agent has it @change', async ({
      service,
      customer,
      openAs,
    }) => {
      const { key, id, url } = await askForFile(service, customer);
      const page = await openAs(null);
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await page.goto(url);
      await expect(page.getByRole('heading', { level: 1, name: /^Send a file to/ })).toBeVisible();
      await expect(page.getByText('Editor (MCP) asks for a file for')).toBeVisible();
      // The token is in no address that a server sees, and a reload works without it there.
      expect(page.url()).toBe(`${service.url}/upload`);
      expect(sent.filter((address) => address.includes(url.split('#')[1]!))).toEqual([]);
      await page.reload();
      await expect(page.getByText('Editor (MCP) asks for a file for')).toBeVisible();
      await expectNoFinding(page, 'upload page');
      await expectReadableInDark(page, 'upload page');
      const [shown, limit] = await page.evaluate(() => [document.documentElement.scrollWidth, screen.width]);
      expect(shown).toBeLessThanOrEqual(limit);

      const button = page.getByRole('button', { name: 'Choose a file' });
      await button.focus();
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Enter');
      expect((await chooser).isMultiple()).toBe(false);
      await (await chooser).setFiles(photo.pathname);
      await expect(page.getByRole('heading', { level: 1, name: 'Your file has arrived' })).toBeVisible();
      await expect(page.getByRole('status')).toContainText('rise-colour.png');
      await expectNoFinding(page, 'after the upload');
      await expectReadableInDark(page, 'after the upload');

      const { file } = await service.call('GET', `/api/v1/files/${id}`, key);
      const bytes = await readFile(photo);
      const uploaded = { file_name: 'rise-colour.png', content_type: 'image/png', status: 'uploaded' };
      expect(file).toMatchObject({ ...uploaded, size_bytes: bytes.length });
      const { events } = await service.call('GET', '/api/v1/events?types=file.uploaded', key);
      expect(events).toMatchObject([{ data: { file_id: id } }]);

      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'This address has ended' })).toBeVisible();
      await expectNoFinding(page, 'an ended address');
      await expectReadableInDark(page, 'an ended address');
      expect(await page.context().cookies()).toEqual([]);
    });
  });

test('a broken upload is tried again; several files at once are refused', async ({ service, customer, openAs }) => {
  const { key, id, url } = await askForFile(service, customer);
  const page = await openAs(null);
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  await page.evaluate(drop(['one.txt', 'two.txt'], 'Green.'));
  await expect(page.getByRole('alert')).toHaveText('Only one file can be sent here. Put several into one ZIP file.');
  await page.route('**/storage/uploads/**', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.evaluate(drop(['notes.txt'], 'Green.'));
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Try notes.txt again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your file has arrived' })).toBeVisible();
  const { file } = await service.call('GET', `/api/v1/files/${id}`, key);
  expect(file).toMatchObject({ file_name: 'notes.txt', content_type: 'text/plain', status: 'uploaded' });
});

test('a file is pasted; what this installation does not take is said and can be replaced', async ({
  service,
  customer,
  openAs,
}) => {
  const { url } = await askForFile(service, customer);
  const page = await openAs(null);
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  const paste = (name: string) => `(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['Green.'], ${JSON.stringify(name)}));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  })()`;
  await page.evaluate(paste('setup.exe'));
  await expect(page.getByRole('listitem')).toContainText('setup.exe');
  await page.getByRole('button', { name: 'Cancel setup.exe' }).click();
  await page.evaluate(paste('notes.md'));
  await expect(page.getByRole('heading', { level: 1, name: 'Your file has arrived' })).toBeVisible();
  await expect(page.getByRole('status')).toContainText('notes.md');
});

test('an address whose key was revoked, and one without a token, say only that they have ended', async ({
  service,
  customer,
  openAs,
}) => {
  const { url } = await askForFile(service, customer);
  const { api_keys: keys } = await service.call('GET', '/api/v1/api-keys', customer.token);
  await service.call('DELETE', `/api/v1/api-keys/${keys[0].id}`, customer.token);
  for (const address of ['/upload', url]) {
    const page = await openAs(null);
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: 'This address has ended' })).toBeVisible();
  }
});
