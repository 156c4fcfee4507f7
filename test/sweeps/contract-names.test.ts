import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { Creator } from '../../contract/shapes.ts';

type Node = { anyOf?: Node[]; items?: Node; properties?: Record<string, Node> };
type Property = { place: string; name: string; schema: Node };

/** Every property in a schema, at any depth. */
function propertiesOf(place: string, schema: Node): Property[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [
    ...inner.flatMap((node) => propertiesOf(place, node)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, node]) => [
      { place, name, schema: node },
      ...propertiesOf(place, node),
    ]),
  ];
}

const answered = endpoints.flatMap(({ operationId, answers }) =>
  Object.entries(answers).flatMap(([status, answer]) =>
    [answer.schema, answer.stream, answer.lines].flatMap((schema?: TSchema) =>
      schema ? propertiesOf(`${operationId} ${status}`, schema as Node) : [],
    ),
  ),
);

test('who did something has one shape everywhere', () => {
  const named = answered.filter(({ name }) => name === 'created_by' || name === 'reviewed_by');
  expect(new Set(named.map(({ place }) => place.split(' ')[0])).size).toBeGreaterThan(20);
  for (const { place, schema } of named) {
    const [shape, ...others] = schema.anyOf ?? [schema];
    expect([place, shape]).toEqual([place, Creator]);
    expect([place, others]).toEqual([place, schema.anyOf ? [{ type: 'null' }] : []]);
  }
});
