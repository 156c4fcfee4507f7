import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** The page renders in the browser with its own bundled script; nothing is fetched from elsewhere, and nothing is reported. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference at /docs, drawn from the OpenAPI document that the service itself answers. */
export async function showReference(app: FastifyInstance): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { url: '/api/v1/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', policy).header('cache-control', 'public, max-age=300');
        done();
      },
    },
  });
}
