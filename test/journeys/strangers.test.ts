import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureOperator } from '../../server/desk/operators/ensure-operator.ts';
import { showId } from '../../server/lib/id.ts';
import {
  addMember,
  goodPassword,
  mailedToken,
  makeKey,
  signIn,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../support/people.ts';
import { createService, type Service } from '../support/harness.ts';

/** What a stranger tried, or somebody whose right had ended, as it once succeeded. */

let service: Service;
beforeAll(async () => {
  service = await createService({
    TRUST_PROXY: '127.0.0.1',
    RATE_RECEIVE_MAIL: 'recipient=5/3600',
    RATE_GUESS_PASSWORD: 'person=5/3600',
    RATE_USE_MAIL_TOKEN: 'address=5/60',
  });
});
afterAll(() => service.close());

const post = (path: string, as: string | null, body: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', path, { as, body, headers });
const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });
const said = ({ status, body }: Awaited<ReturnType<typeof post>>) => `${status} ${body?.error?.code ?? ''}`.trim();

describe('an address that is somebody else’s', () => {
  test('a scanner that fetches the mailed link, by HEAD or GET, verifies nothing, and its owner is no operator by it', async () => {
    const stranger = await signUpUnverified(service, 'Mallory', 'future-operator@example.com');
    const link = `/verify-email?token=${mailedToken(service, stranger.email, 'Verify')}`;
    for (const method of ['HEAD', 'GET', 'HEAD']) {
      const answer = await fetch(service.url + link, { method });
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    const session = await service.call('GET', '/api/auth/members', { as: stranger.token });
    expect(session.status).toBe(200);
    expect(said(await post('/api/v1/api-keys', stranger.token, { name: 'mine' }))).toBe('403 email_unverified');

    const attempt = ensureOperator(service.context, { email: stranger.email, password: 'the real password' });
    await expect(attempt).rejects.toMatchObject({ code: 'unauthenticated' });
    await ensureOperator(service.context, {
      email: stranger.email,
      password: 'the real password',
      replacePassword: true,
    });
    expect((await service.call('GET', '/api/operator/v1/accounts', { as: stranger.token })).status).toBe(401);
    const operator = await signIn(service, stranger.email, 'the real password');
    expect((await service.call('GET', '/api/operator/v1/accounts', { as: operator.token })).status).toBe(200);
  });

  test('the button of the page verifies for who signed up, and for nobody else', async () => {
    const stranger = await signUpUnverified(service);
    const owner = await signUp(service);
    const press = (cookie: string, origin = 'http://localhost:3000') =>
      fetch(`${service.url}/api/auth/verify-email`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.77' },
        body: JSON.stringify({ token: mailedToken(service, stranger.email, 'Verify') }),
      });
    expect((await press('')).status).toBe(401);
    expect((await press(owner.cookie)).status).toBe(401);
    expect((await press(stranger.cookie, 'https://evil.example')).status).toBe(403);
    const pressed = await press(stranger.cookie);
    expect(pressed.status).toBe(200);
    expect((await post('/api/v1/api-keys', stranger.token, { name: 'mine' })).status).toBe(201);
  });

  test('who signs up with it makes no key and invites nobody', async () => {
    const squatter = await signUpUnverified(service);
    const tries: [string, object][] = [
      ['/api/v1/api-keys', { name: 'mine' }],
      ['/api/auth/invitations', { email: 'accomplice@example.com', role: 'admin' }],
      ['/api/checkout/tier', { plan_code: 'solo' }],
      ['/api/v1/files/presign', { purpose: 'job_source', content_type: 'text/plain', file_name: 'a', size_bytes: 1 }],
      ['/api/v1/intake/sessions', { service_family: 'design' }],
    ];
    for (const [path, body] of tries)
      expect([path, said(await post(path, squatter.token, body))]).toEqual([path, '403 email_unverified']);
    const draft = { service_family: 'design', service_type: 'logo', customer_title: 'A', customer_instructions: 'B' };
    expect(said(await post('/api/v1/jobs', squatter.token, draft))).toBe('403 email_unverified');
    const { preflight } = (await post('/api/v1/jobs/preflight', squatter.token, draft)).body;
    expect(preflight.blocking_reasons[0]).toMatchObject({ code: 'email_unverified' });
  });

  test('once its owner resets the password, all that was made before is gone', async () => {
    const squatter = await signUp(service);
    const accomplice = await addMember(service, squatter, 'admin');
    const [key, theirs] = [await makeKey(service, squatter), await makeKey(service, accomplice)];
    await post('/api/auth/invitations', squatter.token, { email: 'third@example.com', role: 'admin' });
    const { db } = service.context;
    await db.updateTable('people').set({ email_verified: false }).where('id', '=', squatter.userId).execute();

    await post('/api/auth/request-password-reset', null, { email: squatter.email });
    const token = mailedToken(service, squatter.email, 'Reset');
    for (const method of ['HEAD', 'GET']) await fetch(`${service.url}/reset-password?token=${token}`, { method });
    const reset = { token, new_password: 'the owner’s password' };
    expect((await post('/api/auth/reset-password', null, reset, from(78))).status).toBe(200);
    for (const as of [squatter.token, key, theirs])
      expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(401);
    const owner = await signIn(service, squatter.email, 'the owner’s password');
    const read = async (path: string) => (await service.call('GET', path, { as: owner.token })).body;
    expect((await read('/api/auth/members')).members).toHaveLength(1);
    expect((await read('/api/auth/invitations')).invitations).toMatchObject([{ status: 'canceled' }]);
    expect((await service.call('GET', '/api/auth/members', { as: accomplice.token })).status).toBe(403);
    expect((await post('/api/v1/api-keys', owner.token, { name: 'mine' })).status).toBe(201); // the reset proved the address
  });
});

describe('a right that has ended', () => {
  const demote = ({ memberId }: { memberId: string }, as: string) =>
    service.call('PATCH', `/api/auth/members/${showId('mem', memberId)}`, { as, body: { role: 'member' } });

  test('keys of a demoted admin work no more, and a list tells who made which', async () => {
    const owner = await signUp(service, 'Olga');
    const admin = await addMember(service, owner, 'admin');
    const key = await makeKey(service, admin);
    const { api_keys } = (await service.call('GET', '/api/v1/api-keys', { as: owner.token })).body;
    expect(api_keys).toMatchObject([{ created_by: { id: showId('user', admin.userId), name: 'The admin' } }]);
    const { body } = await demote(admin, owner.token);
    expect(body.api_keys).toMatchObject([{ id: api_keys[0].id, status: 'revoked' }]);
    expect((await service.call('GET', '/api/v1/me', { as: key })).status).toBe(401);
  });

  test('the invitation of a demoted admin makes nobody an admin who could promote them back', async () => {
    const owner = await signUp(service);
    const [admin, accomplice] = [await addMember(service, owner, 'admin'), await signUp(service)];
    const body = { email: accomplice.email, role: 'admin' };
    const { invitation } = (await post('/api/auth/invitations', admin.token, body)).body;
    await demote(admin, owner.token);
    expect(said(await post(`/api/auth/invitations/${invitation.id}/accept`, accomplice.token))).toBe(
      '404 invitation_not_found',
    );
  });
});

describe('work for nothing', () => {
  const deep = '['.repeat(262_144) + ']'.repeat(262_144);

  test('half a megabyte of brackets is refused before it is parsed, at sign-in by its size', async () => {
    const began = performance.now();
    const headers = { 'content-type': 'application/json' };
    const asked = { raw: deep, headers };
    expect(said(await service.call('POST', '/api/auth/reset-password', asked))).toBe('413 body_too_large');
    const refused = await service.call('POST', '/api/v1/catalog/intent-check', asked);
    expect([said(refused), refused.body.error.message]).toEqual([
      '422 invalid_request',
      expect.stringContaining('deeper than 32'),
    ]);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test.each([
    ['zeros', `{"a":[${'0,'.repeat(240_000)}0]}`],
    ['unknown fields', `{${Array.from({ length: 40_000 }, (_, n) => `"f${n}":0`).join(',')}}`],
    ['empty objects', `{"a":[${'{},'.repeat(160_000)}{}]}`],
  ])('half a megabyte of %s costs no more than half a megabyte of text', async (_what, raw) => {
    // The least of five requests: now and then one pays for collecting the garbage of those before.
    const cost = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      const costs: number[] = [];
      for (let n = 0; n < 5; n++) {
        const began = process.cpuUsage();
        const answer = await service.call('POST', '/api/v1/catalog/intent-check', { raw: body, headers });
        const { user, system } = process.cpuUsage(began);
        expect(said(answer)).toBe('422 invalid_request');
        costs.push((user + system) / 1000);
      }
      return Math.min(...costs);
    };
    const text = `{"a":"${'x'.repeat(480_000)}"}`;
    await cost(text);
    expect(await cost(raw)).toBeLessThan(4 * (await cost(text)) + 100);
  });

  test('32 levels are read, 33 are not; brackets in texts do not count', async () => {
    const nested = (levels: number) => `{"service_family":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const message = async (raw: string) => {
      const asked = { raw, headers: { 'content-type': 'application/json' } };
      return (await service.call('POST', '/api/v1/catalog/intent-check', asked)).body.error.message;
    };
    expect(await message(nested(32))).not.toContain('nested');
    expect(await message(nested(33))).toContain('nested deeper');
    expect(await message(JSON.stringify({ service_family: `\\"${'['.repeat(100)}` }))).not.toContain('nested');
  });

  test('what takes the token of a mail is counted by address', async () => {
    const answers = [];
    for (let n = 0; n < 6; n++)
      answers.push(
        said(await post('/api/auth/reset-password', null, { token: 'x', new_password: goodPassword }, from(1))),
      );
    expect(answers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => '422 invalid_request'));
    expect(answers[5]).toBe('429 rate_limit_exceeded');
  });

  test('60 resets for one person from 60 addresses send five mails, with the same answer to all', async () => {
    const { email } = await signUpUnverified(service);
    const mails = () => service.emails.filter(({ to }) => to === email).length;
    const before = mails();
    const answers = Array.from({ length: 60 }, (_, n) =>
      post('/api/auth/request-password-reset', null, { email }, from(n + 10)),
    );
    expect(new Set((await Promise.all(answers)).map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set(['[200,{"done":true}]']),
    );
    expect(mails() - before).toBeLessThanOrEqual(5);
    expect(mails()).toBe(5); // with that of the sign-up
  });

  test('no text of a stranger is the subject of a mail, and no name holds a link', async () => {
    const body = { name: 'Claim your prize at https://evil.example', email: 'eve@example.com', password: goodPassword };
    expect(said(await post('/api/auth/sign-up/email', null, body))).toBe('422 invalid_request');
    const eve = await signUp(service, 'Claim your prize now');
    await post('/api/auth/invitations', eve.token, { email: 'victim@example.com', role: 'member' });
    const mail = service.emails.find(({ to }) => to === 'victim@example.com');
    expect(mail?.subject).toBe('You are invited to an account');
  });
});

describe('guessing a password', () => {
  const guess = (person: TestPerson, n: number, password = 'wrong password') =>
    post('/api/auth/sign-in/email', null, { email: person.email, password }, from(n));

  test('from many addresses it slows down per person, and does not lock the person out', async () => {
    const email = 'target@example.com';
    const signedUp = await post(
      '/api/auth/sign-up/email',
      null,
      { name: 'T', email, password: goodPassword },
      from(200),
    );
    expect(signedUp.status).toBe(200);
    const target = { email } as TestPerson;
    const answers = [];
    for (let n = 100; n < 112; n++) answers.push(said(await guess(target, n)));
    expect(answers.filter((answer) => answer === '401 unauthenticated')).toHaveLength(5);
    expect(answers.slice(5)).toEqual(Array.from({ length: 7 }, () => '429 rate_limit_exceeded'));
    expect(said(await guess(target, 120, goodPassword))).toBe('429 rate_limit_exceeded'); // a right guess, too
    expect(said(await guess(target, 200, goodPassword))).toBe('200'); // where the person signed up
    // From anywhere, by the mail; afterwards that network is known.
    await post('/api/auth/request-password-reset', null, { email }, from(121));
    const token = mailedToken(service, email, 'Reset');
    expect(
      (await post('/api/auth/reset-password', null, { token, new_password: 'a fresh password' }, from(121))).status,
    ).toBe(200);
    expect(said(await guess(target, 121, 'a fresh password'))).toBe('200');
  });

  test('an address that nobody has is slowed down alike', async () => {
    const answers = [];
    for (let n = 130; n < 137; n++) answers.push(said(await guess({ email: 'nobody@example.com' } as TestPerson, n)));
    expect(answers.slice(4)).toEqual(['401 unauthenticated', '429 rate_limit_exceeded', '429 rate_limit_exceeded']);
  });

  test('a database that leaks tells no address of a network', async () => {
    const { userId } = await signUpUnverified(service);
    const { db } = service.context;
    const row = await db
      .selectFrom('people')
      .select('known_networks')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const plain = createHash('sha256').update('127.0.0.1').digest('base64url');
    expect(row.known_networks).toHaveLength(1);
    expect(row.known_networks[0]).not.toMatch(new RegExp(`127|${plain}`));
  });
});
