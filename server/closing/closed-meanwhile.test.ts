import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrand, putBrand } from '../../test/support/brand.ts';
import { newFile, presign, someBytes } from '../../test/support/files.ts';
import type { As, Got } from '../../test/support/harness.ts';
import { createJob, newCustomer, newJob, post } from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { addMember, endPlans, goodPassword, type TestPerson } from '../../test/support/people.ts';
import { newReviewLink } from '../../test/support/review-links.ts';
import { say, sayAtDesk } from '../../test/support/talk.ts';
import { putTemplate, saveTemplate } from '../../test/support/templates.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const bytes = someBytes();
const webhooks = '/api/v1/webhook-endpoints';
const noAccount: [number, string] = [403, 'no_active_account'];
const noRole: [number, string] = [403, 'role_required'];

type Account = Awaited<ReturnType<typeof openAccount>>;

/** An account with one of each. */
async function openAccount() {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const own = { ...studio, ada: person, key };
  const job = await newJob(service, person.token);
  return {
    own,
    person,
    key,
    job,
    member: await addMember(service, person, 'member'),
    message: (await say(own, job, 'Thank you.')).body.message.id as string,
    kitFile: await newBrand(service, key, bytes),
    file: await newFile(service, key, bytes),
    template: (await saveTemplate(service, key)).body.template.id as string,
    endpoint: await newEndpoint(own),
    link: await newReviewLink(own, job),
    apiKey: (await post(service, person.token, '/api/v1/api-keys', { name: 'second' })).body.api_key.id as string,
  };
}

const close = ({ token }: TestPerson) =>
  post(studio.service, token, '/api/auth/account/close', { password: goodPassword });

/** How many rows a closed account has of what customers write. */
async function contentOf({ person: { accountId } }: Account) {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from brand_kits where account_id = ${accountId}) as brand_kits,
      (select count(*)::int from templates where account_id = ${accountId}) as templates,
      (select count(*)::int from intake_sessions where account_id = ${accountId}) as drafts,
      (select count(*)::int from files where account_id = ${accountId} and status in ('pending_upload', 'uploaded')) as files,
      (select count(*)::int from job_messages where account_id = ${accountId} and text is not null) as messages,
      (select count(*)::int from job_readers where account_id = ${accountId}) as readers,
      (select count(*)::int from api_keys where account_id = ${accountId} and revoked_at is null) as keys,
      (select count(*)::int from webhook_endpoints where account_id = ${accountId}) as endpoints,
      (select count(*)::int from invitations where account_id = ${accountId}) as invitations,
      (select count(*)::int from review_links where account_id = ${accountId} and revoked_at is null) as links`.execute(
    studio.service.context.db,
  );
  return rows[0];
}
const kinds = ['brand_kits', 'templates', 'drafts', 'files', 'messages', 'readers', 'keys', 'endpoints', 'invitations'];
const emptied = Object.fromEntries([...kinds, 'links'].map((kind) => [kind, 0]));

/** The answer to a request that waits while the account is being closed. */
async function whileClosing(account: Account, request: (account: Account) => Promise<Got>): Promise<Got> {
  const { db } = studio.service.context;
  await endPlans(studio.service, account.person);
  const { accountId } = account.person;
  const { closing, waiting } = await db.transaction().execute(async (trx) => {
    await sql`select from account_counters where account_id = ${accountId} for no key update`.execute(trx);
    const answers = { closing: close(account.person), waiting: Promise.resolve<Got | null>(null) };
    await untilBlocked(db);
    answers.waiting = request(account);
    await untilBlocked(db, 2);
    return answers;
  });
  expect((await closing).status).toBe(200);
  return (await waiting) ?? expect.fail();
}

const send = (method: string, as: As, path: string, body?: object) =>
  studio.service.call(method, path, { as, ...(body ? { body } : {}) });

const requests: [string, [number, string], (account: Account) => Promise<Got>][] = [
  ['a change of the brand kit by a key', noAccount, ({ key }) => putBrand(studio.service, key)],
  ['a change of the brand kit', noRole, ({ person }) => putBrand(studio.service, person.token)],
  ['a new template', noAccount, ({ member }) => saveTemplate(studio.service, member.token)],
  [
    'a change of a template',
    noAccount,
    ({ key, template }) => putTemplate(studio.service, key, template, { name: 'X' }),
  ],
  ['the end of a template', noAccount, ({ key, template }) => send('DELETE', key, `/api/v1/templates/${template}`)],
  ['a draft', noAccount, ({ key }) => send('POST', key, '/api/v1/intake/sessions', { service_family: 'design' })],
  ['an upload', noAccount, ({ key }) => presign(studio.service, key, bytes)],
  ['a copy of a file', noAccount, ({ key, file }) => send('POST', key, `/api/v1/files/${file.id}/copy`)],
  ['a message', noAccount, ({ own, job }) => say(own, job, 'Marked words.')],
  ['a message of the studio', [409, 'invalid_transition'], ({ own, job }) => sayAtDesk(own, job, 'Marked words.')],
  [
    'following a job',
    noAccount,
    ({ member, job }) => send('PUT', member.token, `/api/v1/jobs/${job}/following`, { following: true }),
  ],
  [
    'a reading mark',
    noAccount,
    ({ member, job, message: message_id }) =>
      send('PUT', member.token, `/api/v1/jobs/${job}/messages/read`, { message_id }),
  ],
  ['a new job', [403, 'entitlement_required'], ({ key }) => createJob(studio.service, key)],
  ['a checkout', noAccount, ({ person }) => send('POST', person.token, '/api/checkout/tier', { plan_code: 'agent' })],
  ['a new key', noRole, ({ person }) => send('POST', person.token, '/api/v1/api-keys', { name: 'late' })],
  [
    'a rotation of a key',
    noRole,
    ({ person, apiKey }) => send('POST', person.token, `/api/v1/api-keys/${apiKey}/rotate`, {}),
  ],
  ['a new webhook endpoint', noRole, ({ own }) => send('POST', own.ada.token, webhooks, { url: own.receiver.url })],
  [
    'a test of a webhook endpoint',
    [404, 'webhook_endpoint_not_found'],
    ({ person, endpoint }) => send('POST', person.token, `${webhooks}/${endpoint.id}/test`),
  ],
  [
    'an invitation',
    noRole,
    ({ person }) => send('POST', person.token, '/api/auth/invitations', { email: 'late@example.com', role: 'member' }),
  ],
  [
    'a review link',
    noAccount,
    ({ member, job }) => send('POST', member.token, `/api/v1/jobs/${job}/review-links`, { name: 'Late' }),
  ],
  [
    'a review link by a key',
    [401, 'unauthenticated'],
    ({ key, job }) => send('POST', key, `/api/v1/jobs/${job}/review-links`, { name: 'Late' }),
  ],
];

describe('a request that waits while its account is closed writes nothing', () => {
  test.each(requests)('%s', async (_, refusal, request) => {
    const account = await openAccount();
    const { status, body } = await whileClosing(account, request);
    expect([status, body.error?.code]).toEqual(refusal);
    expect(await contentOf(account)).toEqual(emptied);
  });

  test('the end of a key: 200, as it has ended', async () => {
    const account = await openAccount();
    const { person, apiKey } = account;
    const { status, body } = await whileClosing(account, () =>
      send('DELETE', person.token, `/api/v1/api-keys/${apiKey}`),
    );
    expect([status, body.api_key.status]).toEqual([200, 'revoked']);
  });
});
