import type { FastifyInstance } from 'fastify';
import { mcpPath, resourceOf } from '../../contract/developer/oauth.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { etagOf, isMatch } from '../http/prepared.ts';
import { version } from '../lib/version.ts';
import { earlierVersions, modern } from './protocol.ts';

const serverCardPath = `${mcpPath}/server-card`;
const aiCatalogPath = '/.well-known/ai-catalog.json';
const serverCardType = 'application/mcp-server-card+json';

type Dependencies = { publicUrl: string; catalog: Pick<Catalog, 'studio'> };

/** What anybody may know before they connect. Pages of other origins may read it: it has no secrets. */
export function publishDiscovery(app: FastifyInstance, { publicUrl, catalog }: Dependencies): void {
  const publish = (path: string, type: string, documentOf: (publicUrl: string, studio: Studio) => object) => {
    app.options(path, (_, reply) => reply.code(204).headers(readableAnywhere).send());
    app.get(path, (request, reply) => {
      const text = JSON.stringify(documentOf(publicUrl, catalog.studio));
      const etag = etagOf(text);
      reply.headers({ ...readableAnywhere, 'cache-control': 'public, max-age=300', etag });
      if (isMatch(etag, request.headers['if-none-match'])) return reply.code(304).send();
      return reply.type(type).send(Buffer.from(text)); // as bytes, since these types have no charset
    });
  };
  publish(serverCardPath, serverCardType, serverCard);
  publish(aiCatalogPath, 'application/ai-catalog+json', aiCatalog);
}

const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};

/** An address without a name, such as `[::1]`, has signs that names of servers may not have. */
const hostOf = (publicUrl: string) => new URL(publicUrl).hostname.replaceAll(/[^a-z\d.-]/g, '-');

const whatItDoes = 'Order work from a studio: choose a service, create a job, follow it, review the delivery.';
const longestDescription = 100;

/** An MCP Server Card: who this server is, and how to reach it. */
export function serverCard(publicUrl: string, { name, tagline, mark, mark_dark: onDark }: Studio): object {
  const namespace = hostOf(publicUrl).split('.').toReversed().join('.');
  const iconOf = (path: string, theme?: string) => ({ src: publicUrl + path, ...(theme ? { theme } : {}) });
  const icons = [
    ...(mark === null ? [] : [iconOf(mark, onDark === null ? undefined : 'light')]),
    ...(onDark === null ? [] : [iconOf(onDark, 'dark')]),
  ];
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespace}/atelier`,
    version,
    title: name,
    description: tagline !== null && tagline.length <= longestDescription ? tagline : whatItDoes,
    websiteUrl: `${publicUrl}/docs/`,
    ...(icons.length > 0 ? { icons } : {}),
    remotes: [
      {
        type: 'streamable-http',
        url: resourceOf(publicUrl),
        supportedProtocolVersions: [modern, ...earlierVersions],
        headers: [authorization],
      },
    ],
  };
}

const authorization = {
  name: 'Authorization',
  description: 'An API key. Hosts that connect by OAuth send none.',
  isRequired: false,
  isSecret: true,
  value: 'Bearer {api_key}',
  variables: { api_key: { description: 'API key of an account, from the dashboard.', isSecret: true } },
};

/** An AI Catalog with one entry, the server card. The card says the rest. */
function aiCatalog(publicUrl: string, { name, mark }: Studio): object {
  const host = hostOf(publicUrl);
  return {
    specVersion: '1.0',
    host: {
      displayName: name,
      identifier: host,
      documentationUrl: `${publicUrl}/docs/`,
      ...(mark === null ? {} : { logoUrl: publicUrl + mark }),
    },
    entries: [{ identifier: `urn:air:${host}:mcp:atelier`, type: serverCardType, url: publicUrl + serverCardPath }],
  };
}
