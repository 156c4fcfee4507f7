import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { type Audience, audiences } from '../../contract/document/audiences.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { prefersMarkdown } from '../http/accept.ts';
import { badRequest } from '../http/refusal.ts';
import { inThread } from '../lib/thread.ts';
import { type Skill, skillPath } from '../mcp/skill.ts';
import { errorPages, withLinks } from './error-pages.ts';
import type { Chapter } from './guide.ts';
import { asIndex, asMarkdown } from './markdown.ts';
import type { OpenapiDocument } from './one-operation.ts';
import type { Openapi } from './read-openapi.ts';
import type { Page } from './render-page.ts';

/** Only the page's own scripts may run, and nothing is fetched from elsewhere. */
const policyOf = (html: string) =>
  [
    "default-src 'self'",
    `script-src 'self' ${inlineScripts(html).join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "frame-ancestors 'none'",
  ].join('; ');

function inlineScripts(html: string): string[] {
  const elements = html.split('<script').slice(1);
  const inline = elements.filter((element) => !element.slice(0, element.indexOf('>')).includes(' src='));
  return inline.map((element) => {
    const script = element.slice(element.indexOf('>') + 1, element.indexOf('</script>'));
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

/** Milliseconds a request for the page may wait while it is rendered. */
const renderWithin = 30_000;

const cache = 'public, max-age=300';

/** The document with the guide as its introduction, which the page shows before the operations. */
function withGuide(openapi: Openapi, guide: Chapter[]): () => string {
  const description = guide.map(({ text }) => text).join('\n\n');
  const write = (document: OpenapiDocument) => JSON.stringify({ ...document, info: { ...document.info, description } });
  let written: { document: OpenapiDocument; text: string } | null = null;
  return () => {
    const { document } = openapi;
    if (written?.document !== document) written = { document, text: write(document) };
    return written.text;
  };
}

/** In a thread, whose end frees the 25 MB of the library. */
const renderPage = (studioName: string) =>
  inThread<Page>('reference/render-page', studioName, { milliseconds: renderWithin, megabytes: 256 });

/** The part of the reference that is asked for; undefined for all of it. */
function audienceOf({ query }: FastifyRequest): Audience | undefined {
  const { audience } = query as { audience?: unknown };
  const reader = audiences.find((name) => name === audience);
  if (audience !== undefined && !reader) throw badRequest('audience', `must be one of ${audiences.join(', ')}`);
  return reader;
}

type Dependencies = {
  publicUrl: string;
  guide: Chapter[];
  skill: Skill;
  openapi: Openapi;
  catalog: Pick<Catalog, 'studio'>;
};

/**
 * HTML at /docs and for each error code; Markdown at /docs.md and by chapter; /llms.txt and a skill. Each is
 * made for its first reader.
 */
export function showReference(
  app: FastifyInstance,
  { publicUrl: serverUrl, guide, skill, openapi, catalog }: Dependencies,
): void {
  let page: { name: string; rendered: Promise<Page & { policy: string }> } | null = null;
  const readPage = () => {
    const { name } = catalog.studio;
    if (page?.name === name) return page.rendered;
    const rendered = renderPage(name)
      .then((made) => ({ ...made, policy: policyOf(made.html) }))
      .catch((error: unknown) => {
        page = null; // the next request tries again
        throw error;
      });
    page = { name, rendered };
    return rendered;
  };
  const sendPart = (part: keyof Page, type: string) => async (_request: unknown, reply: FastifyReply) => {
    const { [part]: body, policy } = await readPage();
    reply.header('content-security-policy', policy).header('cache-control', cache);
    return reply.type(`${type}; charset=utf-8`).send(body);
  };
  const index = () => asIndex(guide, serverUrl, catalog.studio);
  const sendIndex = (reply: FastifyReply) => reply.type('text/markdown; charset=utf-8').send(index());
  app.get('/docs', (request, reply) => {
    withLinks(reply, '/docs.md');
    return prefersMarkdown(request.headers.accept) ? sendIndex(reply) : reply.redirect('/docs/', 301);
  });
  const config = { answerWithin: renderWithin };
  app.get('/docs/', { config }, (request, reply) => {
    withLinks(reply, '/docs.md');
    return prefersMarkdown(request.headers.accept) ? sendIndex(reply) : sendPart('html', 'text/html')(request, reply);
  });
  app.get('/docs/js/scalar.js', { config }, sendPart('script', 'text/javascript'));
  const send =
    (type: string, text: string | ((request: FastifyRequest) => string)) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      reply
        .header('cache-control', cache)
        .type(`${type}; charset=utf-8`)
        .send(typeof text === 'string' ? text : text(request));
  const pages = new Map<Audience | undefined, string>();
  const whole = (request: FastifyRequest) => {
    const audience = audienceOf(request);
    const text = pages.get(audience) ?? asMarkdown(guide, serverUrl, audience);
    pages.set(audience, text);
    return `# ${catalog.studio.name}: API reference\n\n${text}`;
  };
  app.get('/docs.md', send('text/markdown', whole));
  app.get('/llms-full.txt', send('text/plain', whole));
  app.get('/llms.txt', send('text/plain', index));
  app.get(skillPath, send('text/markdown', skill.text));
  app.get('/docs/reference.json', send('application/json', withGuide(openapi, guide)));
  errorPages(app, serverUrl, guide.find(({ slug }) => slug === 'errors')?.text ?? '');
  for (const { slug, text } of guide) app.get(`/docs/${slug}.md`, send('text/markdown', `${text}\n`));
}
