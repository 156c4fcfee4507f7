import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { addMember, signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

test('200: oldest membership first, the active one marked', async () => {
  const owner = await signUp(service, 'The studio');
  const person = await addMember(service, owner, 'admin');
  const { status, body } = await service.call('GET', '/api/auth/accounts', { as: person.token });
  expect(status).toBe(200);
  expect(body.accounts).toEqual([
    { id: expect.stringMatching(/^acct_/), name: 'The admin', role: 'owner', active: false },
    { id: showId('acct', owner.accountId), name: 'The studio', role: 'admin', active: true },
  ]);
});

test('401 unauthenticated: nobody', async () => {
  expect((await service.call('GET', '/api/auth/accounts')).status).toBe(401);
});
