import type { FastifyInstance } from 'fastify';
import { mcpPath } from '../../contract/developer/oauth.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Refusal } from '../http/refusal.ts';

const apiCatalogPath = '/.well-known/api-catalog';
const securityPath = '/.well-known/security.txt';
/** Days until readers should fetch the contact again. */
const contactDays = 30;

type Dependencies = { publicUrl: string; catalog: Pick<Catalog, 'studio'> };

/** What programs look for at a known path before they know the service. */
export function publishWellKnown(app: FastifyInstance, { publicUrl, catalog }: Dependencies): void {
  const cache = 'public, max-age=300';
  app.get('/robots.txt', (_, reply) =>
    reply.header('cache-control', cache).type('text/plain; charset=utf-8').send(robots),
  );
  app.get(securityPath, (_, reply) => {
    const { email, url } = catalog.studio.support;
    const contact = email === null ? url : `mailto:${email}`;
    if (contact === null) throw new Refusal('not_found');
    const expires = new Date(Date.now() + contactDays * 86_400_000).toISOString();
    return reply
      .header('cache-control', cache)
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}${securityPath}\n`);
  });
  app.get(apiCatalogPath, (_, reply) =>
    reply
      .headers({
        'access-control-allow-origin': '*',
        'cache-control': cache,
        link: `<${publicUrl}${apiCatalogPath}>; rel="api-catalog"`,
      })
      .type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
      .send(Buffer.from(JSON.stringify({ linkset: linksOf(publicUrl) }))),
  );
}

/** The pages and the reference may be indexed; what answers to a credential need not be asked. */
const robots = `User-agent: *
Allow: /api/v1/openapi.json
Disallow: /api/
Disallow: ${mcpPath}
`;

/** The API and its MCP door, as RFC 9727 lists them. */
const linksOf = (url: string): object[] => [
  {
    anchor: `${url}/api/v1`,
    'service-desc': [{ href: `${url}/api/v1/openapi.json`, type: 'application/json' }],
    'service-doc': [
      { href: `${url}/docs/`, type: 'text/html' },
      { href: `${url}/docs.md`, type: 'text/markdown' },
    ],
    status: [{ href: `${url}/healthz`, type: 'application/json' }],
  },
  {
    anchor: url + mcpPath,
    'service-desc': [{ href: `${url}${mcpPath}/server-card`, type: 'application/mcp-server-card+json' }],
    'service-doc': [{ href: `${url}/docs/connect.md`, type: 'text/markdown' }],
  },
];
