import { beforeAll, expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';
import {
  fieldOf,
  optionalNames,
  type OptionalField,
  reusedNames,
  studioNames,
  valuesOf,
} from '../../contract/jobs/optional-fields.ts';
import { readGuide } from '../../server/reference/guide.ts';
import { runToEnd } from '../support/command-line.ts';
import { change, confirm, readySession } from '../support/intake.ts';
import { createJob, draft, newJob, readJob, sharedStudio, type Studio } from '../support/jobs.ts';
import { call, connect } from '../support/mcp.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const flagOf = (name: OptionalField) => `--${name.replaceAll('_', '-')}`;
function exampleOf(name: OptionalField): string | Record<string, string> {
  const field = fieldOf(name);
  if (field.kind === 'choice') return field.choices.at(-1) ?? '';
  if (field.kind === 'map') return { colour: 'green' };
  return field.kind === 'date' ? '2999-12-05T12:00:00.000Z' : field.example;
}
const all = Object.fromEntries(optionalNames.map((name) => [name, exampleOf(name)]));
const shown = valuesOf(studioNames, all);
const empty = valuesOf(optionalNames, {});
const textOf = (value: unknown) => (typeof value === 'string' ? value : 'colour=green');
const get = (path: string, as = studio.key) => studio.service.call('GET', path, { as });
const read = async (id: string) => (await readJob(studio.service, studio.key, id)).job;

test('over HTTP: an order has each of them, and the desk and lists those that the studio sees', async () => {
  const id = await newJob(studio.service, studio.key, all);
  expect(await read(id)).toMatchObject(all);
  expect((await get('/api/v1/jobs?limit=1')).body.jobs).toMatchObject([{ id, ...shown }]);
  const { job } = (await get(`/api/operator/v1/jobs/${id}`, studio.operator.token)).body;
  expect(valuesOf(optionalNames, job)).toEqual({ ...empty, ...shown });
  const nothing = Object.fromEntries(optionalNames.map((name) => [name, null]));
  const cleared = await studio.service.call('PATCH', `/api/v1/jobs/${id}`, { as: studio.key, body: nothing });
  expect(cleared.body.job).toMatchObject(empty);
});

test('an order without them, and the data of a person', async () => {
  const { body } = await createJob(studio.service, studio.ada.token, {});
  expect(await read(body.job.id)).toMatchObject(empty);
  const created = await createJob(studio.service, studio.ada.token, all);
  const { jobs } = (await get('/api/auth/export', studio.ada.token)).body;
  expect(jobs.find(({ id }: { id: string }) => id === created.body.job.id)).toMatchObject(all);
});

test('as arguments of tools', async () => {
  const client = await connect(studio.service, studio.key);
  const created = await call(client, 'create_job', { ...draft, ...all, idempotency_key: 'optional-fields' });
  const job_id = created.body.job.id;
  expect((await call(client, 'get_job', { job_id })).body.job).toMatchObject(all);
  const cleared = Object.fromEntries(optionalNames.map((name) => [name, fieldOf(name).kind === 'map' ? {} : '']));
  expect((await call(client, 'update_job', { job_id, ...cleared })).body.job).toMatchObject(empty);
  await client.close();
});

test('as flags of commands', async () => {
  const env = { ATELIER_URL: studio.service.url, ATELIER_KEY: studio.key };
  const atelier = (...words: string[]) => runToEnd(run, words, { env });
  const own = optionalNames.flatMap((name) => [flagOf(name), textOf(all[name])]);
  const order = ['--family', draft.service_family, '--type', draft.service_type, '--title', 'Sign'];
  const made = await atelier('create', ...order, '--instructions', 'Green', ...own);
  expect(made).toMatchObject({ code: 0 });
  const id = made.out.trim();
  expect(await read(id)).toMatchObject(all);
  const { out } = await atelier('job', id);
  for (const name of optionalNames) expect(out).toContain(textOf(all[name]));
  const cleared = optionalNames.flatMap((name) => ['--clear', flagOf(name).slice(2)]);
  expect(JSON.parse((await atelier('update', id, ...cleared, '--json')).out)).toMatchObject(empty);
  expect(JSON.parse((await atelier('update', id, ...own, '--json')).out)).toMatchObject(all);
});

test('in the intake, and in the job of its brief', async () => {
  const { id } = await readySession(studio.service, studio.key);
  expect((await change(studio.service, studio.key, id, shown)).body.intake_session).toMatchObject(shown);
  const { body } = await confirm(studio.service, studio.key, id, {});
  expect(await read(body.job.id)).toMatchObject(shown);
});

test('a template and another order of the kind have those that are used again', async () => {
  const { service, key } = studio;
  const { service_family, service_type } = draft;
  const reused = valuesOf(reusedNames, all);
  const body = { name: 'With its fields', service_family, service_type, ...reused };
  const { template } = (await service.call('POST', '/api/v1/templates', { as: key, body })).body;
  expect(template).toMatchObject(reused);
  const job_id = await newJob(service, key, all);
  for (const from of [{ template_id: template.id }, { job_id }]) {
    const opened = await service.call('POST', '/api/v1/intake/sessions', { as: key, body: from });
    expect(valuesOf(studioNames, opened.body.intake_session)).toEqual({ ...valuesOf(studioNames, {}), ...reused });
  }
  const replaced = await service.call('PUT', `/api/v1/templates/${template.id}`, { as: key, body });
  expect(replaced.body.template).toMatchObject(reused);
});

test('in the guide', () => {
  const guide = readGuide(studio.service.url).find(({ slug }) => slug === 'getting-started')?.text ?? '';
  for (const name of optionalNames) expect(guide).toContain(`| \`${name}\` |`);
});
