import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { withRight } from '../audit/rights.ts';
import { showId } from '../lib/id.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import {
  sharedStudio,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  setPlan,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { check, comment, newDelivery, newRevision } from '../../test/support/review.ts';
import { ask, say } from '../../test/support/talk.ts';
import { addMember, closeAccount, endPlans, goodPassword, makeKey, signUp } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const close = (as: string, fields: object = {}) =>
  studio.service.call('POST', '/api/auth/account/close', { as, body: { password: goodPassword, ...fields } });

test('200: open jobs are canceled, access ends, bytes and text are gone, and the last owner can delete themselves', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const member = await addMember(service, person, 'member');
  await newJob(service, key, { customer_title: 'Marked title' });
  await newFile(service, key, someBytes(10));
  await endPlans(service, person);
  expect((await close(person.token)).body).toEqual({ account: null });
  expect((await service.call('GET', '/api/v1/me', { as: key })).status).toBe(401);
  expect((await service.call('GET', '/api/auth/members', { as: member.token })).status).toBe(403);
  const { db } = service.context;
  const row = await db.selectFrom('jobs').selectAll().where('account_id', '=', person.accountId).executeTakeFirst();
  expect(row).toMatchObject({ status: 'canceled', customer_title: 'Deleted' });
  const used = await db.selectFrom('usage_ledger').selectAll().where('account_id', '=', person.accountId).execute();
  expect(used.length).toBeGreaterThan(0);
  const gone = await service.call('POST', '/api/auth/delete', { as: person.token, body: { password: goodPassword } });
  expect(gone.status).toBe(200);
});

test('200: the audit log keeps that the account was suspended, and not why', async () => {
  const { service, operator } = studio;
  const { person } = await newCustomer(service);
  const desk = (method: string, path: string, body?: object) =>
    service.call(method, `/api/operator/v1/${path}`, { as: operator.token, ...(body ? { body } : {}) });
  const account = `accounts/${showId('acct', person.accountId)}`;
  expect((await desk('POST', `${account}/suspend`, { reason: 'Marked reason.' })).status).toBe(200);
  expect((await desk('POST', `${account}/reopen`)).status).toBe(200);
  const { db } = service.context;
  // As another account that closes at the same moment.
  let closing: Promise<string> | undefined;
  await db.transaction().execute((trx) =>
    withRight(trx, 'update (details)', async () => {
      closing = closeAccount(service, person).then(() => 'closed', String);
      await untilBlocked(db);
    }),
  );
  expect(await closing).toBe('closed');
  const { audit_entries } = (await desk('GET', `audit?subject=${showId('acct', person.accountId)}`)).body;
  const started = audit_entries.find(({ action }: { action: string }) => action === 'suspension.started');
  expect(started).toMatchObject({ details: {}, subject: showId('acct', person.accountId) });
  expect(JSON.stringify(await db.selectFrom('audit_log').selectAll().execute())).not.toContain('Marked reason');
  await expect(sql`update audit_log set details = null`.execute(db)).rejects.toThrow('permission denied');
});

test('200: of comments on deliveries no text and no note is left', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const own = { ...studio, ada: person, key };
  const { id, comments } = await newRevision(own, 'Marked words.');
  await check(own, id, comments[0]!, 'done', { note: 'Marked note.' });
  const approved = await newDelivery(own);
  await comment(own, approved, 'Marked and never sent.', undefined, person.token, 'once');
  await makeMoves(own, approved.id, 'approve');
  await closeAccount(service, person);
  const { db } = service.context;
  const rows = await db.selectFrom('job_comments').selectAll().where('account_id', '=', person.accountId).execute();
  expect(rows).toMatchObject([{ text: 'Deleted', done_note: null }]);
  const keys = await db.selectFrom('caller_idempotency_keys').selectAll().execute();
  expect(JSON.stringify(keys)).not.toContain('Marked');
});

test('200: the thread of a waiting job has no text, no reader and no mail any more', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const own = { ...studio, ada: person, key };
  const id = await newJob(service, person.token);
  await say(own, id, 'Marked words.', {}, person.token, 'once');
  await ask(own, id, 'Marked question?');
  const body = { following: true };
  await service.call('PUT', `/api/v1/jobs/${id}/following`, { as: person.token, body });
  await closeAccount(service, person);
  const { db, mailSender } = service.context;
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', uuidOf('job', id)).executeTakeFirst();
  expect(job).toMatchObject({ status: 'canceled', waiting_since: null, remaining_ms: null });
  const left = JSON.stringify([
    await db.selectFrom('job_messages').selectAll().where('account_id', '=', person.accountId).execute(),
    await db.selectFrom('idempotency_keys').selectAll().where('account_id', '=', person.accountId).execute(),
  ]);
  expect(left).not.toContain('Marked');
  const readers = db.selectFrom('job_readers').selectAll().where('account_id', '=', person.accountId);
  expect(await readers.execute()).toEqual([]);
  service.emails.splice(0);
  await db.updateTable('mails').set({ due_at: new Date() }).execute();
  mailSender.wake();
  await mailSender.idle();
  expect(service.emails.filter(({ text }) => text.includes('Marked'))).toEqual([]);
});

test('200: the session acts for another account of the owner', async () => {
  const ada = await signUp(studio.service);
  await studio.service.call('POST', '/api/auth/accounts', { as: ada.token, body: { name: 'Second' } });
  expect((await close(ada.token)).body.account).toMatchObject({ active: true, role: 'owner' });
});

test('409 account_in_use: a plan that runs', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  const { status, body } = await close(person.token);
  expect([status, body.error.code, body.error.action]).toEqual([
    409,
    'account_in_use',
    expect.stringContaining('/plans'),
  ]);
});

const portal = 'End it in the portal (POST /api/checkout/portal, page /plans), then close the account.';
const exists = 'but its subscription still exists at the payment provider.';
const end = new Date('2998-05-06T12:30:00Z');

test.each([
  ['active', {}, 'The plan Studio is active.', portal],
  ['a trial', { state: 'trialing' }, 'The plan Studio is active.', portal],
  [
    'ending',
    { ends_at: end },
    'The plan Studio ends on 6 May 2998 at 12:30 UTC: the account can be closed after that.',
    'Close the account after that.',
  ],
  ['overdue', { status: 'past_due' }, `The payment for the plan Studio is overdue, ${exists}`, portal],
  ['stopped', { status: 'stopped' }, `The plan Studio has stopped, because it is not paid, ${exists}`, portal],
  ['paused', { status: 'paused' }, `The plan Studio is paused, ${exists}`, portal],
  [
    'not renewed',
    { endsIn: -100 },
    'The plan Studio was not renewed, but may still exist at the payment provider.',
    portal,
  ],
] as const)('409 account_in_use: a plan that is %s', async (_name, change, message, action) => {
  const { service } = studio;
  const { person } = await newCustomer(service, 'studio');
  await setPlan(service, person, 'studio', change);
  const { status, body } = await close(person.token);
  expect([status, body.error.code, body.error.message, body.error.action]).toEqual([
    409,
    'account_in_use',
    message,
    action,
  ]);
  const { closing } = (await service.call('GET', '/api/auth/account/closing', { as: person.token })).body;
  expect(closing).toMatchObject({ possible: false, running_plans: 1 });
  const gone = await service.call('POST', '/api/auth/delete', { as: person.token, body: { password: goodPassword } });
  expect([gone.status, gone.body.error.message]).toEqual([422, expect.stringContaining(message)]);
});

test('409 account_in_use: of two plans the one that goes on longer is named', async () => {
  const { service } = studio;
  const { person } = await newCustomer(service, 'solo', 'agent');
  await setPlan(service, person, 'agent', { ends_at: end });
  expect((await close(person.token)).body.error.message).toBe('The plan Solo is active.');
  await setPlan(service, person, 'solo', { ends_at: new Date(end.getTime() - 1_000) });
  expect((await close(person.token)).body.error.message).toContain('The plan Agent ends on');
});

test('200: a plan whose end has come, although its last event never arrived', async () => {
  const { service } = studio;
  const { person } = await newCustomer(service, 'studio');
  await setPlan(service, person, 'studio', { status: 'past_due', ends_at: new Date(Date.now() - 1_000) });
  const { closing } = (await service.call('GET', '/api/auth/account/closing', { as: person.token })).body;
  expect(closing).toMatchObject({ possible: true, running_plans: 0 });
  expect((await close(person.token)).status).toBe(200);
});

test('409 account_in_use: a delivery that waits for review', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const id = await newJobIn({ ...studio, ada: person, key }, 'ready_for_customer_review');
  await endPlans(studio.service, person);
  const { status, body } = await close(person.token);
  expect([status, body.error.code, body.error.action]).toEqual([409, 'account_in_use', expect.stringContaining(id)]);
});

test('403 role_required: an admin', async () => {
  const owner = await signUp(studio.service);
  const admin = await addMember(studio.service, owner, 'admin');
  expect((await close(admin.token)).body.error.code).toBe('role_required');
});

test('403 second_factor_required: without a code; 422 while the second factor can still be undone', async () => {
  const owner = await signUp(studio.service);
  const { token, phone } = await addSecondFactor(studio.service, owner);
  expect((await close(token)).body.error.code).toBe('second_factor_required');
  expect((await close(token, { code: phone() })).status).toBe(422);
  await studio.service.context.db.deleteFrom('mail_tokens').where('user_id', '=', owner.userId).execute();
  expect((await close(token, { code: phone(1) })).status).toBe(200);
});

test('422 invalid_request: a wrong password', async () => {
  const ada = await signUp(studio.service);
  expect((await close(ada.token, { password: 'not my password' })).body.error.details[0].location).toBe('/password');
  expect((await makeKey(studio.service, ada)).length).toBeGreaterThan(20);
});
