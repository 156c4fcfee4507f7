import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  AnyEvent,
  ChargeEvent,
  DisputeEvent,
  InvoiceEvent,
  SubscriptionEvent,
} from '../contract/plans/posted-event.ts';
import { ignoredReasons } from '../contract/desk/provider-events.ts';
import { root } from '../server/lib/places.ts';
import { type Service, sharedService } from './support/harness.ts';
import { signUp } from './support/people.ts';
import { bindCustomer, sendEvent } from './support/plans.ts';
import { showId } from '../server/lib/id.ts';
import { stripeEvent } from './support/stripe-events.ts';
import { type ProviderField, type ProviderObject, providerFields } from './support/provider-types.ts';

/** The guide's chapter names every field of the provider's objects with what the service does with it. */

const marks = ['used', 'shown', 'fails closed', 'irrelevant'] as const;
type Mark = (typeof marks)[number];
type Line = { names: string[]; mark: Mark; text: string };

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

function readLine(line: string): Line {
  const [, names = '', mark = '', text = ''] = /^- (.+?): \*\*([a-z ]+)\*\*\.(.*)$/.exec(line) ?? [];
  if (!marks.includes(mark as Mark)) throw new Error(`no mark that the chapter explains: ${line}`);
  return { names: quoted(names), mark: mark as Mark, text };
}

/** Its lists have a line for each entry. */
const chapter = readFileSync(join(root, 'docs/guide/20-provider-fields.md'), 'utf8').replaceAll('\n  ', ' ');
const sections = new Map(
  chapter
    .split(/^## /m)
    .slice(1)
    .map((section): [string, Line[]] => {
      const [title = '', ...lines] = section.split('\n');
      return [title, lines.filter((line) => line.startsWith('- ')).map(readLine)];
    }),
);
const linesOf = (title: string) => sections.get(title) ?? [];
const lineOf = (title: string, name: string) => linesOf(title).find(({ names }) => names.includes(name));

/** Each object of the provider: its section, and where it stands in an event that is read. */
const objects: [section: string, object: ProviderObject, at: [TSchema, string] | null][] = [
  ['Subscription', 'Subscription', [SubscriptionEvent, 'data.object']],
  ['Subscription item', 'SubscriptionItem', [SubscriptionEvent, 'data.object.items.data']],
  ['Price', 'Price', [SubscriptionEvent, 'data.object.items.data.price']],
  ['Invoice', 'Invoice', [InvoiceEvent, 'data.object']],
  ['Line of an invoice', 'InvoiceLineItem', [InvoiceEvent, 'data.object.lines.data']],
  ['Payment of an invoice', 'InvoicePayment', [InvoiceEvent, 'data.object.payments.data']],
  ['Subscription schedule', 'SubscriptionSchedule', null],
  ['Charge', 'Charge', [ChargeEvent, 'data.object']],
  ['Dispute', 'Dispute', [DisputeEvent, 'data.object']],
];

type Shape = { anyOf?: Shape[]; properties?: Record<string, Shape>; items?: Shape };

function pathsIn(shape: Shape, before = ''): string[] {
  const inner = shape.anyOf?.[0] ?? shape;
  const { properties = {} } = inner.items ?? inner;
  return Object.entries(properties).flatMap(([name, field]) => [before + name, ...pathsIn(field, `${before}${name}.`)]);
}

/** What is read of an object, but for the objects in it that have sections of their own. */
function fieldsRead(at: [TSchema, string] | null): string[] {
  if (at === null) return [];
  const [event, place] = at;
  const apart = objects.flatMap(([, , other]) =>
    other && other[0] === event && other[1].startsWith(`${place}.`) ? [`${other[1]}.`] : [],
  );
  return pathsIn(event as Shape)
    .filter((path) => path.startsWith(`${place}.`) && !apart.some((start) => path.startsWith(start)))
    .map((path) => path.slice(place.length + 1));
}

/** What the price check reads of a price at the provider. */
const checkedPrice = /function showPrice\(\{([^}]+)\}/
  .exec(readFileSync(join(root, 'server/billing/stripe.ts'), 'utf8'))![1]!
  .split(',')
  .map((name) => name.trim());

const isInside = (path: string, irrelevant: readonly string[]) =>
  irrelevant.some((name) => path.startsWith(`${name}.`));

test.each(objects)(
  '%s: every field of the pinned library has a line, with the values it can have',
  (section, object) => {
    const lines = linesOf(section);
    const irrelevant = lines.filter(({ mark }) => mark === 'irrelevant').flatMap(({ names }) => names);
    const fields = providerFields(object).filter(({ path }) => !isInside(path, irrelevant));
    expect(fields.length).toBeGreaterThan(10);
    const missing = ({ path, values }: ProviderField): string[] => {
      const line = lineOf(section, path);
      if (!line) return [path];
      return path === 'object'
        ? []
        : values.filter((value) => !quoted(line.text).includes(value)).map((value) => `${path}: ${value}`);
    };
    expect(fields.flatMap(missing)).toEqual([]);
  },
);

test.each([...objects, ['The event', null, [AnyEvent, '']] as const])(
  '%s: what is read is marked so, once, and nothing else',
  (section, object, at) => {
    const read = object === null ? pathsIn(AnyEvent as Shape) : fieldsRead(at);
    const checked = object === 'Price' ? checkedPrice : [];
    const named = linesOf(section).flatMap(({ names, mark }) => names.map((name) => ({ name, mark })));
    const marked = named.filter(({ mark }) => mark !== 'irrelevant').map(({ name }) => name);
    expect(marked.toSorted()).toEqual([...new Set([...read, ...checked])].toSorted());
    expect(named.length).toBe(new Set(named.map(({ name }) => name)).size);
  },
);

test.each(objects)('%s: no line is about a field that the provider no longer has', (section, object, at) => {
  const known = new Set([...providerFields(object).map(({ path }) => path), ...fieldsRead(at)]);
  const named = linesOf(section).flatMap(({ names }) => names);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('a line that fails closed names its reason, and every reason of an event stands in the chapter', () => {
  const reasons = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, reason = '']) => reason);
  const closed = [...sections.values()].flat().filter(({ mark }) => mark === 'fails closed');
  expect(closed.filter(({ text }) => reasons(text).length === 0)).toEqual([]);
  const named = new Set(reasons(chapter.replaceAll(/[a-z]'[a-z]/g, '')));
  expect([...named].toSorted()).toEqual([...ignoredReasons].toSorted());
});

describe('what fails closed', () => {
  let service: Service;
  beforeAll(async () => void (service = await sharedService()));

  /** Other values than those that are served, by section and place in the object of the event. */
  const values: Record<string, [at: string, ...unknown[]]> = {
    'The event livemode': ['livemode', true],
    'Subscription id': ['data.object.id', undefined, ''],
    'Subscription customer': ['data.object.customer', undefined, 'cus_of_nobody'],
    'Subscription items.data': ['data.object.items.data', [{}, {}]],
    'Subscription items.has_more': ['data.object.items.has_more', true],
    'Subscription metadata.service_entitlement_code': [
      'data.object.metadata.service_entitlement_code',
      undefined,
      'platinum',
    ],
    'Subscription metadata.service_account_id': [
      'data.object.metadata.service_account_id',
      undefined,
      'acct_01jd3vsh8xe7rtx1zqbdnzc4v0',
    ],
    'Subscription item quantity': ['data.object.items.data.0.quantity', 0, 2, 0.5],
    'Subscription currency': ['data.object.currency', 'eur', 'jpy'],
    'Price transform_quantity': ['data.object.items.data.0.price.transform_quantity', { divide_by: null }],
    'Price transform_quantity.divide_by': ['data.object.items.data.0.price.transform_quantity', { divide_by: 10 }],
    'Price id': ['data.object.items.data.0.price.id', undefined, 'price_of_nobody'],
    'Price product': ['data.object.items.data.0.price.product', undefined, 'prod_of_nobody'],
    'Price unit_amount': ['data.object.items.data.0.price.unit_amount', undefined, null, 1],
    'Price currency': ['data.object.items.data.0.price.currency', 'eur'],
    'Price recurring.interval': ['data.object.items.data.0.price.recurring.interval', 'day', 'week', 'year'],
    'Price recurring.interval_count': ['data.object.items.data.0.price.recurring.interval_count', 3],
    'Price recurring.usage_type': ['data.object.items.data.0.price.recurring.usage_type', 'metered'],
  };

  /** A first event of a subscription to the plan Studio, as the provider sends it. */
  async function firstEvent() {
    const person = await signUp(service);
    const customer = await bindCustomer(service, person);
    const { code, price } = service.context.catalog.plans.get('studio')!;
    const metadata = { service_entitlement_code: code, service_account_id: showId('acct', person.accountId) };
    return stripeEvent({ id: `cs_${person.accountId.replaceAll('-', '')}`, customer, price, metadata });
  }

  const put = (event: object, at: string, value: unknown) => {
    const names = at.split('.');
    const last = names.pop()!;
    const inner = names.reduce(
      (object, name) => object[name] as Record<string, unknown>,
      event as Record<string, unknown>,
    );
    inner[last] = value;
  };

  test('nothing does in the event of a plan that is sold', async () => {
    expect((await sendEvent(service, await firstEvent())).body.status).toBe('processed');
  });

  test('each line is tried', () => {
    const closed = [...sections].flatMap(([section, lines]) =>
      lines
        .filter(({ mark }) => mark === 'fails closed')
        .flatMap(({ names }) => names.map((name) => `${section} ${name}`)),
    );
    expect(Object.keys(values).toSorted()).toEqual(closed.toSorted());
  });

  test.each(Object.entries(values))('%s', async (name, [at, ...others]) => {
    const [section, field] = [name.slice(0, name.lastIndexOf(' ')), name.slice(name.lastIndexOf(' ') + 1)];
    for (const other of others) {
      const event = await firstEvent();
      put(event, at, other);
      expect((await sendEvent(service, event)).body.status).toBe('ignored');
      const kept = service.context.db.selectFrom('provider_events').select('reason').where('id', '=', event.id);
      const { reason } = await kept.executeTakeFirstOrThrow();
      expect(lineOf(section, field)?.text).toContain(`'${reason}'`);
    }
  });
});
