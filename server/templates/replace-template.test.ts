import { beforeAll, expect, test } from 'vitest';
import { newFile, someBytes } from '../../test/support/files.ts';
import { sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { putTemplate, saveTemplate } from '../../test/support/templates.ts';
import { readId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const answers = [{ requirement: 'Brand name', answer: 'Rise' }];

test('200: all of it is replaced, by any member; files that leave are free again', async () => {
  const { service, ada, key } = studio;
  const member = await addMember(service, ada, 'member');
  const [one, two, three] = [
    await newFile(service, key, someBytes()),
    await newFile(service, key, someBytes()),
    await newFile(service, key, someBytes()),
  ];
  const { body } = await saveTemplate(service, key, { answers, words: 'Old.', file_ids: [one.id, two.id] });
  const sent = { name: 'New', service_type: 'logo', answers: [], file_ids: [three.id, two.id] };
  const { status, body: replaced } = await putTemplate(service, member.token, body.template.id, sent);
  expect(status).toBe(200);
  expect(replaced.template).toEqual({
    ...body.template,
    ...sent,
    words: '',
    updated_at: expect.any(String),
  });
  expect((await service.call('DELETE', `/api/v1/files/${one.id}`, { as: key })).status).toBe(200);
});

test('200: the same name in another case is its own', async () => {
  const { body } = await saveTemplate(studio.service, studio.key, { name: 'case' });
  const { body: renamed } = await putTemplate(studio.service, studio.key, body.template.id, { name: 'CASE' });
  expect(renamed.template.name).toBe('CASE');
});

test('200: a rename of a template whose service is no longer offered', async () => {
  const { service, key } = studio;
  const { body } = await saveTemplate(service, key, { answers });
  await service.context.db
    .updateTable('templates')
    .set({ service_family: 'calligraphy' })
    .where('id', '=', readId('tpl', body.template.id) ?? '')
    .execute();
  const same = { service_family: 'calligraphy', answers };
  expect((await putTemplate(service, key, body.template.id, { ...same, name: 'Renamed' })).status).toBe(200);
  const changed = await putTemplate(service, key, body.template.id, { ...same, answers: [], name: 'Changed' });
  expect(changed.body.error.code).toBe('unsupported_service');
});

test.each([
  ['422 invalid_request: the name of another template', { name: 'TAKEN' }],
  ['422 invalid_request: a requirement of another family', { name: 'a', answers: [{ requirement: 'x', answer: 'y' }] }],
  ['422 unsupported_service: an unknown family', { name: 'b', service_family: 'x' }],
  ['422 unsafe_request: a key in the words', { name: 'c', words: `sk_live_${'a1B2'.repeat(6)}` }],
])('%s', async (title, change) => {
  const { service } = studio;
  const { key } = await newCustomer(service);
  await saveTemplate(service, key, { name: 'taken' });
  const { body } = await saveTemplate(service, key, { answers });
  const { status, body: answer } = await putTemplate(service, key, body.template.id, { answers, ...change });
  expect(`${status} ${answer.error.code}`).toBe(title.split(':')[0]);
});
