import type { Static } from 'typebox';
import { Clean } from 'typebox/value';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import {
  AnyEvent,
  ChargeEvent,
  DisputeEvent,
  InvoiceEvent,
  lastSecond,
  SubscriptionEvent,
} from '../../contract/plans/posted-event.ts';
import { badBody } from '../http/refusal.ts';
import { bodyReader } from '../http/validation.ts';

const shapes = {
  any: AnyEvent,
  subscription: SubscriptionEvent,
  invoice: InvoiceEvent,
  charge: ChargeEvent,
  dispute: DisputeEvent,
};
type Kind = keyof typeof shapes;

/** The event types that the service uses. */
export const supportedTypes: ReadonlyMap<string, Exclude<Kind, 'any'>> = new Map([
  ['customer.subscription.created', 'subscription'],
  ['customer.subscription.updated', 'subscription'],
  ['customer.subscription.paused', 'subscription'],
  ['customer.subscription.resumed', 'subscription'],
  ['customer.subscription.deleted', 'subscription'],
  ['invoice.paid', 'invoice'],
  ['invoice.payment_failed', 'invoice'],
  ['invoice.voided', 'invoice'],
  ['invoice.marked_uncollectible', 'invoice'],
  ['charge.refunded', 'charge'],
  ['charge.dispute.created', 'dispute'],
]);
const kindOf = (type: string): Kind => supportedTypes.get(type) ?? 'any';

/** A signed event, cut to the fields that the service reads. */
export type Payload = Static<typeof AnyEvent> & { data?: { object: object } };
export type ObjectOf<K extends Exclude<Kind, 'any'>> = Static<(typeof shapes)[K]>['data']['object'];

/** What an event of another product said is deleted after a time. */
export const isDeleted = (payload: Payload): boolean => Object.keys(payload).length === 0;

/** The object of an event of this kind; null for an event of another kind. */
export const objectOf = <K extends Exclude<Kind, 'any'>>(payload: Payload, kind: K): ObjectOf<K> | null =>
  kindOf(payload.type) === kind ? (payload.data?.object ?? null) : null;

const identity = Type.Pick(AnyEvent, ['id', 'type']);
const readIdentity = bodyReader(identity, 400);
const checks = {
  any: Compile(shapes.any),
  subscription: Compile(shapes.subscription),
  invoice: Compile(shapes.invoice),
  charge: Compile(shapes.charge),
  dispute: Compile(shapes.dispute),
};

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
  return value.isWellFormed() && !value.includes('\0') ? value.slice(0, 256).toWellFormed() : {};
}

export function faultOf(payload: Payload): string | null {
  const [first] = checks[kindOf(payload.type)].Errors(payload);
  if (first === undefined) return null;
  const { requiredProperties: [missing] = [] } = first.params as { requiredProperties?: string[] };
  return missing === undefined ? first.instancePath : `${first.instancePath}/${missing}`;
}

export const createdAt = (payload: Payload, signedAt: number): Date => {
  const { created } = payload as { created?: unknown };
  const valid = Number.isInteger(created) && Number(created) >= 0 && Number(created) <= lastSecond;
  return new Date((valid ? Number(created) : signedAt) * 1000);
};
