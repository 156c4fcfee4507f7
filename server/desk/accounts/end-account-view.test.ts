import { beforeAll, expect, test } from 'vitest';
import { endView, view } from '../../../test/support/account-views.ts';
import { sharedStudio, newCustomer, type Studio } from '../../../test/support/jobs.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const me = async () => (await studio.service.call('GET', '/api/v1/me', { as: studio.operator.token })).body;
const entries = async () =>
  (await studio.service.call('GET', '/api/v1/audit?action=account.view_ended', { as: studio.ada.token })).body
    .audit_entries;

test('200: the session has its own account back at once; ending it again changes nothing', async () => {
  await view(studio);
  expect((await me()).account.id).toBe(showId('acct', studio.ada.accountId));
  for (let n = 0; n < 2; n++) expect((await endView(studio)).body).toEqual({ done: true });
  const after = await me();
  expect([after.account.id, after.viewed_until]).toEqual([showId('acct', studio.operator.accountId), null]);
  expect(await entries()).toMatchObject([{ actor: 'operator', subject: showId('acct', studio.ada.accountId) }]);
});

test('200: the view of another account goes on', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  await view(studio, studio.operator.token, person);
  expect((await endView(studio)).status).toBe(200);
  expect((await me()).account.id).toBe(showId('acct', person.accountId));
});
