import { monitorEventLoopDelay } from 'node:perf_hooks';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { documentsIn, newestVersionOf } from '../../test/support/catalog.ts';
import { publish, versions } from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { hostileNames, hostileText } from '../../test/support/hostile-texts.ts';
import { sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import { waitLonger } from '../../test/support/patience.ts';
import { deadlines } from '../lib/deadlines.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));
afterEach(waitLonger);

const largest = 400_000;
const texts = ['families.yaml', 'plans.yaml', 'file-types.yaml', 'studio.yaml'];
const check = (documents: object[]) => post(studio.service, studio.operator.token, `${versions}/check`, { documents });

/** Milliseconds that something took, and that this thread, which is also the service's, did nothing else. */
async function pauseOf<Answer>(work: () => Promise<Answer>) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const answer = await work();
  const took = performance.now() - began;
  delay.disable();
  return { answer, took, pause: delay.max / 1e6 };
}

test('drawn hostile documents of the largest size are answered with problems, and others are served during that time', async () => {
  const drawn = fc.sample(fc.shuffledSubarray(hostileNames, { minLength: 8, maxLength: 8 }), 1)[0] ?? [];
  for (let i = 0; i < drawn.length; i += texts.length) {
    const names = drawn.slice(i, i + texts.length);
    const documents = names.map((name, at) => ({ file: texts[at], text: hostileText(name, largest) }));
    const others: number[] = [];
    let isChecked = false;
    const checking = check(documents).finally(() => (isChecked = true));
    while (!isChecked) others.push((await studio.service.call('GET', '/healthz')).status);
    const { status, body } = await checking;
    const files = new Set((body.catalog_check.problems as { file: string }[]).map(({ file }) => file));
    expect([names, status, [...files].toSorted()]).toEqual([names, 200, texts.toSorted()]);
    expect([names, new Set(others)]).toEqual([names, new Set([200])]);
    expect(others.length).toBeGreaterThan(3);
  }
});

test('what takes long to read does not hold up the thread of the requests', async () => {
  // The slowest that is parsed: each of 200,000 wrong escapes is an error.
  const text = hostileText('wrong escapes', largest);
  const { answer, took, pause } = await pauseOf(() => check([{ file: 'families.yaml', text }]));
  expect(answer.body.catalog_check.problems).not.toEqual([]);
  expect(pause).toBeLessThan(took / 2);
});

test('200: of each document the first 10,000 changed lines are shown', async () => {
  const { body } = await check([{ file: 'families.yaml', text: '\n'.repeat(largest) }]);
  const [families] = body.catalog_check.changes as { lines: { text: string }[] }[];
  expect(families?.lines).toHaveLength(10_000);
});

/** So long that no machine reads them within the deadline of these tests. */
const longDocuments = () =>
  documentsIn().map((document) =>
    document.file === 'families.yaml' ? { ...document, text: document.text + '\n'.repeat(largest / 2) } : document,
  );

test('200: reading is ended at its deadline, which is a problem', async () => {
  Object.assign(deadlines.catalog, { read: 1 });
  const { status, body } = await check(longDocuments());
  expect([status, body.catalog_check]).toMatchObject([
    200,
    {
      problems: [
        {
          file: 'families.yaml',
          line: null,
          column: null,
          message: 'takes too long to read: make the documents simpler',
        },
      ],
      changes: [],
      prices: [],
    },
  ]);
});

test('422 invalid_catalog: documents whose reading was ended at its deadline are not published', async () => {
  const before = await newestVersionOf(studio.service);
  Object.assign(deadlines.catalog, { read: 1 });
  const answer = await publish(studio, longDocuments());
  expect(said(answer)).toBe('422 invalid_catalog');
  expect(answer.body.error.details).toEqual([
    { location: 'families.yaml', message: 'families.yaml: takes too long to read: make the documents simpler' },
  ]);
  expect(await newestVersionOf(studio.service)).toBe(before);
});
