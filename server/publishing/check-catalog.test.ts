import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { verifyPrices } from '../billing/verify-prices.ts';
import { documentsIn, newestVersionOf } from '../../test/support/catalog.ts';
import { edited, mistake, mistaken, versions } from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const check = (documents: object[], as = studio.operator.token) =>
  post(studio.service, as, `${versions}/check`, { documents });

test('200: nothing is stored; what the payment provider says is no problem', async () => {
  await verifyPrices(studio.service.context);
  const dearer = edited(['plans.yaml', 'unit_amount: 4900', 'unit_amount: 5900']);
  const { status, body } = await check(dearer);
  const reason = 'at the provider unit_amount is 4900, not 5900';
  expect([status, body.catalog_check.problems, body.catalog_check.prices]).toEqual([
    200,
    [],
    [
      { plan_code: 'solo', reason },
      { plan_code: 'agent', reason: null },
      { plan_code: 'studio', reason: null },
    ],
  ]);
  expect(await newestVersionOf(studio.service)).toBe(1);
  const { rows } = await sql`select from plan_prices where not verified`.execute(studio.service.context.db);
  expect(rows).toEqual([]);
});

test('200: a mistake has its file, line and column, and what changed is shown all the same', async () => {
  const { body } = await check(mistaken());
  expect(body.catalog_check).toMatchObject({
    problems: [{ ...mistake, message: 'plans[0].quota: must be integer' }],
    changes: [{ file: 'plans.yaml' }],
    prices: [],
  });
  const without = documentsIn().filter(({ file }) => file !== 'plans.yaml');
  expect((await check(without)).body.catalog_check.problems).toEqual([
    { file: 'plans.yaml', line: null, column: null, message: 'cannot be read: the file is missing' },
  ]);
});

test('200: what is stored is named by its sha256', async () => {
  const { body } = await studio.service.call('GET', `${versions}/1`, { as: studio.operator.token });
  const stored = body.catalog_version.documents as { file: string; sha256: string }[];
  const checked = await check(stored.map(({ file, sha256 }) => ({ file, sha256 })));
  expect(checked.body.catalog_check).toMatchObject({ problems: [], changes: [] });
});

test('422 invalid_request: files that no catalog has, twice the same, or without a content', async () => {
  const refused = async (...more: object[]) => (await check([...documentsIn(), ...more])).body.error.details[0].message;
  expect(await refused({ file: 'README.md', text: 'x' })).toBe('is no file of a catalog');
  expect(await refused({ file: 'plans.yaml', text: 'x' })).toBe('stands here twice');
  const only = 'must have one of text, base64 and sha256';
  expect(await refused({ file: 'mark.svg' })).toBe(only);
  expect(await refused({ file: 'mark.svg', text: '', base64: '' })).toBe(only);
  expect(await refused({ file: 'mark.svg', base64: 'x' })).toBe('must be base64 with its padding');
  expect(await refused({ file: 'mark.svg', sha256: '0'.repeat(64) })).toMatch(/^is of no file of a version/);
});

test('403 role_required: a lead checks documents', async () => {
  const lead = await makeOperator(studio.service, 'lead');
  expect(said(await check(documentsIn(), lead.token))).toBe('403 role_required');
});
