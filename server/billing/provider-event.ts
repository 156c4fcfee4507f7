import type { Static } from 'typebox';
import { Clean } from 'typebox/value';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { AnyEvent, lastSecond, SubscriptionEvent as PostedSubscriptionEvent } from '../../contract/posted-event.ts';
import { badBody } from '../http/refusal.ts';
import { bodyReader } from '../http/validation.ts';
import type { Period } from './anchored-month.ts';

/** Event types that change an entitlement, with their rank within one second. */
export const ranks: ReadonlyMap<string, number> = new Map([
  ['customer.subscription.created', 0],
  ['customer.subscription.updated', 1],
  ['customer.subscription.paused', 1],
  ['customer.subscription.resumed', 1],
  ['customer.subscription.deleted', 2],
]);

export type Payload = Static<typeof AnyEvent> & Partial<Static<typeof PostedSubscriptionEvent>>;

const identity = Type.Pick(AnyEvent, ['id', 'type']);
const readIdentity = bodyReader(identity, 400);
const shapes = { any: AnyEvent, subscription: PostedSubscriptionEvent };
const checks = { any: Compile(shapes.any), subscription: Compile(shapes.subscription) };
const kindOf = (type: string) => (ranks.has(type) ? 'subscription' : 'any');

function parse(bytes: Buffer): unknown {
  try {
    // ignoreBOM keeps a byte order mark in the text, which makes it invalid JSON.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw badBody([{ location: '', message: 'is not JSON in UTF-8' }], 400);
  }
}

/** The fields that the service reads from a signed body, unchecked. Throws 400 if it is not an event. */
export function readPayload(bytes: Buffer): Payload {
  const parsed = parse(bytes);
  const { type } = readIdentity(Clean(identity, { ...(parsed as object) })); // a copy, because Clean takes fields away in place
  return fieldsOf(shapes[kindOf(type)], parsed) as Payload;
}

type Shape = { type?: string; anyOf?: Shape[]; properties?: Record<string, Shape>; items?: Shape; maxItems?: number };

/** Other fields may be personal. A value of the wrong type stays wrong for a re-evaluation. */
function fieldsOf(schema: Shape, value: unknown): unknown {
  const shape = schema.anyOf?.[0] ?? schema;
  if (Array.isArray(value))
    return shape.items
      ? value.slice(0, (shape.maxItems ?? 0) + 1).map((item) => fieldsOf(shape.items ?? {}, item))
      : [];
  if (typeof value === 'object' && value !== null) {
    const present = Object.entries(shape.properties ?? {}).filter(([name]) => Object.hasOwn(value, name));
    const fields = value as Record<string, unknown>;
    return Object.fromEntries(present.map(([name, inner]) => [name, fieldsOf(inner, fields[name])]));
  }
  if (typeof value !== 'string') return value;
  return value.isWellFormed() && !value.includes('\0') ? value.slice(0, 256) : {};
}

export function faultOf(payload: Payload): string | null {
  const [first] = checks[kindOf(payload.type)].Errors(payload);
  if (first === undefined) return null;
  const { requiredProperties: [missing] = [] } = first.params as { requiredProperties?: string[] };
  return missing === undefined ? first.instancePath : `${first.instancePath}/${missing}`;
}

/** In our own terms. Null means absent or empty at the provider, except for the status. */
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
  /** Null also for a subscription with several items, which is none of our plans. */
  price: { id: string | null; product: string | null; amount: number | null; currency: string | null } | null;
  period: Period | null;
};

export const createdAt = (payload: Payload, signedAt: number): Date => {
  const { created } = payload as { created?: unknown };
  const valid = Number.isInteger(created) && Number(created) >= 0 && Number(created) <= lastSecond;
  return new Date((valid ? Number(created) : signedAt) * 1000);
};

type Bounds = { current_period_start?: number | null; current_period_end?: number | null };

const periodOf = ({ current_period_start: start, current_period_end: end }: Bounds): Period | null =>
  typeof start === 'number' && typeof end === 'number'
    ? { start: new Date(start * 1000), end: new Date(end * 1000) }
    : null;

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
    status: object.status ?? null, // an empty status is unknown and grants nothing
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
