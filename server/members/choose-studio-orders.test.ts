import { beforeAll, expect, test } from 'vitest';
import { said } from '../../test/support/every-endpoint.ts';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { addMember, signUp, type TestPerson } from '../../test/support/people.ts';
import { orderFor } from '../../test/support/studio-orders.ts';
import { lockCounters } from '../db/pool.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const path = '/api/auth/account/studio-orders';
const choose = ({ token }: TestPerson, body: object) => studio.service.call('PUT', path, { as: token, body });

test('200: on, then off at once; each change is in the audit, a repeat is not', async () => {
  for (const allowed of [true, true, false])
    expect((await choose(studio.ada, { allowed })).body).toEqual({ studio_orders: { allowed } });
  const audit = '/api/v1/audit?action=account.studio_orders_changed';
  const { body } = await studio.service.call('GET', audit, { as: studio.ada.token });
  expect(body.audit_entries).toHaveLength(2);
  expect(said(await orderFor(studio, studio.ada))).toBe('403 studio_orders_off');
});

test('200: a choice waits for an order that is being taken', async () => {
  const ada = await signUp(studio.service);
  const { db } = studio.service.context;
  const choosing = await db.transaction().execute(async (order) => {
    await lockCounters(order, ada.accountId);
    const chosen = { answered: false };
    const answer = choose(ada, { allowed: true }).finally(() => (chosen.answered = true));
    await Promise.race([answer, untilBlocked(db)]);
    expect(chosen).toEqual({ answered: false });
    return { answer };
  });
  expect((await choosing.answer).body).toEqual({ studio_orders: { allowed: true } });
});

test('403 role_required: admin', async () => {
  const ada = await signUp(studio.service);
  const admin = await addMember(studio.service, ada, 'admin');
  expect(said(await choose(admin, { allowed: true }))).toBe('403 role_required');
});

test('422 invalid_request: no choice', async () => {
  expect(said(await choose(studio.ada, {}))).toBe('422 invalid_request');
});
