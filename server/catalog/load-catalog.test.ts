import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Check } from 'typebox/value';
import { afterEach, expect, test } from 'vitest';
import { Catalog, listPlans as plansLine } from '../../contract/ordering/catalog.ts';
import { Refusal } from '../http/refusal.ts';
import { findService } from './catalog.ts';
import { showPlans } from '../billing/list-plans.ts';
import { loadCatalog } from './load-catalog.ts';
import { readCatalog } from './read-catalog.ts';

const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));
const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

/** The shipped catalog with some text of one file replaced. */
function edited(
  file: 'families.yaml' | 'plans.yaml' | 'file-types.yaml',
  ...edits: [from: string, to: string][]
): string {
  const dir = mkdtempSync(join(tmpdir(), 'catalog-'));
  dirs.push(dir);
  cpSync(shipped, dir, { recursive: true });
  const text = edits.reduce(
    (text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, () => to);
    },
    readFileSync(join(dir, file), 'utf8'),
  );
  writeFileSync(join(dir, file), text);
  return dir;
}

function problems(dir: string): string[] {
  try {
    loadCatalog(dir);
  } catch (error) {
    return (error as Error).message.replaceAll(`${dir}/`, '').split('\n').slice(1);
  }
  return [];
}

const lineOf = (dir: string, file: string, words: string) =>
  readFileSync(join(dir, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(words)) + 1;

test('the shipped catalog satisfies the contract', () => {
  const catalog = loadCatalog(shipped);
  expect(Check(Catalog, catalog.view)).toBe(true);
  expect([...catalog.families.keys()]).toEqual(['design', 'writing', 'research', 'software', 'data']);
  const options = [...catalog.families.values()].flatMap((family) => family.options);
  expect(options.some(({ quality_review }) => !quality_review)).toBe(true);
  expect(options.find(({ id }) => id === 'landing_page')?.revision_rounds).toBe(2);
  expect(
    [...catalog.plans.values()].map((plan) => [plan.code, plan.access_kind, plan.quota, plan.concurrency_limit]),
  ).toEqual([
    ['solo', 'human', 5, 2],
    ['agent', 'agent', 100, 10],
    ['studio', 'both', 500, 25],
  ]);
});

test('a number of the wrong kind is named with file, line and column', () => {
  const dir = edited('plans.yaml', ['quota: 5\n', 'quota: many\n']);
  expect(problems(dir)).toEqual([
    `plans.yaml:${lineOf(dir, 'plans.yaml', 'quota: many')}:5 plans[0].quota: must be integer`,
  ]);
});

test('all problems of both files are reported at once, in line order', () => {
  const dir = edited(
    'families.yaml',
    ['revision_rounds: 3', 'quality_review: yes'],
    ['name: Landing page design', 'nam: Landing page design'],
    ['id: writing', 'id: Writing'],
    ['turnaround_hours: 72', 'turnaround_hours: 0'],
    ['quality_signals:', 'signals:'],
  );
  writeFileSync(join(dir, 'plans.yaml'), 'plans: []\n');
  const messages = problems(dir);
  expect(messages.join('\n')).toMatch(
    /^families.yaml:\d+:9 families\[0\]\.options\[0\]\.turnaround_hours: must be >= 1$/m,
  );
  expect(messages.join('\n')).toMatch(
    /^families.yaml:\d+:9 families\[0\]\.options\[0\]\.quality_review: must be boolean$/m,
  );
  expect(messages.join('\n')).toMatch(/^families.yaml:\d+:9 families\[0\]\.options\[1\]\.nam: is not a known field$/m);
  expect(messages.join('\n')).toMatch(/^families.yaml:\d+:9 families\[0\]\.options\[1\]: lacks "name"$/m);
  expect(messages.join('\n')).toMatch(/^families.yaml:\d+:5 families\[0\]: lacks "quality_signals"$/m);
  expect(messages.join('\n')).toMatch(/^families.yaml:\d+:5 families\[0\]\.signals: is not a known field$/m);
  expect(messages.join('\n')).toMatch(/^families.yaml:\d+:5 families\[1\]\.id: must be at most 50 lower case letters/m);
  expect(messages.join('\n')).toMatch(/^plans.yaml:1:1 plans: needs at least one entry$/m);
  const ofPictures = messages.filter((problem) => problem.startsWith('pictures/'));
  expect(ofPictures).toHaveLength(4);
  expect(ofPictures).toContain('pictures/writing/blog_article.svg: no option has this name');
  expect(messages).toHaveLength(8 + ofPictures.length);
  const lines = messages.slice(0, 7).map((problem) => Number(problem.split(':')[1]));
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

test('more than eight problems are all reported', () => {
  const dir = edited('plans.yaml');
  writeFileSync(join(dir, 'plans.yaml'), `plans:\n${'  - { code: a-b }\n'.repeat(5)}`);
  expect(problems(dir).length).toBeGreaterThan(30);
});

test('a YAML mistake is named with its line', () => {
  const dir = edited('families.yaml', ['    name: Writing', '    name: "Writing']);
  expect(problems(dir)[0]).toMatch(/^families.yaml:\d+:\d+ \S/);
  expect(problems(edited('plans.yaml', ['    quota: 5\n', '    quota: 5\n    quota: 6\n']))[0]).toMatch(
    /^plans.yaml:\d+:5 Map keys must be unique/,
  );
});

test('a file that is missing, empty or full of aliases is a problem, not a crash', () => {
  const dir = edited('plans.yaml');
  writeFileSync(join(dir, 'families.yaml'), '');
  rmSync(join(dir, 'plans.yaml'));
  const messages = problems(dir);
  expect(messages[0]).toMatch(/^families.yaml:1:1 must be object$/);
  expect(messages.at(-1)).toMatch(/^plans.yaml: cannot be read: the file is missing$/);
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((name, i) => {
      const alias = `*${'abcdefg'[i]}`;
      return `${name}: &${name} [${Array(9).fill(alias).join(', ')}]`;
    }),
  ].join('\n');
  writeFileSync(join(dir, 'plans.yaml'), bomb);
  expect(problems(dir).at(-1)).toMatch(/^plans.yaml:1:1 .*alias/i);
});

test('duplicate ids, labels and prices are reported at the second place', () => {
  const dir = edited(
    'families.yaml',
    ['- id: writing', '- id: design'],
    ['- id: landing_page', '- id: logo'],
    ['- label: Style preferences', '- label: target-Audience'],
    ['also_called: [brand, company,', 'also_called: [brand, Usage, company, Brand,'],
  );
  const plans = readFileSync(join(dir, 'plans.yaml'), 'utf8');
  writeFileSync(
    join(dir, 'plans.yaml'),
    plans.replace('code: agent', 'code: solo').replace('price_agent_monthly', 'price_solo_monthly'),
  );
  const messages = problems(dir).join('\n');
  expect(messages).toMatch(/families\[1\]\.id: "design" stands here twice/);
  expect(messages).toMatch(/families\[0\]\.options\[1\]\.id: "logo" stands here twice/);
  expect(messages).toMatch(/families\[0\]\.intake_requirements\[2\]\.label: "target-Audience" stands here twice/);
  expect(messages).toMatch(/also_called\[3\]: "Brand" is a name already/);
  expect(messages).toMatch(/intake_requirements\[3\]\.also_called\[0\]: "usage" is a name already/);
  expect(messages).toMatch(/^plans.yaml:\d+:\d+ plans\[1\]\.code: "solo" stands here twice/m);
  expect(messages).toMatch(/^plans.yaml:\d+:\d+ plans\[1\]\.price\.id: "price_solo_monthly" stands here twice/m);
});

test('an unknown field is refused: the catalog contains no answer patterns', () => {
  const dir = edited('families.yaml', ['hint: Who should feel', 'answered_by: [x]\n        hint: Who should feel']);
  expect(problems(dir).join('\n')).toMatch(/requirements\[1\]\.answered_by: is not a known field/);
});

test('a service that the catalog lacks is refused, naming the field and the known ids but not what was sent', () => {
  const catalog = loadCatalog(shipped);
  const family = findService(catalog, 'constructor', 'logo') as Refusal;
  expect(family.code).toBe('unsupported_service');
  expect(family.message).toBe(
    'service_family is not in the catalog. Known ids: design, writing, research, software, data.',
  );
  const option = findService(catalog, 'design', 'bug_fix') as Refusal;
  expect(option.message).toBe(
    'service_type is not in the catalog. Known ids: logo, landing_page, social_set, image_cutout.',
  );
  expect(findService(catalog, 'design', 'logo')).toMatchObject({ family: { id: 'design' }, option: { id: 'logo' } });
});

test('304 only for a reader with exactly this catalog', () => {
  const catalog = loadCatalog(shipped);
  const { etag } = catalog;
  expect(etag).toMatch(/^"[\w-]+"$/);
  expect(loadCatalog(shipped).etag).toBe(etag);
  expect(loadCatalog(edited('families.yaml', ['name: Writing', 'name: Texts'])).etag).not.toBe(etag);
  for (const seen of [etag, `W/${etag}`, `"x", W/${etag} , "y"`, ' * '])
    expect(readCatalog({ catalog }, { headers: { 'if-none-match': seen }, query: {} })).toMatchObject({
      status: 304,
      body: undefined,
      headers: { etag },
    });
  for (const seen of [undefined, '', '"other"', etag.slice(1, -1), '"*"'])
    expect(readCatalog({ catalog }, { headers: { 'if-none-match': seen }, query: {} })).toMatchObject({
      status: 200,
      body: catalog.view,
      headers: { etag },
    });
});

test('checkout is available only when the prices of all plans are verified', () => {
  const catalog = loadCatalog(shipped);
  const available = (codes: string[]) => showPlans(catalog, new Set(codes)).map((plan) => plan.checkout_available);
  expect(available(['solo', 'agent'])).toEqual([false, false, false]);
  expect(available(['solo', 'agent', 'studio'])).toEqual([true, true, true]);
  expect(Check(plansLine.answers[200].schema, { plans: showPlans(catalog, new Set()), next_cursor: null })).toBe(true);
});

test('every mistake in file-types.yaml is named with its line', () => {
  const dir = edited(
    'file-types.yaml',
    ['media_type: image/svg+xml', 'media_type: image/png'],
    ['extensions: [psd, psb]', 'extensions: [exe, .psd, png]'],
    ["starts_with: ['25 21 50 53', 'c5 d0 d3 c6']", "starts_with: ['2521']"],
    ['media_type: font/otf', 'media_type: font/ttf'],
    ['aliases: [image/heic-sequence]', 'aliases: [image/tiff, image/jpg, Image/HEIC, application/octet-stream]'],
    ['aliases: [image/heif-sequence]', 'aliases: [image/x-tiff]'],
    ['media_type: text/html', 'media_type: Text/HTML; charset=utf-8'],
    ['    extensions: [html, htm]', '    extensions: []\n    preview: true'],
  );
  const found = problems(dir).map((problem) => problem.replace(/^file-types\.yaml:\d+:\d+ file_types/, ''));
  expect(found).toEqual([
    '[0].media_type: is a type that every installation takes',
    '[1].extensions[0]: "exe" is an ending of programs',
    '[1].extensions[1]: must be 1 to 10 lower case letters and digits, without a dot',
    '[1].extensions[2]: "png" belongs to a type that every installation takes',
    expect.stringMatching(/starts_with\[0\]: must be 1 to 32 bytes in hexadecimal/),
    '[5].aliases[0]: "image/tiff" is the name of a type already',
    '[5].aliases[1]: "image/jpg" is the name of a type already',
    '[5].aliases[2]: must be a media type in lower case without parameters, such as image/tiff',
    '[5].aliases[3]: "application/octet-stream" is the name of a type already',
    '[6].aliases[0]: "image/x-tiff" is the name of a type already',
    expect.stringMatching(/media_type: "font\/ttf" stands here twice/),
    expect.stringMatching(/media_type: must be a media type in lower case/),
    expect.stringMatching(/extensions: needs at least one entry/),
    expect.stringMatching(/preview: is not a known field/),
  ]);
});

test('a catalog without file-types.yaml is refused', () => {
  const dir = edited('plans.yaml');
  rmSync(join(dir, 'file-types.yaml'));
  expect(problems(dir)).toEqual([expect.stringContaining('file-types.yaml: cannot be read')]);
});

test('an option that the family lacks, choices without a kind, and both lists are problems', () => {
  const dir = edited(
    'families.yaml',
    ['        not_for: [image_cutout]\n', '        not_for: [image_cutout, cutout]\n'],
    ['        not_for: [image_cutout]\n', '        only_for: [logo]\n        not_for: [image_cutout]\n'],
    ['        not_for: [proofreading]\n', '        choices: [short, long]\n'],
  );
  const line = (words: string) => lineOf(dir, 'families.yaml', words);
  expect(problems(dir)).toEqual([
    `families.yaml:${line('image_cutout, cutout')}:33 families[0].intake_requirements[0].not_for[1]: "cutout" is no option of the family`,
    `families.yaml:${line('only_for: [logo]') + 1}:9 families[0].intake_requirements[1].not_for: says it twice: only_for names the options already`,
    `families.yaml:${line('choices: [short, long]')}:9 families[1].intake_requirements[4].choices: must be there if the kind is choice, and only then`,
  ]);
});

test('another reviewer needs a quality review', () => {
  const dir = edited('families.yaml', ['quality_review: false', 'quality_review: false\n        reviewer: other']);
  expect(problems(dir)).toEqual([expect.stringMatching(/options\[\d\]\.reviewer: needs a quality review/)]);
});

test('a picture without an option, of another type, too large, or beside another one is a problem', () => {
  const dir = edited('families.yaml');
  writeFileSync(join(dir, 'pictures/design/lego.svg'), '<svg/>');
  writeFileSync(join(dir, 'pictures/design/logo.gif'), 'GIF89a');
  writeFileSync(join(dir, 'pictures/design/logo.png'), 'a second one');
  writeFileSync(join(dir, 'pictures/writing/web_copy.svg'), '<'.repeat(512 * 1024 + 1));
  expect(problems(dir)).toEqual([
    'pictures/design/lego.svg: no option has this name',
    'pictures/design/logo.gif: must end with .svg, .png, .jpg, .webp',
    'pictures/design/logo.svg: the option has another picture',
    'pictures/writing/web_copy.svg: must have at most 512 KiB',
  ]);
});

test('a catalog without pictures is a catalog', () => {
  const dir = edited('families.yaml');
  rmSync(join(dir, 'pictures'), { recursive: true });
  const [family] = loadCatalog(dir).families.values();
  expect(family?.options.map(({ picture }) => picture)).toEqual([null, null, null, null]);
});
