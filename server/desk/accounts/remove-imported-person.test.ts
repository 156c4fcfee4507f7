import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { addImportedPerson } from '../../../test/support/imports.ts';
import { post, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator, signUp } from '../../../test/support/people.ts';
import { readId, showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

/** An account with an owner, and somebody imported. */
async function newAccount() {
  const { accountId } = await signUp(studio.service);
  const person = await addImportedPerson(studio.service, accountId);
  return { accountId, person, path: `/api/operator/v1/accounts/${showId('acct', accountId)}` };
}

const remove = (path: string, person: string, as = studio.operator.token) =>
  studio.service.call('DELETE', `${path}/imported-people/${person}`, { as });

test('200: their name, address and row are gone, and the invitation of the studio ends', async () => {
  const { accountId, person, path } = await newAccount();
  const { db } = studio.service.context;
  await sql`
    insert into imported_rows (account_id, kind, digest, row_id, columns)
    values (${accountId}, 'person', sha256(${person}::bytea), ${readId('user', person)}, '{"name": "x"}')`.execute(db);
  await post(studio.service, studio.operator.token, `${path}/imported/invite`, {});
  const { status, body } = await remove(path, person);
  expect([status, body.account.imported_people]).toEqual([200, []]);
  const rows = db.selectFrom('imported_rows').select('columns').where('account_id', '=', accountId);
  expect(await rows.execute()).toEqual([{ columns: null }]);
  const invitations = db.selectFrom('invitations').select('status').where('account_id', '=', accountId);
  expect(await invitations.execute()).toEqual([{ status: 'canceled' }]);
  const named = db.selectFrom('people').select('name').where('id', '=', readId('user', person));
  expect(await named.execute()).toEqual([{ name: 'Deleted person' }]);
});

test('403 role_required: a maker', async () => {
  const { person, path } = await newAccount();
  const { token } = await makeOperator(studio.service, 'maker');
  expect(said(await remove(path, person, token))).toBe('403 role_required');
});

test('404 account_not_found; 404 member_not_found: somebody of another account', async () => {
  const { person, path } = await newAccount();
  const other = await newAccount();
  expect(said(await remove('/api/operator/v1/accounts/acct_01jd3vsh8xe7rtx1zqbdnzc4v0', person))).toBe(
    '404 account_not_found',
  );
  expect(said(await remove(path, other.person))).toBe('404 member_not_found');
});

test('422 invalid_request: the last owner', async () => {
  const { accountId, person, path } = await newAccount();
  const { db } = studio.service.context;
  await db.updateTable('imported_people').set({ role: 'owner' }).where('account_id', '=', accountId).execute();
  await db.deleteFrom('members').where('account_id', '=', accountId).execute();
  expect(said(await remove(path, person))).toBe('422 invalid_request');
});
