import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFile, openTestStorage, someBytes, type TestStorage } from '../../test/support/files.ts';
import { createStudio, newCustomer, post, type Studio } from '../../test/support/jobs.ts';
import { closeAccount } from '../../test/support/people.ts';
import { listTemplates, saveTemplate } from '../../test/support/templates.ts';
import { deleteExpiredFiles } from '../files/delete-expired-files.ts';
import { claimStorage } from '../files/installation.ts';

let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  expect(await claimStorage(studio.service.context)).toBeNull();
});
afterAll(async () => {
  await studio.service.close();
  await storage.close();
});

const remove = (id: string, as = studio.key) => studio.service.call('DELETE', `/api/v1/templates/${id}`, { as });
const statusOf = async (id: string, as = studio.key) =>
  (await studio.service.call('GET', `/api/v1/files/${id}`, { as })).body.file.status;

async function outlive(accountId: string): Promise<void> {
  const { db, storage: objects } = studio.service.context;
  await sql`update files set uploaded_at = now() - interval '2 days' where account_id = ${accountId}`.execute(db);
  await deleteExpiredFiles(db, objects, new AbortController().signal);
}

test('200: its files outlive their retention as long as it has them, and drafts that started from it keep theirs', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const before = (await storage.keys()).length;
  const file = await newFile(service, key, someBytes(), { retention_days: 1 });
  const { body } = await saveTemplate(service, key, { file_ids: [file.id] });
  await sql`update files set pixel_width = 640, pixel_height = 360 where account_id = ${person.accountId}`.execute(
    service.context.db,
  );
  await outlive(person.accountId);
  expect(await statusOf(file.id, key)).toBe('uploaded');
  const inUse = await service.call('DELETE', `/api/v1/files/${file.id}`, { as: key });
  expect([inUse.status, inUse.body.error.code]).toEqual([409, 'file_in_use']);

  const opened = await post(service, key, '/api/v1/intake/sessions', { template_id: body.template.id });
  const [copy] = opened.body.intake_session.file_ids;
  const { body: copied } = await service.call('GET', `/api/v1/files/${copy}`, { as: key });
  expect(copied.file).toMatchObject({ width: 640, height: 360 });
  const { status, body: deleted } = await remove(body.template.id, key);
  expect([status, deleted.template]).toEqual([200, body.template]);
  expect((await listTemplates(service, key)).body.templates).toEqual([]);
  expect(await storage.keys()).toHaveLength(before + 1);
  expect((await service.call('DELETE', `/api/v1/files/${file.id}`, { as: key })).status).toBe(200);
  expect(await storage.keys()).toHaveLength(before + 1);
  await outlive(person.accountId);
  expect(await statusOf(copy, key)).toBe('deleted');
  expect(await storage.keys()).toHaveLength(before);
});

test('404 template_not_found: unknown, deleted before, or of another account', async () => {
  const { service, key } = studio;
  const { body } = await saveTemplate(service, key);
  const { body: foreign } = await saveTemplate(service, (await newCustomer(service)).key);
  await remove(body.template.id);
  for (const id of ['tpl_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', body.template.id, foreign.template.id]) {
    const { status, body: answer } = await remove(id);
    expect([status, answer.error.code]).toEqual([404, 'template_not_found']);
  }
});

test('closing the account deletes its templates with their files', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const before = (await storage.keys()).length;
  const file = await newFile(service, key, someBytes());
  await saveTemplate(service, key, { file_ids: [file.id] });
  await closeAccount(service, person);
  const { db } = service.context;
  expect(await db.selectFrom('templates').selectAll().where('account_id', '=', person.accountId).execute()).toEqual([]);
  expect(await storage.keys()).toHaveLength(before);
});
