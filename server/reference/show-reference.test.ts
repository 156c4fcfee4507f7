import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { audiences } from '../../contract/document/audiences.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { readersOf } from './guide.ts';
import { end } from '../../test/faults/faulty-service.ts';
import { freePort, openFolder, removeFolder, run } from '../../test/faults/process.ts';

test('200: /docs/ as the very first request after a start', { timeout: 90_000 }, async () => {
  const [folder, port] = [await openFolder(), await freePort()];
  const service = run({ DATA_DIR: folder, PORT: String(port) });
  onTestFinished(async () => {
    await end(service, 'SIGTERM');
    await removeFolder(folder);
  });
  const ask = () => fetch(`http://127.0.0.1:${port}/docs/`).catch(() => null);
  let answer = await ask();
  for (; !answer && service.child.exitCode === null; answer = await ask()) await wait(5);
  expect(answer?.status, service.said()).toBe(200);
  expect(await answer?.text()).toContain('</html>');
});

describe('by audience', () => {
  let service: Service;
  beforeAll(async () => void (service = await sharedService()));

  const headingsOf = async (query: string) =>
    [...(await (await fetch(`${service.url}/docs.md${query}`)).text()).matchAll(/^## (.+)$/gm)].map(
      ([, title]) => title,
    );

  test.each<[string, string[], string[]]>([
    ['customer', ['Getting started', 'Files', 'Jobs', 'Webhooks'], ['The desk', 'Desk', 'Running it', 'People']],
    ['worker', ['The desk', 'Files', 'Desk'], ['Getting started', 'Jobs', 'Running it', 'The provider’s webhook']],
    ['operator', ['The desk', 'Desk', 'Running it', 'API changelog'], ['Getting started', 'Jobs', 'Webhooks']],
  ])('200: what a %s reads, and nothing of the others', async (audience, has, hasNot) => {
    const headings = await headingsOf(`?audience=${audience}`);
    expect(headings).toEqual(expect.arrayContaining(has));
    expect(headings.filter((title) => hasNot.includes(title ?? ''))).toEqual([]);
    const [text, whole] = await Promise.all(
      [`?audience=${audience}`, ''].map(async (query) => (await fetch(`${service.url}/llms-full.txt${query}`)).text()),
    );
    expect(text).toContain(`For ${audience}s; everything is at`);
    expect(text?.length).toBeLessThan((whole?.length ?? 0) * 0.6);
  });

  test('each reader has chapters, and the changelog of the API comes after the other chapters of the guide', async () => {
    const { guide } = service.context;
    for (const audience of audiences)
      expect(
        guide.filter(({ readers }) => readers.length < 3 && readers.includes(audience)),
        audience,
      ).not.toEqual([]);
    expect(guide.slice(-3).map(({ title }) => title)).toEqual(['Changes', 'API changelog', 'Changelog']);
    expect(guide.filter(({ readers }) => readers.length === 1)).toHaveLength(
      Object.values(readersOf).filter(({ length }) => length === 1).length,
    );
  });

  test('400 invalid_request: another audience', async () => {
    for (const path of ['/docs.md', '/llms-full.txt']) {
      const answer = await fetch(`${service.url}${path}?audience=customers`);
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        400,
        'invalid_request',
      ]);
    }
  });

  test('llms.txt leads to the parts for customers', async () => {
    const text = await (await fetch(`${service.url}/llms.txt`)).text();
    for (const path of ['/llms-full.txt', '/api/v1/openapi.json']) {
      expect(text).toContain(`http://localhost:3000${path}?audience=customer)`);
      expect(text).toContain(`http://localhost:3000${path})`);
    }
  });
});
