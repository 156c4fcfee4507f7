import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import { listTools } from './tools.ts';
import { listUi, readUi } from './ui.ts';

const pagesDir = mkdtempSync(join(tmpdir(), 'mcp-apps-'));
mkdirSync(join(pagesDir, 'mcp-apps'));
for (const name of ['review', 'order'])
  writeFileSync(join(pagesDir, 'mcp-apps', `${name}.html`), `<!doctype html><head></head>${name}`);
afterAll(() => rmSync(pagesDir, { recursive: true }));

const catalog = { studio: plainStudio };
const built = { pagesDir, publicUrl: 'https://atelier.example.com/sub', catalog };
const unbuilt = { ...built, pagesDir: join(pagesDir, 'nowhere') };
const mimeType = 'text/html;profile=mcp-app';
const csp = { resourceDomains: ['https://atelier.example.com'] };

test('two tools have a page, for readers too', () => {
  for (const readOnly of [true, false]) {
    const shown = listTools({ readOnly, withOutput: false }).flatMap(({ name, _meta }) =>
      _meta ? [[name, _meta]] : [],
    );
    expect(Object.fromEntries(shown)).toEqual({
      get_job: { ui: { resourceUri: 'ui://atelier/review.html' } },
      preflight_job: { ui: { resourceUri: 'ui://atelier/order.html' } },
    });
  }
});

test('each page is listed and read with the one origin it may load pictures from', async () => {
  const listed = listUi(built);
  expect(listed.map(({ uri }) => uri)).toEqual(['ui://atelier/review.html', 'ui://atelier/order.html']);
  for (const { uri, name, mimeType: listedType, _meta } of listed) {
    const { contents } = await readUi(built, uri);
    expect(contents).toEqual([{ uri, mimeType, text: `<!doctype html><head></head>${name}`, _meta }]);
    expect([listedType, _meta]).toEqual([mimeType, { ui: { csp, prefersBorder: true } }]);
  }
});

test('a page has the accent of the studio', async () => {
  const dressed = { ...built, catalog: { studio: { ...plainStudio, accent: '#7a3b9a' } } };
  const { contents } = await readUi(dressed, 'ui://atelier/review.html');
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('--accent:#7a3b9a') });
});

test('a page that is not built or unknown is neither listed nor found', async () => {
  expect(listUi(unbuilt)).toEqual([]);
  await expect(readUi(unbuilt, 'ui://atelier/review.html')).rejects.toThrow('ui://atelier/review.html');
  for (const name of ['desk', '../fingerprint', 'review.html/..'])
    await expect(readUi(built, `ui://atelier/${name}.html`)).rejects.toThrow('ui://atelier/');
});
