import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { newestVersionOf } from '../../test/support/catalog.ts';
import { edited, publish, republish, versions } from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { createService } from '../../test/support/harness.ts';
import { createJob, createStudio, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { insertPlan } from '../../test/support/seed.ts';

let studio: Studio;
// Of its own: it publishes catalogs.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const file = 'pictures/design/logo.svg';
const logo = '      - id: logo\n';
const second = logo.replace('logo', 'emblem');
const readCatalog = async () => (await studio.service.call('GET', '/api/v1/catalog')).body;

test('201: an earlier version is published again, with its pictures', async () => {
  const before = await readCatalog();
  const { picture } = before.service_families[0].service_options[0];
  const base64 = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  await publish(
    studio,
    edited().map((document) => (document.file === file ? { file, base64 } : document)),
  );
  const between = await readCatalog();
  expect(between.service_families[0].service_options[0].picture).not.toBe(picture);
  // A page that was open before still shows it.
  expect((await fetch(studio.service.url + picture)).status).toBe(200);
  const { status, body } = await republish(studio, 1, { note: 'Back.' });
  expect([status, body.catalog_version]).toMatchObject([201, { number: 3, republished_from: 1, note: 'Back.' }]);
  expect(await readCatalog()).toEqual(before);
});

test('404 catalog_version_not_found: a number that no version has', async () => {
  expect(said(await republish(studio, 999))).toBe('404 catalog_version_not_found');
});

test('409 catalog_changed: another version is the newest', async () => {
  expect(said(await republish(studio, 1, { expected_version: 1 }))).toBe('409 catalog_changed');
});

test('409 catalog_in_files: a studio that keeps its catalog in files', async () => {
  const { databaseUrl } = studio.service;
  const kept = await createService({ CATALOG: 'files' }, { databaseUrl });
  const expected_version = await newestVersionOf(kept);
  const answer = await post(kept, studio.operator.token, `${versions}/1/publish`, { expected_version });
  expect(said(answer)).toBe('409 catalog_in_files');
  await kept.close();
});

test('422 invalid_request: a note that cannot be seen', async () => {
  expect(said(await republish(studio, 1, { note: ' ' }))).toBe('422 invalid_request');
});

test('201: what the version lacks and was ordered since comes back, retired', async () => {
  const text = edited().find((document) => document.file === 'families.yaml')?.text ?? '';
  const option = text.slice(text.indexOf(logo), text.indexOf('      - id: landing_page'));
  const added = option.replace(logo, second) + option;
  expect((await publish(studio, edited(['families.yaml', option, added]))).status).toBe(201);
  const { key } = await newCustomer(studio.service, 'agent');
  const job = await newJob(studio.service, key, { service_type: 'emblem' });
  const before = await newestVersionOf(studio.service);
  expect((await republish(studio, 1)).body.catalog_version).toMatchObject({ number: before + 1, republished_from: 1 });
  const offered = (await readCatalog()).service_families[0].service_options.map(({ id }: { id: string }) => id);
  expect(offered).toContain('logo');
  expect(offered).not.toContain('emblem');
  const { body } = await createJob(studio.service, key, { service_type: 'emblem' });
  expect(body.error.code).toBe('unsupported_service');
  expect((await studio.service.call('GET', `/api/v1/jobs/${job}`, { as: key })).status).toBe(200);
  const newest = await studio.service.call('GET', `${versions}/${before + 1}`, { as: studio.operator.token });
  const families = newest.body.catalog_version.documents.find(({ file }: { file: string }) => file === 'families.yaml');
  expect(families.text).toContain('# What can be ordered.');
});

test('201: a plan that somebody has comes back, retired; a plan and a family that nothing refers to do not', async () => {
  type Document = { file: string; text: string | null };
  const newest = async (): Promise<Document[]> => {
    const path = `${versions}/${await newestVersionOf(studio.service)}`;
    return (await studio.service.call('GET', path, { as: studio.operator.token })).body.catalog_version.documents;
  };
  const plan = (code: string) => `
  - code: ${code}
    name: ${code}
    access_kind: human
    unit: job
    quota: 5
    concurrency_limit: 2
    price: { id: price_${code}, product: prod_${code}, unit_amount: 900, currency: usd, interval: month }
`;
  const withMore = ({ file, text, ...document }: Document) => {
    if (file === 'plans.yaml') return { ...document, file, text: text + plan('gold') + plan('silver') };
    const ceramics = (research: string) => research.replace('research', 'ceramics') + research;
    if (file !== 'families.yaml') return { ...document, file, text };
    return { ...document, file, text: text?.replace(/^ {2}- id: research\n[^]*?(?=^ {2}- id: )/m, ceramics) };
  };
  expect(said(await publish(studio, (await newest()).map(withMore)))).toBe('201');
  const { person } = await newCustomer(studio.service, 'agent');
  const terms = { access_kind: 'human', status: 'active', quota: 5, concurrency_limit: 2, endsIn: 60 } as const;
  await insertPlan(studio.service.context.db, person.accountId, 'gold', terms);
  expect(said(await republish(studio, 1))).toBe('201');
  const documents = await newest();
  const now = (name: string) => parse(documents.find(({ file }) => file === name)?.text ?? '');
  const [last, ...others] = now('plans.yaml').plans.toReversed();
  expect(last).toMatchObject({ code: 'gold', retired: true });
  expect(others.map(({ code }: { code: string }) => code)).not.toContain('silver');
  expect(now('families.yaml').families.map(({ id }: { id: string }) => id)).not.toContain('ceramics');
});

test('422 invalid_catalog: a version that the rules of today refuse', async () => {
  const { db, log } = studio.service.context;
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  const number = (await newestVersionOf(studio.service)) + 1;
  const text = 'families: []\n';
  const sha256 = createHash('sha256').update(text).digest('hex');
  await sql`insert into catalog_files (sha256, bytes) values (${sha256}, ${Buffer.from(text)})`.execute(db);
  await sql`
    insert into catalog_versions (number, files)
    select ${number}, files || jsonb_build_object('families.yaml', ${sha256}::text) from catalog_versions
    where number = 1`.execute(db);
  expect(said(await republish(studio, number))).toBe('422 invalid_catalog');
  expect(await newestVersionOf(studio.service)).toBe(number);
});
