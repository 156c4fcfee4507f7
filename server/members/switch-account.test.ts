import { beforeAll, expect, test } from 'vitest';
import { newId, readId, showId } from '../lib/id.ts';
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

test('404 account_not_found: an account of somebody else answers like none', async () => {
  const [person, stranger] = [await signUp(service), await signUp(service)];
  const answers = [];
  for (const target of [path(stranger.accountId), path(newId()), '/api/auth/accounts/acct_nonsense/switch'])
    answers.push(await service.call('POST', target, { as: person.token }));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ body: { error } }) => JSON.stringify({ ...error, request_id: '' }))).size).toBe(1);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const person = await signUp(service);
  const headers = { origin: 'https://evil.example' };
  expect((await service.call('POST', path(person.accountId), { as: person, headers })).status).toBe(403);
});

test('422 invalid_request: a body', async () => {
  const person = await signUp(service);
  expect((await service.call('POST', path(person.accountId), { as: person.token, body: { x: 1 } })).status).toBe(422);
});
