import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { mailedToken, signUp, signUpUnverified } from '../../test/support/people.ts';
import { deleteExpiredTokens } from './delete-expired-tokens.ts';

let service: Service;
// Of its own: it deletes tokens of everybody, and counts the others.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const sweep = () => deleteExpiredTokens(service.context.db, new AbortController().signal);

test('sessions and the tokens of mails go once they have expired, however many there are, and not before', async () => {
  const { db } = service.context;
  const ada = await signUpUnverified(service);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: ada.email } });
  const at = sql`now() + make_interval(mins => n - 2500)`;
  await sql`insert into sessions (token, user_id, expires_at)
    select n::text, ${ada.userId}, ${at} from generate_series(1, 2600) n`.execute(db);
  await sql`insert into mail_tokens (digest, purpose, user_id, email, expires_at)
    select sha256(n::text::bytea), 'verify_email', ${ada.userId}, ${ada.email}, ${at} from generate_series(1, 2600) n`.execute(
    db,
  );
  await sql`insert into verifications (identifier, value, expires_at)
    select n::text, ${ada.userId}, ${at} from generate_series(1, 2600) n`.execute(db);
  await Promise.all([sweep(), sweep()]);
  await sweep();
  const left = Array.from({ length: 100 }, (_, n) => String(n + 2501));
  const tokens = (await db.selectFrom('sessions').select('token').execute()).map(({ token }) => token);
  expect(tokens.toSorted()).toEqual([...left, ada.token.split('.')[0]].toSorted());
  const steps = (await db.selectFrom('verifications').select('identifier').execute()).map((row) => row.identifier);
  expect(steps.toSorted()).toEqual(left);
  const mails = await db.selectFrom('mail_tokens').select('purpose').execute();
  expect(mails).toHaveLength(102); // with those of the sign-up and of the reset
  expect((await service.call('GET', '/api/auth/accounts', { as: ada.token })).status).toBe(200);
});

test('a token that was used is gone with the others of its user', async () => {
  const { email, userId } = await signUp(service);
  for (let n = 0; n < 2; n++) await service.call('POST', '/api/auth/request-password-reset', { body: { email } });
  const token = mailedToken(service, email, 'Reset');
  const body = { token, new_password: 'another good password' };
  expect((await service.call('POST', '/api/auth/reset-password', { body })).status).toBe(200);
  const left = await service.context.db.selectFrom('mail_tokens').where('user_id', '=', userId).selectAll().execute();
  expect(left).toEqual([]);
});

test('it stops when it is told to', async () => {
  const { sessionId } = await signUp(service);
  const { db } = service.context;
  const past = { expires_at: sql<Date>`now()` };
  await db.updateTable('sessions').set(past).where('id', '=', sessionId).execute();
  await deleteExpiredTokens(db, AbortSignal.abort());
  const session = db.selectFrom('sessions').where('id', '=', sessionId).select('id');
  expect(await session.execute()).toHaveLength(1);
  await sweep();
  expect(await session.execute()).toEqual([]);
});
