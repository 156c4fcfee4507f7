import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { createJob, sharedStudio, post, type Studio } from '../../../test/support/jobs.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const at = (id: string, verb: string, body?: object) =>
  post(studio.service, studio.operator.token, `/api/operator/v1/accounts/${id}/${verb}`, body);

test('200: changes are accepted again; reopening an open account changes nothing', async () => {
  const id = showId('acct', studio.ada.accountId);
  await at(id, 'suspend', { reason: 'Charged back.' });
  expect(said(await createJob(studio.service, studio.key))).toBe('403 account_suspended');
  for (let n = 0; n < 2; n++) {
    const { status, body } = await at(id, 'reopen');
    expect([status, body.account.id, body.account.suspension]).toEqual([200, id, null]);
  }
  expect(said(await createJob(studio.service, studio.key))).toBe('201');
  const { body } = await studio.service.call('GET', '/api/v1/events?types=account.reopened', { as: studio.key });
  expect(body.events).toHaveLength(1);
});

test('404 account_not_found: an id that names nothing', async () => {
  for (const id of ['acct_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', showId('user', studio.ada.userId)])
    expect(said(await at(id, 'reopen'))).toBe('404 account_not_found');
});
