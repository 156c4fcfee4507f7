import Type, { type Static, type TSchema } from 'typebox';
import { Clean } from 'typebox/value';
import { Closed } from '../../contract/shapes.ts';
import { badBody } from '../http/refusal.ts';
import { bodyReader } from '../http/validation.ts';
import type { Period } from './anchored-month.ts';

/** Event types that change an entitlement, with their rank among events of the same second. */
export const ranks: ReadonlyMap<string, number> = new Map([
  ['customer.subscription.created', 0],
  ['customer.subscription.updated', 1],
  ['customer.subscription.paused', 1],
  ['customer.subscription.resumed', 1],
  ['customer.subscription.deleted', 2],
]);

const Given = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = Given(Type.String({ maxLength: 255 }));
// Seconds up to the year 9998, so that a month later is still a time that Postgres and ISO 8601 write with four digits.
const Seconds = Type.Integer({ minimum: 0, maximum: 253_370_764_799 });
const bounds = { current_period_start: Given(Seconds), current_period_end: Given(Seconds) };

const eventId = /^[A-Za-z0-9_.:-]{1,255}$/;
export const isEventId = (text: string): boolean => eventId.test(text);

const envelope = {
  id: Type.String({ pattern: eventId.source }),
  type: Type.String({ minLength: 1, maxLength: 255 }),
  livemode: Type.Boolean(),
  created: Given(Seconds),
};
const price = { id: Text, product: Text, unit_amount: Given(Type.Number()), currency: Text };

/** Of an event of any type, what is always read; of a subscription's, all that is. The rest is not kept. */
const anyShape = Closed(envelope);
const subscriptionShape = Closed({
  ...envelope,
  data: Closed({
    object: Closed({
      id: Text,
      customer: Text,
      subscription: Text,
      status: Text,
      ...bounds,
      items: Given(Closed({ data: Type.Array(Closed({ price: Given(Closed(price)), ...bounds }), { maxItems: 100 }) })),
      metadata: Given(Closed({ service_entitlement_code: Text, service_account_id: Text })),
    }),
  }),
});
const readAny = bodyReader(anyShape, 400);
const readSubscription = bodyReader(subscriptionShape, 400);

/** What is stored of an event, in the provider's own shape. */
export type Payload = Static<typeof anyShape> & Partial<Static<typeof subscriptionShape>>;

function parse(bytes: Buffer): unknown {
  try {
    // ignoreBOM keeps a byte order mark in the text, which then is no JSON.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw badBody([{ location: '', message: 'is not JSON in UTF-8' }], 400);
  }
}

/** The fields that the service reads, of a body whose signature holds. Throws 400 for one that is no event. */
export function readPayload(bytes: Buffer): Payload {
  const given = parse(bytes);
  const event = readAny(Clean(anyShape, { ...(given as object) })); // a copy, because Clean takes fields away in place
  return ranks.has(event.type) ? readSubscription(Clean(subscriptionShape, given)) : event;
}

/** An event about a subscription, in our words. Null: the provider did not say, or said nothing by an empty text, but for the status. */
export type SubscriptionEvent = {
  type: string;
  rank: number;
  livemode: boolean;
  createdAt: Date;
  subscription: string | null;
  customer: string | null;
  status: string | null;
  planCode: string | null;
  accountId: string | null;
  /** Null also for a subscription with several items: it is none of our plans. */
  price: { id: string | null; product: string | null; amount: number | null; currency: string | null } | null;
  period: Period | null;
};

/** `signedAt` in seconds stands in where the provider gave no `created`. */
export const createdAt = (payload: Payload, signedAt: number): Date => new Date((payload.created ?? signedAt) * 1000);

type Bounds = { current_period_start?: number | null; current_period_end?: number | null };

const periodOf = ({ current_period_start: start, current_period_end: end }: Bounds): Period | null =>
  typeof start === 'number' && typeof end === 'number'
    ? { start: new Date(start * 1000), end: new Date(end * 1000) }
    : null;

/** Null for an event of a type that changes no entitlement. */
export function subscriptionEvent(payload: Payload, createdAt: Date): SubscriptionEvent | null {
  const object = payload.data?.object;
  const rank = ranks.get(payload.type);
  if (!object || rank === undefined) return null;
  const items = object.items?.data ?? [];
  const [item] = items;
  return {
    type: payload.type,
    rank,
    livemode: payload.livemode,
    createdAt,
    subscription: object.subscription || object.id || null,
    customer: object.customer || null,
    status: object.status ?? null, // an empty one is one that we do not know, and grants nothing
    planCode: object.metadata?.service_entitlement_code || null,
    accountId: object.metadata?.service_account_id || null,
    price:
      items.length === 1 && item?.price
        ? {
            id: item.price.id || null,
            product: item.price.product || null,
            amount: item.price.unit_amount ?? null,
            currency: item.price.currency || null,
          }
        : null,
    period: periodOf(object) ?? periodOf(item ?? {}),
  };
}
