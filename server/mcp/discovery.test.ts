import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Type from 'typebox';
import { Errors } from 'typebox/value';
import server from '../../server.json' with { type: 'json' };
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import { catalogWith } from '../../test/support/catalog.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { connect, connectLegacy } from '../../test/support/mcp.ts';
import { madeUpStudio } from '../../test/support/studio.ts';
import { version } from '../lib/version.ts';
import { serverCard } from './discovery.ts';

let service: Service;
let key: string;
let origin: string;
const dir = catalogWith([], madeUpStudio);
beforeAll(async () => {
  service = await createService({ CATALOG_DIR: dir });
  origin = service.context.publicUrl;
  ({ key } = await newCustomer(service, 'agent'));
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const name = 'Wintergarten & Söhne, Werkstatt für Zeichnung, Satz und Film';
const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { method, headers });
const json = async (path: string) => (await read(path)).json();

// The shapes of https://static.modelcontextprotocol.io/schemas/: v1/server-card and 2025-12-11/server. Closed
// here, so that a misspelt field is found.
const closed = { additionalProperties: false };
const Address = Type.String({ pattern: String.raw`^https?://[^\s]+$` });
const Name = Type.String({ pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$', minLength: 3, maxLength: 200 });
const Input = Type.Partial(
  Type.Object({
    description: Type.String(),
    isRequired: Type.Boolean(),
    isSecret: Type.Boolean(),
    default: Type.String(),
    placeholder: Type.String(),
  }),
  closed,
);
const inputs = Type.Record(Type.String(), Input);
const Header = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    isRequired: Type.Boolean(),
    isSecret: Type.Boolean(),
    value: Type.String(),
    variables: inputs,
  },
  closed,
);
const remote = { type: Type.Literal('streamable-http'), url: Address, headers: Type.Array(Header) };
const described = {
  name: Name,
  version: Type.String({ pattern: String.raw`^\d+\.\d+\.\d+$` }),
  title: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.String({ minLength: 1, maxLength: 100 }),
};
const Icon = Type.Object(
  { src: Address, theme: Type.Optional(Type.Union([Type.Literal('light'), Type.Literal('dark')])) },
  closed,
);
const schemaUrl = 'https://static.modelcontextprotocol.io/schemas';
const ServerCard = Type.Object(
  {
    $schema: Type.Literal(`${schemaUrl}/v1/server-card.schema.json`),
    ...described,
    websiteUrl: Address,
    icons: Type.Optional(Type.Array(Icon)),
    remotes: Type.Array(Type.Object({ ...remote, supportedProtocolVersions: Type.Array(Type.String()) }, closed), {
      minItems: 1,
    }),
  },
  closed,
);
const ServerJson = Type.Object(
  {
    $schema: Type.Literal(`${schemaUrl}/2025-12-11/server.schema.json`),
    ...described,
    remotes: Type.Array(Type.Object({ ...remote, variables: inputs }, closed), { minItems: 1 }),
  },
  closed,
);

describe('the server card', () => {
  test('200: it has name, mark and description of the studio, and the address and versions of /mcp', async () => {
    const card = await json('/mcp/server-card');
    expect([...Errors(ServerCard, card)]).toEqual([]);
    const { studio } = service.context.catalog;
    expect(card).toMatchObject({
      version,
      title: name,
      description: 'Drawings that hold, set by hand.',
      icons: [
        { src: origin + studio.mark, theme: 'light' },
        { src: origin + studio.mark_dark, theme: 'dark' },
      ],
      remotes: [{ url: `${origin}/mcp` }],
    });
  });

  test('200: it says what a client sees that connects', async () => {
    const [card, client] = [await json('/mcp/server-card'), await connect(service, key)];
    expect(client.getServerVersion()).toMatchObject({ title: card.title, version: card.version });
    expect(card.name.endsWith(`/${client.getServerVersion()?.name}`)).toBe(true);
    expect(card.remotes[0].supportedProtocolVersions).toContain(client.getNegotiatedProtocolVersion());
    await client.close();
  });

  test.each([
    ['https://atelier.wintergarten.example', 'example.wintergarten.atelier/atelier'],
    ['http://localhost:3000', 'localhost/atelier'],
    ['http://127.0.0.1:3000', '1.0.0.127/atelier'],
    ['http://[::1]:3000', '---1-/atelier'],
  ])('%s is %s', (publicUrl, called) => {
    const card = serverCard(publicUrl, plainStudio);
    expect([...Errors(ServerCard, card)]).toEqual([]);
    expect(card).toMatchObject({ name: called });
  });

  test('200: another face is in it at once; a long tagline gives way to what the service does', async () => {
    const before = service.context.catalog.studio;
    const tag = (await read('/mcp/server-card')).headers.get('etag') ?? '';
    service.context.catalog.studio = { ...plainStudio, name: 'Another', tagline: 'long '.repeat(28) };
    const answer = await read('/mcp/server-card', { 'if-none-match': tag });
    expect(answer.status).toBe(200);
    const card = await answer.json();
    expect([...Errors(ServerCard, card)]).toEqual([]);
    expect(card).toMatchObject({ title: 'Another', description: expect.stringMatching(/^Order work from a studio/) });
    expect(card.icons).toBeUndefined();
    service.context.catalog.studio = before;
  });
});

test('200: the AI catalog leads to the server card', async () => {
  expect(await json('/.well-known/ai-catalog.json')).toEqual({
    specVersion: '1.0',
    host: {
      displayName: name,
      identifier: 'localhost',
      documentationUrl: `${origin}/docs/`,
      logoUrl: origin + service.context.catalog.studio.mark,
    },
    entries: [
      {
        identifier: 'urn:air:localhost:mcp:atelier',
        type: 'application/mcp-server-card+json',
        url: `${origin}/mcp/server-card`,
      },
    ],
  });
});

test.each([
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
])('200, then 304: %s may be cached, and read by pages of other origins', async (path, type) => {
  const anywhere = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
    'access-control-expose-headers': 'ETag',
  };
  const answer = await read(path, { origin: 'https://elsewhere.example', accept: type });
  const etag = answer.headers.get('etag') ?? '';
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    200,
    { ...anywhere, 'content-type': type, 'cache-control': 'public, max-age=300', etag: expect.stringMatching(/^W\//) },
  ]);
  const again = await read(path, { 'if-none-match': etag });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  const preflight = await read(path, { origin: 'https://elsewhere.example' }, 'OPTIONS');
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
    204,
    { ...anywhere, 'access-control-allow-headers': expect.stringContaining('If-None-Match') },
  ]);
});

test('server.json has the form that the registry takes, and the version of this code', () => {
  expect([...Errors(ServerJson, server)]).toEqual([]);
  expect(server.version).toBe(version);
  const [{ url, variables }] = server.remotes as [(typeof server.remotes)[0]];
  expect([...url.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable)).toEqual(Object.keys(variables));
});

describe.each([
  ['2026', connect],
  ['2025', connectLegacy],
])('the skill over MCP, in the era of %s', (era, connectAs) => {
  test('the official client lists it, reads it and finds size, digest and frontmatter right', async () => {
    const client = await connectAs(service, key);
    const skills = new SkillsClient(client);
    expect([skills.supported, skills.directoryRead]).toEqual([true, false]);
    const listing = await skills.list();
    expect(listing.skills.map(({ uri }) => uri)).toEqual(['skill://atelier/SKILL.md']);
    const { skill, ...caching } = await skills.get('skill://atelier/SKILL.md');
    expect(skill).toEqual(listing.skills[0]);
    expect(caching).toEqual(era === '2026' ? { ttlMs: 300_000, cacheScope: 'private' } : {});
    const file = await skills.read(skill);
    expect([file.verified, file.text]).toEqual([true, await (await read('/skills/atelier/SKILL.md')).text()]);
    expect(file.frontmatter).toMatchObject({ name: 'atelier', description: expect.stringContaining('studio') });
    await client.close();
  });

  test('-32602 for an unknown skill, and for any other address', async () => {
    const client = await connectAs(service, key);
    await expect(new SkillsClient(client).get('skill://other/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'skill://other/SKILL.md' })).rejects.toThrow();
    await client.close();
  });

  test('hosts that follow earlier drafts find it in skill://index.json', async () => {
    const client = await connectAs(service, key);
    const [content] = (await client.readResource({ uri: 'skill://index.json' })).contents;
    const { skills } = JSON.parse((content as { text: string }).text);
    const [listed] = (await new SkillsClient(client).list()).skills;
    expect(skills).toEqual([
      {
        name: 'atelier',
        type: 'skill-md',
        description: expect.any(String),
        url: 'skill://atelier/SKILL.md',
        digest: (listed!.resources[0] as { digest: string }).digest,
      },
    ]);
    await client.close();
  });
});
