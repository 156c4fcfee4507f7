import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudioApp, endStudioApp, listStudioApps } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { makeOperator, type TestPerson } from '../../test/support/people.ts';
import { deleteOldTokens } from './delete-old-tokens.ts';

let service: Service;
let owner: TestPerson;
// Of its own: it lists all apps of the studio.
beforeAll(async () => {
  service = await createService();
  owner = await makeOperator(service);
});
afterAll(() => service.close());

const named = async (name: string): Promise<string> =>
  (await createStudioApp(service, owner.token, { name })).body.app.id;
const namesOf = ({ body }: { body: { apps: { name: string }[] } }) => body.apps.map(({ name }) => name);

test('200: newest first, by pages; an app that registered itself is not among them', async () => {
  await named('First');
  await named('Second');
  await named('Third');
  await service.context.db
    .insertInto('oauth_clients')
    .values({ client_id: 'itself', name: 'Itself', redirect_uris: '[]' })
    .execute();
  const page = await listStudioApps(service, owner.token, '?limit=2');
  expect(namesOf(page)).toEqual(['Third', 'Second']);
  const rest = await listStudioApps(service, owner.token, `?limit=2&cursor=${page.body.next_cursor}`);
  expect([namesOf(rest), rest.body.next_cursor]).toEqual([['First'], null]);
});

test('an active app stays however old it is, an ended one is forgotten after 30 days', async () => {
  const { db } = service.context;
  const [, over, justOver] = [await named('Old'), await named('Over'), await named('Just over')];
  for (const id of [over, justOver]) expect((await endStudioApp(service, owner.token, id)).status).toBe(200);
  await sql`update oauth_clients set created_at = now() - interval '400 days' where name = 'Old'`.execute(db);
  await sql`update oauth_clients set updated_at = now() - interval '31 days' where name = 'Over'`.execute(db);
  await deleteOldTokens(db, new AbortController().signal);
  const names = namesOf(await listStudioApps(service, owner.token));
  expect(names).toContain('Old');
  expect(names).toContain('Just over');
  expect(names).not.toContain('Over');
});
