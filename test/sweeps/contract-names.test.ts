import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { AccountEvent, JobEvent } from '../../contract/jobs/events.ts';
import { endpoints } from '../../contract/openapi.ts';
import { Creator } from '../../contract/shapes.ts';

type Node = { anyOf?: Node[]; items?: Node; properties?: Record<string, Node>; $id?: string };
type Property = { place: string; name: string; schema: Node };

/** Every property in a schema, at any depth. */
function propertiesOf(place: string, schema: Node): Property[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [
    ...inner.flatMap((node) => propertiesOf(place, node)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, node]) => [
      { place, name, schema: node },
      ...propertiesOf(schema.$id ?? place, node),
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
const asked = endpoints
  .filter(({ operationId }) => operationId !== 'receiveWebhook')
  .flatMap(({ operationId, query, body }) =>
    [query, body].flatMap((schema?: TSchema) => (schema ? propertiesOf(`${operationId} request`, schema as Node) : [])),
  );
const everything = [...asked, ...answered];

describe('one shape', () => {
  test('created_by and reviewed_by, wherever they are answered', () => {
    const named = answered.filter(({ name }) => name === 'created_by' || name === 'reviewed_by');
    expect(named.length).toBeGreaterThan(20);
    for (const { place, schema } of named) {
      const [shape, ...others] = schema.anyOf ?? [schema];
      expect([place, shape]).toEqual([place, Creator]);
      expect([place, others]).toEqual([place, schema.anyOf ? [{ type: 'null' }] : []]);
    }
  });

  test('events, of the account and of a job', () => {
    expect(Object.keys(JobEvent.properties)).toEqual(Object.keys(AccountEvent.properties));
    const inLog = AccountEvent.properties.job.anyOf[0];
    expect(JobEvent.properties.job).toEqual(inLog);
    expect(JobEvent.properties.data).toEqual(AccountEvent.properties.data);
    const lists = answered.filter(({ name }) => name === 'events').map(({ schema }) => schema.items?.$id);
    expect(new Set(lists)).toEqual(new Set(['AccountEvent', 'JobEvent', undefined])); // undefined: the link of a job
  });
});

/** Names that something had before the first release, each with the only name that it has now. */
const olderNames: Record<string, string> = {
  author: 'created_by',
  by: 'created_by',
  inviter_name: 'created_by',
  from: 'created_after or period_start',
  to: 'created_before or period_end',
  occurred_at: 'created_at',
  at: 'sent_at, or what happened then',
  grace_hours: 'overlap_hours',
  event_types: 'types',
  tier: 'plan_code',
  entitlement_code: 'plan_code',
  codes: 'plan_codes',
  entitlement: 'plan_code',
  endpoint_id: 'webhook_endpoint_id',
  delivery: 'webhook_delivery',
  session: 'intake_session',
  entries: 'audit_entries',
};
/** An object may be named as one of them in an answer where it is what it says. */
const otherThings = [/^endSession 200 session$/];
/** The author of a message is a side and a name, because customers do not read who at the studio wrote. */
const ofMessages = /^\w+Messages? \d+ author$/;
/** A comment has a place `at` in a file, and an `author` who may be a guest; so has a reply, which answers its comment. */
const ofComments = /^(?:\w+Comments?|\w+Reply|requestRevision|readJob|claimJob|\w*Revision) .*\b(?:at|author)$/;
/** A notification quotes a message or a comment, with the name of its author. */
const ofQuotes = /^Notification author$/;

/** A suggestion says `by` what it was found. */
const ofSuggestions = /^(?:\w*Intake\w*|\w*Brief|\w*Job\w*) by$/;

test('nothing is called by a name from before the first release', () => {
  const found = everything.filter(({ name }) => name in olderNames);
  const named = found
    .map(({ place, name }) => `${place} ${name}`)
    .filter(
      (one) => ![...otherThings, ofMessages, ofComments, ofQuotes, ofSuggestions].some((other) => other.test(one)),
    );
  expect(named).toEqual([]);
});

test('a bound of time is called …_after, …_before, period_start or period_end', () => {
  const bounds = endpoints.flatMap(({ operationId, query }) =>
    Object.entries((query?.properties ?? {}) as Record<string, { format?: string }>)
      .filter(([, { format }]) => format === 'date-time')
      .map(([name]) => [operationId, name] as const),
  );
  expect(bounds.length).toBeGreaterThan(8);
  for (const [operationId, name] of bounds)
    expect([operationId, name]).toEqual([operationId, expect.stringMatching(/_(after|before)$|^period_(start|end)$/)]);
});

test('a moment that is answered ends in _at, _since or _until, or is a wish, since, start or end', () => {
  const moments = answered.filter(({ schema }) =>
    [schema, ...(schema.anyOf ?? [])].some((node) => 'format' in node && node.format === 'date-time'),
  );
  const odd = moments.filter(
    ({ name }) => !/_(at|since|until)$|^(since|start|end|timestamp|wanted_by|earliest)$/.test(name),
  );
  expect(odd.map(({ place, name }) => `${place} ${name}`)).toEqual([]);
});

test('an overlap is overlap_hours, and a filter of events is types', () => {
  const of = (operationId: string) =>
    asked.filter(({ place }) => place === `${operationId} request`).map(({ name }) => name);
  for (const rotation of ['rotateApiKey', 'rotateWebhookSecret']) expect(of(rotation)).toContain('overlap_hours');
  for (const filtered of ['listEvents', 'createWebhookEndpoint', 'updateWebhookEndpoint'])
    expect(of(filtered)).toContain('types');
});
