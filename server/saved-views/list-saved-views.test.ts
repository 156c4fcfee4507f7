import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { deleteView, replaceView, saveView, viewsOf } from '../../test/support/saved-views.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 lists one’s own and the shared ones, oldest first; a private one is nobody else’s, not even an owner’s', async () => {
  const { service, operator: owner } = studio;
  const maker = await makeOperator(service, 'maker');
  const view = async (shared: boolean) => (await saveView(service, maker.token, { shared })).body.saved_view.id;
  const [own, shared] = [await view(false), await view(true)];
  expect((await viewsOf(service, maker.token)).slice(-2)).toEqual([own, shared]);
  const seen = await viewsOf(service, owner.token);
  expect(seen).toContain(shared);
  expect(seen).not.toContain(own);
  for (const answer of [await replaceView(service, owner.token, own), await deleteView(service, owner.token, own)])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'saved_view_not_found']);
});

test('200: page by page, each view once', async () => {
  const { service } = studio;
  const maker = await makeOperator(service, 'maker');
  for (const name of ['One', 'Two', 'Three']) await saveView(service, maker.token, { name });
  const own: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/api/operator/v1/saved-views?limit=1${cursor && `&cursor=${cursor}`}`;
    const { body } = await service.call('GET', path, { as: maker.token });
    own.push(...body.saved_views.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  expect(own).toEqual(await viewsOf(service, maker.token));
});

test('when an operator ends, their private views go, and the shared ones stay with their name', async () => {
  const { service, operator: owner } = studio;
  const maker = await makeOperator(service, 'maker');
  const { body: own } = await saveView(service, maker.token);
  const { body: shared } = await saveView(service, maker.token, { shared: true });
  const path = `/api/operator/v1/operators/${shared.saved_view.created_by.id}`;
  expect((await service.call('DELETE', path, { as: owner.token })).status).toBe(200);
  const left = service.context.db.selectFrom('saved_views').select('shared').where('created_by', '=', maker.userId);
  expect(await left.execute()).toEqual([{ shared: true }]);
  expect(await viewsOf(service, owner.token)).toContain(shared.saved_view.id);
  expect((await deleteView(service, owner.token, own.saved_view.id)).status).toBe(404);
  expect((await deleteView(service, owner.token, shared.saved_view.id)).status).toBe(200);
});
