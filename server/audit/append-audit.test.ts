import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { addSecondFactor, signInWith } from '../../test/support/authenticator.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import { sharedStudio, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { mailedToken, signUp, signUpUnverified } from '../../test/support/people.ts';
import { leasedJob, makeWorker } from '../../test/support/workers.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const bytes = someBytes();
const desk = (path: string) => `/api/operator/v1${path}`;

describe('taking data out writes one audit entry, however often it is repeated', () => {
  const told = async (subject: string, action: string) => {
    const path = desk(`/audit?subject=${subject}&action=${action}`);
    return (await studio.service.call('GET', path, { as: studio.operator.token })).body.audit_entries;
  };

  test('a download of a file at the desk: by page, by operator and by worker', async () => {
    const worker = await makeWorker(studio);
    const { id, token: lease_token } = await leasedJob(studio, worker);
    const file = await newFile(studio.service, studio.key, bytes, { job_id: id });
    const path = desk(`/files/${file.id}/download`);
    for (let n = 0; n < 2; n++) {
      expect((await studio.service.call('GET', path, { as: studio.operator.token })).status).toBe(303);
      expect((await post(studio.service, studio.operator.token, path, {})).status).toBe(200);
      expect((await post(studio.service, worker, path, { lease_token })).status).toBe(200);
    }
    const entries = await told(file.id, 'file.downloaded_at_desk');
    expect(entries.map(({ actor }: { actor: string }) => actor).toSorted()).toEqual(['operator', 'worker']);
    const account_id = showId('acct', studio.ada.accountId);
    for (const entry of entries) expect(entry).toMatchObject({ account_id, details: { job_id: id } });
    const ownLog = await studio.service.call('GET', `/api/v1/audit?subject=${file.id}`, { as: studio.ada.token });
    const actions = ownLog.body.audit_entries.map(({ action }: { action: string }) => action);
    expect(actions).not.toContain('file.downloaded_at_desk');
  });

  test('a refused download is not told', async () => {
    const worker = await makeWorker(studio);
    const id = await newJob(studio.service, studio.key);
    const file = await newFile(studio.service, studio.key, bytes, { job_id: id });
    const lease_token = crypto.randomUUID();
    expect((await post(studio.service, worker, desk(`/files/${file.id}/download`), { lease_token })).status).toBe(409);
    expect(await told(file.id, 'file.downloaded_at_desk')).toEqual([]);
  });

  test('the export of a person’s data', async () => {
    const { token, userId } = await signUp(studio.service);
    for (let n = 0; n < 2; n++)
      expect((await studio.service.call('GET', '/api/auth/export', { as: token })).status).toBe(200);
    const subject = showId('user', userId);
    expect(await told(subject, 'user.exported')).toMatchObject([{ actor: 'customer', created_by: { id: subject } }]);
  });
});

describe('a refused password or code writes one audit entry in a quarter of an hour', () => {
  const told = async (userId: string) => {
    const path = desk(`/audit?subject=${showId('user', userId)}&action=user.password_refused,user.code_refused`);
    return (await studio.service.call('GET', path, { as: studio.operator.token })).body.audit_entries.map(
      ({ action, created_by }: { action: string; created_by: { id: string } | null }) => [
        action,
        created_by?.id ?? null,
      ],
    );
  };
  const wrong = 'not the password';
  const refusedAs = (email: string) =>
    post(studio.service, null, '/api/auth/sign-in/email', { email, password: wrong });

  test('at the sign-in: of nobody, and nothing of an address that nobody has', async () => {
    const { email, userId } = await signUp(studio.service);
    for (let n = 0; n < 3; n++) expect((await refusedAs(email)).status).toBe(401);
    expect(await told(userId)).toEqual([['user.password_refused', null]]);
    const count = () => studio.service.context.db.selectFrom('audit_log').select('id').execute();
    const before = (await count()).length;
    expect((await refusedAs('nobody@example.com')).status).toBe(401);
    expect((await count()).length).toBe(before);
  });

  test('again after a quarter of an hour', async () => {
    const { email, userId } = await signUp(studio.service);
    await refusedAs(email);
    await sql`grant update on audit_log to current_user`.execute(studio.service.context.db);
    await sql`update audit_log set created_at = created_at - interval '16 minutes'`.execute(studio.service.context.db);
    await sql`revoke update on audit_log from current_user`.execute(studio.service.context.db);
    await refusedAs(email);
    await refusedAs(email);
    expect(await told(userId)).toHaveLength(2);
  });

  test('by somebody who is signed in: of their session', async () => {
    const { token, userId } = await signUp(studio.service);
    const body = { current_password: wrong, new_password: 'another good battery' };
    for (let n = 0; n < 2; n++)
      expect((await post(studio.service, token, '/api/auth/change-password', body)).status).toBe(422);
    expect(await told(userId)).toEqual([['user.password_refused', showId('user', userId)]]);
  });

  test('a wrong code; a missing one is not', async () => {
    const person = await signUp(studio.service);
    await addSecondFactor(studio.service, person);
    const code = (sent?: string) => signInWith(studio.service, person, sent);
    expect((await code()).status).toBe(403);
    expect(await told(person.userId)).toEqual([]);
    for (let n = 0; n < 2; n++) expect((await code('000000')).status).toBe(403);
    expect(await told(person.userId)).toEqual([['user.code_refused', null]]);
  });

  test('with the link that proves an address', async () => {
    const { email, userId } = await signUpUnverified(studio.service);
    const token = mailedToken(studio.service, email, 'Verify');
    expect((await post(studio.service, null, '/api/auth/verify-email', { token, password: wrong })).status).toBe(401);
    expect(await told(userId)).toEqual([['user.password_refused', null]]);
  });
});
