import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerPages, deskPages } from '../../contract/pages.ts';
import type { Storage } from '../files/storage.ts';
import { createHttp } from '../http/server.ts';
import { createSigner } from '../lib/signer.ts';
import { createMetrics } from '../lib/metrics.ts';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import { servePages } from './serve-pages.ts';

const bucket = 'https://bucket.example.com';
const storage = { downloadUrl: async () => `${bucket}/files/a?signature=b` } as unknown as Storage;
const other = { downloadUrl: async () => 'https://other.example/files/a' } as unknown as Storage;
/** While the files are moved. */
const places = { seen: () => [storage, other, other].map((each) => ({ config: { folder: '/files' }, storage: each })) };
const script = 'export const greeting = "hello";'.repeat(100);

function buildFolder(): string {
  const dist = mkdtempSync(join(tmpdir(), 'pages-'));
  mkdirSync(join(dist, 'assets'));
  for (const [app, pages] of Object.entries({ customer: customerPages, desk: deskPages })) {
    mkdirSync(join(dist, app));
    for (const page of Object.keys(pages))
      writeFileSync(
        join(dist, app, `${page}.html`),
        `<head><title>Atelier ${app} ${page}</title><meta property="csp-nonce" nonce="__NONCE__"><meta name="studio" content="__STUDIO__"><link rel="icon" href="/assets/mark.svg"></head><body><div id="root"></div></body>`,
      );
  }
  writeFileSync(join(dist, 'fingerprint'), '0123456789abcdef');
  writeFileSync(join(dist, 'assets/main-AbCd_123.js'), script);
  writeFileSync(join(dist, 'assets/main-AbCd_123.js.gz'), gzipSync(script));
  writeFileSync(join(dist, 'assets/scheme.js'), '1;');
  writeFileSync(join(dist, 'assets/inter-latin-AbCd_123.woff2'), 'wOF2');
  writeFileSync(join(dist, 'assets/pdf.worker.min-AbCd_123.mjs'), '1;');
  mkdirSync(join(dist, 'assets/pdfjs-6.4.299'));
  writeFileSync(join(dist, 'assets/pdfjs-6.4.299/decoder.js'), script);
  writeFileSync(join(dist, 'assets/pdfjs-6.4.299/decoder.js.gz'), gzipSync(script));
  writeFileSync(join(dist, 'assets/pdfjs-6.4.299/UniJIS-UTF16-H.bcmap'), 'map');
  return dist;
}

type Face = { studio: Studio; isCopy: boolean };

async function servedFrom(dist: string, { studio = plainStudio, isCopy = false }: Partial<Face> = {}) {
  const app = await createHttp(
    pino({ level: 'silent' }),
    createMetrics({ connections: () => ({ total: 0, idle: 0, waiting: 0 }), streams: () => 0, faults: {}, schema: '' }),
    'http://localhost:3000',
    [],
    createSigner(['k'.repeat(32)]),
  );
  await servePages(app, { pagesDir: dist, places, catalog: { studio }, isCopy });
  return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

const filled = (path: string) => path.replace(/:\w+/g, 'some_id');

describe('pages that are built', () => {
  let service: Awaited<ReturnType<typeof servedFrom>>;
  beforeAll(async () => {
    service = await servedFrom(buildFolder());
  });
  afterAll(() => service.app.close());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

  test.each(Object.entries(customerPages))('200 %s, %s, is a page of customers', async (name, path) => {
    const answer = await get(filled(path));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`<title>Atelier customer ${name}</title>`);
  });

  test.each(Object.entries(deskPages))('200 %s, %s, is a page of the desk', async (name, path) => {
    expect(await (await get(filled(path))).text()).toContain(`<title>Atelier desk ${name}</title>`);
  });

  test('each answer has its own nonce, in the policy and in the page', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('/jobs');
        const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
        expect(await answer.text()).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test('a page says who the studio is before any script runs: name, icon and accent, by the policy of styles', async () => {
    const studio = { ...plainStudio, name: 'A "B" & Co', accent: '#8c1d6b', icon: '/catalog/pictures/1.svg' };
    const other = await servedFrom(buildFolder(), { studio });
    const answer = await fetch(`${other.url}/jobs`);
    const html = await answer.text();
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
    expect(html).toContain('<title>A &quot;B&quot; &amp; Co customer jobs</title>');
    expect(html).toContain('<link rel="icon" href="/catalog/pictures/1.svg" />');
    expect(html).toContain(`<style nonce="${nonce}">:root{--pin:#8c1d6b;--accent:#8c1d6b;`);
    const content = /name="studio" content="([^"]+)"/
      .exec(html)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(content ?? '')).toEqual(studio);
    await other.app.close();
  });

  test('the page of a studio without a face has no style of its own', async () => {
    expect(await (await get('/jobs')).text()).not.toContain('<style');
  });

  test('the policy lets the browser reach the bucket, and runs no inline script', async () => {
    const policy = (await get('/')).headers.get('content-security-policy');
    expect(policy).toContain(`connect-src 'self' ${bucket} https://other.example;`);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("worker-src 'self';");
    expect(policy).toContain("font-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  test.each(['/', '/desk', '/jobs'])('no site may show %s in a frame', async (path) => {
    expect((await get(path)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('search engines leave out the pages of review links and uploads', async () => {
    for (const path of ['/review', '/upload']) expect((await get(path)).headers.get('x-robots-tag')).toBe('noindex');
    expect((await get('/catalog')).headers.get('x-robots-tag')).toBeNull();
  });

  test('HTML is asked for again, what has a hash in its name is kept, what has none for an hour', async () => {
    const cacheOf = async (path: string) => (await get(path)).headers.get('cache-control');
    expect(await cacheOf('/jobs')).toBe('no-cache');
    expect(await cacheOf('/assets/main-AbCd_123.js')).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/assets/scheme.js')).toBe('public, max-age=3600');
  });

  test.each(['main-AbCd_123.js', 'pdfjs-6.4.299/decoder.js'])(
    'an asset goes compressed as it was compressed at the build: %s',
    async (name) => {
      const answer = await get(`/assets/${name}`, { 'accept-encoding': 'gzip' });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
      expect(await answer.text()).toBe(script);
    },
  );

  test.each(['decoder.js', 'UniJIS-UTF16-H.bcmap'])(
    'what the PDF library fetches lies in a folder of its version, and is kept: %s',
    async (name) => {
      const answer = await get(`/assets/pdfjs-6.4.299/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    },
  );

  test('the font is kept for good', async () => {
    const { status, headers } = await get('/assets/inter-latin-AbCd_123.woff2');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('font/woff2');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('a worker may run and fetch what is ours, and compile nothing; no other asset may', async () => {
    const policyOf = async (name: string) => (await get(`/assets/${name}`)).headers.get('content-security-policy');
    expect(await policyOf('pdf.worker.min-AbCd_123.mjs')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    );
    expect(await policyOf('main-AbCd_123.js')).toBe("default-src 'none';frame-ancestors 'none'");
  });

  test.each([
    '/assets/nope.js',
    '/assets/main-AbCd_123.js.gz',
    '/assets/pdfjs-6.4.299',
    '/assets/pdfjs-6.4.299/',
    '/assets/..%2fcustomer.html',
    '/assets/pdfjs-6.4.299/..%2f..%2fcustomer.html',
    '/nope',
    '/jobs/a/b',
  ])('404 not_found: %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  test('a copy says so on every page of both apps, before the app is there', async () => {
    const copy = await servedFrom(buildFolder(), { isCopy: true });
    for (const path of [...Object.values(customerPages), ...Object.values(deskPages)]) {
      const shown = (origin: string) => fetch(origin + filled(path)).then((answer) => answer.text());
      expect(await shown(copy.url), path).toMatch(
        /<aside class="copy-note">This is a copy\. [^<]+<\/aside><div id="root">/,
      );
      expect(await shown(service.url), path).not.toContain('copy-note');
    }
    await copy.app.close();
  });

  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test.each(['/nope', '/desk/nope', '/jobs/a/b?c=d', '/apiary'])('404 as a page for a browser: %s', async (path) => {
    const answer = await get(path, browser);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain('There is no such page');
  });

  test.each(['/api', '/api/v1/nope', '/api/v1/nope?a=b', '/assets/nope.js', '/mcp/nope', '/storage/nope'])(
    '404 as JSON for a browser too: %s',
    async (path) => {
      const answer = await get(path, browser);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );

  test('405 method_not_allowed: POST to a page', async () => {
    const answer = await fetch(`${service.url}/jobs`, { method: 'POST' });
    expect(answer.status).toBe(405);
  });
});

describe('pages that are not built', () => {
  test('the start leads to the reference, other pages say what is missing', async () => {
    const { app, url } = await servedFrom(mkdtempSync(join(tmpdir(), 'no-pages-')));
    const start = await fetch(url, { redirect: 'manual' });
    expect([start.status, start.headers.get('location')]).toEqual([302, '/docs/']);
    const page = await fetch(`${url}/jobs/some_id`);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('npm run build');
    await app.close();
  });

  test('nor is a build that is older than a page', async () => {
    const dist = buildFolder();
    rmSync(join(dist, 'desk/figures.html'));
    const { app, url } = await servedFrom(dist);
    expect((await fetch(`${url}/desk`)).status).toBe(503);
    await app.close();
  });
});
