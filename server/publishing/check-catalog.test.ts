import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { verifyPrices } from '../billing/verify-prices.ts';
import { documentsIn, newestVersionOf } from '../../test/support/catalog.ts';
import { edited, mistake, mistaken, versions } from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { makeMoves, newCustomer, newJob, sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const check = (documents: object[], more: object = {}, as = studio.operator.token) =>
  post(studio.service, as, `${versions}/check`, { documents, ...more });

/** The shipped families but for one. */
const withoutResearch = () =>
  (documentsIn().find(({ file }) => file === 'families.yaml')?.text ?? '').replace(
    /^ {2}- id: research\n[^]*?(?=^ {2}- id: )/m,
    '',
  );

/** Whoever answers for the test: the sandbox takes any price. */
async function withProvider<Answer>(name: 'stripe_test', work: () => Promise<Answer>): Promise<Answer> {
  const { provider } = studio.service.context;
  const { name: before } = provider;
  Object.assign(provider, { name });
  return work().finally(() => Object.assign(provider, { name: before }));
}

test('200: nothing is stored; what the payment provider says is no problem', async () => {
  await verifyPrices(studio.service.context);
  const dearer = edited(['plans.yaml', 'unit_amount: 4900', 'unit_amount: 5900']);
  const { status, body } = await withProvider('stripe_test', () => check(dearer));
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
  const { body: inSandbox } = await check(dearer);
  expect(inSandbox.catalog_check).toMatchObject({ any_price: true, prices: [{ reason: null }, {}, {}] });
  expect((await check(dearer, { with_prices: false })).body.catalog_check.prices).toEqual([]);
});

test('200: all problems at once, also what something refers to, each with its field', async () => {
  const { key } = await newCustomer(studio.service, 'agent');
  await newJob(studio.service, key, { service_family: 'research', service_type: 'market_overview' });
  const without = withoutResearch().replace('hours: 72', 'hours: soon');
  const { body } = await check(
    documentsIn().map((document) => (document.file === 'families.yaml' ? { ...document, text: without } : document)),
  );
  const { problems } = body.catalog_check as { problems: { file: string; path: string; reason: string }[] };
  expect(problems).toContainEqual(
    expect.objectContaining({ path: '/families/0/options/0/turnaround_hours', reason: 'must be integer' }),
  );
  expect(problems.filter(({ file }) => file.startsWith('pictures/research/')).length).toBeGreaterThan(0);
  const reason = '"research" is left out, but jobs refer to it: keep it, and set retired: true';
  expect(problems).toContainEqual(expect.objectContaining({ file: 'families.yaml', path: '/families', reason }));
  const lacking = await check(edited(['families.yaml', '        turnaround_hours: 72\n', '']));
  expect(lacking.body.catalog_check.problems).toMatchObject([
    {
      path: '/families/0/options/0/turnaround_hours',
      reason: 'is missing',
      message: 'families[0].options[0]: lacks "turnaround_hours"',
    },
  ]);
});

test('200: a saved view refers to its service, too', async () => {
  const view = { name: 'Research', shared: false, filter: { service_family: 'research' } };
  expect(said(await post(studio.service, studio.operator.token, '/api/operator/v1/saved-views', view))).toBe('201');
  const documents = documentsIn().map((document) =>
    document.file === 'families.yaml' ? { ...document, text: withoutResearch() } : document,
  );
  const { problems } = (await check(documents)).body.catalog_check as { problems: { path: string; reason: string }[] };
  expect(problems.find(({ path }) => path === '/families')?.reason).toContain('saved views refer to it');
  await sql`delete from saved_views where name = 'Research'`.execute(studio.service.context.db);
});

test('200: how many open jobs and drafts a change concerns', async () => {
  const open = async () => {
    const faster = await check(edited(['families.yaml', 'turnaround_hours: 96', 'turnaround_hours: 90']));
    const [{ open_jobs, open_drafts, ...service }] = faster.body.catalog_check.services;
    expect(service).toEqual({ service_family: 'design', service_type: 'landing_page' });
    return [open_jobs, open_drafts];
  };
  const { person, key } = await newCustomer(studio.service, 'studio');
  const draft = { service_family: 'design', service_type: 'landing_page' };
  await newJob(studio.service, key, { service_type: 'landing_page' });
  const [jobs, drafts] = await open();
  const job = await newJob(studio.service, key, { service_type: 'landing_page' });
  expect((await post(studio.service, person.token, '/api/v1/intake/sessions', draft)).status).toBe(201);
  expect(await open()).toEqual([jobs + 1, drafts + 1]);
  await makeMoves(studio, job, 'reject');
  expect(await open()).toEqual([jobs, drafts + 1]);
  expect((await check(documentsIn())).body.catalog_check.services).toEqual([]);
});

test('200: what is left out although something refers to it is put back, retired', async () => {
  const { key } = await newCustomer(studio.service, 'agent');
  await newJob(studio.service, key, { service_family: 'research', service_type: 'market_overview' });
  const without = documentsIn()
    .filter(({ file }) => !file.startsWith('pictures/research/'))
    .map((document) => (document.file === 'families.yaml' ? { ...document, text: withoutResearch() } : document));
  const { body } = await check(without, { retire_left_out: true });
  const { problems, retired, put_back: back } = body.catalog_check;
  expect([problems, retired]).toEqual([[], ['research', 'research/market_overview']]);
  const files = (back as { file: string }[]).map(({ file }) => file);
  expect(files).toEqual(expect.arrayContaining(['families.yaml', 'pictures/research/market_overview.svg']));
  expect(back[0].text).toContain('# What can be ordered.');
  expect(parse(back[0].text).families.at(-1)).toMatchObject({ id: 'research', retired: true });
});

test('200: going back to hours without a time zone is judged as it is published again', async () => {
  const documents = [...documentsIn(), { file: 'studio.yaml', text: "hours:\n  mon: ['09:00-17:00']\n" }];
  expect((await check(documents)).body.catalog_check.problems).toMatchObject([{ path: '/time_zone' }]);
  expect((await check(documents, { retire_left_out: true })).body.catalog_check.problems).toEqual([]);
});

test('200: what is taken out of an SVG is said', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="a()"><script>b()</script></svg>';
  const { body } = await check([
    ...documentsIn(),
    { file: 'studio.yaml', text: 'mark: mark.svg\n' },
    { file: 'mark.svg', base64: Buffer.from(svg).toString('base64') },
  ]);
  expect(body.catalog_check).toMatchObject({
    problems: [],
    cleaned: [{ file: 'mark.svg', taken_out: ['the event handler onload', 'a <script>'] }],
  });
});

test('200: the documents of a version as they were answered, with another text', async () => {
  const { body } = await studio.service.call('GET', `${versions}/1`, { as: studio.operator.token });
  const documents = body.catalog_version.documents as { file: string; text: string | null }[];
  expect((await check(documents)).body.catalog_check).toMatchObject({ problems: [], changes: [] });
  const other = documents.map((document) =>
    document.file === 'plans.yaml'
      ? { ...document, text: document.text?.replace('quota: 5\n', 'quota: 6\n') }
      : document,
  );
  expect((await check(other)).body.catalog_check.changes).toMatchObject([{ file: 'plans.yaml' }]);
});

test('200: a mistake has its file, line and column, and what changed is shown all the same', async () => {
  const { body } = await check(mistaken());
  expect(body.catalog_check).toMatchObject({
    problems: [{ ...mistake, message: 'plans[0].quota: must be integer' }],
    changes: [{ file: 'plans.yaml' }],
    prices: [],
  });
  const without = documentsIn().filter(({ file }) => file !== 'plans.yaml');
  const missing = 'cannot be read: the file is missing';
  expect((await check(without)).body.catalog_check.problems).toEqual([
    { file: 'plans.yaml', line: null, column: null, message: missing, path: null, reason: missing },
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
  expect(said(await check(documentsIn(), {}, lead.token))).toBe('403 role_required');
});
