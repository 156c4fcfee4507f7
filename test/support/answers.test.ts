import { expect, test } from 'vitest';
import { openapi } from '../../contract/openapi.ts';
import { answerFault } from './answers.ts';

/**
 * Tests check every answer against the OpenAPI document, which finds extra fields only if its schemas are
 * closed.
 */

type Schemas = Record<string, object>;

/** Objects whose schema allows unlisted properties, in this schema and in those it refers to. */
function openObjects(schema: unknown, place: string, schemas: Schemas, seen = new Set<string>()): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, additionalProperties, $ref } = schema as Record<string, unknown>;
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : '';
  if (name !== '' && !seen.has(name)) return openObjects(schemas[name], name, schemas, seen.add(name));
  return [
    ...(type === 'object' && additionalProperties !== false ? [place] : []),
    ...Object.entries(schema)
      .filter(([key]) => key !== 'example' && key !== 'examples')
      .flatMap(([key, inner]) => openObjects(inner, `${place}/${key}`, schemas, seen)),
  ];
}

test('no answer may carry a field that the document does not name, but for metadata and what the provider sent', () => {
  const { components, paths } = openapi('http://localhost', { closed: true }) as {
    components: { schemas: Schemas };
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const answers = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ responses }) => responses));
  expect(openObjects(answers, '', components.schemas)).toEqual([
    'PersonalData/properties/jobs/items/properties/metadata',
    'Job/properties/metadata',
    'ProviderEvent/properties/payload',
    'AuditEntry/properties/details',
  ]);
  const open = { a: { $ref: '#/components/schemas/B' }, c: { type: 'object', additionalProperties: false } };
  expect(openObjects(open, '', { B: { properties: { d: { type: 'object' } } } })).toEqual(['B/properties/d']);
});

const alive = { status: 'ok', version: '0.2.0', schema: '0028_catalog_versions' };

test.each([
  ['a field too many', { ...alive, secret_sha256: 'x' }],
  ['a field too few', { ...alive, version: undefined }],
  ['another value', { ...alive, status: 'fine' }],
])('an answer with %s is seen', (_, body) => {
  const fault = (answer: unknown) => answerFault('GET', '/healthz', 200, 'application/json', answer);
  expect(fault(alive)).toBeNull();
  expect(fault(body)).not.toBeNull();
});
