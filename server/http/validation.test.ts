import { expect, test } from 'vitest';
import { bodyStatus, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { bodyReader, queryReader } from './validation.ts';
import { goodBodies } from '../../test/support/every-endpoint.ts';

/** What people paste is cleaned in every body and query that takes it; HTTP and MCP read with these readers. */

type Field = { $id?: string; format?: string; anyOf?: Field[]; items?: Field; properties?: Fields };
type Fields = Record<string, Field>;

const token = 'XkV0c2hTQ1p4b2RzYWdlZQ_-XkV0c2hTQ1p4b2RzYWc';
const time = '2999-11-21T10:00:00+02:00';

/** As it is pasted, and as it is read. */
const pasted: Record<string, readonly [string, string]> = {
  Email: ['Ada <Ada@example.com>;\u00a0', 'Ada@example.com'],
  AuthenticatorCode: ['123 456', '123456'],
  SecondFactorCode: [' aB3dE—fGh1j\n', 'aB3dE-fGh1j'],
  MailToken: [`${token}>`, token],
  'date-time': ['2999-11-21 10:00:00 +0200', time],
  name: [`  ${'x'.repeat(50)}\n`, 'x'.repeat(50)],
};

function kindOf(name: string, { $id = '', format = '', anyOf }: Field): string | undefined {
  if (anyOf?.[0]) return kindOf(name, anyOf[0]);
  return [name === 'description' ? 'name' : name, $id, format].find((kind) => Object.hasOwn(pasted, kind));
}

const fieldsOf = (schema: Field | undefined) =>
  Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const kind = kindOf(name, field);
    return kind === undefined ? [] : [{ name, pair: pasted[kind] ?? ['', ''] }];
  });

const rowsOf = (schemaOf: (endpoint: Endpoint) => Field | undefined) =>
  endpoints.flatMap((endpoint) =>
    fieldsOf(schemaOf(endpoint)).map(({ name, pair }) => ({ endpoint, name, operation: endpoint.operationId, pair })),
  );

test.each(rowsOf(({ body }) => body))(
  '$operation reads $name',
  ({ endpoint, name, pair: [typed, clean], operation }) => {
    const read = bodyReader(endpoint.body!, bodyStatus(endpoint));
    expect(read({ ...goodBodies[operation], [name]: typed })).toHaveProperty(name, clean);
  },
);

const queried = rowsOf(({ query }) => query).filter(({ pair: [, clean] }) => clean === time);

test.each(queried)('$operation reads $name of the query', ({ endpoint, name, pair: [typed, clean] }) => {
  const read = queryReader(endpoint.query!, () => false);
  for (const text of [typed, typed.replace('+', ' '), clean.replace('+', ' '), clean])
    expect(read({ [name]: text })).toHaveProperty(name, clean);
  expect(() => read({ [name]: '2999-11-21 10:00:00' })).toThrow(expect.objectContaining({ status: 400 }));
});

test('no such field is inside a list or an object, where it would not be cleaned', () => {
  const within = (field: Field): string[] => [
    ...Object.entries(field.properties ?? {}).flatMap(([name, inner]) => [
      ...(kindOf(name, inner) === undefined ? [] : [name]),
      ...within(inner),
    ]),
    ...[...(field.anyOf ?? []), ...(field.items ? [field.items] : [])].flatMap(within),
  ];
  const uncleaned = endpoints.flatMap(({ body, operationId }) =>
    Object.values((body as Field | undefined)?.properties ?? {}).flatMap((field) =>
      within(field).map((name) => `${operationId} ${name}`),
    ),
  );
  expect(uncleaned).toEqual([]);
});
