import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { catalogWith } from '../../test/support/catalog.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import { createJob, createStudio, sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';
import { listTemplates, saveTemplate } from '../../test/support/templates.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const answers = [
  { requirement: 'Target audience', answer: 'Families nearby' },
  { requirement: 'Brand name', answer: 'Rise' },
];

test('201 with all of it, as a member and a key write it', async () => {
  const { service, ada, key } = studio;
  const member = await addMember(service, ada, 'member');
  const file = await newFile(service, key, someBytes());
  const sent = {
    name: 'Monthly 🥐 leaflet',
    service_family: 'design',
    service_type: 'logo',
    answers,
    words: ' As\nis ',
  };
  const name = ` ${sent.name}\n`;
  const { status, body } = await saveTemplate(service, member.token, { ...sent, name, file_ids: [file.id] });
  expect(status).toBe(201);
  expect(body.template).toEqual({
    ...sent,
    id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
    file_ids: [file.id],
    created_by: { kind: 'user', id: expect.any(String), name: expect.any(String) },
    created_at: expect.any(String),
    updated_at: body.template.created_at,
  });
  expect((await listTemplates(service, ada.token)).body.templates[0]).toEqual(body.template);
  const { body: ofKey } = await saveTemplate(service, key);
  expect(ofKey.template).toMatchObject({ service_type: null, answers: [], file_ids: [], words: '' });
  expect(ofKey.template.created_by.kind).toBe('api_key');
});

test('403 insufficient_scope: a key that may only read', async () => {
  const reader = await makeKey(studio.service, studio.ada, ['api:read']);
  expect((await saveTemplate(studio.service, reader)).body.error.code).toBe('insufficient_scope');
});

test('403 limit_reached: the 101st, however many come at once', async () => {
  const { service } = studio;
  const { key } = await newCustomer(service);
  for (let n = 0; n < 98; n++) expect((await saveTemplate(service, key)).status).toBe(201);
  const last = await Promise.all([1, 2, 3, 4].map(() => saveTemplate(service, key)));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
  expect(last.find(({ status }) => status === 403)?.body.error.code).toBe('limit_reached');
}, 60_000);

describe('422 invalid_request', () => {
  test('a name that another template has, in any case; of several at once one gets it', async () => {
    const { service } = studio;
    const { key } = await newCustomer(service);
    const made = await Promise.all(['Ärger', 'ärger', 'ÄRGER'].map((name) => saveTemplate(service, key, { name })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const { body } = made.find(({ status }) => status === 422)!;
    expect(body.error).toMatchObject({ code: 'invalid_request', details: [{ location: '/name' }] });
    const { key: other } = await newCustomer(service);
    expect((await saveTemplate(service, other, { name: 'Ärger' })).status).toBe(201);
  });

  const many = (count: number) => Array.from({ length: count }, () => answers[0]);
  test.each([
    ['a blank name', { name: ' ' }, '/name'],
    ['a name of 61', { name: 'x'.repeat(61) }, '/name'],
    ['a requirement of another family', { answers: [{ requirement: 'x', answer: 'y' }] }, '/answers/0/requirement'],
    ['two answers for one', { answers: [...answers, answers[0]] }, '/answers/2/requirement'],
    ['a blank answer', { answers: [{ ...answers[0], answer: ' ' }] }, '/answers/0/answer'],
    ['51 answers', { answers: many(51) }, '/answers'],
    ['20,001 words', { words: 'x'.repeat(20_001) }, '/words'],
    ['21 files', { file_ids: Array.from({ length: 21 }, (_, n) => `file_${n}`) }, '/file_ids'],
    ['an unknown file', { file_ids: ['file_01jd3vsh8xe7rtx1zqbdnzc4v0'] }, '/file_ids/0'],
  ])('%s', async (_, body, location) => {
    const { status, body: answer } = await saveTemplate(studio.service, studio.key, body);
    expect([status, answer.error.code, answer.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });

  test('an answer to a date that is none', async () => {
    const dated = catalogWith([['visitors, buyers]\n', 'visitors, buyers]\n        kind: date\n']]);
    const own = await createStudio({ CATALOG_DIR: dated });
    onTestFinished(() => own.service.close());
    const save = (answer: string) =>
      saveTemplate(own.service, own.key, { answers: [{ requirement: 'Target audience', answer }] });
    const { status, body } = await save('soon');
    expect([status, body.error.message]).toEqual([422, '/answers/0/answer: must be an answer of the kind date']);
    expect((await save('2026-12-24')).status).toBe(201);
  });

  test('a label that the service does not ask for is named with the service', async () => {
    const { body } = await saveTemplate(studio.service, studio.key, {
      service_type: 'logo',
      answers: [{ requirement: 'Favourite bird', answer: 'Wren' }],
    });
    expect(body.error.message).toBe('/answers/0/requirement: names “Favourite bird”, which Logo does not ask for');
  });

  test('files of a job, of another template, of the brand kit and of another account', async () => {
    const { service, key } = studio;
    const [ofJob, ofTemplate, ofBrand] = [
      await newFile(service, key, someBytes()),
      await newFile(service, key, someBytes()),
      await newFile(service, key, someBytes(), { purpose: 'job_reference' }),
    ];
    await createJob(service, key, { file_ids: [ofJob.id] });
    await saveTemplate(service, key, { file_ids: [ofTemplate.id] });
    await service.call('PUT', '/api/v1/brand', { as: key, body: { facts: [], file_ids: [ofBrand.id] } });
    const { key: other } = await newCustomer(service, 'studio');
    const foreign = await newFile(service, other, someBytes());
    const file_ids = [ofJob, ofTemplate, ofBrand, foreign].map(({ id }) => id);
    const { body } = await saveTemplate(service, key, { file_ids });
    expect(body.error.details).toEqual([
      { location: '/file_ids/0', message: 'names a file of a job: copy it with POST /api/v1/files/{id}/copy' },
      { location: '/file_ids/1', message: 'names a file of a template: copy it with POST /api/v1/files/{id}/copy' },
      { location: '/file_ids/2', message: 'names a file of the brand kit, which every job gets a copy of' },
      { location: '/file_ids/3', message: 'names no file that you may use here' },
    ]);
    for (const [id, location] of [[ofTemplate.id, '/file_ids/0']] as const) {
      const { body: refused } = await createJob(service, key, { file_ids: [id] });
      expect(refused.error.details).toMatchObject([{ location }]);
      const kit = await service.call('PUT', '/api/v1/brand', { as: key, body: { facts: [], file_ids: [id] } });
      expect(kit.body.error.details).toMatchObject([{ location }]);
    }
  });
});

test('422 unsupported_service: an unknown family, and an option of another one', async () => {
  for (const body of [{ service_family: 'x' }, { service_type: 'dashboard' }]) {
    const { status, body: answer } = await saveTemplate(studio.service, studio.key, body);
    expect([status, answer.error.code]).toEqual([422, 'unsupported_service']);
  }
});

test('422 unsafe_request: a key in the name, an answer or the words', async () => {
  const secret = `sk_live_${'a1B2'.repeat(6)}`;
  const bodies = [{ name: secret }, { answers: [{ ...answers[0], answer: secret }] }, { words: secret }];
  for (const body of bodies) {
    const { status, body: answer } = await saveTemplate(studio.service, studio.key, body);
    expect([status, answer.error.code]).toEqual([422, 'unsafe_request']);
  }
});
