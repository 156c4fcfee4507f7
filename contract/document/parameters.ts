import type { TSchema } from 'typebox';
import { type Endpoint, remembersKeys } from '../endpoint.ts';

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: true; description?: string };

const ofHeader = (name: string, { description, required, schema = {} }: NonNullable<Endpoint['headers']>[string]) => ({
  name,
  in: 'header' as const,
  ...(required ? { required } : {}),
  description,
  schema: { type: 'string', ...schema },
});

/** Headers that many operations take, each described once in the document. */
const commonHeaders = {
  'Idempotency-Key': ofHeader('Idempotency-Key', {
    description:
      'Once, 1 to 255 visible ASCII characters; kept 30 days. A repeat changes nothing and answers the same, with `Idempotent-Replayed: true`.',
    schema: { minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  }),
  'x-service-csrf-token': ofHeader('x-service-csrf-token', {
    description: 'For cookie sessions: `csrf_token` of GET /api/v1/me.',
  }),
};

const commonHeadersOf = (endpoint: Endpoint, brief: boolean): (keyof typeof commonHeaders)[] => [
  ...(remembersKeys(endpoint) ? (['Idempotency-Key'] as const) : []),
  ...(endpoint.csrf && !brief ? (['x-service-csrf-token'] as const) : []),
];

/** The name under which operations share a parameter: ids of paths, and the two of every list. */
function sharedName(place: 'path' | 'query', name: string, property: TSchema): string | undefined {
  if (name === 'limit' || name === 'cursor') return name;
  const [example] = (property as { examples?: string[] }).examples ?? [];
  return place === 'path' && example ? `${example.split('_')[0]}_id` : undefined;
}

type Shared = { brief: boolean; parameters: Record<string, unknown>; referInput: (schema: TSchema) => unknown };

/** The parameters of an operation. What several take goes into `components` and is referred to. */
export function parametersOf(endpoint: Endpoint, { brief, parameters, referInput }: Shared): object[] {
  const share = (key: string, parameter: Parameter): object => {
    const existing = (parameters[key] ??= parameter);
    return JSON.stringify(existing) === JSON.stringify(parameter)
      ? { $ref: `#/components/parameters/${key}` }
      : parameter;
  };
  const fields = (place: 'path' | 'query', schema: Endpoint['params']) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = property as TSchema & { description?: string };
      const required = place === 'path' || (schema as { required?: string[] }).required?.includes(name) === true;
      const parameter = {
        name,
        in: place,
        ...(required ? { required } : {}),
        ...(description ? { description } : {}),
        schema: referInput(rest),
      };
      const key = sharedName(place, name, property);
      return key ? share(key, parameter) : parameter;
    });
  return [
    ...fields('path', endpoint.params),
    ...fields('query', endpoint.query),
    ...commonHeadersOf(endpoint, brief).map((name) => share(name, commonHeaders[name])),
    ...Object.entries(endpoint.headers ?? {}).map(([name, header]) => ofHeader(name, header)),
  ];
}
