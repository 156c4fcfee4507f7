import { beforeAll, expect, test } from 'vitest';
import { exportedLists } from '../../../contract/desk/exported-lists.ts';
import { said } from '../../../test/support/every-endpoint.ts';
import { sharedStudio, post, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const start = (body: object, as = studio.operator.token, key?: string) =>
  post(studio.service, as, '/api/operator/v1/exports/start', body, key);
const exported = async () => {
  const path = '/api/operator/v1/audit?action=list.exported&limit=100';
  return (await studio.service.call('GET', path, { as: studio.operator.token })).body.audit_entries;
};

test('200: the audit log keeps who exported which list with which filters, but not what was searched for', async () => {
  const filters = 'status=queued%2Caccepted&q=Grace+Hopper&sort=due';
  expect(said(await start({ list: 'jobs', filters }))).toBe('200');
  const [entry] = await exported();
  expect(entry).toMatchObject({
    action: 'list.exported',
    subject: 'jobs',
    account_id: null,
    created_by: { name: 'Operator' },
    details: { filters: 'status=queued%2Caccepted&q=*&sort=due' },
  });
});

test('200 again with the same Idempotency-Key: one entry', async () => {
  const before = (await exported()).length;
  for (let n = 0; n < 2; n++) expect(said(await start({ list: 'audit' }, undefined, 'once'))).toBe('200');
  expect((await exported()).length).toBe(before + 1);
});

test('403 role_required: a maker or reviewer exports reports, and no other list', async () => {
  for (const role of ['maker', 'reviewer'] as const) {
    const { token } = await makeOperator(studio.service, role);
    for (const list of Object.keys(exportedLists))
      expect([list, said(await start({ list }, token))]).toEqual([
        list,
        list === 'reports' ? '200' : '403 role_required',
      ]);
  }
  const { token } = await makeOperator(studio.service, 'lead');
  for (const list of Object.keys(exportedLists)) expect(said(await start({ list }, token))).toBe('200');
});

test.each([
  {},
  { list: 'secrets' },
  { list: 'jobs', filters: 'password=x' },
  { list: 'jobs', filters: 'x'.repeat(2001) },
])('422 invalid_request: %j', async (body) => {
  expect(said(await start(body))).toBe('422 invalid_request');
});

test('422 idempotency_key_conflict: the same key with another body', async () => {
  expect(said(await start({ list: 'jobs' }, undefined, 'twice'))).toBe('200');
  expect(said(await start({ list: 'audit' }, undefined, 'twice'))).toBe('422 idempotency_key_conflict');
});
