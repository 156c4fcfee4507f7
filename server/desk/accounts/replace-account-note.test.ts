import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { sharedStudio, newCustomer, newJob, type Studio } from '../../../test/support/jobs.ts';
import { claim, makeWorker } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const note = 'Send proofs as PDF. Never call before ten.';
const write = (id: string, body: unknown = { body: note }) =>
  studio.service.call('PUT', `/api/operator/v1/accounts/${id}/note`, { as: studio.operator.token, body });
const get = (path: string, as: string) => studio.service.call('GET', path, { as });

test('200: operators read it on the account and beside its jobs, workers and the account do not', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const id = showId('acct', person.accountId);
  const job = await newJob(studio.service, key);
  const { status, body } = await write(id);
  expect([status, body.account.note]).toEqual([
    200,
    {
      body: note,
      created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
      updated_at: expect.any(String),
    },
  ]);
  const atDesk = await get(`/api/operator/v1/jobs/${job}`, studio.operator.token);
  expect(atDesk.body.job.account_note).toBe(note);

  const claimed = await claim(studio, await makeWorker(studio));
  const seen = [
    claimed.body,
    ...(await Promise.all(
      [`/api/v1/jobs/${job}`, '/api/v1/me', '/api/v1/events', '/api/v1/audit', '/api/auth/export'].map(
        async (path) => (await get(path, person.token)).body,
      ),
    )),
    (await get(`/api/operator/v1/audit?account_id=${id}`, studio.operator.token)).body,
  ];
  expect(claimed.body.job.account_note).toBeNull();
  for (const answer of seen) expect(JSON.stringify(answer)).not.toContain(note);
});

test('200: without text there is no note', async () => {
  const id = showId('acct', studio.ada.accountId);
  await write(id);
  expect((await write(id, { body: ' \n' })).body.account.note).toBeNull();
  const { body } = await get(`/api/operator/v1/accounts/${id}`, studio.operator.token);
  expect(body.account.note).toBeNull();
});

test('404 account_not_found: an id that names nothing', async () => {
  for (const id of ['acct_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', showId('user', studio.ada.userId)])
    expect(said(await write(id))).toBe('404 account_not_found');
});

test.each([{}, { body: 'x'.repeat(10_001) }, { body: 7 }, { body: 'nul\u0000' }])(
  '422 invalid_request: %j',
  async (body) => {
    expect(said(await write(showId('acct', studio.ada.accountId), body))).toBe('422 invalid_request');
  },
);
