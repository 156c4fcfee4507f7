import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documentsIn, newestVersionOf } from '../../test/support/catalog.ts';
import {
  edited,
  firstName,
  mistake,
  mistaken,
  named,
  publish as publishFor,
  republish as republishFor,
  versions,
} from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createJob, createStudio, newCustomer, newJob, post, readJob, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
/** Another process of the same installation. */
let other: Service;
// Of its own: it publishes catalogs.
beforeAll(async () => {
  studio = await createStudio();
  other = await createService({}, { databaseUrl: studio.service.databaseUrl });
});
afterAll(async () => {
  await other.close();
  await studio.service.close();
});

const owner = () => studio.operator.token;
const newest = () => newestVersionOf(studio.service);
const publish = (documents: object[], more: object = {}) => publishFor(studio, documents, more);
const republish = (number: number) => republishFor(studio, number);
const retired = () => edited(['families.yaml', '      - id: logo\n', '      - id: logo\n        retired: true\n']);

test('201: the author and a note are kept, it is served at once, and the audit tells it', async () => {
  const { status, body } = await publish(named('Form'), { note: 'A new name.' });
  expect([status, body.catalog_version]).toMatchObject([
    201,
    { number: 2, note: 'A new name.', created_by: { name: 'Operator' }, republished_from: null },
  ]);
  expect(await firstName(studio.service)).toBe('Form');
  const { body: audit } = await studio.service.call('GET', '/api/operator/v1/audit?action=catalog.published', {
    as: owner(),
  });
  expect(audit.audit_entries[0]).toMatchObject({ actor: 'operator', subject: '2' });
  const lead = await makeOperator(studio.service, 'lead');
  const refused = await post(studio.service, lead.token, versions, { documents: documentsIn(), expected_version: 2 });
  expect(said(refused)).toBe('403 role_required');
});

test('another process serves a version soon after', async () => {
  const published = await publish(named('Shape'));
  await expect.poll(() => firstName(other), { interval: 20 }).toBe('Shape');
  expect([published.status, await firstName(studio.service)]).toEqual([201, 'Shape']);
});

test('a request keeps the catalog that it began with', async () => {
  const before = studio.service.context.current();
  await publish(named('Contour'));
  expect(before.catalog.families.get('design')?.name).not.toBe('Contour');
  expect(studio.service.context.current().catalog.families.get('design')?.name).toBe('Contour');
  expect(studio.service.context.current()).toBe(studio.service.context.current());
});

test('a version that this process cannot read, as of a newer one: the one before is served, and the log says it once', async () => {
  await publish(named('Outline'));
  const { db, log, loops } = studio.service.context;
  const warned = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const text = mistaken().find(({ file }) => file === 'plans.yaml')?.text ?? '';
  const sha256 = createHash('sha256').update(text).digest('hex');
  await sql`insert into catalog_files (sha256, bytes) values (${sha256}, ${Buffer.from(text)})`.execute(db);
  await sql`
    insert into catalog_versions (number, files)
    select number + 1, files || jsonb_build_object('plans.yaml', ${sha256}::text) from catalog_versions
    order by number desc limit 1`.execute(db);
  await expect.poll(() => loops.ages().catalog).toBeGreaterThan(3);
  const words = expect.stringMatching(/could not serve/);
  expect(warned.mock.calls.filter(([, message]) => words.asymmetricMatch(message))).toHaveLength(1);
  expect(await firstName(studio.service)).toBe('Outline');
  expect((await publish(named('Contour'))).status).toBe(201);
  await expect.poll(() => loops.ages().catalog).toBeLessThan(3);
});

test('409 catalog_changed: of two publications at once one wins, the other learns of it', async () => {
  const expected_version = await newest();
  const answers = await Promise.all(
    [studio.service, other].map((service) =>
      post(service, owner(), versions, { documents: edited(), expected_version }),
    ),
  );
  expect(answers.map(said).toSorted()).toEqual(['201', '409 catalog_changed']);
  expect(await newest()).toBe(expected_version + 1);
});

test('409 catalog_changed: a version that was published while the documents were compared with the one before', async () => {
  const { db } = studio.service.context;
  const number = await newest();
  const answer = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' catalog_versions', 0))`.execute(trx);
    const answering = post(studio.service, owner(), versions, {
      documents: documentsIn(),
      expected_version: number + 1,
    });
    // It has compared, and waits for the lock.
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db);
        return rows.length;
      })
      .toBe(1);
    await sql`
      insert into catalog_versions (number, files)
      select ${number + 1}, files from catalog_versions where number = ${number}`.execute(trx);
    return { answering };
  });
  expect(said(await answer.answering)).toBe('409 catalog_changed');
});

test('422 invalid_catalog: a mistake is named with file and line, nothing is published', async () => {
  const before = await newest();
  const { status, body } = await publish(mistaken());
  const message = `plans.yaml:${mistake.line}:${mistake.column} plans[0].quota: must be integer`;
  expect([status, body.error.code, body.error.details]).toEqual([
    422,
    'invalid_catalog',
    [{ location: 'plans.yaml', message }],
  ]);
  expect(await newest()).toBe(before);
});

test('422 invalid_request: documents that no catalog has, or that have no content', async () => {
  const refused = async (...more: object[]) => (await publish([...documentsIn(), ...more])).body.error;
  expect(await refused({ file: 'README.md', text: 'x' })).toMatchObject({
    code: 'invalid_request',
    details: [{ message: 'is no file of a catalog' }],
  });
  for (const content of [{}, { text: '', base64: '' }, { sha256: '0'.repeat(64) }, { base64: 'x' }])
    expect(await refused({ file: 'mark.svg', ...content })).toMatchObject({ code: 'invalid_request' });
  expect(await refused({ file: 'plans.yaml', text: 'x' })).toMatchObject({
    details: [{ message: 'stands here twice' }],
  });
});

test('a retired option is in no catalog and not ordered again; what was ordered goes on', async () => {
  const { key } = await newCustomer(studio.service, 'agent');
  const { status: ordered, body } = await createJob(studio.service, key, {}, 'before');
  const { body: opened } = await post(studio.service, key, '/api/v1/intake/sessions', {
    service_family: 'design',
    service_type: 'logo',
  });
  expect((await publish(retired())).status).toBe(201);
  const { body: catalog } = await studio.service.call('GET', '/api/v1/catalog');
  const ids = catalog.service_families[0].service_options.map(({ id }: { id: string }) => id);
  expect([ordered, ids.includes('logo')]).toEqual([201, false]);
  const again = await createJob(studio.service, key);
  expect([said(again), again.body.error.message]).toEqual([
    '422 unsupported_service',
    expect.stringContaining('service_type is no longer offered'),
  ]);
  expect((await createJob(studio.service, key, {}, 'before')).body.job.id).toBe(body.job.id);
  expect((await readJob(studio.service, key, body.job.id)).revisions_included).toBe(body.job.revisions_included);
  const session = await studio.service.call('GET', `/api/v1/intake/sessions/${opened.intake_session.id}`, { as: key });
  expect(session.body.intake_session.service_type).toBeNull();
});

test('a retired option and a retired family keep their names and questions for who asks; a report names them', async () => {
  await republish(1);
  const { key } = await newCustomer(studio.service, 'agent');
  const { body: ordered } = await createJob(studio.service, key);
  const read = async (query: string) => (await studio.service.call('GET', `/api/v1/catalog${query}`)).body;
  const before = await read('');
  const tag = async () => (await studio.service.call('GET', '/api/v1/catalog')).headers.get('etag');
  const first = await tag();
  await publish(
    edited(
      ['families.yaml', '      - id: logo\n', '      - id: logo\n        retired: true\n'],
      ['families.yaml', '  - id: data\n', '  - id: data\n    retired: true\n'],
    ),
  );
  type Family = { id: string; service_options: { id: string }[] };
  const familyOf = ({ service_families }: { service_families: Family[] }, id: string) =>
    service_families.find((family) => family.id === id);
  const logo = familyOf(before, 'design')?.service_options.filter(({ id }) => id === 'logo');
  const retiredOnes = [{ ...familyOf(before, 'design'), service_options: logo }, familyOf(before, 'data')];
  const usual = await read('');
  expect([familyOf(usual, 'data'), usual.retired_families]).toEqual([undefined, undefined]);
  expect(await read('?retired=include')).toEqual({ ...usual, retired_families: retiredOnes });
  expect((await read('?retired=include&form=index')).retired_families).toEqual(retiredOnes);
  expect((await read('?service_family=design')).retired_families).toBeUndefined();
  expect(await read('?service_family=data')).toMatchObject({
    service_families: [],
    retired_families: [retiredOnes[1]],
  });
  expect(await tag()).not.toBe(first);
  const again = await post(studio.service, key, '/api/v1/intake/sessions', { job_id: ordered.job.id });
  expect(said(again)).toBe('422 unsupported_service');
  await post(studio.service, key, `/api/v1/jobs/${ordered.job.id}/cancel`);
  const report = await studio.service.call('GET', '/api/operator/v1/reports', { as: owner() });
  expect(report.body).toMatchObject({ report_rows: [{ name: 'Logo' }] });
});

test('422 invalid_catalog: what something refers to is retired, not left out', async () => {
  await republish(1);
  const { key } = await newCustomer(studio.service, 'agent');
  await newJob(studio.service, key);
  const start = '      - id: logo\n';
  const text = documentsIn().find(({ file }) => file === 'families.yaml')?.text ?? '';
  const option = text.slice(text.indexOf(start), text.indexOf('      - id: landing_page'));
  const plans = documentsIn().find(({ file }) => file === 'plans.yaml')?.text ?? '';
  const agent = /  - code: agent\n(?:    .*\n)+/.exec(plans)?.[0] ?? '';
  const without = edited(['families.yaml', option, ''], ['plans.yaml', agent, '']).filter(
    ({ file }) => !file.endsWith('/logo.svg'),
  );
  const { body } = await publish(without);
  expect(body.error.details.map(({ message }: { message: string }) => message)).toEqual([
    'families.yaml: "design/logo" is left out, but jobs and open drafts refer to it: keep it, and set retired: true',
    'plans.yaml: "agent" is left out, but entitlements and open checkouts refer to it: keep it, and set retired: true',
  ]);
});

test('422 invalid_catalog: hours need a time zone, at their line; an earlier version without one is published again', async () => {
  const text = "name: Northlight\nhours:\n  mon: ['09:00-17:00']\n  tue: ['09:00-17:00']\n";
  const before = documentsIn().filter(({ file }) => file !== 'studio.yaml');
  const { body } = await publish([...before, { file: 'studio.yaml', text }]);
  expect(body.error.details.map(({ message }: { message: string }) => message)).toEqual([
    'studio.yaml:2:1 time_zone: is required with hours, such as Europe/Berlin; without it they would count in UTC',
  ]);
  const { status } = await publish([...before, { file: 'studio.yaml', text: `${text}time_zone: UTC\n` }]);
  expect(status).toBe(201);
  await republish(1);
});

test('a retired plan is not sold, and who has it keeps it', async () => {
  const { person, key } = await newCustomer(studio.service, 'agent');
  await publish(edited(['plans.yaml', '  - code: agent\n', '  - code: agent\n    retired: true\n']));
  const { body } = await studio.service.call('GET', '/api/v1/plans');
  expect(body.plans.map(({ plan_code }: { plan_code: string }) => plan_code)).toEqual(['solo', 'studio']);
  expect(said(await post(studio.service, person.token, '/api/checkout/tier', { plan_code: 'agent' }))).toBe(
    '422 invalid_request',
  );
  expect((await createJob(studio.service, key)).status).toBe(201);
});

test('the face follows at once: pages, documents and mails', async () => {
  const studioFile = { file: 'studio.yaml', text: 'name: Wintergarten\naccent: "#8c1d6b"\n' };
  await publish([...edited(), studioFile]);
  const { body } = await studio.service.call('GET', '/api/v1/installation');
  expect(body.installation.studio.name).toBe('Wintergarten');
  const document = await studio.service.call('GET', '/api/v1/openapi.json');
  expect(document.body.info.title).toBe('Wintergarten');
  const elsewhere = async () => (await other.call('GET', '/api/v1/installation')).body.installation.studio.name;
  await expect.poll(elsewhere, { interval: 20 }).toBe('Wintergarten');
});

test('a version is never changed or deleted', async () => {
  const { db } = studio.service.context;
  await expect(sql`update catalog_versions set note = 'x'`.execute(db)).rejects.toThrow('permission denied');
  await expect(sql`delete from catalog_files`.execute(db)).rejects.toThrow('permission denied');
});

test('409 catalog_in_files: a studio that keeps its catalog in files', async () => {
  const kept = await createService({ CATALOG: 'files' }, { databaseUrl: studio.service.databaseUrl });
  const expected_version = await newest();
  const answer = await post(kept, owner(), versions, { documents: documentsIn(), expected_version });
  expect(said(answer)).toBe('409 catalog_in_files');
  expect(await newest()).toBe(expected_version);
  await kept.close();
});
