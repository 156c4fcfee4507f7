import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';
import { replaceView, saveView, viewsOf } from '../../test/support/saved-views.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 with a new name, filter and audience, by its maker', async () => {
  const { service } = studio;
  const maker = await makeOperator(service, 'maker');
  const { body } = await saveView(service, maker.token);
  const sent = { name: 'Monday', shared: true, filter: { holder: 'me' } };
  const { status, body: changed } = await replaceView(service, maker.token, body.saved_view.id, sent);
  expect([status, changed.saved_view]).toEqual([200, { ...body.saved_view, ...sent, updated_at: expect.any(String) }]);
  expect(changed.saved_view.updated_at > body.saved_view.updated_at).toBe(true);
  expect(await viewsOf(service, studio.operator.token)).toContain(body.saved_view.id);
});

test('a lead changes a shared view of a maker; 403 role_required for another maker, and to make it private', async () => {
  const { service } = studio;
  const [maker, other, lead] = [
    await makeOperator(service, 'maker'),
    await makeOperator(service, 'reviewer'),
    await makeOperator(service, 'lead'),
  ];
  const { body } = await saveView(service, maker.token, { shared: true });
  const { id } = body.saved_view;
  const refused = await replaceView(service, other.token, id, { shared: true, name: 'Mine' });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'role_required']);
  const taken = await replaceView(service, lead.token, id, { shared: false });
  expect([taken.status, taken.body.error.code]).toEqual([403, 'role_required']);
  const { body: changed } = await replaceView(service, lead.token, id, { shared: true, name: 'Ours' });
  expect(changed.saved_view).toMatchObject({ name: 'Ours', created_by: body.saved_view.created_by });
  expect((await replaceView(service, maker.token, id, { shared: false })).status).toBe(200);
});

test('422 invalid_request: a filter that the list does not have', async () => {
  const { body } = await saveView(studio.service, studio.operator.token);
  const sent = { filter: { service_family: 'none' } };
  const answer = await replaceView(studio.service, studio.operator.token, body.saved_view.id, sent);
  expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
});
