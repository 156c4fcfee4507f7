import { beforeAll, expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const read = async (path: string, accept?: string) => {
  const answer = await fetch(service.url + path, { headers: accept ? { accept } : {} });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('200: a page for each code, for a browser and as Markdown', async () => {
  for (const [code, { status, meaning, action }] of Object.entries(errors)) {
    const html = await read(`/docs/errors/${code}`, browser);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html.text).toContain(`<h1>${code}</h1><div class="text"><h2>${status}`);
    const markdown = await read(`/docs/errors/${code}`, 'text/markdown, text/html;q=0.9');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const part of [`# ${code}\n`, meaning, action, `"code": "${code}"`]) expect(markdown.text).toContain(part);
    expect((await read(`/docs/errors/${code}.md`)).text).toBe(markdown.text);
  }
});

test('200: HTML unless Markdown is asked for at least as much', async () => {
  const typeFor = async (accept?: string) =>
    (await read('/docs/errors/job_not_found', accept)).headers.get('content-type')?.split(';')[0];
  for (const accept of [undefined, '*/*', browser, 'text/html, text/markdown;q=0.5', 'text/markdown;q=0'])
    expect(await typeFor(accept), accept).toBe('text/html');
  for (const accept of ['text/markdown', 'text/markdown, text/html, */*', 'TEXT/Markdown;q=1'])
    expect(await typeFor(accept), accept).toBe('text/markdown');
});

test('200: a page runs no script, loads nothing, and links to its Markdown and to /llms.txt', async () => {
  const { headers, text } = await read('/docs/errors/unsafe_request', browser);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  expect(text).not.toMatch(/<script|<link|<img|src=/);
  expect(headers.get('vary')).toBe('accept');
  expect(headers.get('link')).toContain('</docs/errors/unsafe_request.md>; rel="alternate"; type="text/markdown"');
  expect(headers.get('link')).toContain('</llms.txt>');
});

test('200: a page names every status of its code, and the operations that give it', async () => {
  const { text } = await read('/docs/errors/invalid_request', 'text/markdown');
  expect(text).toContain('## 422, 400, or 431');
  expect((await read('/docs/errors/job_not_cancelable', 'text/markdown')).text).toContain(
    '- `POST /api/v1/jobs/{id}/cancel`: ',
  );
});

test('200: a list of all codes', async () => {
  const { text } = await read('/docs/errors', browser);
  for (const code of Object.keys(errors)) expect(text).toContain(`<a href="/docs/errors/${code}">`);
  const markdown = await read('/docs/errors', 'text/markdown');
  for (const code of Object.keys(errors)) expect(markdown.text).toContain(`\n## ${code}\n`);
});

test('404: a page for a code that does not exist, and not_found for programs', async () => {
  const page = await read('/docs/errors/nothing', browser);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const { status, text } = await read('/docs/errors/nothing', 'application/json');
  expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
});

test('200: /docs and /docs/ as Markdown where Markdown is asked for', async () => {
  for (const path of ['/docs', '/docs/']) {
    const { status, headers, text } = await read(path, 'text/markdown');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toContain('/docs/errors.md)');
  }
  const page = await read('/docs/', browser);
  expect(page.headers.get('link')).toContain('</llms.txt>');
});
