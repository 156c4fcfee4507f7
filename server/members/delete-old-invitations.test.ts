import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp } from '../../test/support/people.ts';
import { deleteOldInvitations } from './delete-old-invitations.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('invitations are deleted 90 days after they expired', async () => {
  const owner = await signUp(service);
  const { db } = service.context;
  for (const [email, days] of [
    ['old@example.com', 91],
    ['recent@example.com', 89],
  ] as const) {
    const body = { email, role: 'member' };
    expect((await service.call('POST', '/api/auth/invitations', { as: owner.token, body })).status).toBe(201);
    await sql`
      update invitations set expires_at = now() - make_interval(days => ${days}) where email = ${email}`.execute(db);
  }
  await deleteOldInvitations(db, new AbortController().signal);
  const { invitations } = (await service.call('GET', '/api/auth/invitations', { as: owner.token })).body;
  expect(invitations.map(({ email }: { email: string }) => email)).toEqual(['recent@example.com']);
});
