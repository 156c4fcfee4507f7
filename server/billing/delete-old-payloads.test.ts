import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { sendEvent } from '../../test/support/plans.ts';
import { deleteOldPayloads } from './delete-old-payloads.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const db = () => studio.service.context.db;

type Fields = { price?: string; metadata?: object };

/** An event about the subscription of a newsletter that is sold in the same account of the provider. */
const newsletter = ({ price = 'price_of_a_newsletter', metadata = {} }: Fields = {}) => ({
  id: `evt_${randomUUID()}`,
  type: 'customer.subscription.updated',
  livemode: false,
  created: 1_795_000_000,
  data: {
    object: {
      id: `sub_${randomUUID()}`,
      customer: 'cus_reader',
      items: { data: [{ price: { id: price } }] },
      metadata,
    },
  },
});
type Event = ReturnType<typeof newsletter>;

async function received(event: Event, daysAgo: number): Promise<Event> {
  expect((await sendEvent(studio.service, event)).body.status).toBe('ignored');
  await sql`
    update provider_events set received_at = now() - ${daysAgo} * interval '1 day' where id = ${event.id}`.execute(
    db(),
  );
  return event;
}

const clean = () => deleteOldPayloads(db(), new AbortController().signal);
const payloadOf = async ({ id }: Event) =>
  (await db().selectFrom('provider_events').select('payload').where('id', '=', id).executeTakeFirstOrThrow()).payload;

test('what another product said is deleted after 30 days; newer events, and those to look at, stay whole', async () => {
  const old = await received(newsletter(), 31);
  const recent = await received(newsletter(), 29);
  const metadata = { service_account_id: 'acct_1', service_entitlement_code: 'solo' };
  const unbound = await received(newsletter({ metadata }), 31);
  const ours = studio.service.context.catalog.plans.get('solo')!.price.id;
  const unnamed = await received(newsletter({ price: ours }), 31);
  await clean();
  expect(await Promise.all([old, recent, unbound, unnamed].map(payloadOf))).toEqual([{}, recent, unbound, unnamed]);
});

test('a repetition is answered `duplicate` long after, and is not taken for another body', async () => {
  const event = await received(newsletter(), 31);
  const warned = vi.spyOn(studio.service.context.log, 'warn');
  await clean();
  expect((await sendEvent(studio.service, event)).body).toEqual({ received: true, status: 'duplicate' });
  expect(await payloadOf(event)).toEqual({});
  expect(warned).not.toHaveBeenCalled();
});

test('re-evaluated, an event whose words are deleted is still of another product', async () => {
  const event = await received(newsletter(), 31);
  await clean();
  const { token } = await makeOperator(studio.service);
  const path = `/api/operator/v1/provider-events/${event.id}/review`;
  const { status, body } = await studio.service.call('POST', path, { as: token });
  expect([status, body.provider_event.reason]).toEqual([200, 'another product']);
});
