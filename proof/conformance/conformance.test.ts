import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createAuthorize } from '../../server/access/authorize.ts';
import { createHttp } from '../../server/http/server.ts';
import { mcpRoute } from '../../server/mcp/mcp-route.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { fixtures } from './fixtures.ts';
import { isFailed, packageFolder, passedOf, runPackage } from './package.ts';

/** The public conformance package against our route: once with its fixtures behind it, once as the product is. */

let studio: Studio;
let door: FastifyInstance;
const relays: Server[] = [];
let doorUrl: string;
let productUrl: string;

beforeAll(async () => {
  studio = await createStudio();
  const { context } = studio.service;
  door = await createHttp(context.log, context.metrics, context.publicUrl, [], context.signer);
  await door.register(mcpRoute(context, createAuthorize(context), fixtures));
  doorUrl = await relayTo(await door.listen({ host: '127.0.0.1', port: 0 }));
  productUrl = await relayTo(studio.service.url);
});
afterAll(async () => {
  for (const relay of relays) relay.close();
  await door.close();
  await studio.service.close();
});

/** The package sends no credential: this adds the key, and passes everything else on as it came. */
async function relayTo(origin: string): Promise<string> {
  const relay = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${studio.key}` };
    const sent = request(origin + asked.url, { method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  relays.push(relay);
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}/mcp`;
}

const serverChecks = (url: string, ...args: string[]) => runPackage(['server', '--url', url, ...args]);

/** What a revision requires of a server, from the package. */
function requiredBy(revision: string): string[] {
  const file = readFileSync(join(packageFolder, 'requirements', `${revision}.yaml`), 'utf8');
  return (parse(file) as { server: string[] }).server;
}

describe('the route, with the fixtures of the package behind it', () => {
  test('2026-07-28: all 37 scenarios that the revision requires pass, and its checks of headers', async () => {
    const required = requiredBy('2026-07-28');
    expect(required).toHaveLength(37);
    const results = await serverChecks(doorUrl, '--requirements', '2026-07-28');
    expect(passedOf(results)).toEqual(expect.arrayContaining([...required, 'http-header-validation']));
  }, 120_000);

  test('2025-11-25: all but four that ask the client in the middle of a call, and one of several streams: both want a session', async () => {
    const required = requiredBy('2025-11-25');
    expect(required).toHaveLength(30);
    const results = await serverChecks(doorUrl, '--requirements', '2025-11-25');
    const passed = passedOf(results);
    const wantSession = [
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'server-sse-multiple-streams', // the package skips it by itself
      'tools-call-elicitation',
      'tools-call-sampling',
    ];
    expect(required.filter((name) => !passed.includes(name)).toSorted()).toEqual(wantSession);
    expect(isFailed(results.get('server-sse-multiple-streams') ?? [])).toBe(false);
  }, 120_000);
});

describe('the product', () => {
  test.each([
    ['2026-07-28', ['caching', 'http-header-validation', 'sep-2164-resource-not-found']],
    ['2025-11-25', ['ping', 'server-initialize']],
  ])(
    '%s: every scenario that wants no fixture passes',
    async (revision, ofThisRevision) => {
      const passed = passedOf(await serverChecks(productUrl, '--requirements', revision));
      const wanted = ['dns-rebinding-protection', 'prompts-list', 'resources-list', 'tools-list', ...ofThisRevision];
      expect(passed).toEqual(expect.arrayContaining(wanted));
    },
    120_000,
  );

  test('2026-07-28: of statelessness nothing fails but what the package cannot try without its fixtures', async () => {
    const results = await serverChecks(productUrl, '--scenario', 'server-stateless', '--spec-version', '2026-07-28');
    const checks = results.get('server-stateless') ?? [];
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(15);
    expect(checks.filter(({ status, details }) => status === 'FAILURE' && !details?.untestable)).toEqual([]);
  }, 120_000);
});
