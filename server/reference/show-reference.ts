import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Chapter } from './guide.ts';
import { asIndex, asMarkdown } from './markdown.ts';

/** The page renders in the browser with its own bundled script; nothing is fetched from elsewhere, and nothing is reported. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ');

const cache = 'public, max-age=300';

/** The API reference: a page at /docs, the same as Markdown at /docs.md and by chapter, and an index for agents at /llms.txt. */
export async function showReference(app: FastifyInstance, serverUrl: string, guide: Chapter[]): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/api/v1/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // What these offer runs at the maker of the page, not here.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', policy).header('cache-control', cache);
        done();
      },
    },
  });
  const send = (type: string, text: string) => (_request: unknown, reply: FastifyReply) =>
    reply.header('cache-control', cache).type(`${type}; charset=utf-8`).send(text);
  app.get('/docs.md', send('text/markdown', asMarkdown(guide, serverUrl)));
  app.get('/llms-full.txt', send('text/plain', asMarkdown(guide, serverUrl)));
  app.get('/llms.txt', send('text/plain', asIndex(guide, serverUrl)));
  for (const { slug, text } of guide) app.get(`/docs/${slug}.md`, send('text/markdown', `${text}\n`));
}
