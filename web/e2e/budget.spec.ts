import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './stage.ts';

const dist = join(import.meta.dirname, '../dist');
const assets = join(dist, 'assets');
const gzipped = (name: string) => statSync(join(assets, `${name}.gz`)).size / 1000;

/** What an app fetches before its first page: the scripts and styles that its HTML names. */
function firstLoad(app: 'customer' | 'desk') {
  const html = readFileSync(join(dist, `${app}.html`), 'utf8');
  const names = [...html.matchAll(/\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name]) => name ?? '');
  const sum = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).reduce((kilobytes, name) => kilobytes + gzipped(name), 0);
  return { scripts: sum('.js'), styles: sum('.css'), names };
}

for (const app of ['customer', 'desk'] as const)
  test(`${app}: the first scripts and styles stay within the budget @change`, () => {
    const { scripts, styles } = firstLoad(app);
    test
      .info()
      .annotations.push({ type: 'size', description: `${app}: ${scripts.toFixed(0)} kB, ${styles.toFixed(0)} kB` });
    process.stdout.write(`  ${app}: first scripts ${scripts.toFixed(1)} kB, styles ${styles.toFixed(1)} kB gz\n`);
    expect(scripts).toBeLessThanOrEqual(212.5);
    expect(styles).toBeLessThanOrEqual(23);
  });

test('the one font is fetched once and apart, within 30 kB @change', () => {
  const fonts = readdirSync(assets).filter((name) => /\.(?:woff2?|ttf|otf)$/.test(name));
  expect(fonts).toEqual([expect.stringMatching(/^inter-latin-[\w-]{8}\.woff2$/)]);
  expect(statSync(join(assets, fonts[0] ?? '')).size).toBeLessThanOrEqual(30_000);
  for (const app of ['customer', 'desk'])
    expect(readFileSync(join(dist, `${app}.html`), 'utf8')).not.toContain('.woff2');
});

/** The libraries for PDF, Markdown and YAML, which are fetched when one is opened. */
const fileLibrary = /^(?:pdf|markdown|yaml)-[\w-]{8}\.js$/;

test('no page adds more than 15 kB @change', () => {
  const first = new Set([...firstLoad('customer').names, ...firstLoad('desk').names]);
  const large = readdirSync(assets)
    .filter((name) => name.endsWith('.js') && !first.has(name) && name !== 'scheme.js' && !fileLibrary.test(name))
    .filter((name) => gzipped(name) > 15);
  expect(large).toEqual([]);
});
