import { beforeAll, expect, test } from 'vitest';
import {
  confirm,
  expire,
  openSession,
  readSession,
  readySession,
  say,
  unknownSession,
} from '../../test/support/intake.ts';
import { newCustomer, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 shows the session as the last message left it, to everybody of the account', async () => {
  const { service, ada, key } = studio;
  const { id } = await openSession(service, key);
  const { body: said } = await say(service, key, id, 'A logo, please.');
  const member = await addMember(service, ada, 'member');
  for (const as of [key, ada.token, member.token, await makeKey(service, ada, ['api:read'])]) {
    const { status, body } = await readSession(service, as, id);
    expect(status).toBe(200);
    expect(body).toEqual({ intake_session: said.intake_session });
  }
});

test('200 with status expired after thirty days, by the clock of the database', async () => {
  const { service, key } = studio;
  const ready = await readySession(service, key);
  await expire(service, ready.id);
  const { body } = await readSession(service, key, ready.id);
  expect(body.intake_session).toMatchObject({ status: 'expired', intent_brief: ready.intent_brief, job_id: null });
});

test('200 with status confirmed also after thirty days', async () => {
  const { service, key } = studio;
  const ready = await readySession(service, key);
  const { body: confirmed } = await confirm(service, key, ready.id);
  await expire(service, ready.id);
  const { body } = await readSession(service, key, ready.id);
  expect(body.intake_session).toMatchObject({ status: 'confirmed', job_id: confirmed.job.id });
});

test('200 says in next_action how to go on: talk, confirm, follow the job, or open another', async () => {
  const { service, key } = studio;
  const next = async (id: string) => (await readSession(service, key, id)).body.intake_session.next_action;
  const path = (id: string) => `/api/v1/intake/sessions/${id}`;
  const { id } = await openSession(service, key);
  expect(await next(id)).toContain(`POST ${path(id)}/messages or set a field with POST ${path(id)}/answers `);
  await expire(service, id);
  expect(await next(id)).toContain('POST /api/v1/intake/sessions');
  const ready = await readySession(service, key);
  expect(await next(ready.id)).toContain(
    `POST ${path(ready.id)}/confirm and brief_version ${ready.intent_brief.version}.`,
  );
  const { body } = await confirm(service, key, ready.id);
  expect(await next(ready.id)).toContain(`GET /api/v1/jobs/${body.job.id} `);
});

test.each([unknownSession, 'ise_', 'nonsense', unknownSession.replace('ise', 'job'), '%00'])(
  '404 intake_session_not_found: %s',
  async (id) => {
    const { status, body } = await readSession(studio.service, studio.key, id);
    expect([status, body.error.code]).toEqual([404, 'intake_session_not_found']);
  },
);

test('404 intake_session_not_found: of another account, word for word as if there were none', async () => {
  const { key: eve } = await newCustomer(studio.service, 'studio');
  const { id } = await openSession(studio.service, studio.key);
  for (const ask of [readSession, (...words: Parameters<typeof readSession>) => say(...words, 'Hello'), confirm]) {
    const [foreign, none] = [await ask(studio.service, eve, id), await ask(studio.service, eve, unknownSession)];
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'intake_session_not_found']);
    expect({ ...foreign.body.error, request_id: '' }).toEqual({ ...none.body.error, request_id: '' });
  }
});
