import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogWith } from '../../test/support/catalog.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
const dir = catalogWith([], {
  'studio.yaml': 'support: { email: help@studio.example, url: https://studio.example/help }',
});
beforeAll(async () => void (service = await createService({ CATALOG_DIR: dir })));
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const read = (path: string, init: RequestInit = {}, { url } = service) => fetch(url + path, init);

test('200: an API catalog whose links lead to what they name', async () => {
  const answer = await read('/.well-known/api-catalog');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('link')).toBe(`<${service.context.publicUrl}/.well-known/api-catalog>; rel="api-catalog"`);
  const { linkset } = (await answer.json()) as { linkset: Record<string, { href: string; type: string }[]>[] };
  expect(linkset.map(({ anchor }) => anchor)).toEqual(
    ['/api/v1', '/mcp'].map((path) => service.context.publicUrl + path),
  );
  for (const { anchor: _, ...links } of linkset)
    for (const { href, type } of Object.values(links).flat()) {
      const linked = await read(href.replace(service.context.publicUrl, ''));
      expect([href, linked.status, linked.headers.get('content-type')?.split(';')[0]]).toEqual([href, 200, type]);
    }
});

test('200: security.txt names the support of the studio, and a day to look again', async () => {
  const answer = await read('/.well-known/security.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = Object.fromEntries(
    (await answer.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  );
  expect(fields).toMatchObject({
    Contact: 'mailto:help@studio.example',
    Canonical: `${service.context.publicUrl}/.well-known/security.txt`,
  });
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThan(31);
});

test('200: robots.txt leaves pages and reference open', async () => {
  const text = await (await read('/robots.txt')).text();
  expect(text).toContain('User-agent: *\n');
  expect(text).toContain('Disallow: /api/\n');
  expect(text).not.toMatch(/Disallow: \/(?:\n|docs)/);
});

test('HEAD answers as GET does, without a body', async () => {
  for (const path of [
    '/robots.txt',
    '/.well-known/security.txt',
    '/.well-known/api-catalog',
    '/llms.txt',
    '/docs.md',
  ]) {
    const [head, got] = [await read(path, { method: 'HEAD' }), await read(path)];
    expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    for (const name of ['content-type', 'content-length', 'link', 'cache-control'])
      expect(head.headers.get(name), `${path} ${name}`).toBe(got.headers.get(name));
  }
});

test('a studio with an address for help alone names that; one without any has no security.txt: 404 not_found', async () => {
  const answers = ['support: { url: https://studio.example/help }', 'name: Rise'].map(async (yaml) => {
    const folder = catalogWith([], { 'studio.yaml': yaml });
    const other = await createService({ CATALOG_DIR: folder });
    const answer = await read('/.well-known/security.txt', {}, other);
    const text = await answer.text();
    await other.close();
    rmSync(folder, { recursive: true });
    return [answer.status, /Contact: (.+)|"code":"(\w+)"/.exec(text)?.slice(1).find(Boolean)];
  });
  expect(await Promise.all(answers)).toEqual([
    [200, 'https://studio.example/help'],
    [404, 'not_found'],
  ]);
});
