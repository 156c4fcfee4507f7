import { beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../lib/id.ts';
import { addMember, signIn, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = (accountId: string) => `/api/auth/accounts/${showId('acct', accountId)}/switch`;

test('200: this session acts for the other account from then on, the others do not', async () => {
  const owner = await signUp(service, 'The studio');
  const person = await addMember(service, owner, 'member');
  const other = await signIn(service, person.email);
  const { accounts } = (await service.call('GET', '/api/auth/accounts', { as: other.token })).body;
  const own = readId('acct', accounts.find(({ role }: { role: string }) => role === 'owner').id)!;

  const { status, body } = await service.call('POST', path(own), { as: person.token });
  expect(status).toBe(200);
  expect(body.account).toEqual({ id: showId('acct', own), name: 'The member', role: 'owner', active: true });
  const members = await service.call('GET', '/api/auth/members', { as: person.token });
  expect(members.body.members).toHaveLength(1);

  await service.call('POST', path(owner.accountId), { as: other.token });
  expect((await service.call('GET', '/api/auth/members', { as: other.token })).body.members).toHaveLength(2);
  expect((await service.call('GET', '/api/auth/members', { as: person.token })).body.members).toHaveLength(1);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const person = await signUp(service);
  const headers = { origin: 'https://evil.example' };
  const as = { cookie: person.cookie };
  expect((await service.call('POST', path(person.accountId), { as, headers })).status).toBe(403);
});

test('422 invalid_request: a body', async () => {
  const person = await signUp(service);
  expect((await service.call('POST', path(person.accountId), { as: person.token, body: { x: 1 } })).status).toBe(422);
});
