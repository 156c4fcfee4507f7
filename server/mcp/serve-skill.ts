import { ProtocolError, type Server, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { isObject } from './protocol.ts';
import type { Skill } from './skill.ts';

export const skillsExtension = 'io.modelcontextprotocol/skills';

type Caching = { ttlMs: number; cacheScope: 'private' };

/** The Skills extension of MCP: `skills/list` and `skills/get`. The file is a resource like any other. */
export function serveSkill(server: Server, { entry }: Skill, caching: Caching | null): void {
  server.setRequestHandler('skills/list', { params: anything }, () => ({ skills: [entry], ...caching }));
  server.setRequestHandler('skills/get', { params: withUri }, ({ uri }) => {
    if (uri !== entry.uri) throw new ProtocolError(-32602, `There is no skill ${uri.slice(0, 100)}.`);
    return { skill: entry, ...caching };
  });
}

type Check<T> = (params: unknown) => StandardSchemaV1.Result<T>;
const schemaOf = <T>(validate: Check<T>): StandardSchemaV1<unknown, T> => ({
  '~standard': { version: 1, vendor: 'atelier', validate },
});

const anything = schemaOf((value) => ({ value }));
const withUri = schemaOf<{ uri: string }>((params) =>
  isObject(params) && typeof params['uri'] === 'string'
    ? { value: { uri: params['uri'] } }
    : { issues: [{ message: 'uri is required and must be a text' }] },
);
