import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { deleteView, saveView, viewsOf } from '../../test/support/saved-views.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 with the view that is gone now, by its maker, or if it is shared by a lead', async () => {
  const { service } = studio;
  const maker = await makeOperator(service, 'maker');
  const lead = await makeOperator(service, 'lead');
  for (const [shared, by] of [
    [false, maker],
    [true, lead],
  ] as const) {
    const { body } = await saveView(service, maker.token, { shared });
    const { status, body: deleted } = await deleteView(service, by.token, body.saved_view.id);
    expect([status, deleted]).toEqual([200, body]);
    expect(await viewsOf(service, maker.token)).not.toContain(body.saved_view.id);
  }
});

test('403 role_required: a shared one of somebody else', async () => {
  const { service, operator } = studio;
  const reviewer = await makeOperator(service, 'reviewer');
  const { body } = await saveView(service, operator.token, { shared: true });
  const answer = await deleteView(service, reviewer.token, body.saved_view.id);
  expect([answer.status, answer.body.error.code]).toEqual([403, 'role_required']);
});

test('404 saved_view_not_found: deleted before, or no id', async () => {
  for (const id of ['view_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x']) {
    const { status, body } = await deleteView(studio.service, studio.operator.token, id);
    expect([status, body.error.code]).toEqual([404, 'saved_view_not_found']);
  }
});
