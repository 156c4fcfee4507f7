import { beforeAll, expect, test } from 'vitest';
import { close, confirm, expire, openSession, readSession, readySession } from '../../test/support/intake.ts';
import { sharedStudio, post, type Studio } from '../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 with the closed conversation, and the same again', async () => {
  const { service, key } = studio;
  const session = await openSession(service, key);
  const first = await close(service, key, session.id);
  expect(first.status).toBe(200);
  const closed = {
    status: 'closed',
    suggested_replies: [],
    next_action: expect.stringMatching(/^Open a new conversation/),
  };
  expect(first.body).toEqual({ intake_session: { ...session, ...closed } });
  const again = await close(service, key, session.id);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await readSession(service, key, session.id)).body).toEqual(first.body);
});

test('200 keeps the brief of a ready conversation, which can no longer be confirmed', async () => {
  const { service, key } = studio;
  const ready = await readySession(service, key);
  const { body } = await close(service, key, ready.id);
  expect(body.intake_session).toMatchObject({ status: 'closed', intent_brief: ready.intent_brief });
  expect((await confirm(service, key, ready.id)).body.error.code).toBe('intake_session_conflict');
});

test('200 for one that expired', async () => {
  const { service, key } = studio;
  const { id } = await openSession(service, key);
  await expire(service, id);
  expect((await close(service, key, id)).body.intake_session.status).toBe('closed');
});

test('409 intake_session_conflict: confirmed', async () => {
  const { service, key } = studio;
  const { id } = await readySession(service, key);
  await confirm(service, key, id);
  const { status, body } = await close(service, key, id);
  expect([status, body.error.code]).toEqual([409, 'intake_session_conflict']);
  expect((await readSession(service, key, id)).body.intake_session.status).toBe('confirmed');
});

test('422 invalid_request: a body with a field', async () => {
  const { service, key } = studio;
  const { id } = await openSession(service, key);
  const { status, body } = await post(service, key, `/api/v1/intake/sessions/${id}/close`, { reason: 'x' });
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('403 csrf_token_invalid: a cookie without its token', async () => {
  const { service, ada } = studio;
  const { id } = await openSession(service, ada);
  const { status, body } = await close(service, { cookie: ada.cookie }, id);
  expect([status, body.error.code]).toEqual([403, 'csrf_token_invalid']);
});
