import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { mailsTo, sendMails, toldTo } from '../../test/support/notifications.ts';
import { addMember, makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';

let service: Service;
let ada: TestPerson;
let key: string;
let names: { accountId: string; customer: string; subscription: string };
let created: number;
const now = seconds(Date.now());
const day = 86_400;
const [start, end] = [now - 10 * day, now + 20 * day];

beforeAll(async () => void (service = await sharedService()));
beforeEach(async () => {
  ada = await signUp(service);
  key = await makeKey(service, ada);
  names = { accountId: ada.accountId, customer: await bindCustomer(service, ada), subscription: `sub_${randomUUID()}` };
  created = now - 3600;
});

/** A second later than the one before. */
const event = (object: object, type = 'updated') =>
  subscriptionEvent(service, names, 'studio', {
    type: `customer.subscription.${type}`,
    created: (created += 1),
    object: { current_period_start: start, current_period_end: end, ...object },
  });
const send = async (object: object, type?: string) =>
  expect((await sendEvent(service, event(object, type))).body.status).toBe('processed');
const titles = async (person = ada) => (await toldTo(service, person)).map(({ title }) => title).toReversed();
const changes = async () => {
  const { body } = await service.call('GET', '/api/v1/events?after=0', { as: key });
  return body.events.filter(({ type }: { type: string }) => type === 'entitlement.changed').length;
};

test('a checkout that waits for 3-D Secure tells nothing before it is paid', async () => {
  await sendEvent(service, event({ status: 'incomplete' }, 'created'));
  expect([await titles(), await changes()]).toEqual([[], 0]);
  await send({ status: 'active' });
  expect([await titles(), await changes()]).toEqual([['Your plan is active'], 1]);
});

test('a checkout that is never paid tells nothing', async () => {
  await sendEvent(service, event({ status: 'incomplete' }, 'created'));
  await sendEvent(service, event({ status: 'incomplete_expired' }));
  await sendEvent(service, event({ status: 'canceled' }, 'deleted'));
  expect([await titles(), await changes()]).toEqual([[], 0]);
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
  expect(body.entitlements).toEqual([]);
});

test('each change is told once, to owners and admins, by mail with its date', async () => {
  const admin = await addMember(service, ada, 'admin');
  const member = await addMember(service, ada, 'member');
  const steps: [object, string?][] = [
    [{ status: 'active' }, 'created'],
    [{ status: 'active', cancel_at: end, cancel_at_period_end: true }],
    [{ status: 'active', cancel_at: null, cancel_at_period_end: false }],
    [{ status: 'past_due' }],
    [{ status: 'unpaid' }],
    [{ status: 'active' }],
    [{ status: 'paused' }, 'paused'],
    [{ status: 'active' }, 'resumed'],
    [{ status: 'active', pause_collection: { behavior: 'void' } }],
    [{ status: 'active', pause_collection: null }],
    [{ status: 'canceled', ended_at: now - 60 }, 'deleted'],
  ];
  for (const step of steps) await send(...step);
  const all = [
    'Your plan is active',
    'Your plan will end',
    'Your plan will not end',
    'A payment is overdue',
    'Your plan has stopped',
    'Your plan goes on',
    'Your plan is paused',
    'Your plan goes on',
    'The payment for your plan is paused',
    'Your plan goes on',
    'Your plan has ended',
  ];
  expect(await titles()).toEqual(all);
  expect(await titles(admin)).toEqual(all);
  expect(await titles(member)).toEqual([]);
  await sendMails(service);
  const mails = mailsTo(service, ada).filter(({ subject }) => subject.endsWith(': Studio'));
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(all.map((title) => `${title}: Studio`).toSorted());
  const textOf = (title: string) => mails.find(({ subject }) => subject.startsWith(title))?.text;
  const sayDay = (at: number) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at * 1000));
  expect(textOf('Your plan will end')).toContain(`The plan "Studio" ends on ${sayDay(end)}`);
  expect(textOf('A payment is overdue')).toContain(`you can order with it until ${sayDay(end)}`);
  expect(textOf('Your plan has ended')).toContain(`ended on ${sayDay(now - 60)}`);
});

test('the feed has an event only where something visible changed', async () => {
  await send({ status: 'active' }, 'created');
  await send({ status: 'active' });
  await send({ status: 'active', latest_invoice: 'in_1' });
  expect([await changes(), await titles()]).toEqual([1, ['Your plan is active']]);
  await send({ status: 'active', cancel_at: end });
  await send({ status: 'active', cancel_at: end });
  expect(await changes()).toBe(2);
  await send({ status: 'past_due', cancel_at: end });
  await send({ status: 'past_due', cancel_at: end });
  expect([await changes(), await titles()]).toEqual([
    3,
    ['Your plan is active', 'Your plan will end', 'A payment is overdue'],
  ]);
});

test('a new period notifies nobody', async () => {
  await send({ status: 'active' }, 'created');
  await send({ status: 'active', current_period_start: end, current_period_end: end + 30 * day });
  expect([await changes(), await titles()]).toEqual([2, ['Your plan is active']]);
});
