import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programOf } from '../cli/run.ts';
import { readConfig } from '../server/start/config.ts';
import { secondSite } from './failover/second-site.ts';

/** docs/operations, what cites it, and what it names. */

const root = join(import.meta.dirname, '..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const filesOf = (...patterns: string[]) => globSync(patterns, { cwd: root }).toSorted();
const manual = filesOf('docs/operations/*.md');

/** As GitHub makes them of headings. */
const anchorsOf = (file: string) =>
  [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

function leadsNowhere(path: string, anchor = ''): boolean {
  if (!existsSync(join(root, path))) return true;
  return anchor !== '' && path.endsWith('.md') && !anchorsOf(path).includes(anchor);
}

describe('links', () => {
  test.each(filesOf('*.md', 'docs/*.md', 'docs/operations/*.md', 'docs/decisions/*.md'))(
    'of %s lead somewhere',
    (file) => {
      const links = [...text(file).matchAll(/(?:\]\(|^\[\w+\]: )(?!\w+:|\/)([^)#\s]*)(?:#([\w-]+))?\)?/gm)];
      const broken = links.filter(([, path = '', anchor]) =>
        leadsNowhere(path === '' ? file : normalize(join(dirname(file), path)), anchor),
      );
      expect(broken.map(([link]) => link)).toEqual([]);
    },
  );

  test('what code, tests and deployment cite of the manual is there', () => {
    const citing = filesOf(
      '{cli,contract,deploy,scripts,server,test}/**/*.{ts,js,yml,yaml}',
      'compose*.yaml',
      'Dockerfile',
    );
    const broken = citing.flatMap((file) =>
      [...text(file).matchAll(/docs\/operations(?:\/[\w-]+)?(?:\.md)?(?:#([\w-]+))?/g)].flatMap(([cited, anchor]) =>
        leadsNowhere(cited.split('#')[0] ?? '', anchor) ? [`${file}: ${cited}`] : [],
      ),
    );
    expect(broken).toEqual([]);
  });
});

test.each(manual)('the commands, tests and files that %s names are there', (file) => {
  const words = text(file);
  const admin = [...words.matchAll(/(?:npm run admin --|deploy\/admin\.js) ([^`\n|]+)/g)];
  for (const [command, said = ''] of admin) expect(fitsNoCommand(said.split(' ')), command).toBe(null);
  const scripts = Object.keys((JSON.parse(text('package.json')) as { scripts: object }).scripts);
  for (const [, script] of words.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(script);
  const paths = [...words.matchAll(/`((?:bench|deploy|docs|scripts|server|test)\/[\w./-]+)`/g)];
  for (const [, path = ''] of paths) expect(existsSync(join(root, path)), path).toBe(true);
  expect(words.split('\n').filter((line) => line.startsWith('|') && line.length > 150)).toEqual([]);
});

test('the second site is made by the commands that `npm run test:failover` runs', () => {
  const words = text('docs/operations/back-up.md');
  for (const command of Object.values(secondSite).flat()) expect(words).toContain(command);
});

/** What a command line has that is no command or option of ours. Null: nothing. */
function fitsNoCommand(words: string[]): string | null {
  let command = programOf({ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {} });
  const options = [...command.options];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (word === '…') return null;
    if (!next && command.registeredArguments.length === 0 && command.commands.length > 0) return word;
    if (!next) break;
    command = next;
    options.push(...command.options);
  }
  const long = options.map((option) => option.long);
  return words.find((word) => word.startsWith('--') && !long.includes(word.replace(/[=,.;:)]+.*$/, ''))) ?? null;
}

test('the page of settings has each variable that the code reads, and no other', () => {
  const read = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), 'atelier-settings-'));
  const secret = '0123456789abcdefghijklmnopqrstuv';
  const variables: Record<string, string> = { DATA_DIR: folder, SECRET_KEY: secret, STRIPE_WEBHOOK_SECRET: secret };
  readConfig(new Proxy(variables, { get: (of, name: string) => (read.add(name), of[name]) }));
  rmSync(folder, { recursive: true });
  for (const file of filesOf('{server,cli,deploy}/**/*.{ts,js}').filter((name) => !name.includes('.test.')))
    for (const [, name = ''] of text(file).matchAll(/\benv(?:\.|\[')([A-Z][A-Z\d_]+)\b/g)) read.add(name);
  const ours = [...read].filter((name) => !/^RATE_|^PATH$/.test(name));
  const ofLibraries = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const rows = [...text('docs/operations/settings.md').matchAll(/^\| (`[A-Z_`, ]+) +\|/gm)];
  const shown = rows.flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? []);
  expect(shown.toSorted()).toEqual([...ours, ...ofLibraries].toSorted());
});
