import { beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { addMember, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

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

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const ada = await signUp(service);
  const { status, body } = await service.call('GET', `/api/auth/accounts?${query}`, { as: ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
