import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catalogWith, documentsIn, newestVersionOf } from '../../test/support/catalog.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createStudio, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';

const path = '/api/operator/v1/catalog-versions';
const dirs: string[] = [];
function named(name: string): string {
  const dir = catalogWith([['    name: Design\n', `    name: ${name}\n`]]);
  dirs.push(dir);
  return dir;
}

let studio: Studio;
const started: Service[] = [];
// Of its own: it publishes catalogs.
beforeAll(async () => void (studio = await createStudio()));
afterEach(async () => {
  for (const service of started.splice(0)) await service.close();
});
afterAll(async () => {
  await studio.service.close();
  for (const dir of dirs) rmSync(dir, { recursive: true });
});

async function start(env: Record<string, string>): Promise<Service> {
  const service = await createService(env, { databaseUrl: studio.service.databaseUrl });
  started.push(service);
  return service;
}
const nameIn = async (service: Service) => (await service.call('GET', '/api/v1/catalog')).body.service_families[0].name;
const newest = () => newestVersionOf(studio.service);

test('a start publishes changed files once, however many processes start', async () => {
  expect(await newest()).toBe(1);
  const form = named('Form');
  const services = await Promise.all([1, 2, 3].map(() => start({ CATALOG_DIR: form })));
  expect([await newest(), ...(await Promise.all(services.map(nameIn)))]).toEqual([2, 'Form', 'Form', 'Form']);
  await start({ CATALOG_DIR: form });
  expect(await newest()).toBe(2);
});

test('a restart does not undo what was published at the desk', async () => {
  const documents = documentsIn(named('Desk'));
  const { status } = await post(studio.service, studio.operator.token, path, {
    documents,
    expected_version: await newest(),
  });
  const before = await newest();
  const restarted = await start({});
  expect([status, await newest(), await nameIn(restarted)]).toEqual([201, before, 'Desk']);
});

test('409 catalog_in_files: a studio that keeps its catalog in files; a start publishes what differs', async () => {
  const service = await start({ CATALOG: 'files' });
  expect(await nameIn(service)).toBe('Design');
  const expected_version = await newest();
  const { operator } = studio;
  expect(said(await post(service, operator.token, path, { documents: documentsIn(), expected_version }))).toBe(
    '409 catalog_in_files',
  );
  expect(said(await post(service, operator.token, `${path}/1/publish`, { expected_version }))).toBe(
    '409 catalog_in_files',
  );
  expect((await service.call('GET', path, { as: operator.token })).body.in_files).toBe(true);
  expect(await newest()).toBe(expected_version);
});

test('files that leave out what jobs refer to stop the start', async () => {
  const { key } = await newCustomer(studio.service, 'agent');
  await newJob(studio.service, key);
  const text = documentsIn().find(({ file }) => file === 'families.yaml')?.text ?? '';
  const option = text.slice(text.indexOf('      - id: logo\n'), text.indexOf('      - id: landing_page'));
  const dir = catalogWith([[option, '']]);
  dirs.push(dir);
  rmSync(`${dir}/pictures/design/logo.svg`);
  await expect(start({ CATALOG_DIR: dir })).rejects.toThrow(
    `${dir}/families.yaml: "design/logo" is left out, but jobs refer to it`,
  );
});
