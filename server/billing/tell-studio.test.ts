import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newJob, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { chargeRefunded } from '../../test/support/money.ts';
import { choose, mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';
import { queueDigests } from '../notifications/queue-digests.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
let owner: TestPerson;
let customer: TestPerson;
let names: { accountId: string; customer: string; subscription: string };
beforeAll(async () => void (studio = await sharedStudio()));
beforeEach(async () => {
  owner = await makeOperator(studio.service);
  customer = await signUp(studio.service);
  names = {
    accountId: customer.accountId,
    customer: await bindCustomer(studio.service, customer),
    subscription: `sub_${randomUUID()}`,
  };
});

type Fields = Parameters<typeof subscriptionEvent>[3];
let second = seconds(Date.now()) - 1_000;
/** Each a second after the one before. */
async function send(fields: Fields = {}, expected = 'processed', subscription = names.subscription) {
  const event = subscriptionEvent(studio.service, { ...names, subscription }, 'studio', {
    created: second++,
    ...fields,
  });
  expect((await sendEvent(studio.service, event)).body.status).toBe(expected);
  return event;
}
const refused = { object: { items: { data: [{ price: { id: 'price_of_nobody' } }] } } };

const linesOf = async (person = owner) => {
  const lines = await toldTo(studio.service, person, 'studio');
  return lines.map(({ kind, title, path }) => ({ kind, title, path }));
};
async function mailedTo(person = owner) {
  await sendMails(studio.service);
  return mailsTo(studio.service, person).map(({ subject }) => subject);
}
const rowsOf = ({ userId }: TestPerson) =>
  studio.service.context.db.selectFrom('notifications').select('side').where('user_id', '=', userId).execute();

async function aDayLater(): Promise<void> {
  const { db } = studio.service.context;
  await sql`update notifications set created_at = now() - interval '1 day' where user_id = ${owner.userId}`.execute(db);
  await queueDigests(db, 'UTC', new AbortController().signal);
}
const accountPage = () => `/desk/accounts/${showId('acct', customer.accountId)}`;

describe('an event that needs a look', () => {
  test('is told to owners, once of an event, and to no other operator', async () => {
    const others = [await makeOperator(studio.service, 'lead'), await makeOperator(studio.service, 'maker')];
    const event = await send(refused, 'ignored');
    await sendEvent(studio.service, event);
    await post(studio.service, owner.token, `/api/operator/v1/provider-events/${event.id}/review`);
    expect(await linesOf()).toEqual([
      { kind: 'payment_needs_look', title: 'An event needs a look', path: '/desk/payments' },
    ]);
    const [line] = await toldTo(studio.service, owner, 'studio');
    expect(line?.about).toBe('Ada Lovelace, unknown price');
    expect(await mailedTo()).toEqual([expect.stringContaining('An event needs a look')]);
    for (const other of others) expect([await rowsOf(other), await mailedTo(other)]).toEqual([[], []]);
  });

  test('of a customer that nobody knows', async () => {
    const wrong = { customer: 'cus_unbound' };
    await send({ object: wrong }, 'ignored');
    expect((await toldTo(studio.service, owner, 'studio')).map(({ about }) => about)).toEqual([
      'an unknown customer, unbound customer',
    ]);
  });

  test('or a refund, in the unit in which the provider counts', async () => {
    const { customer } = names;
    await sendEvent(studio.service, chargeRefunded({ customer, amount: 5_000, currency: 'ugx' }));
    expect((await toldTo(studio.service, owner, 'studio')).map(({ about }) => about)).toEqual(['Ada Lovelace, UGX 50']);
  });

  test('is not one that needs nobody', async () => {
    await send({ type: 'customer.created' }, 'ignored');
    const newer = await send();
    await send({ created: (newer as { created?: number }).created! - 5 }, 'ignored');
    expect(await linesOf()).toEqual([]);
  });

  test('a wave of them is one mail, until it is read', async () => {
    await send(refused, 'ignored');
    await send(refused, 'ignored');
    expect([(await linesOf()).length, (await mailedTo()).length]).toEqual([2, 1]);
    const [newest] = await toldTo(studio.service, owner, 'studio');
    await post(studio.service, owner.token, `/api/auth/notifications/${newest?.id}/read`, { earlier: true });
    expect(await unreadOf(studio.service, owner, 'studio')).toBe(0);
    await send(refused, 'ignored');
    expect([(await linesOf()).length, (await mailedTo()).length]).toEqual([3, 2]);
  });

  test('is mailed as the owner has chosen: never, or once a day', async () => {
    await choose(studio.service, owner, ['payment_needs_look'], 'never');
    await send(refused, 'ignored');
    expect([(await linesOf()).length, await mailedTo()]).toEqual([1, []]);
    await choose(studio.service, owner, ['payment_needs_look'], 'daily');
    await send(refused, 'ignored');
    expect(await mailedTo()).toEqual([]);
    await aDayLater();
    expect(await mailedTo()).toEqual(['1 thing since yesterday']);
  });

  test('who is no owner any more reads and gets nothing of it', async () => {
    await choose(studio.service, owner, ['payment_needs_look'], 'daily');
    await send(refused, 'ignored');
    await studio.service.context.db
      .updateTable('people')
      .set({ operator_role: 'lead' })
      .where('id', '=', owner.userId)
      .execute();
    await aDayLater();
    expect([await linesOf(), await unreadOf(studio.service, owner, 'studio'), await mailedTo()]).toEqual([[], 0, []]);
  });

  test('stands where the version before does not read it: it has no words for it', async () => {
    await send(refused, 'ignored');
    expect(await rowsOf(owner)).toEqual([{ side: 'office' }]);
  });
});

describe('a plan of a customer with open jobs', () => {
  const told = (title: string) => ({ kind: 'customer_plan', title, path: accountPage() });
  const withJob = async () => {
    await send();
    return newJob(studio.service, customer.token);
  };

  test('is told as it becomes overdue, stops and ends, each once', async () => {
    await withJob();
    for (const status of ['past_due', 'past_due', 'unpaid', 'unpaid', 'active', 'past_due'])
      await send({ object: { status } });
    // An end that is set during that time changes the plan, but not that it is overdue.
    await send({ object: { status: 'past_due', cancel_at: second + 10_000_000 } });
    await send({ type: 'customer.subscription.deleted', object: { status: 'canceled' } });
    const titles = ['A plan has ended', 'A payment is overdue', 'A plan has stopped', 'A payment is overdue'];
    expect(await linesOf()).toEqual(titles.map(told));
    const [newest] = await toldTo(studio.service, owner, 'studio');
    expect(newest?.about).toBe('Ada Lovelace, Studio, 1 open job');
  });

  test('is told in neutral words if a later version told something else of it', async () => {
    await withJob();
    await send({ object: { status: 'past_due' } });
    const { db } = studio.service.context;
    await db.updateTable('notifications').set({ state: 'moved' }).where('user_id', '=', owner.userId).execute();
    expect(await linesOf()).toEqual([told('A plan has changed')]);
  });

  test('is not told without an open job', async () => {
    const job = await withJob();
    await post(studio.service, customer.token, `/api/v1/jobs/${job}/cancel`);
    await send({ object: { status: 'past_due' } });
    expect(await linesOf()).toEqual([]);
  });

  test('has not ended while another one gives access, or if it never began', async () => {
    await withJob();
    const other = `sub_${randomUUID()}`;
    await send({}, 'processed', other);
    await send({ type: 'customer.subscription.deleted', object: { status: 'canceled' } });
    expect(await linesOf()).toEqual([]);
    await send({ object: { status: 'incomplete' } }, 'processed', `sub_${randomUUID()}`);
    expect(await linesOf()).toEqual([]);
    await send({ type: 'customer.subscription.deleted', object: { status: 'canceled' } }, 'processed', other);
    expect(await linesOf()).toEqual([told('A plan has ended')]);
  });

  test('waits for the mail of the day, unless the owner has chosen otherwise', async () => {
    await withJob();
    await send({ object: { status: 'past_due' } });
    expect(await mailedTo()).toEqual([]);
    await choose(studio.service, owner, ['customer_plan'], 'now');
    await send({ object: { status: 'unpaid' } });
    expect(await mailedTo()).toEqual([expect.stringContaining('A plan has stopped')]);
  });
});
