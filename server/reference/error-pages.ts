import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { endpoints } from '../../contract/openapi.ts';
import { errorExample } from '../../contract/document/responses.ts';
import { prefersMarkdown } from '../http/accept.ts';
import { page, text } from '../lib/html.ts';

const codes = Object.keys(errors) as ErrorCode[];

const statuses = new Map(codes.map((code) => [code, new Set([errors[code].status])]));
for (const endpoint of endpoints)
  for (const [status, refusals] of Object.entries(errorsOf(endpoint)))
    for (const code of refusals) statuses.get(code)?.add(Number(status));

/** Each status that a code is answered with, the usual one first. */
export const statusesOf = (code: ErrorCode): number[] => [...(statuses.get(code) ?? [])];

/** The operations that list a code as their own; none for a code that any route can give. */
const givenBy = (code: ErrorCode): Endpoint[] =>
  endpoints.filter(({ errors: own }) => Object.values(own).some((list) => list?.includes(code)));

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/** What a page says about a code, in the order of reading. */
function sections(code: ErrorCode, serverUrl: string): { title: string; markdown: string }[] {
  const { meaning, why, action } = errors[code];
  const operations = givenBy(code).map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`);
  const example = JSON.stringify(errorExample(code, serverUrl), null, 2);
  return [
    { title: list.format(statusesOf(code).map(String)), markdown: meaning },
    { title: 'Why', markdown: why },
    { title: 'What to do', markdown: action },
    { title: 'Example', markdown: `\`\`\`json\n${example}\n\`\`\`` },
    ...(operations.length > 0 && operations.length < 40
      ? [{ title: 'Operations', markdown: operations.join('\n') }]
      : []),
  ];
}

/** The few kinds of Markdown that these pages have, as HTML. */
function asHtml(markdown: string): string {
  const inline = (line: string) => text(line).replace(/`([^`]+)`/g, '<code>$1</code>');
  const [, example] = /^```json\n(.*)\n```$/s.exec(markdown) ?? [];
  if (example !== undefined) return `<pre><code>${text(example)}</code></pre>`;
  if (!markdown.startsWith('- ')) return `<p>${inline(markdown)}</p>`;
  return `<ul>${markdown
    .split('\n')
    .map((line) => `<li>${inline(line.slice(2))}</li>`)
    .join('')}</ul>`;
}

const links = '<p class="links"><a href="/docs/errors">All errors</a><a href="/docs/">API reference</a></p>';

const cache = { 'cache-control': 'public, max-age=300', vary: 'accept' };

const sendMarkdown = (reply: FastifyReply, body: string) =>
  reply.headers(cache).type('text/markdown; charset=utf-8').send(`${body.trim()}\n`);

/** A page for each code, where the `docs` of an error leads, and a list of all. */
export function errorPages(app: FastifyInstance, serverUrl: string, chapter: string): void {
  for (const code of codes) {
    const parts = () => sections(code, serverUrl);
    const whole = () =>
      [`# ${code}`, ...parts().map(({ title, markdown }) => `## ${title}\n\n${markdown}`)].join('\n\n');
    const html = () =>
      parts()
        .map(({ title, markdown }) => `<h2>${title}</h2>${asHtml(markdown)}`)
        .join('');
    app.get(`/docs/errors/${code}.md`, (_request, reply) => sendMarkdown(reply, whole()));
    app.get(`/docs/errors/${code}`, (request, reply) =>
      prefersMarkdown(request.headers.accept)
        ? sendMarkdown(reply, whole())
        : page(withLinks(reply, `/docs/errors/${code}.md`), code, `<div class="text">${html()}${links}</div>`),
    );
  }
  const rows = codes.map(
    (code) =>
      `<dt><a href="/docs/errors/${code}"><code>${code}</code></a> ${statusesOf(code).join(', ')}</dt><dd>${text(errors[code].meaning)}</dd>`,
  );
  const list = `<div class="text"><p>Decide by the code of an error, never by its message.</p><dl class="codes">${rows.join('')}</dl>${links}</div>`;
  app.get('/docs/errors', (request: FastifyRequest, reply) =>
    prefersMarkdown(request.headers.accept)
      ? sendMarkdown(reply, chapter)
      : page(withLinks(reply, '/docs/errors.md'), 'Errors', list),
  );
}

/** Tells programs where the same page is as Markdown, and the index of all pages. */
export const withLinks = (reply: FastifyReply, markdown: string): FastifyReply =>
  reply.headers({
    ...cache,
    link: `<${markdown}>; rel="alternate"; type="text/markdown", </llms.txt>; rel="index"; type="text/plain"`,
  });
